import pytest

from sidecar.semantic import offer
from sidecar.semantic.offer import why_not


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    names: set[str] = set()
    monkeypatch.setattr(offer, "find_spec", lambda name: name if name in names else None)
    return names


@pytest.mark.parametrize(
    ("model", "needed", "advice"),
    [
        ("wordllama", "numpy safetensors tokenizers wordllama", "'vault-sidecar[semantic]'"),
        ("WordLlama", "numpy safetensors tokenizers wordllama", "'vault-sidecar[semantic]'"),
        ("model2vec:potion", "numpy safetensors tokenizers huggingface_hub", "'vault-sidecar[semantic]'"),
        ("fastembed:BAAI/bge-small-en-v1.5", "numpy fastembed", "fastembed"),
        ("sentence-transformers:all-MiniLM-L6-v2", "numpy sentence_transformers", "sentence-transformers"),
    ],
)
def test_what_is_not_installed_is_said_with_the_way_to_it(
    installed: set[str], model: str, needed: str, advice: str
) -> None:
    assert f"pip install {advice}," in str(why_not(model))
    packages = needed.split()
    installed.update(packages)
    assert why_not(model) is None
    installed.remove(packages[-1])
    assert why_not(model) is not None


@pytest.mark.parametrize("model", ["", "word2vec", "wordllama:512", "model2vec", "fastembed:", "openai:ada"])
def test_what_is_no_model_is_answered_with_those_there_are(installed: set[str], model: str) -> None:
    installed.update(("numpy", "fastembed"))
    assert f"the model '{model}' in config.toml is not one of" in str(why_not(model))


def test_it_can_be_switched_off(installed: set[str]) -> None:
    assert "switched off" in str(why_not("off"))
    assert not installed
