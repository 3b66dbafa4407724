import json
from pathlib import Path
from typing import Any

import pytest

from sidecar.services.caller import Audience
from tests.conftest import Served

TARGET = "# Target\n\n## H\n\nx ^blk\n"
T = """\
---
up: "[[Target]]"
---
| a | b |
|---|---|
| [[Target\\|al]] | x |

[[Target#H|h]] ![[Target]] [md](Target.md) [[target]] [[Target#^blk]]

```
(fenced) [[Target]] code
```
`[[Target]]`
"""
CANVAS = (
    '{\n\t"nodes":[\n'
    '\t\t{"id":"a","type":"file","file":"Target.md","x":0,"y":0,"width":400,"height":400,"plugin":{"k":1}},\n'
    '\t\t{"id":"b","type":"text","text":"See [[Target]]","x":500,"y":0,"width":250,"height":60},\n'
    '\t\t{"id":"c","type":"text","text":"nothing","x":500,"y":90,"width":250,"height":60}\n'
    '\t],\n\t"edges":[]\n}'
)


def test_c13_a_move_rewrites_every_kind_of_link_and_only_links(served: Served) -> None:
    served.write("Target.md", TARGET)
    served.write("T.md", T)
    served.write("C.canvas", CANVAS)
    served.write("Books.base", "views:\n  - type: table\n    name: See Target\n")
    before = {path: served.read(path) for path in ("Target.md", "T.md", "C.canvas", "Books.base")}
    moved = served.ok("move_note", identifier="Target", destination_path="Sub/Renamed.md", reason="tidy")
    assert served.read("T.md") == (
        T.replace('up: "[[Target]]"', 'up: "[[Renamed]]"')
        .replace("| [[Target\\|al]]", "| [[Renamed\\|al]]")
        .replace(
            "[[Target#H|h]] ![[Target]] [md](Target.md) [[target]] [[Target#^blk]]",
            "[[Renamed#H|h]] ![[Renamed]] [md](Sub/Renamed.md) [[Renamed]] [[Renamed#^blk]]",
        )
    )
    assert served.read("C.canvas") == CANVAS.replace("Target", "Sub/Renamed", 1).replace("[[Target", "[[Renamed")
    assert served.read("Sub/Renamed.md") == TARGET
    assert not (served.root / "Target.md").exists()
    assert moved["moved"] is True
    assert (moved["source"], moved["destination"], moved["file_path"]) == (
        "Target.md",
        "Sub/Renamed.md",
        "Sub/Renamed.md",
    )
    assert (moved["title"], moved["permalink"]) == ("Renamed", "sub/renamed")
    assert moved["relinked"] == [{"file_path": "C.canvas", "links": 2}, {"file_path": "T.md", "links": 7}]
    assert moved["may_name_it"] == [{"file_path": "Books.base", "lines": [3]}]
    served.ok("undo", change=moved["change"])
    assert {path: served.read(path) for path in before} == before
    assert not (served.root / "Sub").exists()


def test_the_text_reply_names_each_changed_file(served: Served) -> None:
    served.write("Target.md", TARGET)
    served.write("T.md", T)
    served.write("B.base", "x: Target\n")
    text = served.call("move_note", identifier="Target", destination_path="Sub/Renamed").blocks[0]
    assert text.startswith("# Moved: Renamed\nTarget.md -> Sub/Renamed.md\nfiles with rewritten links: 1\n- T.md (7)\n")
    assert "B.base yourself, line 1" in text
    assert "undo takes it back" in text


def test_the_moved_note_is_found_at_its_new_place_only(served: Served) -> None:
    served.write("Old.md", "platypus")
    served.ok("move_note", identifier="Old", destination_folder="New")
    assert served.found("platypus") == ["New/Old.md"]
    assert [f["file_path"] for f in served.ok("list_directory", depth=2)["files"]] == ["New/Old.md"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"destination_path": "work/New"}, "work/New.md"),
        ({"destination_path": "work/v1.2"}, "work/v1.2.md"),
        ({"destination_path": "/job/New.md"}, "job/New.md"),
        ({"destination_path": "Work/New.MD"}, "work/New.MD"),
        ({"destination_path": "work/"}, "work/Note.md"),
        ({"destination_path": "note"}, "note.md"),
        ({"destination_folder": "WORK"}, "work/Note.md"),
        ({"dest_folder": "a/b"}, "a/b/Note.md"),
        ({"to_folder": "work", "destination_path": ""}, "work/Note.md"),
        ({"destination_path": "memory://vault/Work/New"}, "work/New.md"),
        ({"destination_folder": "memory://work"}, "work/Note.md"),
    ],
)
def test_where_a_note_goes(served: Served, arguments: dict[str, str], expected: str) -> None:
    served.write("Note.md", "text")
    served.write("work/Other.md", "x")
    assert served.ok("move_note", identifier="Note", **arguments)["file_path"] == expected
    assert served.read(expected) == "text"


