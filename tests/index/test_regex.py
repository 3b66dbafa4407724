import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sidecar.errors import Invalid
from sidecar.index.regex import OutOfTime, Patience, compile_regex


def span(pattern: str, text: str, *, case: bool = False) -> tuple[int, int] | None:
    return compile_regex(pattern, Patience(5), case=case).span(text)


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"\d{4}-\d{2}", "on 2026-01-02", (3, 10)),
        # S10: case does not matter unless it is asked for, in no script
        ("ALPHA", "an alpha", (3, 8)),
        ("É", "é", (0, 1)),
        # lines, however they end
        ("^b$", "a\r\nb\r\nc", (3, 4)),
        ("a.c", "a\rc", None),
        # what JavaScript means by these is ASCII
        (r"\d", "٣", None),
        (r"\D", "٣", (0, 1)),
        (r"\w+", "é", None),
        (r"\W", "é", (0, 1)),
        (r"caf\b", "café", (0, 3)),
        (r"caf\B", "café", None),
        (r"\s", "\ufeff", (0, 1)),
        (r"\S", "\ufeff", None),
        (r"[\d-]+", "1-2", (0, 3)),
        (r"[^\d]", "1a", (1, 2)),
        (r"[\W]+", "a--b", (1, 3)),
        (r"[^\D]", "7", (0, 1)),
        (r"[\s\S]", "x", (0, 1)),
        # groups
        (r"(?<y>\d+)-\k<y>", "12-12", (0, 5)),
        ("(?<=a)b", "ab", (1, 2)),
        ("(?<!a)b", "ab", None),
        ("(?:a|b)(?=c)", "bc", (0, 1)),
        (r"(a)\1", "aa", (0, 2)),
        # characters by number
        (r"\u0041\x42", "ab", (0, 2)),
        (r"\u{1F600}", "😀", (0, 1)),
        (r"\cJ\0", "\n\0", (0, 2)),
        (r"\p{Lu}+", "aÉb", (0, 3)),
        # what is special here and not there
        ("a{", "a{", (0, 2)),
        ("a{,3}", "a{,3}", (0, 5)),
        ("a{2}", "aaa", (0, 2)),
        ("a]", "a]", (0, 2)),
        ("[[]", "[", (0, 1)),
        ("[a&&b]+", "b&a", (0, 3)),
        ("(foo){e<=1}", "fo", None),
        (r"\m\A\Z\Q", "mAZQ", (0, 4)),
        (r"\/", "/", (0, 1)),
        ("[^]", "\n", (0, 1)),
        ("[]", "a", None),
        ("a[]]", "a", None),
    ],
)
def test_an_expression_is_read_as_javascript_reads_it(pattern: str, text: str, found: tuple[int, int] | None) -> None:
    assert span(pattern, text) == found


def test_case_counts_on_demand() -> None:
    assert span("Alpha", "alpha", case=True) is None
    assert span("Alpha", "Alpha", case=True) == (0, 5)


@pytest.mark.parametrize(
    ("pattern", "position"),
    [
        ("(", 2), ("ab)", 3), ("[a", 3), ("*a", 1), ("a(*)", 3), (r"\u{41}(", 8), ("(?P<n>a)", 1), ("x(?i)a", 2), ("(?>a)", 1),
        ("(?<n>a", 7), (r"\k<x>", 1), ("[z-a]", 5), ("\\", 2), ("a{3,1}", 3),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_position(pattern: str, position: int) -> None:
    with pytest.raises(Invalid) as error:
        span(pattern, "")
    assert error.value.data == {"pattern": pattern, "position": position}
    assert f"at position {position}" in error.value.message


def test_an_expression_may_not_be_endless() -> None:
    with pytest.raises(Invalid):
        span("a" * 1001, "")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("(a+)+$", "a" * 5000 + "b"), ("(x+x+)+y", "y" + "x" * 5000)],
)
def test_no_expression_runs_longer_than_there_is_patience(pattern: str, text: str) -> None:
    patience = Patience(0.05)
    expression = compile_regex(pattern, patience)
    with pytest.raises(OutOfTime):
        expression.span(text)
    assert patience.left == 0
    with pytest.raises(OutOfTime):
        compile_regex("a", patience).span("a")


def test_matching_uses_patience_up() -> None:
    patience = Patience(1)
    compile_regex("a", patience).span("b" * 1_000_000)
    assert 0 < patience.left < 1


pieces = st.sampled_from([*"()[]{}|*+?.^$\\/-,:=!<>&~#ab1", "(?", r"\d", r"\k<a>", "(?<a>", "{2,3}", r"\u{", "[^"])


@given(st.one_of(st.text(max_size=30), st.lists(pieces, max_size=14).map("".join)), st.text("ab1\n\\[", max_size=10))
def test_whatever_is_typed_matches_or_is_invalid(pattern: str, text: str) -> None:
    try:
        found = compile_regex(pattern, Patience(0.2)).span(text)
    except (Invalid, OutOfTime):
        return
    assert found is None or 0 <= found[0] <= found[1] <= len(text)


branches = st.lists(st.lists(pieces, max_size=5).map("".join), min_size=2, max_size=4).map("|".join)


@given(branches, st.text("ab1\n\\[Kſİs", max_size=12))
def test_branches_match_where_the_whole_expression_does(pattern: str, text: str) -> None:
    assume(not pattern.endswith("\\"))
    try:
        # With a reference it is one expression; the text holds no q.
        whole = span(rf"{pattern}|(?<z>q)\k<z>", text)
    except (Invalid, OutOfTime):
        return
    assert span(pattern, text) == whole


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("bc|ab", "xabc", (1, 3)),
        ("ab|abc", "xabc", (1, 3)),
        ("abc|ab", "xabc", (1, 4)),
        ("zz|yy", "xabc", None),
        (r"sa|\d\d", "\u017fA 12", (0, 2)),
        (r"(a)|(b)\2", "xbb", (1, 3)),
    ],
)
def test_the_first_branch_of_those_that_match_first_counts(
    pattern: str, text: str, found: tuple[int, int] | None
) -> None:
    assert span(pattern, text) == found
