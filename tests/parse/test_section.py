import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.errors import Ambiguous, Invalid, SidecarError
from sidecar.parse.section import SectionNotFound, find_section, sections_of

DUP = "# A\n\n## Notes\n\nfirst\n\n# B\n\n## Notes\n\nsecond\n"
PEOPLE = '## 💡 | <span style="color:#C2B6C4">Tasks:</span>\n\n- a\n\n### People\n\n- b\n'
LOG = """\
---
a: 1
---
# Log
## Done
### 2024
## **Open** [[Tasks|points]]
### 2024
#### And/or
## done
## What? (v1.0)
# Input/Output
"""


def test_sections_know_their_path_and_ends() -> None:
    sections = sections_of("# A\nx\n## B\ny\n#### C\n## D\n# E")
    assert [(s.path, s.own_end, s.end) for s in sections] == [
        (("A",), 6, 25),
        (("A", "B"), 13, 20),
        (("A", "B", "C"), 20, 20),
        (("A", "D"), 25, 25),
        (("E",), 28, 28),
    ]


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ("Log", 4),
        ("log", 4),
        ("# Log #", 4),
        ("Done", 5),
        ("done", 10),
        ("Log › Done", 5),
        ("Log/Done/2024", 6),
        ("Log/Open points/2024", 8),
        (["Done", "2024"], 6),
        (["# Log", "## **Open** [[Tasks|points]]", "### 2024"], 8),
        ("Open points", 7),
        ("**open** [[tasks|POINTS]]", 7),
        ("And/or", 9),
        ("2024/And/or", 9),
        ("What v1 0", 11),
        ("Log/what v1-0", None),
        ("Input/Output", 12),
        ("input output", 12),
    ],
)
def test_b23_c07_how_a_section_is_named(wanted: str | list[str], line: int | None) -> None:
    if wanted == "2024/And/or":
        wanted = ["2024", "And/or"]
    if line is None:
        with pytest.raises(SectionNotFound):
            find_section(LOG, wanted)
    else:
        assert find_section(LOG, wanted).heading.line == line


@pytest.mark.parametrize("wanted", ["### People", "People", "💡 | Tasks: / People"])
def test_c07_level_hint(wanted: str) -> None:
    assert find_section(PEOPLE, wanted).heading.line == 5


@pytest.mark.parametrize("wanted", ["💡 | Tasks:", '💡 | <span style="color:#C2B6C4">Tasks:</span>', "## 💡 | Tasks:"])
def test_c07_raw_and_rendered_text(wanted: str) -> None:
    assert find_section(PEOPLE, wanted).heading.line == 1


def test_c07_raw_text_wins_over_rendered() -> None:
    assert find_section("# **X**\n# X\n", "X").heading.line == 2


def test_c06_duplicates_are_not_guessed_between() -> None:
    with pytest.raises(Ambiguous) as ambiguous:
        find_section(DUP, "Notes")
    assert ambiguous.value.candidates == ("A › Notes (line 3)", "B › Notes (line 9)")
    assert find_section(DUP, ["B", "Notes"]).heading.line == 9
    assert find_section(DUP, "b/notes").heading.line == 9


def test_c06_what_is_missing_comes_with_near_names() -> None:
    with pytest.raises(SectionNotFound) as missing:
        find_section(DUP, "Note")
    assert missing.value.candidates == ("A › Notes (line 3)", "B › Notes (line 9)")
    assert len(missing.value.near) == 2
    with pytest.raises(SectionNotFound) as missing:
        find_section(DUP, "Zebra")
    assert not missing.value.near
    assert len(missing.value.candidates) == 4
    with pytest.raises(SectionNotFound, match="no headings"):
        find_section("text", "Zebra")


def test_a_heading_of_another_level_is_near_but_not_meant() -> None:
    with pytest.raises(SectionNotFound) as missing:
        find_section(DUP, "## A")
    assert [section.heading.line for section in missing.value.near] == [1]


@pytest.mark.parametrize("wanted", ["", "  ", "## ", [], ["A", ""]])
def test_a_section_needs_a_name(wanted: str | list[str]) -> None:
    with pytest.raises(Invalid):
        find_section(DUP, wanted)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("# AaBb/›\n`*-="), max_size=40), st.text(st.sampled_from("# AaBb/›\n`*"), max_size=6))
def test_law_finding_raises_only_our_errors_and_sections_nest(text: str, wanted: str) -> None:
    for section in sections_of(text):
        assert section.heading.end <= section.own_end <= section.end <= len(text)
        assert section.path[-1] == section.heading.text
    try:
        found = find_section(text, wanted)
    except SidecarError:
        return
    assert found in sections_of(text)
