"""Which links follow, as which text: tables by the ids of the contract's section 5.3."""

import json
from collections.abc import Iterator

import pytest

from sidecar.services.caller import Audience
from tests.conftest import Served

Tree = dict[str, str]


def moved(served: Served, tree: Tree, source: str, to: str, **settings: str) -> Tree:
    """Return what a move changed, by new paths."""
    served.write(".obsidian/app.json", json.dumps(settings))
    for path, text in tree.items():
        served.write(path, text)
    served.ok("move_note", identifier=source, destination_path=to)
    return {path: text for path, text in read(served) if tree.get(path) != text}


def read(served: Served) -> Iterator[tuple[str, str]]:
    for place in sorted(served.root.rglob("*.*")):
        if place.is_file() and ".obsidian" not in place.parts:
            yield str(place.relative_to(served.root)), place.read_text()


@pytest.mark.parametrize(
    ("rule", "tree", "source", "to", "expected"),
    [
        (
            "M1 a link by name alone still leads there when only the folder changes",
            {"N.md": "x", "S.md": "[[N]] [[n.md]]"},
            "N.md",
            "sub/N.md",
            {"sub/N.md": "x"},
        ),
        (
            "M1 a link to another file that would lead to the moved one is mended",
            {"a/N.md": "1", "b/M.md": "2", "S.md": "[[N]]"},
            "b/M.md",
            "N.md",
            {"N.md": "2", "S.md": "[[a/N]]"},
        ),
        (
            "M1 a link to another file of the name that becomes the nearer one follows too",
            {"long/N.md": "1", "b/M.md": "2", "S.md": "[[N]]"},
            "b/M.md",
            "b/N.md",
            {"b/N.md": "2", "S.md": "[[long/N]]"},
        ),
        (
            "M1 what becomes one of several that tie is mended",
            {"aa/N.md": "1", "bb/M.md": "2", "S.md": "[[N]]"},
            "bb/M.md",
            "bb/N.md",
            {"bb/N.md": "2", "S.md": "[[aa/N]]"},
        ),
        (
            "M1 the moved note's own relative links follow",
            {"a/N.md": "[[./B]] [x](../C.md) [[B]] [[#H]] [y](#H) [[N#H]]", "a/B.md": "b", "C.md": "c"},
            "a/N.md",
            "d/e/N.md",
            {"d/e/N.md": "[[B]] [x](../../C.md) [[B]] [[#H]] [y](#H) [[N#H]]"},
        ),
        (
            "M1 the moved note's links by name alone keep their own folder's file",
            {"a/N.md": "[[B]]", "a/B.md": "near", "z/B.md": "far"},
            "a/N.md",
            "z/N.md",
            {"z/N.md": "[[a/B]]"},
        ),
        (
            "M1 a link that leads nowhere stays, but goes by the old folder still",
            {"a/N.md": "[[Gone]] [[a/Gone]] [[../Gone]] [[./x/Gone]]"},
            "a/N.md",
            "b/c/N.md",
            {"b/c/N.md": "[[Gone]] [[a/Gone]] [[../../Gone]] [[../../a/x/Gone]]"},
        ),
        (
            "M2 a path may become a name",
            {"one/a.png": "p", "S.md": "![[one/a.png]] ![x](one/a.png)"},
            "one/a.png",
            "two/b.png",
            {"two/b.png": "p", "S.md": "![[b.png]] ![x](two/b.png)"},
        ),
        (
            "M2 a Markdown link that only Obsidian can follow is written as Obsidian would",
            {"one/A.md": "x", "two/S.md": "[x](A.md) [y](../one/A.md)"},
            "one/A.md",
            "three/B.md",
            {"three/B.md": "x", "two/S.md": "[x](B.md) [y](../three/B.md)"},
        ),
        (
            "M3 the old name shown becomes the new one",
            {"folder/2.md": "x", "S.md": "[[folder/2|2]] [2](folder/2.md) [[2|two]]"},
            "folder/2.md",
            "folder/222.md",
            {"folder/222.md": "x", "S.md": "[[222|222]] [222](folder/222.md) [[222|two]]"},
        ),
        (
            "M4 links into the own note have no path, and those that have one follow",
            {"N.md": "[[#H]] [[N#H]] [[N]]"},
            "N.md",
            "M.md",
            {"M.md": "[[#H]] [[M#H]] [[M]]"},
        ),
        (
            "M5 bases: what is certain is written, the rest is left",
            {
                "d/N.md": "x",
                "B.base": 'filters: link("N") == this || file.hasLink("d/N") || file.path == "d/N.md"\n'
                'formulas:\n  a: \'up == "[[N]]" || file("d/N.md")\'\n  b: name == "N"\n',
            },
            "d/N.md",
            "e/M.md",
            {
                "e/M.md": "x",
                "B.base": 'filters: link("M") == this || file.hasLink("M") || file.path == "e/M.md"\n'
                'formulas:\n  a: \'up == "[[M]]" || file("e/M.md")\'\n  b: name == "N"\n',
            },
        ),
        (
            "R2 a dotted name that a new file would take",
            {"v1.2.md": "n", "x/v.md": "f", "S.md": "[[v1.2]]"},
            "x/v.md",
            "y/v1.2.md",
            {"y/v1.2.md": "f"},
        ),
        (
            "J9 a card's text by the folder of its canvas",
            {"N.md": "x", "c/C.canvas": '{"nodes":[{"type":"text","text":"[[../N]]"},{"type":"file","file":"n.md"}]}'},
            "N.md",
            "M.md",
            {"M.md": "x", "c/C.canvas": '{"nodes":[{"type":"text","text":"[[M]]"},{"type":"file","file":"M.md"}]}'},
        ),
        (
            "J9 a canvas that moves",
            {"C.canvas": '{"nodes":[{"type":"text","text":"[[./N]]"},{"type":"file","file":"N.md"}]}', "N.md": "x"},
            "C.canvas",
            "c/D.canvas",
            {"c/D.canvas": '{"nodes":[{"type":"text","text":"[[N]]"},{"type":"file","file":"N.md"}]}'},
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) and value[0] in "MRJ" and " " in value else "",
)
def test_what_follows(served: Served, rule: str, tree: Tree, source: str, to: str, expected: Tree) -> None:
    assert moved(served, tree, source, to) == expected, rule


@pytest.mark.parametrize(
    ("link_format", "expected"),
    [
        ("shortest", "[[M]] [x](../d/M.md) ![[M#H]]"),
        ("relative", "[[../d/M]] [x](../d/M.md) ![[../d/M#H]]"),
        ("absolute", "[[d/M]] [x](d/M.md) ![[d/M#H]]"),
    ],
)
def test_m2_the_users_format_of_links_counts(served: Served, link_format: str, expected: str) -> None:
    tree = {"N.md": "x", "s/S.md": "[[N]] [x](../N.md) ![[N#H]]"}
    assert moved(served, tree, "N.md", "d/M.md", newLinkFormat=link_format)["s/S.md"] == expected


def test_a_link_that_no_form_can_hold_refuses_the_move(served: Served) -> None:
    served.write("C#/N.md", "1")
    served.write("M.md", "2")
    served.write("S.md", "[[N]]")
    error = served.fails("move_note", "refused", identifier="M", destination_path="N")
    assert "S.md" in error["message"]


def test_a_note_that_is_no_text_refuses_the_move(served: Served) -> None:
    served.write("N.md", "x")
    served.write("L.md", b"caf\xe9 [[N]]")
    error = served.fails("move_note", "refused", identifier="N", destination_path="M")
    assert "L.md" in error["message"]
    assert "UTF-8" in error["message"]


def test_what_was_written_into_a_note_since_it_was_indexed_follows_too(served: Served) -> None:
    served.write("N.md", "x")
    served.write("S.md", "[[N]]")
    served.open()
    served.write("S.md", "[[N]] and [[N|new]]")
    served.ok("move_note", identifier="N", destination_path="M")
    assert served.read("S.md") == "[[M]] and [[M|new]]"


def test_an_encrypted_part_is_left_alone_and_links_beside_it_follow(served: Served) -> None:
    armour = "-----BEGIN PGP MESSAGE-----\nwcBMA[[N]]\n-----END PGP MESSAGE-----"
    tree = {"N.md": "x", "E.md": f"[[N]]\n\n{armour}\n"}
    assert moved(served, tree, "N.md", "M.md")["E.md"] == f"[[M]]\n\n{armour}\n"


def test_m8_a_new_note_takes_no_links_from_others(served: Served) -> None:
    served.write("deep/Foo.md", "old")
    served.write("S.md", "[[Foo]] [[Foo#H|Foo]] [[Bar]]")
    made = served.ok("write_note", title="Foo", directory="", content="new")
    assert served.read("S.md") == "[[deep/Foo]] [[deep/Foo#H|Foo]] [[Bar]]"
    assert made["relinked"] == ["S.md"]
    served.ok("undo", change=made["change"])
    assert served.read("S.md") == "[[Foo]] [[Foo#H|Foo]] [[Bar]]"
    assert not (served.root / "Foo.md").exists()
    text = served.call("write_note", title="Foo", directory="", content="new").blocks[0]
    assert "relinked: S.md" in text


def test_m8_a_new_note_is_what_unresolved_links_lead_to(served: Served) -> None:
    served.write("S.md", "[[Foo]]")
    assert served.ok("write_note", title="Foo", directory="a", content="new")["relinked"] == []
    assert served.read("S.md") == "[[Foo]]"


def test_m8_a_new_canvas_takes_no_links_either(served: Served) -> None:
    served.write("deep/Map.canvas", "{}")
    served.write("S.md", "![[Map.canvas]]")
    served.write("B.base", 'filters: link("Map.canvas") == this\n')
    made = served.ok("canvas", title="Map", directory="", nodes=[], edges=[])
    assert served.read("S.md") == "![[deep/Map.canvas]]"
    assert served.read("B.base") == 'filters: link("deep/Map.canvas") == this\n'
    assert made["relinked"] == ["B.base", "S.md"]
    served.ok("undo", change=made["change"])
    text = served.call("canvas", title="Map", directory="", nodes=[], edges=[]).blocks[0]
    assert "relinked: B.base, S.md" in text


def test_m8_a_link_in_a_read_only_note_refuses_the_new_one(guarded: Served) -> None:
    guarded.write("deep/Foo.md", "old")
    guarded.write("Sources/S.md", "[[Foo]]")
    error = guarded.fails("write_note", "refused", title="Foo", directory="", content="new")
    assert "Sources/S.md" in error["message"]
    guarded.ok("write_note", title="Foo", directory="other folder", content="new")


def test_c27_m8_a_link_in_a_denied_note_is_mended_unseen(guarded: Served) -> None:
    guarded.write("deep/Foo.md", "old")
    guarded.write("Secret/S.md", "[[Foo]]")
    made = guarded.ok("write_note", title="Foo", directory="", content="new")
    assert made["relinked"] == []
    assert guarded.read("Secret/S.md") == "[[deep/Foo]]"


def test_c27_links_to_denied_notes_tell_nothing(guarded: Served) -> None:
    guarded.write("Secret/Foo.md", "old")
    guarded.write("a/S.md", "[[Foo]] [[../Secret/Foo]]")
    made = guarded.ok("write_note", title="Foo", directory="", content="new")
    assert made["relinked"] == []
    guarded.ok("move_note", identifier="a/S", destination_path="b/c/S")
    assert guarded.read("b/c/S.md") == "[[Foo]] [[../../Secret/Foo]]"


def test_the_person_may_mend_read_only_notes(guarded: Served) -> None:
    guarded.write("N.md", "x")
    guarded.write("Sources/S.md", "[[N]]")
    reply = guarded.call("move_note", identifier="N", destination_path="M", audience=Audience.PERSON)
    assert not reply.is_error
    assert guarded.read("Sources/S.md") == "[[M]]"
