import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.journal.merge import merge

LINE = st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"d\r"])
TEXT = st.builds(lambda lines, last: b"".join(lines) + last, st.lists(LINE, max_size=8), st.sampled_from([b"", b"end"]))


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        (b"1\n2\n3\n", b"1\n2\n3\n4\n", b"0\n1\n2\n3\n", b"0\n1\n2\n3\n4\n"),
        (b"1\n2\n3\n", b"1\n2x\n3\n", b"1\n2\n3y\n", b"1\n2x\n3y\n"),
        (b"1\n2\n3\n", b"1\nx\n3\n", b"1\ny\n3\n", None),
        (b"1\n2\n3\n", b"1\n3\n", b"1\ny\n3\n", None),
        (b"1\n2\n3\n", b"1\nsame\n3\n", b"1\nsame\n3\nmore\n", b"1\nsame\n3\nmore\n"),
        (b"1\n", b"1\nours\n", b"1\ntheirs\n", None),
        (b"1\nagent\n", b"1\nagent\nuser\n", b"1\n", b"1\nuser\n"),
        (b"1\r\n2\r\n", b"1\r\n2\r\nx\n", b"0\r\n1\r\n2\r\n", b"0\r\n1\r\n2\r\nx\n"),
        (b"1\n2\nend", b"0\n1\n2\nend", b"1\n2\nend!", b"0\n1\n2\nend!"),
        (b"1\nx\n", b"1\nx\nmore\n", b"1", None),
        (b"", b"ours", b"", b"ours"),
        # The first entry of a log is taken back, and another stands behind it by now.
        (b"Log\n\nben\n\nend\n", b"Log\n\nend\n", b"Log\n\nben\nada\n\nend\n", b"Log\nada\n\nend\n"),
        (b"\n\nben\n\n", b"\n\n", b"\n\nben\n\nada\n", b"\n\nada\n"),
    ],
)
def test_merge(base: bytes, ours: bytes, theirs: bytes, merged: bytes | None) -> None:
    assert merge(base, ours, theirs) == merged
    assert merge(base, theirs, ours) == merged


@given(TEXT, TEXT)
def test_one_side_without_edits_takes_the_other_exactly(base: bytes, side: bytes) -> None:
    assert merge(base, base, side) == side
    assert merge(base, side, base) == side
    assert merge(base, side, side) == side


@given(TEXT, TEXT, TEXT)
def test_sides_are_equal_and_no_line_is_torn(base: bytes, ours: bytes, theirs: bytes) -> None:
    merged = merge(base, ours, theirs)
    assert merged == merge(base, theirs, ours)
    if merged is not None:
        known = {line for text in (base, ours, theirs) for line in text.split(b"\n")}
        assert set(merged.split(b"\n")) <= known | {b""}


@st.composite
def disjoint_edits(draw: st.DrawFn) -> tuple[bytes, bytes, bytes, bytes]:
    """A base of distinct lines and two sides that edit blocks with an untouched line between them."""
    size = draw(st.integers(5, 20))
    first, second = sorted(draw(st.lists(st.integers(0, size - 1), min_size=2, max_size=2, unique=True)))
    base = [b"line %d\r\n" % n for n in range(size)]
    if second - first < 2:
        second = first
    new = st.lists(st.sampled_from([b"new\n", b"\n", b"x\r\n"]), max_size=3)
    ours, theirs = draw(new), draw(new)
    middle = base[first + 1 : second]
    tail = base[second + 1 :] if second > first else base[first + 1 :]
    last_old, last_new = ([base[second]], theirs) if second > first else ([], [])
    sides = (
        [*base[:first], base[first], *middle, *last_old, *tail],
        [*base[:first], *ours, *middle, *last_old, *tail],
        [*base[:first], base[first], *middle, *last_new, *tail],
        [*base[:first], *ours, *middle, *last_new, *tail],
    )
    b, o, t, both = (b"".join(side) for side in sides)
    return b, o, t, both


@given(disjoint_edits())
def test_disjoint_edits_never_conflict(versions: tuple[bytes, bytes, bytes, bytes]) -> None:
    base, ours, theirs, both = versions
    assert merge(base, ours, theirs) == both


def test_long_log_with_many_equal_lines_is_merged_quickly() -> None:
    base = b"\n- [ ] task\n" * 20_000
    assert merge(base, base + b"mine\n", b"top\n" + base) == b"top\n" + base + b"mine\n"
