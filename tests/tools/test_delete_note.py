import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import Served


def local(served: Served, option: str = "local") -> Served:
    served.write(".obsidian/app.json", json.dumps({"trashOption": option}))
    return served


def test_c25_a_note_goes_into_the_vaults_trash_and_its_links_are_named(served: Served) -> None:
    local(served).write("S.md", "one")
    served.write("a/S.md", "two")
    served.write("N.md", "x\n[[a/S]] [[Other]]\n[s](S.md)\n")
    first = served.ok("delete_note", identifier="S.md", reason="old")
    assert first["deleted"] is True
    assert (first["title"], first["permalink"], first["file_path"]) == ("S", "s", "S.md")
    assert (first["trash"], first["kept_at"]) == ("local", ".trash/S.md")
    assert served.read(".trash/S.md") == "one"
    assert first["dangling"] == [{"file_path": "N.md", "line": 3, "link": "[s](S.md)", "leads_now_to": "a/S.md"}]
    second = served.ok("delete_note", identifier="a/S")
    assert (second["kept_at"], served.read(".trash/S 2.md")) == (".trash/S 2.md", "two")
    assert [(d["line"], d["leads_now_to"]) for d in second["dangling"]] == [(2, None), (3, None)]
    assert served.read("N.md") == "x\n[[a/S]] [[Other]]\n[s](S.md)\n"
    assert served.found("one") == []


@pytest.mark.parametrize(
    ("there", "name", "expected"),
    [
        ([], "S.md", "S.md"),
        (["s.MD"], "S.md", "S 2.md"),
        (["S.md", "S 2.md", "S 4.md"], "S.md", "S 3.md"),
        (["a.tar.gz"], "a.tar.gz", "a.tar 2.gz"),
        (["noext"], "noext", "noext 2"),
    ],
)
def test_a7_a_taken_name_in_the_trash_gets_a_number(served: Served, there: list[str], name: str, expected: str) -> None:
    for taken in there:
        local(served).write(f".trash/{taken}", "old")
    local(served).write(name, "new")
    assert served.ok("delete_note", identifier=name)["kept_at"] == f".trash/{expected}"
    assert served.read(f".trash/{expected}") == "new"
    assert all(served.read(f".trash/{taken}") == "old" for taken in there)


