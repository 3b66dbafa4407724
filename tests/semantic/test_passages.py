import json
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.model.path import VaultPath
from sidecar.semantic.passages import Piece, passages_of

LARGEST = 800

NOTE = """---
title: Rain barrel
aliases: [Butt]
description: Where rain is kept
status: secretword
---
Before any heading.

# Rain barrel

Under the first.

## Cleaning

Once a year. See [[Tools|the brush]].

## Buy a lid

# Other
Last words.
"""


def pieces(text: str, path: str = "Notes/Barrel.md") -> tuple[Piece, ...]:
    return passages_of(VaultPath(path), text.encode())


def test_a_note_is_cut_at_its_headings_and_each_passage_says_where_it_stands() -> None:
    assert pieces(NOTE) == (
        Piece(7, None, "Rain barrel\nButt\nWhere rain is kept\nBefore any heading."),
        Piece(11, "Rain barrel", "Rain barrel\nUnder the first."),
        Piece(15, "Cleaning", "Rain barrel\nCleaning\nOnce a year. See the brush."),
        Piece(17, "Buy a lid", "Rain barrel\nBuy a lid"),
        Piece(20, "Other", "Rain barrel\nOther\nLast words."),
    )


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("Empty thoughts.md", "", [(1, "Empty thoughts")]),
        ("2026-11-30.md", "", []),
        ("2026-11-30.md", "Rain all day.", [(1, "Rain all day.")]),
        ("A.md", "---\nsummary: In short\n---\n", [(1, "A\nIn short")]),
        ("A.md", "---\nbroken: [\n---\nStill read.", [(4, "A\nStill read.")]),
        ("A.md", "Underlined\n===\nText", [(3, "A\nUnderlined\nText")]),
        ("A.md", "\r\nWindows\r\n", [(2, "A\nWindows")]),
        ("A.md", "# 2026\n## Kept\nWords", [(3, "A\nKept\nWords")]),
        ("A.md", "```\n# no heading\n```", [(2, "A\nno heading")]),
        ("A.md", "\ufeffWith a mark", [(1, "A\nWith a mark")]),
        ("A.base", "views: words", []),
        ("A.png", "words", []),
    ],
)
def test_what_a_file_gives(path: str, text: str, expected: list[tuple[int, str]]) -> None:
    assert [(piece.line, piece.text) for piece in pieces(text, path)] == expected


def test_cards_of_a_canvas_have_no_line() -> None:
    nodes = [
        {"id": str(number), "type": "text", "text": text, "x": 0, "y": 0, "width": 1, "height": 1}
        for number, text in enumerate(["Order the tank", "# Sow\nbroad beans"])
    ]
    canvas = json.dumps({"nodes": nodes, "edges": []})
    assert pieces(canvas, "Plan.canvas") == (Piece(0, None, "Plan\nOrder the tank Sow broad beans"),)
    assert pieces("{broken", "Plan.canvas") == (Piece(0, None, "Plan"),)


@pytest.mark.parametrize(
    "text",
    [
        "---\nexcalidraw-plugin: parsed\n---\n# Text Elements\nShown ^a\n%%\n# Drawing\n```compressed-json\nzqdata\n```\n%%",
        "Shown\n\n-----BEGIN PGP MESSAGE-----\nzqdata\n-----END PGP MESSAGE-----",
        "Shown\n![](data:image/png;base64,zqdata)",
        "Shown\n" + "zqdata" * 20,
    ],
)
def test_data_and_what_is_encrypted_are_left_out(text: str) -> None:
    said = "\n".join(piece.text for piece in pieces(text))
    assert "Shown" in said
    assert "zqdata" not in said


def test_properties_are_left_out_but_for_those_that_describe() -> None:
    assert "secretword" not in "".join(piece.text for piece in pieces(NOTE))


def test_long_sections_overlap() -> None:
    sentences = [f"Sentence number {'x' * (1 + n % 7)} {n} about rain." for n in range(200)]
    found = pieces("\n".join(sentences))
    assert len(found) > 5
    for before, behind in pairwise(found):
        first = behind.text.split("\n")[-1].split(". ")[0]
        assert first in before.text
        assert before.line < behind.line
    assert [sentences[piece.line - 1] in piece.text for piece in found] == [True] * len(found)


def test_a_huge_note_has_passages_for_its_beginning() -> None:
    text = "\n".join(f"# Heading {n}\nword{n} says something" for n in range(1500))
    assert len(pieces(text)) == 1000


def test_characters_without_spaces_are_cut_too() -> None:
    found = pieces("葉" * 5000)
    assert sum(piece.text.count("葉") for piece in found) == 5000
    assert max(len(piece.text.encode()) for piece in found) < 2 * LARGEST


words = st.text(st.characters(codec="utf-8", categories=["L"]), min_size=1, max_size=12)
lines = st.one_of(
    st.lists(words, max_size=60).map(" ".join),
    words.map(lambda word: f"## {word}"),
    st.just(""),
    st.lists(words, max_size=60).map(". ".join),
)


@settings(max_examples=60)
@given(st.lists(lines, max_size=30))
def test_every_word_is_in_a_passage_and_none_is_too_long(text: list[str]) -> None:
    found = pieces("\n".join(text))
    said = set(re.findall(r"\w+", "\n".join(piece.text for piece in found)))
    own = {word for line in text if not line.startswith("#") for word in re.findall(r"\w+", line)}
    assert own <= said
    assert all(1 <= piece.line <= len(text) for piece in found if text)
    assert all(len(piece.text.split("\n")[-1].encode()) <= LARGEST + 60 for piece in found)
    assert [piece.line for piece in found] == sorted(piece.line for piece in found)


@settings(max_examples=100)
@given(st.binary(max_size=400), st.sampled_from(["A.md", "A.canvas", "A.excalidraw.md"]))
def test_no_bytes_make_it_fail(data: bytes, name: str) -> None:
    assert all(piece.text for piece in passages_of(VaultPath(name), data))
