"""A file cut into passages by its headings, each with the words that stand for its meaning."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sidecar.model.note import FileKind, Json, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.canvas_links import parse_canvas
from sidecar.parse.file import LARGEST, first_part
from sidecar.parse.frontmatter import aliases_of, read_properties, title_of
from sidecar.parse.scanner import scan
from sidecar.parse.searchable import searchable_text
from sidecar.parse.text import read_text
from sidecar.semantic.plain import plain, says_something

__all__ = ["FORM", "Piece", "passages_of"]

FORM = "1"
"""Changes whenever the same file gives other passages."""
_LARGEST = 800
"""Bytes of UTF-8 in a passage's own text: about 200 tokens."""
_OVERLAP = 160
_MOST = 1000
"""Passages of one file; what a longer one says further down is found by its words only."""
_TOLD = ("description", "summary")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")

_Chunk = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage before it has a vector."""

    line: int
    """Where it begins in the file, from 1; 0 in a canvas."""
    heading: str | None
    text: str
    """What is embedded: title and headings, then its own words."""


@dataclass(frozen=True, slots=True)
class _Section:
    headings: tuple[str, ...]
    heading_line: int
    line: int
    text: str
    """What stands under its heading from ``line`` on, up to the next."""
    is_leaf: bool
    """No heading below it follows."""


def passages_of(path: VaultPath, data: bytes) -> tuple[Piece, ...]:
    """Cut a note or canvas into passages; it never raises, and other files have none.

    Properties are left out but for title, aliases, description and summary, which come with the first passage. Data
    and encrypted text are left out as in the index. A file without words has one passage if its title has some.
    """
    kind = kind_of(path)
    if kind is FileKind.NOTE:
        pieces = _of_note(path, read_text(first_part(data))[0])
    elif kind is FileKind.CANVAS and len(data) <= LARGEST:
        body = parse_canvas(path, read_text(data)[0]).body
        pieces = _of_sections(path.basename, (), [_Section((), 0, 0, body, is_leaf=True)], numbered=False)
    else:
        return ()
    return tuple(piece for piece, _ in zip(pieces, range(_MOST), strict=False))


def _of_note(path: VaultPath, text: str) -> Iterator[Piece]:
    properties = read_properties(text)
    text = searchable_text(path, text)
    told = (*aliases_of(properties.values), *_texts(properties.values))
    title = title_of(properties.values) or path.basename
    return _of_sections(title, told, _sections(text, properties.body_start), numbered=True)


def _texts(values: Mapping[str, Json]) -> Iterator[str]:
    return (value for key, value in values.items() if key.lower() in _TOLD and isinstance(value, str))


def _sections(text: str, start: int) -> Iterator[_Section]:
    headings = scan(text, start).headings
    first_line = text.count("\n", 0, start) + 1
    yield _Section(
        (), first_line, first_line, text[start : headings[0].start if headings else len(text)], is_leaf=not headings
    )
    above: list[tuple[int, str]] = []
    for heading, behind in zip(headings, [*headings[1:], None], strict=False):
        above = [(level, words) for level, words in above if level < heading.level]
        above.append((heading.level, plain(heading.text)))
        end = behind.start if behind else len(text)
        line = heading.line + text.count("\n", heading.start, heading.end)
        is_leaf = behind is None or behind.level <= heading.level
        names = tuple(words for _, words in above)
        yield _Section(names, heading.line, line, text[heading.end : end], is_leaf)


def _of_sections(title: str, told: Sequence[str], sections: Iterable[_Section], *, numbered: bool) -> Iterator[Piece]:
    lead = [plain(words) for words in (title, *told)]
    first = 1 if numbered else 0
    empty = True
    for section in sections:
        names = list(dict.fromkeys([plain(title), *section.headings]))
        heading = section.headings[-1] if section.headings else None
        chunks = _chunks(section.text, section.line if numbered else None)
        if not chunks and section.headings and section.is_leaf and says_something(section.headings[-1]):
            chunks = [(section.heading_line, "")]
        for line, words in _packed(chunks):
            above = [*lead, *section.headings] if empty else names
            empty = False
            yield Piece(line, heading, "\n".join(filter(says_something, dict.fromkeys([*above, words]))))
    if empty and any(map(says_something, lead)):
        yield Piece(first, None, "\n".join(filter(says_something, dict.fromkeys(lead))))


def _chunks(text: str, first_line: int | None) -> list[_Chunk]:
    """Return the sentences of a text with their lines; each fits into a passage."""
    return [
        (0 if first_line is None else first_line + number, part)
        for number, line in enumerate(text.split("\n"))
        if (words := plain(line)) and says_something(words)
        for sentence in _SENTENCE_END.split(words)
        for part in _fitting(sentence)
    ]


def _fitting(sentence: str) -> Iterator[str]:
    if _size(sentence) <= _LARGEST:
        if sentence:
            yield sentence
        return
    half = len(sentence) // 2
    space = sentence.find(" ", half)
    cut = space if 0 <= space < half + half // 2 else half
    yield from _fitting(sentence[:cut].strip())
    yield from _fitting(sentence[cut:].strip())


def _packed(chunks: Sequence[_Chunk]) -> Iterator[_Chunk]:
    """Join neighbours as long as they fit; each passage begins with the end of the one before."""
    held: list[_Chunk] = []
    size = 0
    for chunk in chunks:
        room = _size(chunk[1])
        if held and size + room > _LARGEST:
            yield held[0][0], " ".join(words for _, words in held)
            held = _tail(held)
            size = sum(_size(words) for _, words in held)
            if size + room > _LARGEST:
                held, size = [], 0
        held.append(chunk)
        size += room
    if held:
        yield held[0][0], " ".join(words for _, words in held)


def _tail(held: Sequence[_Chunk]) -> list[_Chunk]:
    size, kept = 0, len(held)
    while kept > 1 and size + _size(held[kept - 1][1]) <= _OVERLAP:
        kept -= 1
        size += _size(held[kept][1])
    return list(held[kept:])


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