@pytest.mark.parametrize("name", ["p.png", "v1", "C.canvas"])
def test_attachments_and_canvases_keep_their_extension_too(served: Served, name: str) -> None:
    served.write(name, "{}")
    served.write("N.md", f"![[{name}]]")
    moved = served.ok("move_note", identifier=name, destination_path="x/New")
    new = "New" + name[name.find(".") :] if "." in name else "New"
    assert moved["file_path"] == f"x/{new}"
    # Without an extension no link by name alone can lead to a file (R2).
    assert served.read("N.md") == (f"![[{new}]]" if "." in name else "![[v1]]")
    assert (moved["permalink"] is None) == (name != "C.canvas")


@pytest.mark.parametrize(
    ("arguments", "category"),
    [
        ({}, "invalid"),
        ({"destination_path": "a.md", "destination_folder": "b"}, "invalid"),
        ({"destination_path": "Note.md"}, "refused"),
        ({"destination_folder": "/"}, "refused"),
        ({"destination_path": "Taken"}, "refused"),
        ({"destination_path": "taken.md"}, "refused"),
        ({"destination_path": "../out.md"}, "refused"),
        ({"destination_path": "work/../../out.md"}, "refused"),
        ({"destination_folder": ".."}, "refused"),
        ({"destination_path": "/etc/out.md"}, "refused"),
        ({"destination_path": "~/out.md"}, "refused"),
        ({"destination_path": "C:\\out.md"}, "refused"),
        ({"destination_folder": "/usr/share"}, "refused"),
        ({"destination_path": ".obsidian/x.md"}, "refused"),
        ({"destination_path": "a:b"}, "invalid"),
        ({"destination_path": "a#b"}, "invalid"),
        ({"destination_path": "x.canvas"}, "invalid"),
        ({"destination_path": "x.txt"}, "invalid"),
        ({"destination_path": "Taken.md/x"}, "invalid"),
    ],
)
def test_where_nothing_goes(served: Served, arguments: dict[str, str], category: str) -> None:
    served.write("Note.md", "[[Taken]]")
    served.write("Taken.md", "[[Note]]")
    served.fails("move_note", category, identifier="Note", **arguments)


def test_an_absolute_path_below_the_vault_is_a_path_in_it(served: Served) -> None:
    served.write("Note.md", "text")
    moved = served.ok("move_note", identifier="Note", destination_path=str(served.root / "work/New.md"))
    assert (moved["file_path"], moved["source"], moved["destination"]) == ("work/New.md", "Note.md", "work/New.md")


@pytest.mark.parametrize("identifier", ["Notes", "nope/deep", "A.md"])
def test_a_folder_that_is_not_there_is_an_error(served: Served, identifier: str) -> None:
    served.write("docs/B.md", "x")
    served.write("A.md", "x")
    served.fails("move_note", "not_found", identifier=identifier, destination_path="z", is_directory=True)


def test_what_is_not_there_and_what_is_not_clear(served: Served) -> None:
    served.write("a/Meeting.md", "x")
    served.write("b/Meeting.md", "x")
    assert served.fails("move_note", "ambiguous", identifier="Meeting", destination_folder="c")["candidates"]
    error = served.fails("move_note", "not_found", identifier="Meating", destination_folder="c")
    assert error["candidates"] == ["a/Meeting.md", "b/Meeting.md"]
    error = served.fails("move_note", "not_found", identifier="c", destination_folder="d", is_directory=True)
    assert error["candidates"] == ["a", "b"]


