from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sidecar.errors import Ambiguous, Invalid, Refused
from sidecar.parse.edit import (
    SectionEdit,
    append,
    append_to_section,
    prepend,
    prepend_to_section,
    replace_section,
)
from sidecar.parse.scanner import headings_of
from sidecar.parse.section import SectionNotFound, find_section, sections_of
from sidecar.parse.text import SourceText, decode

DUP = "# A\n\n## Notes\n\nfirst\n\n# B\n\n## Notes\n\nsecond\n"
PEOPLE = '## 💡 | <span style="color:#C2B6C4">Tasks:</span>\n\n- a\n\n### People\n\n- b\n'
FENCE = "# A\n\n   ```bash\n# Hidden\necho hi\n   ```\n\n# B\n\nb\n"
CRLF = "# T\r\n\r\nline one\r\n\r\n## Log\r\n\r\n- a\r\n"
HEAD = "---\na: 1\n---\n"


def source(text: str) -> SourceText:
    return decode(text.encode())


def replaced(text: str, section: str | list[str], content: str) -> str:
    done = replace_section(source(text), section, content)
    assert not done.created
    return done.text


@pytest.mark.parametrize(
    ("text", "content", "after"),
    [
        ("a\n", "b", "a\nb\n"),
        ("a\n", "b\n", "a\nb\n"),
        ("a\n", "\n## B\n\n", "a\n\n## B\n\n"),
        ("a", "b\n", "a\nb"),
        ("a", "\n", "a"),
        ("a\r\nb", "c\nd\n", "a\r\nb\r\nc\r\nd"),
        ("", "b", "b"),
        ("a", "", "a"),
        (HEAD, "b", HEAD + "b\n"),
        ("---\na: 1\n---", "b", "---\na: 1\n---\nb"),
        ("para\n", "---\nb", "para\n\n---\nb\n"),
    ],
)
def test_c11_append(text: str, content: str, after: str) -> None:
    assert append(source(text), content) == after


@pytest.mark.parametrize(
    ("text", "content", "after"),
    [
        (HEAD + "Body\n", "new", HEAD + "new\nBody\n"),
        (HEAD + "\nBody", "new\n", HEAD + "new\n\nBody"),
        (HEAD, "new", HEAD + "new\n"),
        ("---\na: 1\n---", "new", "---\na: 1\n---\nnew"),
        ("a\r\nb\r\n", "x\ny", "x\r\ny\r\na\r\nb\r\n"),
        ("Title\n===\n", "new", "new\n\nTitle\n===\n"),
        ("---\n\nBody\n", "new", "new\n\n---\n\nBody\n"),
        ("", "new", "new"),
        ("a", "", "a"),
    ],
)
def test_prepend_goes_behind_the_properties(text: str, content: str, after: str) -> None:
    assert prepend(source(text), content) == after


def test_text_never_becomes_properties() -> None:
    with pytest.raises(Refused):
        prepend(source("# T\n"), "---\na: 1\n---\n")
    with pytest.raises(Refused):
        append(source("---\na: 1\n"), "b\n---\n")


def test_c06_action_1_a_duplicate_is_refused() -> None:
    for edit in (append_to_section, prepend_to_section, replace_section):
        with pytest.raises(Ambiguous) as ambiguous:
            edit(source(DUP), "Notes", "x")
        assert ambiguous.value.candidates == ("A › Notes (line 3)", "B › Notes (line 9)")


@pytest.mark.parametrize("section", [["B", "Notes"], "B › Notes", "b/notes"])
@pytest.mark.parametrize("content", ["REPL", "\nREPL\n\n", "## Notes\n\nREPL\n", "## NOTES\nREPL"])
def test_c06_action_2_only_that_section_changes(section: str | list[str], content: str) -> None:
    assert replaced(DUP, section, content) == DUP.replace("second", "REPL")


def test_c06_action_3_no_heading_is_invented() -> None:
    for edit in (append_to_section, prepend_to_section):
        with pytest.raises(SectionNotFound) as missing:
            edit(source(DUP), "Nope", "x")
        assert missing.value.candidates


@pytest.mark.parametrize("section", ["💡 | Tasks:", '💡 | <span style="color:#C2B6C4">Tasks:</span>'])
def test_c07_append_stays_under_the_heading_itself(section: str) -> None:
    assert append_to_section(source(PEOPLE), section, "- z") == PEOPLE.replace("- a\n", "- a\n- z\n")


def test_c07_append_under_a_levelled_heading() -> None:
    assert append_to_section(source(PEOPLE), "### People", "- c") == PEOPLE + "- c\n"


def test_a_new_subsection_goes_behind_the_others() -> None:
    text = PEOPLE + "\n## Next\n"
    assert (
        append_to_section(source(text), "💡 | Tasks:", "\n### New\n\n- n") == PEOPLE + "\n### New\n\n- n\n\n## Next\n"
    )


