import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sidecar.model.path import VaultPath
from sidecar.semantic.embedding import Embedding
from sidecar.semantic.store import Store
from tests.semantic.builders import DIMENSIONS, Shelf, WordModel, contents, finish, opened

ROOT = Path(__file__).parents[2]


def kept(folder: Path) -> dict[str, tuple[str, bytes, bytes]]:
    return contents(Store(folder, "words", DIMENSIONS))


def found(embedding: Embedding, question: str) -> list[str]:
    return [passage.path for passage in embedding.nearest(question, 3, lambda _: True)]


def test_a_vault_is_embedded_once(tmp_path: Path) -> None:
    shelf = Shelf({f"{number}.md": f"word{number} said" for number in range(40)} | {"Rain.md": "clouds"})
    model = WordModel()
    embedding = opened(tmp_path, shelf, model)
    embedding.compare(None)
    assert (embedding.embedded, embedding.left) == (0, 41)
    finish(embedding)
    assert (embedding.embedded, embedding.left, embedding.passages) == (41, 0, 41)
    assert found(embedding, "clouds")[0] == "Rain.md"
    shelf.read_paths.clear()
    finish(opened(tmp_path, shelf, again := WordModel()))
    assert (again.embedded, shelf.read_paths) == ([], [])


def test_only_what_changed_is_read_again(tmp_path: Path) -> None:
    shelf = Shelf({"A.md": "one", "B.md": "two", "C.md": "three"})
    embedding = opened(tmp_path, shelf)
    finish(embedding)
    shelf.read_paths.clear()
    shelf.texts |= {"B.md": "changed"}
    del shelf.texts["C.md"]
    finish(embedding, ["A.md", "B.md", "C.md"])
    assert shelf.read_paths == ["B.md"]
    assert set(kept(tmp_path)) == {"A.md", "B.md"}


@pytest.mark.parametrize("told", [[["Old/A.md", "New/A.md"]], [["New/A.md"], ["Old/A.md"]], [None]])
def test_what_moved_is_not_embedded_again(tmp_path: Path, told: list[list[str] | None]) -> None:
    shelf, model = Shelf({"Old/A.md": "# One\nrain"}), WordModel()
    embedding = opened(tmp_path, shelf, model)
    finish(embedding)
    model.embedded.clear()
    shelf.texts = {"New/A.md": shelf.texts["Old/A.md"]}
    for paths in told:
        finish(embedding, paths)
    assert model.embedded == []
    assert found(embedding, "rain") == ["New/A.md"]
    assert set(kept(tmp_path)) == {"New/A.md"}


def test_a_new_name_is_a_new_title(tmp_path: Path) -> None:
    shelf = Shelf({"Rain.md": "said"})
    embedding = opened(tmp_path, shelf)
    finish(embedding)
    shelf.texts = {"Snow.md": "said"}
    finish(embedding, ["Rain.md", "Snow.md"])
    scratch = opened(tmp_path / "scratch", shelf)
    finish(scratch)
    assert kept(tmp_path) == kept(tmp_path / "scratch")


def test_what_becomes_hidden_is_forgotten_before_anything_is_read(tmp_path: Path) -> None:
    shelf = Shelf({"A.md": "one", "Secret place.md": "# zqheading\nsecret"})
    embedding = opened(tmp_path, shelf)
    finish(embedding)
    shelf.hidden.add("Secret place.md")
    shelf.texts["A.md"] = "changed"
    embedding.compare(None)
    assert found(embedding, "secret") == ["A.md"]
    finish(embedding)
    bytes_kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"Secret place" not in bytes_kept
    assert b"zqheading" not in bytes_kept
    shelf.hidden.clear()
    finish(embedding)
    assert found(embedding, "secret")[0] == "Secret place.md"


def test_hidden_files_are_never_read(tmp_path: Path) -> None:
    shelf = Shelf({"A.md": "one", "B.md": "two"})
    shelf.hidden.add("B.md")
    finish(opened(tmp_path, shelf))
    assert shelf.read_paths == ["A.md"]


def test_a_file_hidden_while_it_waits_is_not_read(tmp_path: Path) -> None:
    shelf = Shelf({"A.md": "one", "B.md": "two"})
    embedding = opened(tmp_path, shelf)
    embedding.compare(None)
    shelf.hidden.add("B.md")
    finish(embedding, ["B.md"])
    assert shelf.read_paths == ["A.md"]


def test_a_file_embedded_but_not_yet_written_is_dropped_when_it_is_hidden(tmp_path: Path) -> None:
    shelf = Shelf({f"{number}.md": "word" for number in range(12)})
    embedding = opened(tmp_path, shelf)
    embedding.compare(None)
    assert embedding.step(lambda: False)
    assert embedding.embedded == 0
    shelf.hidden.add("0.md")
    finish(embedding, ["0.md"])
    assert "0.md" not in kept(tmp_path)
    assert len(kept(tmp_path)) == 11


