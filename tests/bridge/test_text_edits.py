"""Edits make the new text of the old one, and touch little of it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.bridge.text_edits import TextEdit, edits_between
from tests.bridge.scripted_plugin import edited

TEXT = st.text(st.sampled_from("ab\n😀é\u2028 "), max_size=40)


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        ("", "", []),
        ("same\n", "same\n", []),
        ("", "new", [(0, 0, "new")]),
        ("gone", "", [(0, 4, "")]),
        ("a\nb\nc\n", "a\nB\nc\n", [(2, 3, "B")]),
        ("a\nb\nc\n", "a\nb\nc\nd\n", [(6, 6, "d\n")]),
        ("😀 one\nx\ntwo\n", "😀 won\nx\ntwo!\n", [(3, 3, "w"), (5, 6, ""), (12, 12, "!")]),
        ("x [[Old]] y\nz\n[[Old]]", "x [[New]] y\nz\n[[New]]", [(4, 7, "New"), (16, 19, "New")]),
    ],
)
def test_only_what_differs_is_replaced(old: str, new: str, edits: list[tuple[int, int, str]]) -> None:
    found = edits_between(old, new)
    assert edited(old, [{"start": e.start, "end": e.end, "text": e.text} for e in found]) == new
    if len(edits) == len(found):
        assert found == tuple(TextEdit(*edit) for edit in edits)
    else:
        assert sum(e.end - e.start for e in found) <= sum(end - start for start, end, _ in edits) + 2


@given(TEXT, TEXT)
def test_any_text_becomes_any_other(old: str, new: str) -> None:
    found = edits_between(old, new)
    assert edited(old, [{"start": e.start, "end": e.end, "text": e.text} for e in found]) == new
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_very_different_long_texts_are_one_edit() -> None:
    old, new = "".join(f"a{n}\n" for n in range(3_000)), "".join(f"b{n}\n" for n in range(3_000))
    assert len(edits_between(f"head\n{old}tail", f"head\n{new}tail")) == 1
