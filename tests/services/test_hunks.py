"""Hunks: what is shown is what differs, and applying it to the old text gives the new one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.services.hunks import Hunk, HunkLine, hunks_of, line_counts, shortened

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "ä x"]), max_size=30)


def shown(before: str, after: str) -> list[str]:
    hunks = hunks_of(before.encode(), after.encode())
    assert hunks is not None
    return [
        text
        for hunk in hunks
        for text in (f"@{hunk.old_start},{hunk.new_start}", *(line.kind + line.text for line in hunk.lines))
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a\n", "a\n", []),
        ("", "", []),
        ("a\nb\nc\n", "a\nB\nc\n", ["@1,1", " a", "-b", "+B", " c"]),
        ("", "a\nb", ["@1,1", "+a", "+b"]),
        ("a\nb", "", ["@1,1", "-a", "-b"]),
        ("a", "a\nb", ["@1,1", "-a", "+a", "+b"]),  # the first line got a break
        ("a\r\nb\r\n", "a\r\nc\r\n", ["@1,1", " a", "-b", "+c"]),
        ("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\n5\nX\n", ["@3,3", " 3", " 4", " 5", "-6", "+X"]),
        (
            "A\n1\n2\n3\n4\n5\n6\nB\n",
            "a\n1\n2\n3\n4\n5\n6\nb\n",
            ["@1,1", "-A", "+a", " 1", " 2", " 3", " 4", " 5", " 6", "-B", "+b"],
        ),
        (
            "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
            "a\na2\n1\n2\n3\n4\n5\n6\n7\nb\n",
            ["@1,1", "-A", "+a", "+a2", " 1", " 2", " 3", "@6,7", " 5", " 6", " 7", "-B", "+b"],
        ),
        ("\ufeffa\n", "\ufeffb\n", ["@1,1", "-a", "+b"]),
    ],
)
def test_hunks(before: str, after: str, expected: list[str]) -> None:
    assert shown(before, after) == expected


def test_what_is_no_text_has_no_lines() -> None:
    for pair in ((b"\xff\xfe", b"a"), (b"a", b"\x00")):
        assert hunks_of(*pair) is None
        assert line_counts(*pair) is None


def test_a_large_rewrite_is_shown_as_a_replacement_and_in_no_time() -> None:
    before, after = ("\n".join(f"{word} {n}" for n in range(9_000)).encode() for word in ("old", "new"))
    assert line_counts(before, after) == (9_000, 9_000)


def test_a_long_diff_is_cut_and_says_by_how_much() -> None:
    hunks = [Hunk(n, n, tuple(HunkLine("+", str(i)) for i in range(4))) for n in (1, 10, 20)]
    kept, more = shortened(hunks, 6)
    assert ([len(hunk.lines) for hunk in kept], more) == ([4, 2], 6)
    assert shortened(hunks, 12) == (tuple(hunks), 0)
    assert shortened(hunks, 4) == ((hunks[0],), 8)


@given(LINES, LINES)
def test_applying_the_hunks_gives_the_new_text(old: list[str], new: list[str]) -> None:
    before, after = ("".join(f"{line}\n" for line in lines) for lines in (old, new))
    hunks = hunks_of(before.encode(), after.encode())
    assert hunks is not None
    made: list[str] = []
    position = 0
    for hunk in hunks:
        made += old[position : hunk.old_start - 1]
        assert len(made) == hunk.new_start - 1
        position = hunk.old_start - 1
        for line in hunk.lines:
            if line.kind != "+":
                assert old[position] == line.text
                position += 1
            if line.kind != "-":
                made.append(line.text)
    assert made + old[position:] == new
    counted = [line.kind for hunk in hunks for line in hunk.lines]
    assert line_counts(before.encode(), after.encode()) == (counted.count("+"), counted.count("-"))
