"""Whether a file still holds what a change did to it."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sidecar.journal.traces import holds

LINES = st.lists(st.sampled_from(["a", "b", "c", "a b", ""]), max_size=8).map(lambda lines: "\n".join(lines).encode())


@pytest.mark.parametrize(
    ("before", "after", "found", "expected"),
    [
        pytest.param(b"a\nb\nc\n", b"a\nB\nc\n", b"a\nB\nc\n", True, id="done"),
        pytest.param(b"a\nb\nc\n", b"a\nB\nc\n", b"a\nb\nc\n", False, id="not done"),
        pytest.param(b"a\nb\nc\n", b"a\nB\nc\n", b"a\nB\nc\ntyped\n", True, id="done, then typed elsewhere"),
        pytest.param(b"a\nb\nc\n", b"a\nB\nc\n", b"a\nb\nc\ntyped\n", False, id="not done, typed elsewhere"),
        pytest.param(b"a\n", b"a\nX\n", b"a\nX\ntyped\n", True, id="typed behind what was appended"),
        pytest.param(b"a\n", b"a\nX\n", b"a\nX typed\n", True, id="typed in the line that was appended"),
        pytest.param(b"a\n", b"a\nX", b"a\nX typed", True, id="the same without a final line break"),
        pytest.param(b"a\n", b"a\nX\n", b"a\ntyped\n", False, id="typed where it would have been appended"),
        pytest.param(b"a\nb\nc\n", b"a\nc\n", b"a\nc\ntyped\n", True, id="a line taken out"),
        pytest.param(b"a\nb\nc\n", b"a\nc\n", b"a\nb\nc\ntyped\n", False, id="a line not taken out"),
        pytest.param(
            b"- [ ] sow peas\n", b"- [x] sow peas\n", b"- [x] sow peas and beans\n", True, id="one box ticked"
        ),
        pytest.param(b"- [ ] sow peas\n", b"- [x] sow peas\n", b"- [ ] sow peas, exactly\n", False, id="not ticked"),
        pytest.param(b"a\nb\n", b"a\nB\n", b"all new\n", False, id="written over"),
        pytest.param(b"a\r\nb\r\n", b"a\r\nB\r\n", b"a\r\nB\r\ntyped\r\n", True, id="CRLF"),
        pytest.param("é\n".encode(), "é ü\n".encode(), "é ü ö\n".encode(), True, id="other letters"),
    ],
)
def test_holds(before: bytes, after: bytes, found: bytes, expected: bool) -> None:
    assert holds(before, after, found) is expected


@given(LINES, LINES)
def test_what_was_before_holds_no_change_and_what_is_after_does(before: bytes, after: bytes) -> None:
    assert holds(before, after, after)
    assert holds(before, after, before) is (before == after)


@given(LINES, LINES, st.sampled_from([b"typed\n", b"\n", b"more\nlines\n"]))
def test_typing_makes_no_change_and_hides_none_elsewhere(before: bytes, after: bytes, typed: bytes) -> None:
    assume(before != after)
    before, after = (b"# Heading\n" + text for text in (before, after))
    assert holds(before, after, typed + after)
    assert not holds(before, after, typed + before)


def test_a_long_file_is_not_compared_word_by_word() -> None:
    filler = b"x " * 60_000
    assert not holds(filler + b"a", filler + b"a X", filler + b"a X typed")
