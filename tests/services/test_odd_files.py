"""Files as no one wishes for: each is indexed as far as possible or reported, and costs its neighbours nothing."""

import os
from collections.abc import Callable, Mapping

import pytest

from sidecar.errors import Unavailable
from sidecar.model.path import VaultPath
from sidecar.vault import files as files_module
from sidecar.vault import glance as glance_module
from sidecar.vault.files import VaultFiles
from sidecar.vault.glance import Glance
from tests.conftest import Served

NEIGHBOUR = "zzneighbour [[Target]] #tag"


def _problems(vault: Served) -> Mapping[VaultPath, str]:
    return vault.open().pipeline.progress.problems


ODD: dict[str, tuple[bytes, str | None]] = {
    "Latin.md": (b"caf\xe9 oddword", "It is not valid UTF-8 (byte 3)."),
    "Nul.md": (b"a\0b oddword # x\n# H\0\n[[a\0b]] #t\0", "It holds NUL bytes."),
    "Empty.md": (b"", None),
    "Empty.canvas": (b"", None),
    "Empty.base": (b"", None),
    "Utf16.md": ("oddword".encode("utf-16"), "It is UTF-16 text, which Obsidian does not read; save it as UTF-8."),
    "Half.md": (b'---\na: "\\ud83d"\n"\\ud83d": [x]\ntags: ["\\udc00"]\naliases: ["\\udc00"]\n---\noddword', None),
    "Deep.md": (b"---\na: " + b"[" * 5000 + b"\n---\noddword" + b"> " * 3000, None),
    "Torn.canvas": (b'{"nodes":[', "The canvas cannot be read: expecting value (line 1)."),
    "List.canvas": (b"[]", "The canvas cannot be read: its root is not an object (line 1)."),
    "Nested.canvas": (b'{"nodes":' + b"[" * 100_000, None),
    "Huge numbers.md": (b"---\na: 1" + b"0" * 5000 + b"\nb: 1e999999999\n---\noddword", None),
    "Bad.base": (b"\xff\xfe\x00", "It is UTF-16 text, which Obsidian does not read; save it as UTF-8."),
}


def test_odd_files_are_indexed_or_reported_and_their_neighbours_found(served: Served) -> None:
    for name, (data, _) in ODD.items():
        served.write(name, data)
        served.write(f"Beside {name}.md", NEIGHBOUR)
    served.write("Target.md", "x")
    before = served.hash()
    assert served.ok("search_notes", query="zzneighbour", page_size=100)["total"] == len(ODD)
    files = served.open().catalog.snapshot.files
    problems = _problems(served)
    for name, (data, reason) in ODD.items():
        assert VaultPath(name) in files, name
        if reason is not None:
            assert problems[VaultPath(name)] == reason
        if b"oddword" in data:
            assert name in served.found("oddword", page_size=100), name
    assert not [why for why in problems.values() if "unexpected" in why], problems
    assert served.hash() == before
    assert {f"Beside {name}.md" for name in ODD} | {*ODD, "Target.md"} == {str(path) for path in files}


def test_a_file_of_fifty_megabytes_is_found_by_its_name_and_its_beginning(served: Served) -> None:
    served.write("Big log.md", b"firstword [[Target]]\n" + b"filler text here\n" * 3_000_000 + b"lastword\n")
    served.write("Big map.canvas", b'{"nodes":[]' + b" " * 6_000_000 + b"}")
    served.write("Target.md", NEIGHBOUR)
    assert served.found("firstword") == ["Big log.md"]
    assert served.found("lastword") == []
    assert served.found("map") == ["Big map.canvas"]
    assert served.found("zzneighbour") == ["Target.md"]
    assert _problems(served) == {
        "Big log.md": "It is 51 MB large; only its first part is indexed.",
        "Big map.canvas": "It is 6 MB large; only its name is indexed.",
    }


def _guard(monkeypatch: pytest.MonkeyPatch, check: Callable[[VaultPath], None]) -> Callable[[], None]:
    """Have each path checked before the sidecar reads it; the result ends that."""
    real, real_glance = VaultFiles.read, Glance.read

    def read(files: VaultFiles, path: VaultPath) -> bytes:
        check(path)
        return real(files, path)

    def glance(files: Glance, path: VaultPath) -> bytes:
        check(path)
        return real_glance(files, path)

    def unlock() -> None:
        monkeypatch.setattr(VaultFiles, "read", real)
        monkeypatch.setattr(Glance, "read", real_glance)

    monkeypatch.setattr(VaultFiles, "read", read)
    monkeypatch.setattr(Glance, "read", glance)
    return unlock


