import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.catalog.snapshot import Snapshot
from sidecar.model.file import FileState
from sidecar.model.path import VaultPath


def snapshot(*paths: str) -> Snapshot:
    return Snapshot.of({VaultPath(path): FileState(n, 1, 1, "") for n, path in enumerate(paths)})


PATHS = st.lists(st.sampled_from(["a", "A", "b", "c"]), min_size=1, max_size=3).map(
    lambda segments: VaultPath("/".join(segments) + ".md")
)
CHANGES = st.dictionaries(
    PATHS, st.none() | st.builds(FileState, st.integers(0, 3), st.just(1), st.just(1), st.just(""))
)


@given(st.lists(CHANGES, max_size=4))
def test_law_changing_equals_building_anew(steps: list[dict[VaultPath, FileState | None]]) -> None:
    now, files = Snapshot(), dict[VaultPath, FileState]()
    for changes in steps:
        before = Snapshot.of(dict(now.files))
        after = now.changed(changes)
        assert now == before, "a snapshot never changes"
        now = after
        for path, state in changes.items():
            if state:
                files[path] = state
            else:
                files.pop(path, None)
    assert now == Snapshot.of(files)


def test_folders_are_known_at_every_depth_and_go_with_their_last_file() -> None:
    now = snapshot("a/b/c.md", "a/d.md", "e.md")
    assert now.folders == {"a", "a/b"}
    assert now.file_counts[VaultPath("a")] == 2
    assert now.changed({VaultPath("a/b/c.md"): None}).folders == {"a"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Folder/Note.md", "Folder/Note.md"),
        ("folder/note", "Folder/Note.md"),
        ("FOLDER/NOTE.MD", "Folder/Note.md"),
        ("Cafe\u0301", "Café.md"),
        ("v1.2", "v1.2"),
        ("v1.2.md", "v1.2.md"),
        ("pic.png", "pic.png"),
        ("pic", None),
        ("Note", None),
        ("", None),
        ("logo", "Logo.md"),
        ("ΛΟΓΟΣ", "ΛΟΓΟΣ.md"),
    ],
)
def test_find(text: str, expected: str | None) -> None:
    now = snapshot("Folder/Note.md", "Café.md", "v1.2", "v1.2.md", "pic.png", "Logo.md", "ΛΟΓΟΣ.md")
    assert now.find(text) == expected


def test_find_never_guesses_between_files_that_differ_by_case() -> None:
    now = snapshot("a/Note.md", "a/note.md")
    assert now.find("a/note") == "a/note.md"
    assert now.find("a/NOTE") is None
    assert now.find_all("a/NOTE") == ("a/Note.md", "a/note.md")


def test_states_skips_what_is_not_there() -> None:
    now = snapshot("a.md", "b.md")
    assert [state.id for state in now.states([VaultPath("b.md"), VaultPath("x.md")])] == [1]
