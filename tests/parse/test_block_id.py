import pytest

from sidecar.parse.block_id import block_ids_of, without_block_id
from sidecar.parse.scanner import scan

CASES: list[tuple[str, list[tuple[str, int]]]] = [
    ("text ^abc-1\n\nmore\nlines ^X2  \n", [("abc-1", 1), ("X2", 4)]),
    ("- item ^a\n  - sub ^b\n- [ ] task ^c\r\n", [("a", 1), ("b", 2), ("c", 3)]),
    ("> quote\n\n^q\n\n| t |\n|---|\n| a |\n\n^t\n\n- l\n\n^l", [("q", 3), ("t", 9), ("l", 13)]),
    ("text\n^own", [("own", 2)]),
    ("> [!note] c\n> text ^in", [("in", 2)]),
    ("text ^a_b\ntext^a\n\ntext ^a b\n\n^\n\n^a^\n\nfirst ^a\nlast", []),
    ("# Heading ^h\n\nSet ^s\n===\n\n| t |\n|---|\n| a ^t\n", []),
    ("```\ntext ^a\n```\n\n    text ^b\n\n$$\nx ^2\n$$\n\n%%\ntext ^c\n%%\n\n`x ^d`", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_b22_block_ids(text: str, expected: list[tuple[str, int]]) -> None:
    assert [(found.name, found.line) for found in block_ids_of(text, scan(text))] == expected


@pytest.mark.parametrize(("text", "expected"), [("a ^b", "a"), ("a^b", "a^b"), ("^b", ""), ("a ^b c", "a ^b c")])
def test_a_line_without_its_block_id(text: str, expected: str) -> None:
    assert without_block_id(text) == expected
