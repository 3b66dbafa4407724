import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sidecar.model.path import VaultPath
from sidecar.semantic.store import Store
from tests.semantic.builders import DIMENSIONS, contents, embedded

PATHS = ("A.md", "B.md", "Sub/C.md", "D.canvas")
WORDS = ("alpha", "beta", "gamma", "")


def store(folder: Path, form: str = "words") -> Store:
    return Store(folder, form, DIMENSIONS)


def paths(*names: str) -> list[VaultPath]:
    return [VaultPath(name) for name in names]


def disk(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))


def test_what_was_added_is_there_after_a_restart(tmp_path: Path) -> None:
    kept = store(tmp_path / "m")
    kept.add([embedded("A.md", "alpha", "beta"), embedded("Ü \ud800.md", "gamma"), embedded("Empty.md")])
    kept.add([embedded("A.md", "changed")])
    before = contents(kept)
    assert set(before) == {"A.md", "Ü \ud800.md", "Empty.md"}
    again = store(tmp_path / "m")
    assert contents(again) == before
    assert again.paths() == set(before)
    assert again.key_of(VaultPath("A.md")) == embedded("A.md", "changed").key
    assert again.key_of(VaultPath("Nowhere.md")) is None
    assert [(part.rows, part.dead_rows) for part in again.parts] == [(1, 2), (1, 0)]


def test_only_the_user_can_enter_the_folder(tmp_path: Path) -> None:
    store(tmp_path / "m")
    assert stat.S_IMODE((tmp_path / "m").stat().st_mode) == 0o700


def test_a_file_that_says_the_same_elsewhere_lends_its_vectors(tmp_path: Path) -> None:
    kept = store(tmp_path)
    kept.add([embedded("Old/A.md", "alpha", key="k")])
    kept.forget(paths("Old/A.md"))
    lent = kept.borrowed("k", VaultPath("New/A.md"))
    assert lent is not None
    kept.add([lent])
    kept.tidy()
    assert contents(kept) == {"New/A.md": ("k", lent.places, lent.vectors.tobytes())}
    assert kept.borrowed("other", VaultPath("B.md")) is None


def test_what_is_forgotten_is_not_on_the_disk_any_more(tmp_path: Path) -> None:
    kept = store(tmp_path)
    kept.add([embedded("A.md", "alpha"), embedded("Hidden place.md", "old")])
    kept.add([embedded("Hidden place.md", "new"), embedded("B.md", "beta")])
    kept.forget(paths("Hidden place.md"))
    assert paths("Hidden place.md")[0] not in kept
    while kept.tidy():
        pass
    assert b"Hidden place" not in disk(tmp_path)
    assert not kept._forgotten, "what was replaced is let go"
    assert set(contents(store(tmp_path))) == {"A.md", "B.md"}


def test_the_last_file_forgotten_leaves_nothing(tmp_path: Path) -> None:
    kept = store(tmp_path)
    kept.add([embedded("A.md", "alpha")])
    kept.forget(paths("A.md", "Never there.md"))
    assert kept.tidy()
    assert not kept.tidy()
    assert [file.name for file in tmp_path.iterdir()] == ["contents.json"]


def test_many_small_segments_become_few_and_the_dead_leave(tmp_path: Path) -> None:
    kept = store(tmp_path)
    for number in range(60):
        kept.add([embedded(f"{number % 40}.md", "alpha", "beta")])
        while kept.tidy():
            pass
    assert len(kept.parts) <= 8
    assert sum(part.dead_rows for part in kept.parts) <= sum(part.rows for part in kept.parts)
    assert len(kept.paths()) == 40
    assert len(list(tmp_path.glob("*.vectors"))) == len(kept.parts)


@pytest.mark.parametrize("form", ["other words", "words 2"])
def test_another_model_begins_anew(tmp_path: Path, form: str) -> None:
    store(tmp_path).add([embedded("A.md", "alpha")])
    assert not store(tmp_path, form).parts
    assert not list(tmp_path.glob("*.vectors"))


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"form": "x"}', b'{"form": 1, "segments": [[1]]}', b"\xff"])
def test_a_table_of_contents_that_is_odd_counts_as_none(tmp_path: Path, data: bytes) -> None:
    store(tmp_path).add([embedded("A.md", "alpha")])
    (tmp_path / "contents.json").write_bytes(data)
    again = store(tmp_path)
    assert not again.parts
    again.add([embedded("B.md", "beta")])
    assert set(contents(store(tmp_path))) == {"B.md"}


