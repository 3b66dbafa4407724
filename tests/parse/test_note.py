import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.model.note import FileKind, LinkKind, ParsedFile
from sidecar.model.path import VaultPath
from sidecar.parse.note import parse_note

KEPANO = Path(__file__).parents[1] / "vaults" / "kepano-obsidian"


def _note(text: str) -> ParsedFile:
    return parse_note(VaultPath("Folder/Name.md"), text)


def test_a_note_is_read_whole() -> None:
    text = (
        "---\ntitle: Real title\naliases: [Other]\ntags: [a]\nup: '[[Up]]'\n---\n# H\n\nSee [[B]] #b ^id\n\n- [ ] task\n"
        "- [fact] x\n- uses [[C]]\n"
    )
    note = _note(text)
    assert (note.kind, note.title, note.aliases, note.problem) == (FileKind.NOTE, "Real title", ("Other",), None)
    assert note.body == text[text.index("# H") :]
    assert dict(note.properties)["up"] == "[[Up]]"
    assert [link.linkpath for link in note.links] == ["Up", "B", "C"]
    assert [tag.name for tag in note.tags] == ["a", "b"]
    assert [heading.text for heading in note.headings] == ["H"]
    assert [task.text for task in note.tasks] == ["task"]
    assert [found.name for found in note.block_ids] == ["id"]
    assert [fact.category for fact in note.observations] == ["fact"]
    assert [relation.type for relation in note.relations] == ["uses"]
    assert note.cards == ()


def test_the_title_is_the_basename_without_a_title_of_text() -> None:
    assert _note("").title == "Name"
    assert _note("---\ntitle: 3\n---\n# Heading\n").title == "Name"


def test_y3_a_broken_block_is_a_problem_and_the_body_still_counts() -> None:
    note = _note("---\nup: '[[A]]'\nup: x\n---\n[[B]] #t\n")
    assert note.problem is not None
    assert dict(note.properties) == {}
    assert [link.linkpath for link in note.links] == ["B"]
    assert [tag.name for tag in note.tags] == ["t"]


PROPERTIES: list[tuple[str, list[tuple[str, str, int]]]] = [
    ('up: "[[A]]"', [("up", "[[A]]", 2)]),
    ("rel:\n  - '[[A|x]]'\n  - plain\n  - '[[A|x]]'", [("rel.0", "[[A|x]]", 3), ("rel.2", "[[A|x]]", 5)]),
    ("a: b\nrel: ['[[A]]', '[x](B%20c.md)']", [("rel.0", "[[A]]", 3), ("rel.1", "[x](B%20c.md)", 3)]),
    ("x: '[[A]]'\nmap:\n  in:\n    - '[[B]]'\n  up: '[[A]]'", [("x", "[[A]]", 2), ("map.in.0", "[[B]]", 5), ("map.up", "[[A]]", 6)]),
    ("'quoted key': ' [[A]] '", [("quoted key", "[[A]]", 2)]),
    ("up: [[A]]", []),
    ("up: see [[A]]\nv: '[[A]] [[B]]'\nw: '[x](https://a.b)'\nx: '[[ ]]'", []),
]  # fmt: skip


@pytest.mark.parametrize(("block", "expected"), PROPERTIES)
def test_b21_links_of_properties(block: str, expected: list[tuple[str, str, int]]) -> None:
    text = f"---\n{block}\n---\n"
    links = _note(text).links
    assert [(link.property, link.raw, link.line) for link in links] == expected
    assert all(link.kind is LinkKind.PROPERTY for link in links)
    assert all(text[link.start : link.start + len(link.raw)] == link.raw for link in links)


def test_b21_a_link_written_with_escapes_stands_at_its_property() -> None:
    text = '---\na: b\nup: "[[\\u0041]]"\n---\n'
    (link,) = _note(text).links
    assert (link.raw, link.linkpath, link.line, link.start) == ("[[A]]", "A", 3, text.index("up:"))


def test_b24_a_callout_is_a_quote_whatever_its_type() -> None:
    note = _note(
        "> [!NOTE]- Title [[a]] #t\n> # no heading\n> - [ ] task\n> > [!odd]+\n> > [[b]]\n\n> - [fact] quoted\n"
    )
    assert [link.linkpath for link in note.links] == ["a", "b"]
    assert [tag.name for tag in note.tags] == ["t"]
    assert [task.text for task in note.tasks] == ["task"]
    assert (note.headings, note.observations) == ((), ())


def test_b26_footnotes_are_text_and_no_links() -> None:
    note = _note("A[^1] b^[see [[a]] #s] c\n\n[^1]: one [[b]]\n    more #t\n\n    [[c]]\n\n[^Long-id]: two\n- [^1] x\n")
    assert [link.linkpath for link in note.links] == ["a", "b", "c"]
    assert [tag.name for tag in note.tags] == ["s", "t"]
    assert (note.block_ids, note.observations, note.tasks) == ((), (), ())


