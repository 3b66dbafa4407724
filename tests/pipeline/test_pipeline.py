"""From disk to index: differences only, nothing changed, no file lost because of another."""

import os

import pytest

from tests.conftest import Served


def test_indexing_and_serving_change_no_byte_name_or_time(served: Served) -> None:
    served.write("BOM.md", b"\xef\xbb\xbf---\r\na: 1\r\n---\r\nx")
    served.write("Bad.md", "---\na: [\n---\nx")
    served.write("Latin.md", b"caf\xe9")
    served.write("Nul.md", b"a\0b")
    served.write("Empty.md", "")
    served.write("C.canvas", "not json")
    served.write("B.base", "views: [")
    served.write("p.png", b"\x89PNG\0")
    before = served.hash()
    served.open()
    for query in ("x", "caf", "a", "tag:none"):
        served.ok("search_notes", query=query)
    served.ok("list_directory", depth=5)
    served.close()
    served.open()
    assert served.hash() == before
    assert not served.open().pipeline.progress.problems


def test_only_differences_are_looked_at(served: Served) -> None:
    for n in range(5):
        served.write(f"{n}.md", f"word{n}")
    opened = served.open()
    assert opened.index_now() == 0
    served.write("0.md", "changed now")
    (served.root / "1.md").unlink()
    (served.root / "2.md").rename(served.root / "two.md")
    assert opened.index_now() == 4
    assert (served.found("word0"), served.found("word1"), served.found("word2")) == ([], [], ["two.md"])
    assert served.found("changed") == ["0.md"]


def test_a_note_that_cannot_be_read_is_reported_and_costs_no_neighbour(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.write("Locked.md", "secret")
    served.write("Open.md", "open")
    from sidecar.errors import Unavailable
    from sidecar.model.path import VaultPath
    from sidecar.vault.files import VaultFiles

    real = VaultFiles.read

    def locked(self: VaultFiles, path: VaultPath) -> bytes:
        if path == "Locked.md":
            raise Unavailable("Permission denied.")
        return real(self, path)

    monkeypatch.setattr(VaultFiles, "read", locked)
    opened = served.open()
    assert dict(opened.pipeline.progress.problems) == {"Locked.md": "Permission denied."}
    assert served.found("open") == ["Open.md"]
    monkeypatch.undo()
    opened.index_now()
    assert served.found("secret") == ["Locked.md"]
    assert not opened.pipeline.progress.problems


def test_a_lost_state_folder_comes_back(served: Served) -> None:
    served.write("N.md", "alpha")
    assert served.found("alpha") == ["N.md"]
    served.close()
    for path in sorted(served.state.root.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    assert served.found("alpha") == ["N.md"]


@pytest.mark.parametrize("lost", ["index", "catalog.sqlite3"])
def test_index_and_catalog_come_back_each_by_itself(served: Served, lost: str) -> None:
    served.write("N.md", "alpha #tag")
    served.open()
    served.close()
    place = served.state.project(served.root) / lost
    if place.is_dir():
        for file in place.iterdir():
            file.write_bytes(b"broken")
    else:
        place.write_bytes(b"broken")
    assert served.found("alpha") == ["N.md"]
    assert served.found("tag:tag") == ["N.md"]


def test_a_file_of_equal_size_is_seen_by_its_time(served: Served) -> None:
    file = served.write("N.md", "alpha")
    served.open()
    file.write_text("gamma")
    os.utime(file, ns=(1, 1))
    served.reindex()
    assert served.found("gamma") == ["N.md"]
