"""The models behind the names: WordLlama's own, and such as are made here in the forms of other libraries."""

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sidecar.errors import Unavailable
from sidecar.semantic.model import Model, ModelMissing, open_model

WORDS = ["[UNK]", "rain", "tank", "soil"]


def save(folder: Path, **tensors: Any) -> None:
    """Save a model of model2vec's form with a token for each of a few words."""
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token=WORDS[0]))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding()
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(tensors, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({"normalize": True}))


def cosine(model: Model, one: str, other: str) -> float:
    a, b = model.embed([one, other])
    return float(a @ b)


def test_wordllama_knows_what_words_have_in_common() -> None:
    model = open_model("wordllama")
    assert model.dimensions == 256
    assert cosine(model, "The car needs fuel", "An automobile out of petrol") > 0.4
    assert cosine(model, "The car needs fuel", "A poem on autumn leaves") < 0.25
    assert open_model("wordllama") is model


def test_wordllama_gives_what_its_own_library_gives() -> None:
    from tokenizers import Tokenizer
    from wordllama.inference import WordLlamaInference  # type: ignore[import-untyped, unused-ignore]

    from sidecar.semantic.static_model import wordllama

    texts = ["Rain falls on the roof of the shed.", "落ち葉を集める", "x", "Two  spaces\nand a line"]
    ours = wordllama()
    folder = Path(str(sys.modules["wordllama"].__file__)).parent
    tokenizer = Tokenizer.from_file(str(folder / "tokenizers/l2_supercat_tokenizer_config.json"))
    theirs = WordLlamaInference(ours._table, tokenizer)
    assert np.allclose(ours.embed(texts), theirs.embed(texts, norm=True), atol=1e-5)
    assert np.allclose(ours.embed_question(texts[0]), theirs.embed(texts[0], norm=True)[0], atol=1e-5)


def test_a_text_without_words_is_near_to_nothing() -> None:
    assert not open_model("wordllama").embed(["", "rain"])[0].any()


def test_a_model_of_model2vecs_form_is_read_from_its_folder(tmp_path: Path) -> None:
    table = np.array([[9, 9], [1, 0], [0, 1], [3, 4]], np.float32)
    save(tmp_path / "m", embeddings=table)
    model = open_model(f"model2vec:{tmp_path / 'm'}")
    assert model.dimensions == 2
    assert model.embed(["rain", "tank rain", "soil unheard of", "unheard of", ""]) == pytest.approx(
        np.array([[1, 0], [0.5**0.5, 0.5**0.5], [0.6, 0.8], [0, 0], [0, 0]], np.float32)
    )
    assert model.embed(["rain rain rain tank"])[0, 1] > 0, "nothing is cut off a passage"


def test_a_model_of_model2vecs_form_with_weights_and_fewer_rows_than_tokens(tmp_path: Path) -> None:
    save(
        tmp_path,
        embeddings=np.array([[1, 0], [0, 1]], np.float16),
        weights=np.array([1, 3, 4, 1], np.float32),
        mapping=np.array([0, 0, 1, 1]),
    )
    assert open_model(f"model2vec:{tmp_path}").embed(["rain tank"])[0] == pytest.approx([0.6, 0.8], abs=1e-6)


@pytest.mark.parametrize("broken", ["missing", "weights", "tokenizer", "names"])
def test_a_model_that_cannot_be_read_is_named(tmp_path: Path, broken: str) -> None:
    save(tmp_path, **{"other" if broken == "names" else "embeddings": np.ones((4, 2), np.float32)})
    if broken == "weights":
        (tmp_path / "model.safetensors").write_bytes(b"no weights")
    if broken == "tokenizer":
        (tmp_path / "tokenizer.json").write_text("{}")
    name = tmp_path / "nowhere" if broken == "missing" else tmp_path
    with pytest.raises(ModelMissing, match=f"model2vec:{name}"):
        open_model(f"model2vec:{name}")


def test_a_model_downloaded_before_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    snapshot = tmp_path / "models--someone--small/snapshots" / ("a" * 40)
    save(snapshot, embeddings=np.ones((4, 2), np.float32))
    (tmp_path / "models--someone--small/refs").mkdir()
    (tmp_path / "models--someone--small/refs/main").write_text("a" * 40)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    assert open_model("model2vec:someone/small").dimensions == 2
    with pytest.raises(ModelMissing, match="never downloaded"):
        open_model("model2vec:someone/other")


def test_what_is_not_installed_is_not_tried() -> None:
    with pytest.raises(Unavailable, match="not one of"):
        open_model("nothing:known")


class _Encoder:
    """Stands for a model that runs elsewhere: a text is as long as it is, questions lie in another plane."""

    def __init__(self, *_: object, **options: object) -> None:
        assert options["local_files_only"] is True

    def passages(self, texts: list[str], **_: object) -> list[list[float]]:
        assert isinstance(texts, list)
        return [[len(text), 0, 4] for text in texts]

    def questions(self, texts: list[str] | str, **_: object) -> list[list[float]]:
        return [[0, 3, 4] for _ in ([texts] if isinstance(texts, str) else texts)]


class TextEmbedding(_Encoder):
    passage_embed = _Encoder.passages
    query_embed = _Encoder.questions


class SentenceTransformer(_Encoder):
    encode = _Encoder.passages
    encode_query = _Encoder.questions


@pytest.mark.parametrize(
    ("library", "module", "encoder"),
    [
        ("fastembed", "fastembed", TextEmbedding),
        ("sentence-transformers", "sentence_transformers", SentenceTransformer),
    ],
)
def test_other_libraries_models_are_asked_in_their_own_way(
    monkeypatch: pytest.MonkeyPatch, library: str, module: str, encoder: type
) -> None:
    from importlib.machinery import ModuleSpec

    stand_in = ModuleType(module)
    stand_in.__spec__ = ModuleSpec(module, None)
    setattr(stand_in, encoder.__name__, encoder)
    monkeypatch.setitem(sys.modules, module, stand_in)
    model = open_model(f"{library}:some model")
    assert model.dimensions == 3
    assert f"{library} some model" in model.identity
    assert model.embed(["abc"]) == pytest.approx(np.array([[0.6, 0, 0.8]], np.float32))
    assert model.embed([]).shape == (0, 3)
    assert model.embed_question("What?") == pytest.approx(np.array([0, 0.6, 0.8], np.float32))