@pytest.mark.parametrize("option", ["local", "none", "system"])
def test_undo_brings_everything_back_wherever_it_went(
    served: Served, option: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bin_folder = _system_trash(monkeypatch, tmp_path)
    local(served, option).write("docs/A.md", "[[B]]\r\n")
    served.write("docs/deep/p.png", b"\x89PNG\0")
    served.write("docs/B.md", "b")
    (served.root / "docs/empty").mkdir()
    names = sorted(str(p.relative_to(served.root)) for p in served.root.rglob("*"))
    before = {name: (served.root / name).read_bytes() for name in names if (served.root / name).is_file()}
    deleted = served.ok("delete_note", identifier="Docs", is_dir=True)
    assert deleted["files"] == ["docs/A.md", "docs/B.md", "docs/deep/p.png"]
    assert (deleted["trash"], deleted["file_path"], deleted["is_directory"]) == (option, "docs", True)
    assert not (served.root / "docs").exists()
    assert (served.root / ".trash/docs/deep/p.png").exists() == (option == "local")
    assert len(list(bin_folder.iterdir())) == (3 if option == "system" else 0)
    undone = served.ok("undo", change=deleted["change"])
    assert sorted(str(p.relative_to(served.root)) for p in served.root.rglob("*")) == names
    assert {name: (served.root / name).read_bytes() for name in before} == before
    served.ok("undo", change=undone["change"])
    assert not (served.root / "docs").exists()


def _system_trash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Put a trash of the system's where the library would be."""
    place = tmp_path / "bin"
    place.mkdir()

    def send2trash(path: str) -> None:
        Path(path).rename(place / Path(path).name)

    monkeypatch.setitem(sys.modules, "send2trash", SimpleNamespace(send2trash=send2trash))
    return place


def test_c25_the_systems_trash_out_of_reach_refuses(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "send2trash", None)
    served.write("S.md", "x")  # no app.json: Obsidian's default is the system's trash
    error = served.fails("delete_note", "refused", identifier="S")
    assert ".trash" in error["next"]
    assert served.ok("history")["changes"] == []


def test_c25_a_system_trash_that_fails_in_the_middle_deletes_nothing(
    served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = _system_trash(monkeypatch, tmp_path)
    real = sys.modules["send2trash"].send2trash

    def failing(path: str) -> None:
        if path.endswith("B.md"):
            raise PermissionError(13, "no trash on this disk")
        real(path)

    monkeypatch.setattr(sys.modules["send2trash"], "send2trash", failing)
    served.write("docs/A.md", "a")
    served.write("docs/B.md", "b")
    reply = served.call("delete_note", identifier="docs", is_directory=True, output_format="json")
    assert reply.structured is not None
    assert reply.structured["error"] == "refused"
    assert (served.read("docs/A.md"), served.read("docs/B.md")) == ("a", "b")
    assert [p.name for p in place.iterdir()] == ["A.md"]
    assert [c["state"] for c in served.ok("history")["changes"]] == ["rolled back"]


def test_what_is_not_there_is_a_result(served: Served) -> None:
    local(served).write("Meeting.md", "x")
    served.write("docs/A.md", "x")
    text = served.call("delete_note", identifier="Meating").blocks[0]
    assert text.startswith("false\nThere is nothing to delete by the name 'Meating'.\n- Meeting.md\n")
    gone = served.ok("delete_note", identifier="Meating")
    assert (gone["deleted"], gone["candidates"], gone["file_path"]) == (False, ["Meeting.md"], None)
    assert served.ok("delete_note", identifier="dogs", is_directory=True)["candidates"] == ["docs"]
    folder = served.ok("delete_note", identifier="docs")
    assert folder["deleted"] is False
    assert "is_directory=true" in folder["next"]
    assert served.ok("history")["changes"] == []


def test_the_text_reply_says_true_first(served: Served) -> None:
    local(served).write("S.md", "x")
    served.write("N.md", "[[S]]")
    lines = served.call("delete_note", identifier="S").blocks[0].splitlines()
    assert lines[:5] == [
        "true",
        "Deleted S.md",
        "It is in the vault's .trash now: .trash/S.md",
        "links that led to it: 1",
        "- N.md, line 1",
    ]
    assert "undo takes it back" in lines[5]


@pytest.mark.parametrize(
    ("arguments", "category"),
    [
        ({"identifier": "../out"}, "refused"),
        ({"identifier": "../out", "is_directory": True}, "refused"),
        ({"identifier": "Note"}, "ambiguous"),
        ({"identifier": ".obsidian", "is_directory": True}, "refused"),
    ],
)
def test_what_is_an_error(served: Served, arguments: dict[str, Any], category: str) -> None:
    local(served).write("a/Note.md", "x")
    served.write("b/Note.md", "x")
    served.fails("delete_note", category, **arguments)


def test_canvases_and_attachments_are_deleted_too(served: Served) -> None:
    local(served).write("p.png", b"\x89PNG")
    served.write("C.canvas", '{"nodes":[{"id":"n","type":"file","file":"p.png"}],"edges":[]}')
    gone = served.ok("delete_note", identifier="p.png")
    assert gone["permalink"] is None
    assert gone["dangling"] == [{"file_path": "C.canvas", "line": 1, "link": "p.png", "leads_now_to": None}]
    assert served.ok("delete_note", identifier="C.canvas")["deleted"] is True


def test_c26_a_symbolic_link_is_not_deleted_nor_what_it_leads_to(served: Served) -> None:
    local(served).write("Important.md", "x")
    (served.root / "alias.md").symlink_to(served.root / "Important.md")
    assert served.ok("delete_note", identifier="alias.md")["deleted"] is False
    assert served.read("Important.md") == "x"


def test_c27_denied_notes_are_neither_deleted_nor_named(guarded: Served) -> None:
    local(guarded).write("Secret/S.md", "[[Open]]")
    guarded.write("Mine/P.md", "---\nprivate: true\n---\n")
    guarded.write("Mine/M.md", "x")
    guarded.write("Open.md", "x")
    guarded.write("Sources/S.md", "x")
    assert guarded.ok("delete_note", identifier="Secret/S")["deleted"] is False
    assert guarded.ok("delete_note", identifier="Secret", is_directory=True)["deleted"] is False
    assert guarded.ok("delete_note", identifier="Open")["dangling"] == []
    assert guarded.ok("delete_note", identifier="Mine", is_directory=True)["files"] == ["Mine/M.md"]
    assert guarded.read("Mine/P.md").startswith("---")
    guarded.fails("delete_note", "refused", identifier="Sources/S")
    guarded.fails("delete_note", "refused", identifier="Sources", is_directory=True)


def test_an_empty_folder_is_deleted(served: Served) -> None:
    (local(served).root / "empty/inner").mkdir(parents=True)
    gone = served.ok("delete_note", identifier="empty", is_directory=True)
    assert (gone["deleted"], gone["file_count"]) == (True, 0)
    assert not (served.root / "empty").exists()
    served.ok("undo", change=gone["change"])
    assert (served.root / "empty/inner").is_dir()
