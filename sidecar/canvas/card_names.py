"""What people call a card: its id, the note it shows, its label, or how its text begins."""

import difflib
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sidecar.canvas.line_marks import unmarked
from sidecar.canvas.model import CanvasNode, fields_of
from sidecar.errors import Ambiguous, NotFound
from sidecar.model.note import Json

__all__ = ["CardNames", "keys_of"]

_START: Final = 400
"""So much of a text may be given to name its card."""
_SHOWN: Final = 60
_BLOCK_MARK = re.compile(r"^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[.\]\s+)?|\d+[.)]\s+)*", re.MULTILINE)
_NEAR: Final = 5


def keys_of(nodes: Sequence[CanvasNode]) -> list[str]:
    """Return a key for each card that no other has: its id, or for a card without one of its own its place."""
    ids = [_text(fields_of(node), "id") for node in nodes]
    seen: set[str] = set()
    keys = []
    for number, name in enumerate(ids):
        key = name if name and name not in seen else f"nodes[{number}]"
        while key in seen or (key != name and key in ids):
            key += "'"
        seen.add(key)
        keys.append(key)
    return keys


class CardNames:
    """The cards of one canvas by their names; ``titles`` holds the titles of notes that differ from the file's name.

    Names are compared without case, markup and the width of white space. An id goes before everything else, a whole
    name before the beginning of a text.
    """

    def __init__(self, titles: Mapping[str, str] | None = None) -> None:
        self._titles = titles or {}
        self._ids: dict[str, dict[str, None]] = {}
        self._whole: dict[str, dict[str, None]] = {}
        self._starts: dict[str, str] = {}
        self._sorted: list[tuple[str, str]] | None = None
        self._cards: dict[str, Mapping[str, Json]] = {}

    def add(self, key: str, card: Mapping[str, Json], *more_ids: str) -> None:
        """Make a card known, also by other ids."""
        self._cards[key] = card
        for name in (_text(card, "id"), *more_ids):
            if name:
                self._ids.setdefault(name, {})[key] = None
        for name in _whole_names(card, self._titles):
            self._whole.setdefault(_folded(name), {})[key] = None
        if card.get("type") == "text":
            self._starts[key] = _folded(_text(card, "text")[:_START])
            self._sorted = None

    def forget(self, key: str) -> None:
        """Take a card and all its names away."""
        del self._cards[key]
        self._starts.pop(key, None)
        self._sorted = None
        for index in (self._ids, self._whole):
            for held in index.values():
                held.pop(key, None)

    def find(self, name: str) -> str:
        """Return the key of the one card with that name.

        Raises:
            NotFound: when no card has it; ``candidates`` are near names.
            Ambiguous: when several have it; ``candidates`` are all of them.

        """
        found = self._matches(name)
        if len(found) == 1:
            return found[0]
        if found:
            raise Ambiguous(
                f"'{name}' names {len(found)} cards.",
                hint="Give the id of the one you mean.",
                candidates=[self._described(key) for key in self._cards if key in found],
            )
        shown = {self.shown(key): key for key in self._cards}
        near = difflib.get_close_matches(name[:_SHOWN], list(shown)[:_START], _NEAR, 0.5)
        raise NotFound(
            f"No card is called '{name}'.",
            hint="Name a card by its id, the title or path of its note, its label, or the start of its text.",
            candidates=[self._described(shown[one]) for one in near],
        )

    def shown(self, key: str) -> str:
        """Return the shortest name by which :meth:`find` finds the card: a readable one, else its id."""
        card = self._cards[key]
        for name in _readable(card, self._titles):
            if self._matches(name) == [key]:
                return name
        return _text(card, "id") or key

    def _matches(self, name: str) -> list[str]:
        wanted = _folded(name)
        return list(self._ids.get(name) or (wanted and self._whole.get(wanted)) or self._beginning(wanted))

    def _beginning(self, wanted: str) -> Iterator[str]:
        if not wanted:
            return
        if self._sorted is None:
            self._sorted = sorted((start, key) for key, start in self._starts.items())
        at = bisect_left(self._sorted, (wanted, ""))
        for start, key in self._sorted[at:]:
            if not start.startswith(wanted):
                break
            yield key

    def _described(self, key: str) -> str:
        card = self._cards[key]
        name = next(iter(_readable(card, self._titles)), "")
        kind = _text(card, "type") or "card"
        return f"{_text(card, 'id') or key} ({kind}{f': {name}' if name else ''})"


def _whole_names(card: Mapping[str, Json], titles: Mapping[str, str]) -> Iterator[str]:
    match card.get("type"):
        case "file":
            path, subpath = _text(card, "file"), _text(card, "subpath")
            for name in dict.fromkeys(_file_names(path, titles)):
                yield name
                yield name + subpath
        case "text":
            text = _text(card, "text")
            yield text[:_START]
            yield _first_line(text)
        case "link":
            yield _text(card, "url")
        case _:
            yield _text(card, "label")


def _file_names(path: str, titles: Mapping[str, str]) -> Iterator[str]:
    """Yield what a file is called, the plainest name first."""
    base = path.rpartition("/")[2]
    if path in titles:
        yield titles[path]
    yield base.removesuffix(".md")
    yield base
    yield path.removesuffix(".md")
    yield path


def _readable(card: Mapping[str, Json], titles: Mapping[str, str]) -> Iterator[str]:
    match card.get("type"):
        case "file":
            subpath = _text(card, "subpath")
            names = [*_file_names(_text(card, "file"), titles)]
            yield from (name + end for end in dict.fromkeys(["", subpath]) for name in names if name)
        case "text":
            text = _text(card, "text")
            line = _first_line(text)
            yield from (start for start in (_cut(line, _SHOWN), line, _tidy(text[:_START])) if start)
        case "link":
            yield _text(card, "url")
        case _:
            label = " ".join(_text(card, "label").split())
            if label:
                yield label


def _first_line(text: str) -> str:
    lines = (_tidy(line) for line in text[:_START].splitlines())
    return next((line for line in lines if line), "")


def _cut(line: str, room: int) -> str:
    if len(line) <= room:
        return line
    words = line[: room + 1].rpartition(" ")[0]
    return words if len(words) > room // 2 else line[:room]


def _tidy(text: str) -> str:
    """Return a text on one line and without its signs."""
    return " ".join(unmarked(_BLOCK_MARK.sub("", text)).split())


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", _tidy(name[:_START])).casefold()


def _text(card: Mapping[str, Json], key: str) -> str:
    value = card.get(key)
    return value if isinstance(value, str) else ""
