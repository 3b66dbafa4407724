"""Insertions above and below a heading, replaced sections that keep their subsections, and round trips."""

import codecs
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sidecar.errors import Ambiguous
from sidecar.parse.edit import append, find_replace, insert_after_heading, insert_before_section, replace_section
from sidecar.parse.scanner import headings_of
from sidecar.parse.section import SectionNotFound, find_section, sections_of
from sidecar.parse.text import SourceText, decode

Insertion = Callable[[SourceText, str, str], str]


def source(text: str) -> SourceText:
    return decode(text.encode())


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("# A\n\na\n\n## L\nx\n", "# A\n\na\n\nnew\n\n## L\nx\n"),
        ("# A\na\n## L\nx\n", "# A\na\n\nnew\n\n## L\nx\n"),
        ("# A\n- a\n## L\n", "# A\n- a\n\nnew\n\n## L\n"),
        ("## L\n", "new\n\n## L\n"),
        ("---\na: 1\n---\n## L\n", "---\na: 1\n---\nnew\n\n## L\n"),
        ("a\r\n\r\nL\r\n===\r\n", "a\r\n\r\nnew\r\n\r\nL\r\n===\r\n"),
        ("a\n\n## L", "a\n\nnew\n\n## L"),
    ],
)
@pytest.mark.parametrize("content", ["new", "new\n", "new\n\n"])
def test_before_a_section(text: str, content: str, after: str) -> None:
    assert insert_before_section(source(text), "L", content) == after


def test_before_a_section_a_list_goes_on() -> None:
    assert insert_before_section(source("- a\n## L\n"), "L", "- b") == "- a\n- b\n\n## L\n"
    assert insert_before_section(source("a\n## L\n"), "L", "\nb") == "a\n\nb\n\n## L\n"


@pytest.mark.parametrize(
    ("text", "content", "after"),
    [
        ("## L\n\nold\n", "new", "## L\n\nnew\n\nold\n"),
        ("## L\nold\n", "new", "## L\nnew\n\nold\n"),
        ("## L\n- a\n", "- z", "## L\n- z\n- a\n"),
        ("## L\n\n- a\n", "new", "## L\n\nnew\n\n- a\n"),
        ("## L\n\n\nold\n", "new", "## L\n\nnew\n\nold\n"),
        ("## L\n\n### M\nm\n", "new", "## L\n\nnew\n\n### M\nm\n"),
        ("## L\n", "new", "## L\nnew\n"),
        ("## L", "new", "## L\nnew"),
        ("## L\r\nold\r\n", "a\nb", "## L\r\na\r\nb\r\n\r\nold\r\n"),
    ],
)
def test_below_a_heading(text: str, content: str, after: str) -> None:
    assert insert_after_heading(source(text), "L", content) == after


@pytest.mark.parametrize("insert", [insert_before_section, insert_after_heading])
def test_c06_an_insertion_needs_its_heading_and_only_one(insert: Insertion) -> None:
    text = "# A\n\n## Notes\n\n# B\n\n## Notes\n"
    with pytest.raises(Ambiguous):
        insert(source(text), "Notes", "x")
    with pytest.raises(SectionNotFound) as missing:
        insert(source(text), "Zebra", "x")
    assert len(missing.value.candidates) == 4


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("## L\n\nold\n\n### M\n\nm\n", "## L\n\nnew\n\n### M\n\nm\n"),
        ("## L\nold\n### M\nm\n", "## L\nnew\n### M\nm\n"),
        ("## L\n\n### M\nm\n", "## L\n\nnew\n\n### M\nm\n"),
        ("## L\n\nold\n\n## N\n", "## L\n\nnew\n\n## N\n"),
    ],
)
def test_a_replaced_section_may_keep_its_subsections(text: str, after: str) -> None:
    assert replace_section(source(text), "L", "new", subsections=False).text == after


@pytest.mark.parametrize(
    ("heading", "wanted"),
    [
        ("## Open items #urgent #work", "## Open items"),
        ("## Open items", "## Open items #urgent"),
        ("## Plan (v2)", "## Plan"),
        ("## Future work", "## Future Wrk"),
        ("### Notes", "## Notes"),
    ],
)
def test_a_section_is_not_added_beside_one_of_nearly_this_name(heading: str, wanted: str) -> None:
    with pytest.raises(SectionNotFound) as missing:
        replace_section(source(f"# T\n\n{heading}\n\nx\n"), wanted, "new")
    assert [section.heading.line for section in missing.value.near] == [3]


