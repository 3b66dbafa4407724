from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.pieces import cuts_of, pieces_of
from sidecar.model.search import Place
from sidecar.parse.scanner import scan

NOTE = """\
Before any heading
goes on

# Head
- [ ] open task
  that goes on
- [x] done
  1. [/] nested
- no task

```js
code

# no heading
```
<div>
html
</div>

> quoted

| a | b |
|---|---|
| 1 | 2 |

### Sub
Setext
===
last"""


def texts(text: str, place: Place) -> list[str]:
    return [text[start:end] for start, end in pieces_of(text, [(0, len(text))], place)]


def test_s8_blocks() -> None:
    assert texts(NOTE, Place.BLOCK) == [
        "Before any heading\ngoes on",
        "# Head\n",
        "- [ ] open task\n  that goes on",
        "- [x] done",
        "  1. [/] nested",
        "- no task",
        "```js\ncode\n\n# no heading\n```\n",
        "<div>\nhtml\n</div>\n",
        "> quoted",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "### Sub\n",
        "Setext\n===\n",
        "last",
    ]


def test_s8_sections_go_from_one_heading_to_the_next() -> None:
    assert [text.split("\n")[0] for text in texts(NOTE, Place.SECTION)] == [
        "Before any heading",
        "# Head",
        "### Sub",
        "Setext",
    ]
    assert "".join(texts(NOTE, Place.SECTION)) == NOTE


def test_s8_lines() -> None:
    assert texts("a\r\n\nb", Place.LINE) == ["a\r", "", "b"]


@pytest.mark.parametrize(
    ("place", "tasks"),
    [
        (Place.TASK, [" open task\n  that goes on", " done", " nested"]),
        (Place.TASK_TODO, [" open task\n  that goes on"]),
        (Place.TASK_DONE, [" done", " nested"]),
    ],
)
def test_s9_tasks_without_their_marks(place: Place, tasks: list[str]) -> None:
    assert texts(NOTE, place) == tasks


def test_only_the_parts_are_cut_each_for_itself() -> None:
    text = "properties\n# a\nb# c\nd"
    parts = [(11, 16), (16, len(text))]
    assert [text[s:e] for s, e in pieces_of(text, parts, Place.SECTION)] == ["# a\nb", "# c\nd"]
    assert [text[s:e] for s, e in pieces_of(text, parts, Place.LINE)] == ["# a", "b", "# c", "d"]
    assert pieces_of(text, parts, Place.CONTENT) == [(11, len(text))]
    assert pieces_of(text, [], Place.CONTENT) == []


marks = st.sampled_from(["# ", "- ", "- [ ] ", "```", "\n", "\n\n", "> ", "word", " ", "<div>", "$$", "%%", "|", "---", "\r\n", "    ", "===", "1. ", "\n## ", "\n\n- [x] "])  # fmt: skip


@given(st.lists(marks, max_size=25).map("".join))
def test_every_word_is_in_a_line_a_section_and_a_block(text: str) -> None:
    for place in (Place.LINE, Place.SECTION, Place.BLOCK):
        spans = pieces_of(text, [(0, len(text))], place)
        assert all(0 <= start <= end <= len(text) for start, end in spans)
        inside = {at for start, end in spans for at in range(start, end)}
        assert all(at in inside for at in range(len(text)) if text.startswith("word", at)), place


@given(st.lists(marks | st.sampled_from(["#tag", "\n#", "\n #\t", "\n###### ", "\n#######"]), max_size=20).map("".join))
def test_s8_sections_are_those_of_the_scanner(text: str) -> None:
    starts = [0, *(heading.start for heading in scan(text).headings), len(text)]
    expected = [(start, end) for start, end in pairwise(starts) if start < end]
    assert pieces_of(text, [(0, len(text))], Place.SECTION) == expected


def stretches(text: str, place: Place) -> list[str]:
    edges = [0, *cuts_of(text, 0, place), len(text)]
    return [text[first:behind] for first, behind in pairwise(edges)]


@given(
    st.lists(marks, max_size=25).map("".join),
    st.sampled_from([Place.SECTION, Place.BLOCK, Place.TASK, Place.TASK_DONE]),
)
def test_stretches_hold_the_places_of_the_whole(text: str, place: Place) -> None:
    cut = stretches(text, place)
    assert "".join(cut) == text
    assert [piece for stretch in cut for piece in texts(stretch, place)] == texts(text, place)


def test_stretches_are_short() -> None:
    assert stretches("a\n\nb\n\n  c\n \nd\n", Place.BLOCK) == ["a\n\n", "b\n\n  c\n \n", "d\n"]
    assert stretches("a\n# b\n\nc\n## d\n", Place.SECTION) == ["a\n", "# b\n\nc\n", "## d\n"]
    assert stretches("a\n\nb\n\n```\nc\n\nd", Place.BLOCK) == ["a\n\n", "b\n\n```\nc\n\nd"]