def test_a_file_that_changed_since_or_cannot_be_read_waits_for_its_event(tmp_path: Path) -> None:
    shelf = Shelf({"A.md": "one", "B.md": "two", "C.md": "three"})
    embedding = opened(tmp_path, shelf)
    embedding.compare(None)
    shelf.texts["A.md"] = "changed"
    shelf.unreadable.add("B.md")
    while embedding.step(lambda: False):
        pass
    assert set(kept(tmp_path)) == {"C.md"}
    shelf.unreadable.clear()
    finish(embedding, ["A.md", "B.md"])
    assert set(kept(tmp_path)) == {"A.md", "B.md", "C.md"}


def test_files_without_words_are_remembered_too(tmp_path: Path) -> None:
    shelf = Shelf({"1.md": "", "2.md": "!!"})
    finish(opened(tmp_path, shelf))
    shelf.read_paths.clear()
    embedding = opened(tmp_path, shelf)
    finish(embedding)
    assert (shelf.read_paths, embedding.embedded, embedding.passages) == ([], 2, 0)
    assert embedding.nearest("anything", 5, lambda _: True) == ()


def test_the_end_comes_between_two_batches(tmp_path: Path) -> None:
    shelf, model = Shelf({"A.md": "\n".join(f"# H{n}\nword{n}" for n in range(200))}), WordModel()
    embedding = opened(tmp_path, shelf, model)
    embedding.compare(None)
    embedding.step(lambda: len(model.embedded) >= 64)
    assert len(model.embedded) == 64
    assert kept(tmp_path) == {}


_KILLED = """
import os, sys
from pathlib import Path
from tests.semantic.builders import Shelf, finish, opened
left = int(sys.argv[2])
def ending(call):
    def wrapped(*arguments, **named):
        global left
        left -= 1
        if left == 0:
            os._exit(9)
        return call(*arguments, **named)
    return wrapped
for name in ("write_bytes", "write_text", "replace", "unlink"):
    setattr(Path, name, ending(getattr(Path, name)))
shelf = Shelf({f"{n}.md": f"word{n}" for n in range(6)})
embedding = opened(Path(sys.argv[1]), shelf)
finish(embedding)
for number in range(6):
    shelf.texts[f"{number}.md"] = f"changed {number}"
    finish(embedding, [f"{number}.md"])
del shelf.texts["0.md"]
shelf.texts["Moved/1.md"] = shelf.texts.pop("1.md")
finish(embedding, ["0.md", "1.md", "Moved/1.md"])
"""


@pytest.mark.slow
@pytest.mark.parametrize("at", [1, 2, 3, 4, 5, 8, 11, 17, 18, 19, 20, 21, 22, 23, 24])
def test_killed_between_any_two_files_the_next_one_finishes(tmp_path: Path, at: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_KILLED), str(tmp_path), str(at)], cwd=ROOT, check=False
    )
    assert done.returncode in (0, 9)
    shelf = Shelf({f"{n}.md": f"changed {n}" for n in range(2, 6)} | {"Moved/1.md": "changed 1"})
    finish(opened(tmp_path, shelf))
    finish(opened(tmp_path / "scratch", shelf))
    assert kept(tmp_path) == kept(tmp_path / "scratch")
    names = {file.name for file in tmp_path.iterdir() if file.is_file()}
    assert len(names) == 1 + len(Store(tmp_path, "words", DIMENSIONS).parts)


NAMES = ("A.md", "Sub/A.md", "B.md", "C.canvas")
TEXTS = ("", "rain", "# One\nrain\n# Two\ntank", "---\ntitle: T\n---\nsoil", "# One\nrain" * 40)
changes = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("hide"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("show"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("step"), st.just(""), st.just("")),
    st.tuples(st.just("restart"), st.just(""), st.just("")),
)


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[Path]:
    return (tmp_path / str(number) for number in range(1 << 30))


def named(*names: str) -> list[VaultPath]:
    return [VaultPath(name) for name in names if name]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(changes, max_size=20))
def test_any_changes_give_what_scratch_gives(folders: Iterator[Path], history: list[tuple[str, str, str]]) -> None:
    folder, scratch = next(folders), next(folders)
    shelf = Shelf()
    embedding = opened(folder, shelf)
    for what, name, other in history:
        match what:
            case "write":
                shelf.texts[name] = other
            case "delete":
                shelf.texts.pop(name, None)
            case "rename" if name in shelf.texts:
                shelf.texts[other] = shelf.texts.pop(name)
            case "hide":
                shelf.hidden.add(name)
            case "show":
                shelf.hidden.discard(name)
            case "step":
                embedding.step(lambda: False)
            case "restart":
                embedding = opened(folder, shelf)
                embedding.compare(None)
        embedding.compare(named(name, other))
    finish(embedding, [])
    finish(opened(scratch, shelf))
    assert kept(folder) == kept(scratch)
    assert set(kept(folder)) == set(shelf.states())
