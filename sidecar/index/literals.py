"""Letters that a text must hold if an expression of JavaScript's kind matches it: they rule most files out unread."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

from sidecar.model.search import And, Matches, Or, Place, Query, Within

__all__ = ["LettersCheck", "branches_of", "bytes_check", "letters_check", "required"]

BytesCheck: TypeAlias = Callable[[bytes], bool]
LettersCheck: TypeAlias = Callable[[str], bool]

_PIECE = re.compile(
    r"""
      (?P<nothing>\^|\$|\\[bB])
    | (?P<many>(?:[*?]|\{0*(?:,\d*)?\}|\{0+,\d+\})\??)
    | (?P<some>(?:\+|\{\d+(?:,\d*)?\})\??)
    | (?P<either>\|)
    | (?P<open>\((?:\?:|\?<[^\W\d]\w*>)?(?!\?))
    | (?P<look>\(\?(?:[=!]|<[=!]))
    | (?P<close>\))
    | \\(?P<escaped>[!-/:-@\[-^`{-~])
    | (?P<plain>[A-Za-z0-9\ _"'\#%&,/:;<=>@`~!-])
    | (?P<other>\[\^?(?:\\.|[^\]\\])*\]
        |\\(?:u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[pP]\{[^}]*\}|k<[^>]*>|c.|\d+|.)|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SHORTEST = 2
_REFERENCE = re.compile(r"\\(?:k<|[1-9])")
_FOREIGN = tuple(letter.encode() for letter in "\u0130\u017f\u212a")
"""What is the same as ``i``, ``s`` or ``k`` where case does not matter."""
_FOREIGN_SMALL = "\u0307\u017f"
"""What of that is still not ``i`` or ``s`` in small letters."""
_INSIDE = frozenset(Place) - {Place.FILE, Place.NAME, Place.PATH, Place.TAG}
"""Places that are parts of the text, and of it alone."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

_Sets: TypeAlias = frozenset[str] | None
"""Of these letters one must be there; ``None`` when nothing is known."""


def required(pattern: str) -> _Sets:
    """Return letters, in small ones, of which every match holds at least one group; ``None`` when none are certain."""
    reader = _Reader(pattern)
    found = reader.either()
    return found if reader.ended else None


def branches_of(pattern: str) -> list[str]:
    """Return what stands between the ``|`` of an expression that are in no group: it matches where one of these does.

    It is one where a part may refer to another.
    """
    reader = _Reader(pattern)
    reader.either()
    if not reader.ended or _REFERENCE.search(pattern):
        return [pattern]
    edges, depth = [0], 0
    for piece in _PIECE.finditer(pattern):
        kind = piece.lastgroup
        depth += (kind in {"open", "look"}) - (kind == "close")
        if kind == "either" and not depth:
            edges.append(piece.end())
    return [pattern[begin : end - 1] for begin, end in pairwise([*edges, len(pattern) + 1])]


def letters_check(pattern: str) -> LettersCheck | None:
    """Return what tells of a text in small letters whether an expression may match it; its ``False`` is certain.

    ``None`` when it would let everything pass.
    """
    wanted = required(pattern)
    if wanted is None:
        return None
    foreign = _FOREIGN_SMALL if any(letter in letters for letters in wanted for letter in "is") else ""

    def check(small: str) -> bool:
        if any(letters in small for letters in wanted):
            return True
        return bool(foreign) and not small.isascii() and any(letter in small for letter in foreign)

    return check


def bytes_check(query: Query) -> BytesCheck | None:
    """Return what tells whether a file with these bytes may meet the query; its ``False`` is certain.

    ``None`` when it would let everything pass.
    """
    match query:
        case Matches(pattern):
            wanted = required(pattern)
            return None if wanted is None else _holding(tuple(letters.encode() for letters in wanted))
        case And(parts):
            checks = [check for part in parts if (check := bytes_check(part))]
            return (lambda data: all(check(data) for check in checks)) if checks else None
        case Or(parts):
            either = [bytes_check(part) for part in parts]
            known = [check for check in either if check]
            return (lambda data: any(check(data) for check in known)) if len(known) == len(either) else None
        case Within(place, part) if place in _INSIDE:
            return bytes_check(part)
        case _:
            return None


def _holding(wanted: tuple[bytes, ...]) -> BytesCheck:
    foreign = _FOREIGN if any(letter in letters for letters in wanted for letter in b"isk") else ()
    only = wanted[0] if len(wanted) == 1 else None

    def check(data: bytes) -> bool:
        small = data.lower()
        if only in small if only else any(letters in small for letters in wanted):
            return True
        return not data.isascii() and (data.startswith(_UTF16) or any(letter in data for letter in foreign))

    return check


class _Reader:
    """Goes through an expression once; what it does not know ends a run of letters, and is required by nobody."""

    def __init__(self, pattern: str) -> None:
        self._pieces = list(_PIECE.finditer(pattern))
        self._at = 0

    @property
    def ended(self) -> bool:
        """Whether nothing is left over."""
        return self._at == len(self._pieces)

    def either(self) -> _Sets:
        """Read branches to the end of their group."""
        branches = [self._together()]
        while self._peek() == "either":
            self._at += 1
            branches.append(self._together())
        known = [branch for branch in branches if branch is not None]
        return frozenset().union(*known) if len(known) == len(branches) else None

    def _together(self) -> _Sets:
        best: _Sets = None
        run = ""
        while (kind := self._peek()) not in {None, "either", "close"}:
            piece = self._pieces[self._at]
            self._at += 1
            if kind in {"plain", "escaped"}:
                letter = piece[kind]
                if self._peek() == "many":
                    best, run = _better(best, run), ""
                else:
                    run += letter.lower()
                    if self._peek() == "some":
                        best, run = _better(best, run), ""
                continue
            if kind == "nothing":
                continue
            best, run = _better(best, run), ""
            if kind in {"open", "look"}:
                inner = self.either()
                self._at += self._peek() == "close"
                if kind == "open" and self._peek() != "many":
                    best = _best(best, inner)
        return _better(best, run)

    def _peek(self) -> str | None:
        return self._pieces[self._at].lastgroup if self._at < len(self._pieces) else None


def _better(best: _Sets, run: str) -> _Sets:
    return _best(best, frozenset({run}) if len(run) >= _SHORTEST else None)


def _best(one: _Sets, other: _Sets) -> _Sets:
    """Return what rules out more, which long letters do."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=lambda letters: (min(map(len, letters)), -len(letters)))