def test_m7_a_folder_goes_with_all_that_is_in_it(served: Served) -> None:
    served.write("docs/A.md", "[[B]] [[docs/deep/B]] [rel](deep/B.md) [[../Out]]\n")
    served.write("docs/deep/B.md", "[[../A]] ![[p.png]]\n")
    served.write("docs/deep/p.png", b"\x89PNG")
    (served.root / "docs/empty").mkdir()
    served.write("Out.md", "[[docs/A]] [[A]]\n")
    served.write("M.canvas", '{"nodes":[{"id":"g","type":"group","background":"docs/deep/p.png"}],"edges":[]}')
    served.write("B.base", "filters: file.inFolder(\"docs\") || file.inFolder('docs/deep')\n")
    names = sorted(str(p.relative_to(served.root)) for p in served.root.rglob("*"))
    before = {path: (served.root / path).read_bytes() for path in names if (served.root / path).is_file()}
    moved = served.ok("move_note", identifier="docs", destination_path="archive/papers", is_dir=True)
    assert sorted(moved["files"]) == ["archive/papers/A.md", "archive/papers/deep/B.md", "archive/papers/deep/p.png"]
    assert served.read("archive/papers/A.md") == "[[B]] [[B]] [rel](deep/B.md) [[Out]]\n"
    assert served.read("archive/papers/deep/B.md") == "[[../A]] ![[p.png]]\n"
    assert served.read("Out.md") == "[[A]] [[A]]\n"
    assert json.loads(served.read("M.canvas"))["nodes"][0]["background"] == "archive/papers/deep/p.png"
    assert (
        served.read("B.base") == "filters: file.inFolder(\"archive/papers\") || file.inFolder('archive/papers/deep')\n"
    )
    assert not (served.root / "docs").exists()
    assert (served.root / "archive/papers/empty").is_dir()
    served.ok("undo", change=moved["change"])
    assert sorted(str(p.relative_to(served.root)) for p in served.root.rglob("*")) == names
    assert {path: (served.root / path).read_bytes() for path in before} == before


def test_f5_a_folder_or_note_may_change_its_case_only(served: Served) -> None:
    served.write("docs/Note.md", "[[docs/Note]]")
    served.write("docs/.hidden", "stays with it")
    served.write("C.canvas", '{"nodes":[{"id":"n","type":"file","file":"docs/Note.md"}],"edges":[]}')
    moved = served.ok("move_note", identifier="docs", destination_path="Docs", is_directory=True)
    assert moved["files"] == ["Docs/Note.md"]
    assert sorted(p.name for p in served.root.iterdir()) == ["C.canvas", "Docs"]
    assert (served.root / "Docs/.hidden").read_text() == "stays with it"
    assert '"Docs/Note.md"' in served.read("C.canvas")
    served.ok("move_note", identifier="Docs/Note", destination_path="docs/note")
    assert [p.name for p in (served.root / "Docs").iterdir() if p.suffix] == ["note.md"]
    served.ok("undo")
    served.ok("undo", change=moved["change"])
    assert served.read("docs/Note.md") == "[[docs/Note]]"
    assert sorted(p.name for p in served.root.iterdir()) == ["C.canvas", "docs"]


@pytest.mark.parametrize(
    ("arguments", "category"),
    [
        ({"destination_path": "docs/inner"}, "refused"),
        ({"destination_path": "taken"}, "refused"),
        ({"destination_path": "docs"}, "refused"),
        ({"destination_folder": "docs"}, "refused"),
        ({"destination_path": "../x"}, "refused"),
    ],
)
def test_where_no_folder_goes(served: Served, arguments: dict[str, str], category: str) -> None:
    served.write("docs/A.md", "x")
    served.write("taken/B.md", "x")
    served.fails("move_note", category, identifier="docs", is_directory=True, **arguments)


def test_an_empty_folder_moves_too(served: Served) -> None:
    (served.root / "empty").mkdir()
    moved = served.ok("move_note", identifier="empty", destination_folder="in", is_directory=True)
    assert (served.root / "in/empty").is_dir()
    assert not (served.root / "empty").exists()
    served.ok("undo", change=moved["change"])
    assert [p.name for p in served.root.iterdir()] == ["empty"]


