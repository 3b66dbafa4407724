import pytest

from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath
from sidecar.parse.note import parse_note


def _note(text: str) -> ParsedFile:
    return parse_note(VaultPath("a.md"), text)


OBSERVATIONS: list[tuple[str, list[tuple[str, str, tuple[str, ...], str | None]]]] = [
    ("- [design] Files are the truth #arch (All of it)", [("design", "Files are the truth #arch", ("arch",), "All of it")]),
    ("* [tech] a\n+ [Idea two] b\n1. [a/b:c] d\n  - [更新] e", [("tech", "a", (), None), ("Idea two", "b", (), None), ("a/b:c", "d", (), None), ("更新", "e", (), None)]),
    ("- [fact] x (a (b)) ^id-1", [("fact", "x", (), "a (b)")]),
    ("- [fact] call f(x)", [("fact", "call f(x)", (), None)]),
    ("- [fact] see [a](b.md)", [("fact", "see [a](b.md)", (), None)]),
    ("- [fact] open) (", [("fact", "open) (", (), None)]),
    ("- [fact] )\n- [fact] a ()\n- [fact] (all)", [("fact", ")", (), None), ("fact", "a ()", (), None), ("fact", "(all)", (), None)]),
    ("- [fact] `#no` #a#b [[x#c]] (why #d)", [("fact", "`#no` #a#b [[x#c]]", ("a", "b", "d"), "why #d")]),
    ("- [fact] one\n  two #a\n", [("fact", "one", (), None)]),
    ("- [fact] a\r\n- [fact] b\r\n", [("fact", "a", (), None), ("fact", "b", (), None)]),
    # Tasks, times, dates, numbers, callouts, footnotes, links and plain brackets are none.
    ("- [ ] a\n- [x] a\n- [/] a\n- [a] a\n- [日] a", []),
    ("- [00:11] a\n- [1:02:03] a\n- [00:11 am] a\n- [2024-05-01] a\n- [12] a\n- [--] a\n- [  ] a", []),
    ("> [!note] a\n- [!note] a\n> [fact] a\n> - [fact] a\n- > [fact] a", []),
    ("- [^1] a\n- [[x]] a\n- [a b](u) a\n- [a b][c] a\n- [ab]: u\n- [ab]c\n- [ab]\n- [ab] \n- []  a", []),
    ("[fact] a\n\n# [fact] a\n\n| [fact] a #b |\n|---|\n| [fact] a |\n\nText with #tag", []),
    ("```\n- [fact] a\n```\n\n    - [fact] a\n\n%%\n- [fact] a\n%%\n<!--\n- [fact] a\n-->", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), OBSERVATIONS)
def test_observations(text: str, expected: list[tuple[str, str, tuple[str, ...], str | None]]) -> None:
    found = [(o.category, o.content, o.tags, o.context) for o in _note(text).observations]
    assert found == expected


RELATIONS: list[tuple[str, list[tuple[str, str, str | None]]]] = [
    ("- depends_on [[Parser]] (Needed (really))", [("depends_on", "Parser", "Needed (really)")]),
    ("- \"based on\" [[Notes]]\n- 'in response to' [[Review]]", [("based on", "Notes", None), ("in response to", "Review", None)]),
    ("* part-of [[A#b|c]]\n1. см [[Б]]\n  - 参照 [[甲]] ^x1", [("part-of", "A#b|c", None), ("см", "Б", None), ("参照", "甲", None)]),
    ("- हिन्दी [[a]]\r\n- uses2 [[a]]  ", [("हिन्दी", "a", None), ("uses2", "a", None)]),
    ("- This extends [[a]]\n- uses [[a]] and [[b]]\n- uses [[a]] too\n- uses [[a]] (x) y\n- [[a]]\n- [[a]] uses", []),
    ("- rel: [[a]]\n- **rel** [[a]]\n- ![[a]]\n- ! [[a]]\n- 2nd [[a]]\n- _x [[a]]\n- uses[[a]]", []),
    ('- "" [[a]]\n- " " [[a]]\n- "a [[a]]\n- uses [[ ]]\n- uses [a](a.md)\n- uses `[[a]]`', []),
    ("uses [[a]]\n\n> - uses [[a]]\n\n```\n- uses [[a]]\n```\n%%\n- uses [[a]]\n%%\n- [ ] uses [[a]]\n# uses [[a]]", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), RELATIONS)
def test_relations(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert [(r.type, r.target, r.context) for r in _note(text).relations] == expected


def test_facts_know_their_lines_and_are_links_and_tags_too() -> None:
    note = _note("---\na: b\n---\n\n- [fact] about [[X]] #t\n- uses [[Y]]\n")
    assert [o.line for o in note.observations] == [5]
    assert [r.line for r in note.relations] == [6]
    assert [link.linkpath for link in note.links] == ["X", "Y"]
    assert [tag.name for tag in note.tags] == ["t"]