@pytest.mark.parametrize("at", [0, 9, 40, -1])
@pytest.mark.parametrize("how", ["changed", "shorter", "longer", "gone", "empty"])
def test_a_damaged_segment_is_left_out_and_its_neighbours_stay(tmp_path: Path, at: int, how: str) -> None:
    kept = store(tmp_path)
    kept.add([embedded("A.md", "alpha")])
    kept.add([embedded("B.md", "beta")])
    file = min(tmp_path.glob("*.vectors"))
    data = file.read_bytes()
    changed = bytearray(data)
    changed[at] ^= 0x55
    results = {"changed": bytes(changed), "shorter": data[:at] if at else b"x", "longer": data + b"x", "empty": b""}
    file.unlink()
    if how != "gone":
        file.write_bytes(results[how])
    again = store(tmp_path)
    assert set(contents(again)) == {"B.md"}
    again.add([embedded("A.md", "alpha")])
    assert set(contents(store(tmp_path))) == {"A.md", "B.md"}


def test_what_a_search_holds_stays_readable_when_it_is_replaced(tmp_path: Path) -> None:
    kept = store(tmp_path)
    kept.add([embedded("A.md", "alpha", "beta")])
    held = kept.parts[0].segment
    kept.add([embedded("A.md", "changed", "twice", "over")])
    assert kept.tidy()
    assert not held.file.exists()
    assert held.place(0, 1) == (2, "Heading 2")
    assert len(held.vectors) == 2


class DiskRefuses:
    """Fails at the n-th change of a file's name, content or existence."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = -1
        for name in ("write_bytes", "write_text", "replace"):
            monkeypatch.setattr(Path, name, self._failing(getattr(Path, name)))

    def _failing(self, call: object) -> object:
        def wrapped(path: Path, *arguments: object) -> object:
            self.left -= 1
            if self.left == 0:
                if getattr(call, "__name__", "") == "write_bytes":
                    with path.open("wb") as file:
                        file.write(b"half")  # what a full disk leaves
                raise OSError(28, "No space left on device")
            return call(path, *arguments)  # type: ignore[operator]

        return wrapped


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("what", ["add", "tidy"])
def test_a_disk_that_refuses_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, what: str
) -> None:
    kept = store(tmp_path)
    kept.add([embedded("A.md", "alpha"), embedded("B.md", "beta")])
    kept.forget(paths("B.md"))
    before = contents(kept)
    refuses = DiskRefuses(monkeypatch)
    refuses.left = at
    with pytest.raises(OSError, match="No space"):
        kept.add([embedded("C.md", "gamma")]) if what == "add" else kept.tidy()
    assert contents(kept) == before
    reopened = contents(store(tmp_path))
    reopened.pop("B.md", None)  # forgotten, but not off the disk yet: a comparison forgets it again
    assert reopened == before
    if what == "tidy":
        assert kept.tidy()
    else:
        kept.add([embedded("C.md", "gamma")])
    assert set(contents(kept)) == {"A.md"} | ({"C.md"} if what == "add" else set())


steps: st.SearchStrategy[tuple[str, Any]] = st.one_of(
    st.tuples(
        st.just("add"),
        st.lists(st.tuples(st.sampled_from(PATHS), st.lists(st.sampled_from(WORDS), max_size=3)), max_size=3),
    ),
    st.tuples(st.just("forget"), st.lists(st.sampled_from(PATHS), max_size=3)),
    st.tuples(st.just("tidy"), st.just([])),
    st.tuples(st.just("reopen"), st.just([])),
)


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[Path]:
    return (tmp_path / str(number) for number in range(1 << 30))


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(steps, max_size=12))
def test_any_history_gives_what_was_added_last(folders: Iterator[Path], history: list[tuple[str, Any]]) -> None:
    folder = next(folders)
    kept, expected, resurrected = store(folder), {}, set[str]()
    for what, values in history:
        match what:
            case "add":
                entries = [embedded(path, *words) for path, words in values]
                kept.add(entries)
                expected.update({e.path: (e.key, e.places, e.vectors.tobytes()) for e in entries})
                resurrected -= {entry.path for entry in entries}
            case "forget":
                kept.forget(paths(*values))
                resurrected |= {path for path in values if path in expected}
                for path in values:
                    expected.pop(VaultPath(path), None)
            case "tidy":
                while kept.tidy():
                    pass
                assert not any(f'"{path}"'.encode() in disk(folder) for path in resurrected)
                resurrected.clear()
            case "reopen":
                kept = store(folder)
                kept.forget(paths(*resurrected))
        assert contents(kept) == expected
        listed = json.loads((folder / "contents.json").read_bytes())["segments"] if kept.parts else []
        assert len(listed) == len(kept.parts)