def test_c27_links_in_denied_notes_follow_unseen(guarded: Served) -> None:
    guarded.write("Note.md", "x")
    guarded.write("Secret/S.md", "see [[Note]]\n")
    guarded.write("P.md", "---\nprivate: true\n---\n[[Note]]\n")
    guarded.write("Open.md", "[[Note]]\n")
    moved = guarded.ok("move_note", identifier="Note", destination_path="Other")
    assert guarded.read("Secret/S.md") == "see [[Other]]\n"
    assert guarded.read("P.md").endswith("[[Other]]\n")
    assert moved["relinked"] == [{"file_path": "Open.md", "links": 1}]
    shown = json.dumps(guarded.ok("history", change=moved["change"]))
    assert "Secret" not in shown
    assert "P.md" not in shown
    person = guarded.call("history", change=moved["change"], audience=Audience.PERSON, output_format="json").structured
    assert person is not None
    assert {f["file_path"] for f in person["changes"][0]["files"]} == {"Note.md", "Open.md", "Secret/S.md", "P.md"}
    assert guarded.ok("history", identifier="Open.md")["changes"]
    guarded.fails("history", "not_found", identifier="Secret/S.md")
    undone = guarded.ok("undo", change=moved["change"])
    assert "Secret" not in json.dumps(undone)
    assert guarded.read("Secret/S.md") == "see [[Note]]\n"
    assert guarded.read("P.md").endswith("[[Note]]\n")


def test_c27_an_undo_that_fails_at_a_denied_note_does_not_name_it(guarded: Served) -> None:
    guarded.write("Note.md", "x")
    guarded.write("Secret/S.md", "see [[Note]]\n")
    moved = guarded.ok("move_note", identifier="Note", destination_path="Other")
    guarded.write("Secret/S.md", "now [[Elsewhere]]\n")
    guarded.reindex()
    error = guarded.fails("undo", "refused", change=moved["change"])
    assert "S.md" not in json.dumps(error)


def test_c27_a_move_that_fails_at_a_denied_note_does_not_name_it(guarded: Served) -> None:
    guarded.write("Note.md", "x")
    guarded.write("Secret/S.md", "see [[Note]]\n").chmod(0o444)
    error = guarded.fails("move_note", "unavailable", identifier="Note", destination_path="Other")
    assert "S.md" not in json.dumps(error)


def test_c27_a_link_in_a_read_only_note_that_would_have_to_follow_refuses_the_move(guarded: Served) -> None:
    guarded.write("Note.md", "x")
    guarded.write("Sources/S.md", "[[Note]]")
    error = guarded.fails("move_note", "refused", identifier="Note", destination_path="Other")
    assert error["message"].startswith("A link in 'Sources/S.md' would lead elsewhere and cannot be mended")
    # Where the link still leads there nothing has to be written.
    guarded.ok("move_note", identifier="Note", destination_folder="deep")
    assert guarded.read("Sources/S.md") == "[[Note]]"


@pytest.mark.parametrize(
    "arguments",
    [
        {"identifier": "Sources/S", "destination_folder": "/"},
        {"identifier": "Open", "destination_folder": "Sources"},
        {"identifier": "Open", "destination_folder": "Secret"},
        {"identifier": "Open", "destination_path": "secret/x"},
        {"identifier": "Sources", "destination_path": "Elsewhere", "is_directory": True},
        {"identifier": "Mine", "destination_folder": "Secret", "is_directory": True},
    ],
)
def test_c27_nothing_moves_out_of_or_into_what_is_not_the_agents(guarded: Served, arguments: dict[str, Any]) -> None:
    guarded.write("Sources/S.md", "x")
    guarded.write("Secret/S.md", "x")
    guarded.write("Open.md", "x")
    guarded.write("Mine/M.md", "x")
    guarded.fails("move_note", "refused", **arguments)


def test_c26_links_of_the_disk_are_not_moved(served: Served, tmp_path: Path) -> None:
    served.write("Important.md", "x")
    (served.root / "alias.md").symlink_to(served.root / "Important.md")
    served.fails("move_note", "not_found", identifier="alias.md", destination_path="b")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "o.md").write_text("x")
    (served.root / "linked").symlink_to(outside)
    served.reindex()
    served.fails("move_note", "refused", identifier="linked/o", destination_folder="/")
    served.fails("move_note", "refused", identifier="linked", destination_path="mine", is_directory=True)


def test_a_note_that_came_to_the_disk_only_now_can_be_moved(served: Served) -> None:
    served.write("A.md", "[[New]]")
    served.open()
    served.write("New.md", "x")
    served.ok("move_note", identifier="New.md", destination_path="Newer")
    assert served.read("A.md") == "[[Newer]]"