@pytest.mark.parametrize("closer", ["```", "``````"])
def test_c08_lines_in_code_are_no_headings(closer: str) -> None:
    text = FENCE.replace("   ```\n", f"   {closer}\n")
    assert [heading.text for heading in headings_of(text)] == ["A", "B"]
    assert replaced(text, "A", "new") == "# A\n\nnew\n\n# B\n\nb\n"


def test_c11_crlf_stays_crlf() -> None:
    assert append(source(CRLF), "new line\nsecond") == CRLF + "new line\r\nsecond\r\n"
    assert append(source(CRLF[:-2]), "new line\nsecond") == CRLF + "new line\r\nsecond"
    assert append_to_section(source(CRLF), "Log", "- b\n- c") == CRLF + "- b\r\n- c\r\n"
    assert replaced(CRLF, "Log", "- b\n- c") == CRLF.replace("- a", "- b\r\n- c")
    assert replaced(CRLF, "T", "x\ny") == "# T\r\n\r\nx\r\ny\r\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("## L\n\n- a\n\n## N\n", "## L\n\n- a\nnew\n\n## N\n"),
        ("## L\n- a\n## N\n", "## L\n- a\nnew\n## N\n"),
        ("## L\n\n## N\n", "## L\n\nnew\n\n## N\n"),
        ("## L\n\n\n## N\n", "## L\n\nnew\n\n## N\n"),
        ("## L\n## N\n", "## L\nnew\n## N\n"),
        ("## L\nN\n---\n", "## L\nnew\n\nN\n---\n"),
        ("## L\n#N\n---\n", "## L\nnew\n\n#N\n---\n"),
        ("## L\n", "## L\nnew\n"),
        ("## L", "## L\nnew"),
        ("## L\n\n", "## L\n\nnew\n"),
        ("## L\n\n- a", "## L\n\n- a\nnew"),
        ("L\n===\n\n- a  \n   \n", "L\n===\n\n- a  \nnew\n   \n"),
    ],
)
def test_append_to_section(text: str, after: str) -> None:
    assert append_to_section(source(text), "L", "new") == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("## L\n\n- a\n\n## N\n", "## L\n\nnew\n- a\n\n## N\n"),
        ("## L\n- a\n", "## L\nnew\n- a\n"),
        ("## L\n\n\n- a\n", "## L\n\nnew\n\n- a\n"),
        ("## L\n\n### M\n", "## L\n\nnew\n\n### M\n"),
        ("## L", "## L\nnew"),
    ],
)
def test_prepend_to_section(text: str, after: str) -> None:
    assert prepend_to_section(source(text), "L", "new") == after


@pytest.mark.parametrize(
    ("text", "content", "after"),
    [
        ("## L\n\nold\n### Sub\nx\n\n## N\n", "new", "## L\n\nnew\n\n## N\n"),
        ("## L\nold\n## N\n", "new", "## L\nnew\n## N\n"),
        ("## L\n\n\nold\n\n\n## N\n", "new", "## L\n\n\nnew\n\n\n## N\n"),
        ("## L\n\n## N\n", "new", "## L\n\nnew\n\n## N\n"),
        ("## L\n\nold", "new\n", "## L\n\nnew"),
        ("## L", "new\n", "## L\nnew"),
        ("## L\n\nold\n\n## N\n", "", "## L\n\n## N\n"),
        ("## L\nold\n\n## N\n", "\n", "## L\n\n## N\n"),
        ("## L\nold\n## N\n", "", "## L\n## N\n"),
        ("## L\n\nold\n", "", "## L\n\n"),
        ("## L\n\nold", "", "## L"),
        ("## L\n\nold\n", "## L\n", "## L\n\n"),
        ("## L\n\nold\n", "### L\nnew", "## L\n\n### L\nnew\n"),
        ("## L\n\nold\n", "#tag\n", "## L\n\n#tag\n"),
    ],
)
def test_replace_section(text: str, content: str, after: str) -> None:
    assert replaced(text, "L", content) == after


@pytest.mark.parametrize(
    ("text", "section", "after"),
    [
        ("text\n", "Plan", "text\n\n## Plan\n\nnew\n"),
        ("text\n\n", "### Plan", "text\n\n### Plan\n\nnew\n"),
        ("text", "Plan", "text\n\n## Plan\n\nnew"),
        ("", "Plan", "## Plan\n\nnew\n"),
        (HEAD, "Plan", HEAD + "## Plan\n\nnew\n"),
        ("# T\r\n\r\nx\r\n", "Plan", "# T\r\n\r\nx\r\n\r\n## Plan\r\n\r\nnew\r\n"),
        ("# T\n", "Input/Output", "# T\n\n## Input/Output\n\nnew\n"),
    ],
)
@pytest.mark.parametrize("repeats_heading", [False, True])
def test_a_section_that_is_nowhere_is_added(text: str, section: str, after: str, *, repeats_heading: bool) -> None:
    heading = section if section.startswith("#") else f"## {section}"
    content = f"{heading}\nnew" if repeats_heading else "new\n"
    assert replace_section(source(text), section, content) == SectionEdit(after, created=True)


