from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sidecar.canvas.markdown_blocks import blocks_of
from sidecar.canvas.text_blocks import Block, Code, Items, Lines, Picture, Quote, Rule, Table, stacked


def kinds(blocks: Sequence[Block]) -> list[str]:
    """Return what blocks are, in one word each; with the level of headings, and what counts of the others."""
    told = []
    for block in blocks:
        match block:
            case Lines(words, level):
                told.append(f"h{level}" if level else f"p{len(words)}")
            case Items(items, is_loose):
                depths = "".join(str(item.depth) for item in items)
                told.append(f"{'loose' if is_loose else 'list'} {depths}")
            case Code(lines):
                told.append(f"code{len(lines)}")
            case Table(rows):
                told.append(f"table{len(rows)}x{len(rows[0])}")
            case Quote(inner, is_callout):
                told.append(f"{'callout' if is_callout else 'quote'}({' '.join(kinds(inner))})")
            case Rule() | Picture():
                told.append(type(block).__name__.lower())
    return told


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", []),
        ("\n\n", []),
        ("a\nb\n\nc", ["p2", "p1"]),
        ("a\r\nb", ["p2"]),
        ("# A\nb\n###### C", ["h1", "p1", "h6"]),
        ("#tag", ["p1"]),
        ("a\nb\n===\nc\n---", ["h1", "h2"]),
        ("a\n\n---\n***", ["p1", "rule", "rule"]),
        ("- a\n- b", ["list 00"]),
        ("a\n- b", ["p1", "list 0"]),
        ("- a\n  - b\n    - c\n- d", ["list 0120"]),
        ("- a\n\t- b", ["list 01"]),
        ("- a\n\n- b", ["loose 00"]),
        ("- a\n\nb", ["list 0", "p1"]),
        ("- a\nb\n# C", ["list 0", "h1"]),
        ("1. a\n2) b", ["list 00"]),
        ("- - -", ["list 0"]),
        ("```\na\n\nb\n```\nc", ["code3", "p1"]),
        ("~~~\na", ["code1"]),
        ("a\n\n    b\n    c", ["p1", "code2"]),
        ("> a\n> b\n\nc", ["quote(p2)", "p1"]),
        ("> a\n> > b", ["quote(p1 quote(p1))"]),
        ("> [!note] A\n> b", ["callout(p1 p1)"]),
        ("> [!tip]-", ["callout(p1)"]),
        ("|a|b|\n|-|-|\n|1|2|\n|3|", ["table3x2"]),
        ("a | b\n--- | ---\n1 | 2 | 3", ["table2x2"]),
        ("|a|b|", ["p1"]),
        ("|\n-", ["h2"]),
        ("|a|\n:-\n|b|\nc", ["table2x1", "p1"]),
        ("a\n|b|c|\n|-|-|", ["p1", "table1x2"]),
        ("![[a.png]]\ntext", ["picture", "p1"]),
        ("text ![[a.png]]", ["p1"]),
        (">" * 30, ["quote(quote(quote(quote(quote(quote(p1))))))"]),
    ],
)
def test_blocks_of_markdown(text: str, blocks: list[str]) -> None:
    assert kinds(blocks_of(text)) == blocks


@pytest.mark.parametrize(
    ("text", "height"),
    [
        ("a", 24),
        ("a\nb", 48),
        ("a\n\nb", 24 + 16 + 24),
        ("a\n\n---\n\nb", 24 + 32 + 2 + 32 + 24),
        ("a\n# B\nc", 24 + 40 + 1.618 * 1.2 * 16 + 16 + 24),
        ("# A\n## B", 1.618 * 1.2 * 16 + 16 + 1.462 * 1.2 * 16),
        ("```\na\n```", 48),
        ("```\n```", 38),
        ("- a\n- b", 2 * 26.4),
        ("- a\n\n- b", 2 * 58.4),
        ("|a|\n|-|\n|b|", 2 * 35),
        ("![[a.png]]", 240),
    ],
)
def test_heights_are_those_of_the_apps_theme(text: str, height: float) -> None:
    assert stacked(blocks_of(text), 300) == pytest.approx(height)


def test_columns_of_a_table_share_the_room_as_they_need_it() -> None:
    (table,) = blocks_of(f"| a | b |\n|---|---|\n| short | {'many words ' * 10}|")
    assert table.height(2_000) == 2 * 35
    assert table.height(600) < table.height(300)
    (wide,) = blocks_of("| Wednesday | Thursday | Saturday |\n|-|-|-|")
    assert wide.narrowest() > 200


@example("|\n-", 10.0)
@example("|\n:-", 10.0)
@given(st.text("#->|` \n*ab1.[]!=\t", max_size=120), st.floats(10, 800))
def test_law_every_text_has_a_height_and_more_room_makes_it_no_higher(text: str, room: float) -> None:
    blocks = blocks_of(text)
    assert 0 <= stacked(blocks, room + 2_000) <= stacked(blocks, room)
    assert bool(blocks) == bool(text.strip())
