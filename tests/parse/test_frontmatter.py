import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.model.note import Json, PropertyProblem
from sidecar.parse.frontmatter import Block, aliases_of, block_of, read_properties, tags_of, title_of


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("---\na: 1\n---\nBody", Block(4, 9, 13)),
        ("---\r\na: 1\r\n---\r\nBody", Block(5, 11, 16)),
        ("---\n---\n", Block(4, 4, 8)),
        ("---\na: 1\n---", Block(4, 9, 12)),
        ("---\na: 1\n--- x\n---\n", Block(4, 15, 19)),
        ("---\na: 1\n...\n", None),
        ("---\na: 1\n", None),
        ("\n---\na: 1\n---\n", None),
        (" ---\na: 1\n---\n", None),
        ("--- \na: 1\n---\n", None),
        ("---", None),
        ("", None),
    ],
)
def test_y1_where_the_block_is(text: str, block: Block | None) -> None:
    assert block_of(text) == block


def test_values_and_body() -> None:
    read = read_properties("---\ntitle: T\nup: '[[A]]'\n---\nBody\n")
    assert (read.values, read.problem, read.body_start) == ({"title": "T", "up": "[[A]]"}, None, 29)


@pytest.mark.parametrize("text", ["---\n---\nB", "---\n# only a comment\n---\nB", "---\n\n---\nB"])
def test_an_empty_block_is_no_problem(text: str) -> None:
    read = read_properties(text)
    assert (read.values, read.problem, text[read.body_start :]) == ({}, None, "B")


def test_a_note_without_a_block_is_all_body() -> None:
    assert read_properties("# T").body_start == 0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('---\na: "unterminated\nkeep: yes\n---\nB', 2),
        ("---\r\nok: 1\r\na: b: c\r\n---\r\nB", 3),
        ("---\n- a\n---\nB", 2),
        ("---\njust text\n---\nB", 2),
        ("---\na: 1\na: 2\n---\nB", 3),
    ],
)
def test_y3_a_broken_block_is_a_finding_with_the_files_line(text: str, line: int) -> None:
    read = read_properties(text)
    assert read.values == {}
    assert isinstance(read.problem, PropertyProblem)
    assert read.problem.line == line
    assert text[read.body_start :] == "B"


@pytest.mark.parametrize(
    ("values", "tags"),
    [
        ({"tags": ["work", 42, None, "#home", "two words", "", "a/b"]}, ("work", "home", "a/b")),
        ({"tags": "one"}, ("one",)),
        ({"tags": "a, b"}, ()),
        ({"Tags": ["A"], "tag": "no", "TAGS": "b"}, ("A", "b")),
        ({"tags": ["x", "x", "1984"]}, ("x", "x")),
        ({"tags": {"a": 1}}, ()),
        ({"tags": None}, ()),
        ({}, ()),
    ],
)
def test_t7_tags(values: dict[str, Json], tags: tuple[str, ...]) -> None:
    assert tags_of(values) == tags


@pytest.mark.parametrize(
    ("values", "aliases"),
    [
        ({"aliases": ["A", " B ", None, ""]}, ("A", "B")),
        ({"Aliases": "One, two"}, ("One, two",)),
        ({"alias": "dead since 1.9"}, ()),
    ],
)
def test_y4_aliases(values: dict[str, Json], aliases: tuple[str, ...]) -> None:
    assert aliases_of(values) == aliases


@pytest.mark.parametrize(
    ("values", "title"),
    [({"title": " T "}, "T"), ({"Title": "T"}, "T"), ({"title": ["T"]}, None), ({"title": 5}, None), ({}, None)],
)
def test_title(values: dict[str, Json], title: str | None) -> None:
    assert title_of(values) == title


@settings(max_examples=200, deadline=None)
@given(st.text(), st.text())
def test_law_reading_never_raises(yaml: str, body: str) -> None:
    text = f"---\n{yaml}\n---\n{body}"
    read = read_properties(text)
    assert 0 < read.body_start <= len(text)
    assert not (read.values and read.problem)


def test_y6_dates_are_text_and_checkboxes_are_not() -> None:
    block = "---\ndue: 2026-08-21\nat: 2026-08-21T10:30:00\ndone: true\nleft: false\nempty:\n---\n"
    assert read_properties(block).values == {
        "due": "2026-08-21",
        "at": "2026-08-21T10:30:00",
        "done": True,
        "left": False,
        "empty": None,
    }


def test_a14_a_bare_template_variable_is_a_map_and_breaks_nothing() -> None:
    read = read_properties('---\ncreated: {{date}}\ntitle: "{{title}}"\n---\n')
    assert isinstance(read.values["created"], dict)
    assert read.values["title"] == "{{title}}"
    assert read.problem is None
