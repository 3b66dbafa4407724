import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.errors import Ambiguous, Invalid, SidecarError
from sidecar.parse.place import BlockNotFound, place_of
from sidecar.parse.section import SectionNotFound

NOTE = """\
---
a: 1
---
# A

para one
two ^p1

- item ^i1
  - child

  still
- next

> quote
> more

^q1

```
code

x
```

^f1

## B
x
### C
y
# D
## B
- a
- b

^l1
"""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("C", "### C\ny\n"),
        ("### C", "### C\ny\n"),
        ("A/B", "## B\nx\n### C\ny\n"),
        ("# D", "# D\n## B\n- a\n- b\n\n^l1\n"),
        ("#B", "## B\nx\n### C\ny\n"),
        ("#D#B", "## B\n- a\n- b\n\n^l1\n"),
        ("#c", "### C\ny\n"),
    ],
)
def test_b23_sections(name: str, shown: str) -> None:
    start, end = place_of(NOTE, name)
    assert NOTE[start:end] == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("^p1", "para one\ntwo ^p1\n"),
        ("^I1", "- item ^i1\n  - child\n\n  still\n"),
        ("#^q1", "> quote\n> more\n\n^q1\n"),
        ("^f1", "```\ncode\n\nx\n```\n\n^f1\n"),
        ("^l1", "- a\n- b\n\n^l1\n"),
    ],
)
def test_b22_blocks(name: str, shown: str) -> None:
    start, end = place_of(NOTE, name)
    assert NOTE[start:end] == shown


def test_what_is_not_there() -> None:
    with pytest.raises(BlockNotFound) as missing:
        place_of(NOTE, "^zz")
    assert missing.value.candidates == ("^p1", "^i1", "^q1", "^f1", "^l1")
    with pytest.raises(BlockNotFound, match="no block"):
        place_of("x", "^zz")
    with pytest.raises(SectionNotFound):
        place_of(NOTE, "#Nowhere#Else")
    with pytest.raises(Ambiguous):
        place_of(NOTE, "B")
    with pytest.raises(Invalid):
        place_of(NOTE, "  ")


@settings(max_examples=200)
@given(st.text(st.sampled_from("#^ ab-\n`>|12"), max_size=50), st.text(st.sampled_from("#^ab/ "), max_size=5))
def test_law_a_place_is_whole_lines_of_the_text(text: str, name: str) -> None:
    try:
        start, end = place_of(text, name)
    except SidecarError:
        return
    assert 0 <= start < end <= len(text)
    assert start == 0 or text[start - 1] == "\n"
    assert end == len(text) or text[end - 1] == "\n"