def test_an_empty_section_can_be_added() -> None:
    assert replace_section(source("x\n"), "Plan", "").text == "x\n\n## Plan\n"


@pytest.mark.parametrize(
    "section", ["Note", "## A", ["A", "Plan"], "A › Plan", "A/Plan", "Notes/Something else entirely"]
)
def test_a_section_is_not_added_when_another_may_be_meant(section: str | list[str]) -> None:
    with pytest.raises(SectionNotFound):
        replace_section(source(DUP), section, "x")


def test_a_section_is_not_added_where_it_would_be_code() -> None:
    with pytest.raises(Refused, match="never closed"):
        replace_section(source("```\ncode\n"), "Plan", "x")
    with pytest.raises(Invalid):
        replace_section(source("x\n"), "Plan\nB", "x")


def test_text_that_would_swallow_headings_is_refused() -> None:
    for edit in (replace_section, append_to_section, prepend_to_section):
        with pytest.raises(Refused, match="headings around it"):
            edit(source("# A\n\na\n\n# B\n"), "A", "```\nnever closed")
    with pytest.raises(Refused):
        prepend(source("# A\n"), "<!--")


BLOCKS = st.lists(
    st.sampled_from(["text", "- item", "", "", "```\n# no\n```", "Under\n---", "> # quote", "---", "#tag"]), max_size=3
)
HEADINGS = st.sampled_from(
    [[], ["# A"], ["# A", "## B"], ["## B", "### C"], ["# A", "### C", "## B"], ["# A", "## B", "### C", "# E"]]
)
CONTENT = st.lists(st.sampled_from(["new", "- x", "", "#### D", "```\n# c\n```", "  "]), max_size=4).map("\n".join)


@st.composite
def notes(draw: st.DrawFn, headings: st.SearchStrategy[list[str]] = HEADINGS) -> SourceText:
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines = draw(BLOCKS)
    for heading in draw(headings):
        lines = [*lines, heading, *draw(BLOCKS)]
    text = draw(st.sampled_from(["", HEAD])) + "\n".join(lines) + draw(st.sampled_from(["", "\n"]))
    return source(text.replace("\n", newline))


@st.composite
def sections(draw: st.DrawFn) -> tuple[SourceText, list[str]]:
    note = draw(notes(HEADINGS.filter(bool)))
    names = [section.path for section in sections_of(note.text) if section.path[-1] in {"A", "B", "C", "E"}]
    assume(names)  # a rule at the top may open a block of properties around them
    return note, list(draw(st.sampled_from(names)))


def check_line_breaks(before: SourceText, after: str) -> None:
    if before.newline == "\r\n":
        assert after.count("\n") == after.count("\r\n")
    else:
        assert "\r" not in after
    if before.text and not before.text.endswith("\n"):
        assert not after.endswith("\n")


def check_span(before: str, after: str) -> None:
    """All old text is still there, in one piece before and one behind the new."""
    cut = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    assert after[cut:].endswith(before[cut:])


@settings(max_examples=200, deadline=None)
@given(notes(), CONTENT, st.sampled_from([append, prepend]))
def test_law_adding_to_a_note_only_inserts(
    note: SourceText, content: str, edit: Callable[[SourceText, str], str]
) -> None:
    try:
        after = edit(note, content)
    except Refused:
        return
    check_line_breaks(note, after)
    check_span(note.text, after)


@settings(max_examples=200, deadline=None)
@given(sections(), CONTENT, st.sampled_from([append_to_section, prepend_to_section]))
def test_law_adding_to_a_section_only_inserts(
    made: tuple[SourceText, list[str]], content: str, edit: Callable[[SourceText, list[str], str], str]
) -> None:
    note, section = made
    after = edit(note, section, content)
    check_line_breaks(note, after)
    check_span(note.text, after)


@settings(max_examples=300, deadline=None)
@given(sections(), CONTENT)
def test_law_replacing_a_section_keeps_the_rest_and_is_stable(made: tuple[SourceText, list[str]], content: str) -> None:
    note, section = made
    once = replaced(note.text, section, content)
    found = find_section(note.text, section)
    check_line_breaks(note, once)
    assert once.startswith(note.text[: found.heading.end].rstrip("\r\n"))
    assert once.endswith(note.text[found.end :])
    assert replaced(once, section, content) == once


@settings(max_examples=100, deadline=None)
@given(notes(), CONTENT)
def test_law_adding_a_section_is_stable(note: SourceText, content: str) -> None:
    once = replace_section(note, "Zzz", content)
    assert once.created
    assert once.text.startswith(note.text)
    check_line_breaks(note, once.text)
    assert replaced(once.text, "Zzz", content) == once.text
