"""How wide words are in the proportional letters of the app, and how many lines they take."""

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

__all__ = ["Word", "Words", "code_words_of", "words_of"]

_WIDE: Final = 16.5
"""The width of a letter of East Asia, in pixels, and the most that is lost at the end of a line."""

_CLASSES: Final = (
    (4.6, " ijlI.,:;'!|`"),
    (6.2, 'ft()[]/\\-"r{}J'),
    (8.4, "csvxyz?*_"),
    (9.6, "abdeghknopqu0123456789+<>=^~$LFE"),
    (11.0, "ABKPRSTVXYZ&#C"),
    (12.5, "DGHNOQUw"),
    (15.5, "mMW@%—…"),
)
_WIDTHS: Final = {letter: width for width, letters in _CLASSES for letter in letters}
_OTHER: Final = 9.8
_CAPITAL: Final = 13.0
_EMOJI: Final = 21.0
_FIRST_EMOJI: Final = "\U0001f000"
_JOINER: Final = "\u200d"
"""Makes one emoji of two."""
_SPACE: Final = 4.6
_CODE: Final = 8.5
_TAG: Final = 16.0
"""What the frame around a tag adds."""
_ROUGH: Final = 4_000
"""Of longer texts only the number of their letters counts."""
_WORD = re.compile(r"(\s*)([^\s-]+-*|-+)")
"""A line may also be broken behind a hyphen."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""Thai, Lao, Burmese and Khmer, which are written without spaces."""


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a line that stays together: its width and that of the space before it, in pixels."""

    width: float
    space: float = 0.0
    flows: bool = False
    """Whether a line may end anywhere in it."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one line of the source."""

    words: tuple[Word, ...]

    @property
    def widest(self) -> float:
        """The width of the widest word that is not broken."""
        return max((word.width for word in self.words if not word.flows), default=0.0)

    @property
    def whole(self) -> float:
        """The width of all in one line."""
        return sum(word.space + word.width for word in self.words)

    def lines(self, room: float, scale: float = 1.0) -> int:
        """Count the lines they take in so much room; a word that is wider than the room is broken."""
        room = max(room / scale, _WIDE)
        usable = max(room - _WIDE, _WIDE / 2)
        lines, used = 1, 0.0
        for word in self.words:
            wanted = used + word.space + word.width if used else word.width
            if wanted > room and used and not word.flows:
                lines, wanted = lines + 1, word.width
            if wanted > room:
                more = math.ceil((wanted - room) / usable)
                lines, wanted = lines + more, wanted - more * usable
            used = wanted
        return lines


def words_of(text: str, scale: float = 1.0) -> Words:
    """Measure the words of a line that has no markup any more; bold ones are wider by ``scale``."""
    if len(text) > _ROUGH:
        return Words((Word(len(text) * _OTHER * scale, flows=True),))
    return Words(tuple(_measured(found[2], _SPACE if found[1] else 0.0, scale) for found in _WORD.finditer(text)))


def code_words_of(text: str) -> Words:
    """Measure the words of a line of code, in which all letters are equally wide and no space is left out."""
    if len(text) > _ROUGH:
        return Words((Word(len(text) * _CODE, flows=True),))
    words = (Word(len(found[2]) * _CODE, len(found[1]) * _CODE) for found in _WORD.finditer(text))
    return Words(tuple(words))


def _measured(word: str, space: float, scale: float) -> Word:
    frame = _TAG if word[0] == "#" and len(word) > 1 else 0.0
    if word.isascii():
        return Word(sum(_WIDTHS.get(letter, _OTHER) for letter in word) * scale + frame, space)
    widths = list(_letters(word))
    flows = any(width == _WIDE for width in widths) or _UNSPACED.search(word) is not None
    return Word(sum(widths) * scale + frame, space, flows)


def _letters(word: str) -> Iterator[float]:
    for before, letter in pairwise("\0" + word):
        if before == _JOINER or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
            yield 0.0
        elif unicodedata.east_asian_width(letter) in "WF":
            yield _EMOJI if letter >= _FIRST_EMOJI else _WIDE
        else:
            yield _WIDTHS.get(letter, _CAPITAL if letter.isupper() else _OTHER)
