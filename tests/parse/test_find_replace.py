import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.errors import Invalid, NotFound, Refused
from sidecar.parse.find_replace import Replacement, Scope, find_replace
from sidecar.parse.text import decode

C04 = "---\ntopic: Q3 Planning\n---\nWe discuss Q3 Planning.\n"


def replaced(text: str, find: str, replace: str, *, expected: int | None = None, scope: Scope = "body") -> Replacement:
    return find_replace(decode(text.encode()), find, replace, expected=expected, scope=scope)


def test_c04_the_default_is_the_body() -> None:
    done = replaced(C04, "Q3 Planning", "Q3: Planning")
    assert done.text == C04.replace("We discuss Q3 Planning", "We discuss Q3: Planning")
    assert (done.body, done.frontmatter, done.skipped) == (1, 0, 1)


def test_c04_properties_that_would_break_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        replaced(C04, "Q3 Planning", "Q3: Planning", expected=2, scope="all")
    assert refused.value.data["line"] == 2


@pytest.mark.parametrize("replace", ["#3", "", "Q3\nother: 1", "Q3\n---\n", "[Q3]"])
def test_c04_properties_that_would_change_shape_are_refused(replace: str) -> None:
    with pytest.raises(Refused):
        replaced(C04, "Q3 Planning", replace, scope="frontmatter")


def test_c04_properties_are_edited_on_request() -> None:
    done = replaced(C04, "Q3", "Q4", expected=2, scope="all")
    assert done == Replacement(C04.replace("Q3", "Q4"), body=1, frontmatter=1, skipped=0)
    done = replaced(C04, "Q3", "Q4", scope="frontmatter")
    assert done == Replacement(C04.replace("Q3", "Q4", 1), body=0, frontmatter=1, skipped=1)


def test_broken_properties_may_be_mended() -> None:
    text = '---\na: "x\n---\nBody\n'
    assert replaced(text, '"x', '"x"', scope="frontmatter").text == '---\na: "x"\n---\nBody\n'


@pytest.mark.parametrize(
    ("scope", "find", "where", "line"),
    [("body", "topic", "properties", 2), ("frontmatter", "discuss", "body", 4)],
)
def test_hits_only_outside_the_scope_are_refused_saying_where(scope: Scope, find: str, where: str, line: int) -> None:
    with pytest.raises(Refused, match=rf"only in the {where} \(line {line}\)") as refused:
        replaced(C04, find, "x", scope=scope)
    assert refused.value.data["lines"] == [line]


def test_the_number_of_places_must_be_the_expected_one() -> None:
    with pytest.raises(Invalid, match="there 3 times, not once") as invalid:
        replaced("a\na\n\na\n", "a", "b")
    assert invalid.value.data == {"found": 3, "expected": 1, "lines": [1, 2, 4]}
    with pytest.raises(Invalid) as invalid:
        replaced("a\n", "a", "b", expected=2)
    assert invalid.value.data == {"found": 1, "expected": 2, "lines": [1]}
    assert replaced("a\na\n", "a", "b", expected=2).text == "b\nb\n"


@pytest.mark.parametrize(("find", "expected"), [("", None), ("a", 0), ("a", -1)])
def test_something_must_be_found_somewhere(find: str, expected: int | None) -> None:
    with pytest.raises(Invalid):
        replaced("a", find, "b", expected=expected)


def test_what_is_nowhere_comes_with_lines_that_look_alike() -> None:
    with pytest.raises(NotFound) as missing:
        replaced(C04, "we  DISCUSS q3", "x")
    assert missing.value.candidates == ("We discuss Q3 Planning. (line 4)",)
    with pytest.raises(NotFound) as missing:
        replaced(C04, "z" * 200, "x")
    assert not missing.value.candidates
    assert len(missing.value.message) < 120


def test_the_text_is_literal() -> None:
    assert replaced("a.c abc", "a.c", r"\1\n").text == r"\1\n abc"


def test_c11_a_line_feed_fits_crlf_and_new_lines_are_crlf() -> None:
    text = "# T\r\n\r\nline one\r\n\r\n## Log\r\n"
    done = replaced(text, "line one\n\n## Log", "x\ny\n\n## Log")
    assert done.text == "# T\r\n\r\nx\r\ny\r\n\r\n## Log\r\n"
    assert replaced(text, "\r\n\r\n##", "\n##").text == "# T\r\n\r\nline one\r\n## Log\r\n"
    with pytest.raises(NotFound):
        replaced(text, "T\r", "x")


def test_the_body_never_becomes_properties() -> None:
    with pytest.raises(Refused):
        replaced("x\na: 1\n---\n", "x\n", "---\n")
    with pytest.raises(Refused):
        replaced("---\na: 1\n\nend\n", "end", "---")


@settings(max_examples=200, deadline=None)
@given(
    st.text(st.sampled_from("ab\n"), max_size=10),
    st.text(st.sampled_from("ab\n"), min_size=1, max_size=3),
    st.text(st.sampled_from("abé\n"), max_size=4),
    st.sampled_from(["\n", "\r\n"]),
)
def test_law_it_is_pythons_replace_in_the_files_own_line_breaks(
    text: str, find: str, replace: str, newline: str
) -> None:
    text += "-\n"
    count = text.count(find)
    if count:
        done = replaced(text.replace("\n", newline), find, replace, expected=count)
        assert done.text == text.replace(find, replace).replace("\n", newline)
