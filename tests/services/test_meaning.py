"""Search by meaning over a real vault with the real model: what it finds, and what it must never hold."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sidecar.model.path import VaultPath
from sidecar.semantic.meaning import Meaning
from sidecar.services.meaning import AgentTexts
from sidecar.tools.status_view import status_json, status_text
from tests.conftest import Served

EXAMPLES = Path(__file__).parents[2] / "examples-vault"
CEILING = 60


def embedded(served: Served) -> Meaning:
    """Have the vault embedded as the daemon does."""
    served.reindex()
    meaning = served.open().meaning
    meaning._first_rest = 0
    meaning.start()
    assert meaning.settle(CEILING)
    return meaning


def found(meaning: Meaning, question: str) -> list[str]:
    return [passage.path for passage in meaning.nearest(question, 5, lambda _: True)]


def on_disk(served: Served) -> bytes:
    folder = served.state.project(served.root) / "meaning"
    return b"".join(file.read_bytes() for file in folder.iterdir())


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("rotting vegetable leftovers", "Areas/Composting.md"),
        ("collecting precipitation", "Resources/Books/Forty Buckets of Rain.md"),
        ("spicy peppers", "Resources/Jalapeño.md"),
        ("how can I reverse mistakes", "Manual/History and undo.md"),
        ("secrecy towards robots", "Manual/Privacy.md"),
        ("financial plan", "Areas/Budget.md"),
    ],
)
def test_a_question_that_shares_no_word_finds_the_note(examples: Served, question: str, path: str) -> None:
    meaning = examples.open().meaning
    text = examples.read(path).lower()
    words = [word for word in question.lower().split() if len(word) > 4]
    assert words
    assert not [word for word in words if word in text]
    assert path in found(meaning, question)[:3]


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> object:
    from sidecar.config import StateFolder

    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(EXAMPLES, folder / "Vault")
    served = Served(folder / "Vault", StateFolder(folder / "state"))
    embedded(served)
    yield served
    served.close()


def test_a_passage_says_where_it_is(examples: Served) -> None:
    meaning = examples.open().meaning
    best = meaning.nearest("spicy peppers", 1, lambda path: path == "Resources/Jalapeño.md")[0]
    assert best.heading in {"Jalapeño", "Sowing", "Pickled jalapeños", "Notes"}
    lines = examples.read(best.path).split("\n")
    assert lines[best.line - 1].strip()
    assert 0 < best.similarity <= 1
    canvas = meaning.nearest("spring", 1, lambda path: path.endswith(".canvas"))[0]
    assert (canvas.path, canvas.line) == ("Projects/Garden plan.canvas", 0)


def test_the_vault_keeps_every_byte_and_the_folder_is_private(examples: Served) -> None:
    assert (examples.root / "Areas/Gate code.md").exists()
    before = examples.hash()
    examples.open().meaning.look_again(None)
    assert examples.open().meaning.settle(CEILING)
    assert examples.hash() == before
    folder = examples.state.project(examples.root) / "meaning"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_what_agents_may_not_see_is_never_embedded(guarded: Served) -> None:
    guarded.write("Open.md", "An open word.")
    guarded.write("Secret/Denied note.md", "# zqheading\nThe treasure is under the oak.")
    guarded.write("Private note.md", "---\nprivate: true\n---\n# zqheading\nThe treasure is under the oak.")
    meaning = embedded(guarded)
    assert found(meaning, "where is the treasure?") == ["Open.md"]
    kept = on_disk(guarded)
    assert b"Open.md" in kept
    assert not [word for word in (b"Denied", b"Private", b"zqheading") if word in kept]


def test_what_becomes_private_or_denied_is_dropped_and_comes_back(served: Served) -> None:
    served.write("Open.md", "An open word.")
    served.write("Oak.md", "# zqheading\nThe treasure is under the oak.")
    meaning = embedded(served)
    assert found(meaning, "treasure")[0] == "Oak.md"

    served.write("Oak.md", "---\nprivate: true\n---\n# zqheading\nThe treasure is under the oak.")
    assert found(embedded(served), "treasure") == ["Open.md"]
    assert b"Oak.md" not in on_disk(served)

    served.write("Oak.md", "# zqheading\nThe treasure is under the oak.")
    assert found(embedded(served), "treasure")[0] == "Oak.md"

    served.write(".mcpignore", "Oak.md\n")
    served.ok("list_directory")  # whoever asks next notices the rules
    assert found(embedded(served), "treasure") == ["Open.md"]
    assert b"Oak.md" not in on_disk(served)


def test_changes_of_agents_and_from_outside_are_followed(served: Served) -> None:
    served.write("Notes/Rain.md", "Clouds and drops.")
    meaning = embedded(served)
    served.ok("write_note", title="Soil", directory="Notes", content="Worms and roots.")
    assert meaning.settle(CEILING)
    assert found(meaning, "earthworms")[0] == "Notes/Soil.md"
    served.ok("move_note", identifier="Notes/Soil.md", destination_path="Garden/Soil.md")
    assert meaning.settle(CEILING)
    assert found(meaning, "earthworms")[0] == "Garden/Soil.md"
    (served.root / "Notes/Rain.md").unlink()
    assert found(embedded(served), "weather") == ["Garden/Soil.md"]


def test_only_notes_and_canvases_with_text_are_embedded(guarded: Served) -> None:
    for name in ("A.md", "B.canvas", "C.base", "D.png", "Secret/E.md"):
        guarded.write(name, "{}")
    opened = guarded.open()
    texts = AgentTexts(opened.services.content._views, opened.services.content._files)
    assert set(texts.states()) == {"A.md", "B.canvas"}
    asked = [VaultPath(name) for name in ("A.md", "C.base", "Secret/E.md", "Nowhere.md")]
    assert set(texts.states(asked)) == {"A.md"}
    assert texts.read(VaultPath("A.md")) == b"{}"
    assert texts.read(VaultPath("Nowhere.md")) is None


def test_newest_first(served: Served) -> None:
    import os

    for age, name in enumerate(("C.md", "A.md", "B.md")):
        os.utime(served.write(name, name), (1_000_000 - age, 1_000_000 - age))
    opened = served.open()
    texts = AgentTexts(opened.services.content._views, opened.services.content._files)
    assert list(texts.states()) == ["C.md", "A.md", "B.md"]


def test_the_status_says_how_far_it_is(served: Served) -> None:
    served.write("A.md", "Words.")
    status = served.open().services.status
    assert status_json(status.look())["meaning"]["embedded"] == 0
    embedded(served)
    told = status_json(status.look())
    assert told["meaning"] == {"model": "wordllama", "missing": None, "embedded": 1, "left": 0, "passages": 1}
    assert "search by meaning: up to date, 1 passages of 1 files, with wordllama" in status_text(told)


def test_it_is_off_when_the_settings_say_so(tmp_path: Path, served: Served) -> None:
    from sidecar.config import Settings, load_settings

    (tmp_path / "config.toml").write_text('[search]\nmodel = "off"\n')
    served.settings = load_settings(tmp_path / "config.toml")
    assert served.settings != Settings()
    served.write("A.md", "Words.")
    meaning = served.open().meaning
    meaning.start()
    assert "switched off" in str(meaning.missing)
    assert "switched off" in status_text(status_json(served.open().services.status.look()))
    assert not (served.state.project(served.root) / "meaning").exists()


_WITHOUT = """
import sys
from pathlib import Path
heavy = {"numpy", "safetensors", "tokenizers", "wordllama", "huggingface_hub"}
from sidecar.app import open_vault
from sidecar.config import Settings, StateFolder
assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()
sys.modules.update(dict.fromkeys(heavy))  # as if they were not installed
opened = open_vault(Path(sys.argv[1]), StateFolder(Path(sys.argv[2])), Settings())
opened.start()
opened.pipeline.settle()
print(opened.meaning.missing)
print(opened.services.status.look().meaning.missing)
opened.close()
"""


def test_without_the_extra_everything_else_works_and_nothing_of_it_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "Vault").mkdir()
    (tmp_path / "Vault/A.md").write_text("Words.")
    command = [sys.executable, "-c", _WITHOUT, str(tmp_path / "Vault"), str(tmp_path / "state")]
    done = subprocess.run(command, cwd=EXAMPLES.parent, capture_output=True, text=True, check=True)
    assert (
        done.stdout.splitlines()
        == ["wordllama is not installed: pip install 'vault-sidecar[semantic]', then restart"] * 2
    )
    assert not list((tmp_path / "state").rglob("meaning"))