def test_b28_offsets_count_characters_so_that_obsidian_s_are_found_by_counting_utf16() -> None:
    text = "\U0001f600\u00e9\U0001f468\u200d\U0001f469 [[a]]"
    (link,) = _note(text).links
    assert link.start == 6
    assert len(text[: link.start].encode("utf-16-le")) // 2 == 9


MARKDOWN = st.text(st.sampled_from("[]()#`*_<>$%!-|\\^:=~\"'/+. \t\r\n1ax日"), max_size=200)
LINES = st.lists(
    st.sampled_from(
        ["- [ ] a [[b]]", "> [!n] #t", "```", "$$", "%%", "<!--", "-->", "<div>", "# h [[x|y]]", "", "    x", "\t- y"]
    )
    | st.text(st.sampled_from("[]#`$ a|"), max_size=12),
    max_size=12,
).map("\n".join)


@settings(deadline=None)
@given(st.text(max_size=100) | MARKDOWN | LINES, st.sampled_from(["", "---\na: '[[b]]'\n---\n", "---\n"]))
def test_reading_never_raises_and_offsets_are_right(body: str, head: str) -> None:
    text = head + body
    note = _note(text)
    count = text.count("\n") + 1
    for link in note.links:
        assert text[link.start : link.start + len(link.raw)] == link.raw
        assert link.line == text.count("\n", 0, link.start) + 1
        assert link.linkpath or link.subpath
    for tag in note.tags:
        assert f"#{tag.name}" in text.split("\n")[tag.line - 1]
    lines = [item.line for found in (note.headings, note.tasks, note.block_ids) for item in found]
    lines += [fact.line for facts in (note.observations, note.relations) for fact in facts]
    assert all(1 <= line <= count for line in lines)


@settings(deadline=None)
@given(MARKDOWN)
def test_line_breaks_of_windows_change_nothing_but_offsets(text: str) -> None:
    plain = text.replace("\r", "")
    unix, windows = _note(plain), _note(plain.replace("\n", "\r\n"))
    assert [(t.name, t.line) for t in unix.tags] == [(t.name, t.line) for t in windows.tags]
    assert [(link.linkpath, link.line) for link in unix.links] == [(link.linkpath, link.line) for link in windows.links]
    assert [(h.level, h.text, h.line) for h in unix.headings] == [(h.level, h.text, h.line) for h in windows.headings]
    assert unix.tasks == windows.tasks
    assert unix.block_ids == windows.block_ids


HOSTILE = ["[", "[[", "[[a", "![", "](", "[](a", "[](a '", '[](a "', "[](<", "`", "`` `", "*#a ", "_#a_ ", "#a", "#a_ ",
           "<", "<!--", "<a ", '<a b="', "$", "$a ", "$$", "%%", "%%#a", ">", "> - ", "- [ ] a\n", "- [ab] (\n",
           "- [ab] a (b)\n", "- a [[b]] (c\n", "| #a", "a|\n-|\n", "^a ", "a ^b\n\n", "\\", "~~#a", "[a]: b\n", "# #"]  # fmt: skip


def _cpu(text: str) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        _note(text)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("unit", HOSTILE)
def test_reading_takes_linear_time(unit: str) -> None:
    once = unit * (15_000 // len(unit))
    assert _cpu(once + once) <= 3 * _cpu(once) + 0.02


def test_a_real_vault_gives_the_links_that_are_in_it() -> None:
    counts = dict.fromkeys(LinkKind, 0)
    tags = tasks = headings = 0
    names = {file.name.lower() for file in KEPANO.rglob("*")}
    in_bodies = []
    for file in KEPANO.rglob("*.md"):
        note = parse_note(VaultPath(file.relative_to(KEPANO).as_posix()), file.read_bytes().decode("utf-8"))
        assert note.problem is None
        for link in note.links:
            counts[link.kind] += 1
            if link.kind is not LinkKind.PROPERTY:
                in_bodies.append(link.linkpath.rpartition("/")[2].lower())
        tags += len(note.tags)
        tasks += len(note.tasks)
        headings += len(note.headings)
        assert (note.observations, note.relations) == ((), ())
    assert {kind: count for kind, count in counts.items() if count} == {
        LinkKind.PROPERTY: 134,
        LinkKind.EMBED: 61,
        LinkKind.WIKILINK: 14,
    }
    assert (tags, tasks, headings) == (53, 3, 48)
    assert len(in_bodies) - sum(f"{name}.md" in names or name in names for name in in_bodies) == 11