@pytest.mark.parametrize(
    "block",
    [
        "> [!note] Title\n> ## L\n> text",
        "```\n## L\n```",
        "- item\n\n  ```\n  ## L\n  ```",
        "    ## L",
        "%%\n## L\n%%",
        "<!--\n## L\n-->",
        "<div>\n## L\n</div>",
        "$$\n## L\n$$",
    ],
)
def test_c08_what_is_no_heading_is_no_place(block: str) -> None:
    text = f"# A\n\n{block}\n\n# B\n"
    assert [heading.text for heading in headings_of(text)] == ["A", "B"]
    with pytest.raises(SectionNotFound):
        insert_before_section(source(text), "L", "x")
    assert replace_section(source(text), "A", "new").text == "# A\n\nnew\n\n# B\n"


LINES = st.lists(
    st.sampled_from(["text", "- item", "", "", "```\n# no\n```", "> # quote", "%%\n# c\n%%", "  "]), max_size=4
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Make a note as bytes: with or without BOM, CRLF, properties and a final line break."""
    lines = draw(LINES)
    for name in draw(st.sampled_from(["A", "AB", "ABC"])):
        lines = [*lines, f"{'#' * draw(st.integers(1, 3))} {name}", *draw(LINES)]
    text = draw(st.sampled_from(["", "---\nk: v # c\n---\n"])) + "\n".join(lines) + draw(st.sampled_from(["", "\n"]))
    data = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))).encode()
    return draw(st.sampled_from([b"", codecs.BOM_UTF8])) + data


@settings(max_examples=200)
@given(files(), st.sampled_from("ABC"), st.booleans())
def test_law_a_section_replaced_and_put_back_has_its_bytes(data: bytes, name: str, subsections: bool) -> None:
    note = decode(data)
    assume(any(section.path[-1] == name for section in sections_of(note.text)))
    found = find_section(note.text, name)
    old = note.text[found.heading.end : found.end if subsections else found.own_end]
    assume(old.strip())
    same = replace_section(note, name, old, subsections=subsections).text
    assert note.encode(same) == data
    changed = decode(note.encode(replace_section(note, name, "SOMETHING\nELSE", subsections=subsections).text))
    assume(not subsections or changed.newline == note.newline)
    back = replace_section(changed, name, old, subsections=subsections).text
    assert changed.encode(back) == data


@settings(max_examples=200)
@given(files(), st.sampled_from([insert_before_section, insert_after_heading]))
def test_law_an_insertion_only_inserts(data: bytes, insert: Insertion) -> None:
    note = decode(data)
    assume(any(section.path[-1] == "A" for section in sections_of(note.text)))
    after = insert(note, "A", "INSERTED\n\nTWICE")
    at = after.index("INSERTED")
    start, end = at, after.index("TWICE") + len("TWICE")
    while not note.text.startswith(after[:start]):
        start -= 1
    assert after[start:at].strip() == ""
    while note.text[start:] != after[end:]:
        end += 1
    assert after[at:end].split() == ["INSERTED", "TWICE"]
    assert note.encode(after).startswith(codecs.BOM_UTF8) == note.bom
    assert ("\n" in after.replace("\r\n", "")) == ("\n" in note.text.replace("\r\n", "") or note.newline == "\n")


@settings(max_examples=100)
@given(files())
def test_law_text_replaced_and_replaced_back_has_its_bytes(data: bytes) -> None:
    note = decode(data)
    assume(note.text.count("item") == 1)
    after = decode(note.encode(find_replace(note, "item", "one\ntwo", expected=None, scope="body").text))
    assume(after.newline == note.newline)
    assert after.encode(find_replace(after, "one\ntwo", "item", expected=None, scope="body").text) == data


@settings(max_examples=100)
@given(files())
def test_law_an_empty_addition_changes_nothing(data: bytes) -> None:
    note = decode(data)
    assume(note.text.endswith("\n"))
    assert note.encode(append(note, "")) == data