def _on_this_machine(monkeypatch: pytest.MonkeyPatch, is_here: Callable[[os.stat_result], bool]) -> None:
    for module in (files_module, glance_module):
        monkeypatch.setattr(module, "is_here", is_here)


def _locked(path: VaultPath) -> None:
    if path == "Locked.md":
        raise Unavailable(f"'{path}' cannot be read: Permission denied.")


def test_an_unreadable_file_is_known_by_its_name_until_it_can_be_read(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.write("Locked.md", "lockedword")
    served.write("Open.md", f"{NEIGHBOUR} [[Locked]]")
    unlock = _guard(monkeypatch, _locked)
    assert served.found("zzneighbour") == ["Open.md"]
    assert _problems(served) == {"Locked.md": "'Locked.md' cannot be read: Permission denied."}
    assert served.found("locked", search_type="title") == ["Locked.md"]
    assert served.ok("write_note", title="N", directory="", content="- x [[Locked]]")["relations"]["resolved"] == 1
    served.fails("read_note", "unavailable", identifier="Locked")
    unlock()
    served.reindex()
    assert served.found("lockedword") == ["Locked.md"]
    assert _problems(served) == {}


def test_what_is_not_on_this_machine_is_a_name_and_a_link_target(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.write(".Away.md.icloud", "bplist00 awayword")
    served.write("Cloud.md", "cloudword")
    served.write("Open.md", f"{NEIGHBOUR}\n- x [[Away]]\n- x [[Cloud]]\n")
    cloud = (served.root / "Cloud.md").stat().st_ino
    _on_this_machine(monkeypatch, lambda found: found.st_ino != cloud)
    assert served.found("zzneighbour") == ["Open.md"]
    assert served.found("awayword OR cloudword") == []
    assert sorted(served.found("path:.md")) == ["Away.md", "Cloud.md", "Open.md"]
    listed = {f["file_path"]: f.get("on_this_machine", True) for f in served.ok("list_directory")["files"]}
    assert listed == {"Away.md": False, "Cloud.md": False, "Open.md": True}
    assert "Away.md (note, 17 bytes" in (text := served.call("list_directory").blocks[0])
    assert text.count("not on this machine") == 2
    assert served.ok("write_note", title="N", directory="", content="- x [[Away]]\n- x [[Cloud]]")["relations"] == {
        "resolved": 2,
        "unresolved": 0,
    }
    for name in ("Away", "Cloud"):
        message = served.fails("read_note", "unavailable", identifier=name)["message"]
        assert message == f"'{name}.md' is not on this machine; a cloud service holds it."
        served.fails("edit_note", "unavailable", identifier=name, operation="append", content="x")
        served.fails("write_note", "unavailable", title=name, directory="", content="x", overwrite=True)
    # Both come back, one with the size and time it had all along.
    _on_this_machine(monkeypatch, lambda _: True)
    (served.root / ".Away.md.icloud").unlink()
    served.write("Away.md", "awayword")
    served.reindex()
    assert sorted(served.found("awayword OR cloudword")) == ["Away.md", "Cloud.md"]
    assert _problems(served) == {}


def test_a_file_that_goes_to_the_cloud_keeps_its_text_in_the_index(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.write("Note.md", "goneword")
    assert served.found("goneword") == ["Note.md"]
    _on_this_machine(monkeypatch, lambda _: False)
    served.reindex()
    assert served.found("goneword") == ["Note.md"]
    served.fails("read_note", "unavailable", identifier="Note")


def test_a5_attachments_are_never_opened(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    served.write("photo.png", b"\x89PNG pngword")
    served.write("secret.mdenc", '{"encodedData":"x"}')
    served.write("N.md", "![[photo.png]]")

    def only_notes(path: VaultPath) -> None:
        assert path.extension == "md", path

    _guard(monkeypatch, only_notes)
    assert served.found("pngword") == []
    assert served.found("photo", search_type="title") == ["photo.png"]


def test_a9_indexing_leaves_nothing_in_the_vault(served: Served) -> None:
    served.write("N.md", "x")
    before = served.hash()
    served.found("x")
    assert served.hash() == before
    assert [path.name for path in served.root.iterdir()] == ["N.md"]
