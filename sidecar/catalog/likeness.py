"""The names of all files at one moment, and which of them look most like a text."""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from sidecar.catalog.reader import State
from sidecar.catalog.records import NamedFile
from sidecar.model.file import FileState
from sidecar.model.path import VaultPath

__all__ = ["KnownNames"]

_NAMED = "SELECT id, path, title FROM file WHERE title_key IS NOT NULL"
_ALIASES = "SELECT file, alias FROM alias"
_MANY = 500
"""So many changed files are asked for together with all others."""

_SIZE = 1021
_BITS = tuple(1 << n for n in range(_SIZE))


class _MarksOfWords(dict[str, int]):
    """The runs of three bytes in words as bits of a number; kept for a moment's work, since names share words."""

    def __missing__(self, word: str) -> int:
        data = f" {word} ".encode(errors="replace")
        marks = 0
        for first, second, third in zip(data, data[1:], data[2:], strict=False):
            marks |= _BITS[(first * 961 + second * 31 + third) % _SIZE]
        self[word] = marks
        return marks

    def of(self, *texts: str) -> int:
        """Return the marks of some texts in lower case: what two have in common is then quickly counted.

        Several runs may stand for one bit, so this only serves to choose what is worth a closer look.
        """
        marks = 0
        for word in set(" ".join(texts).replace("/", " ").split()):
            marks |= self[word]
        return marks


@dataclass(frozen=True)
class KnownNames:
    """Path, title and aliases of the notes, canvases and bases of one generation, by path, with the marks of all."""

    generation: int = -1
    _states: Mapping[VaultPath, FileState] | None = None
    _known: Mapping[VaultPath, tuple[NamedFile, int]] | None = None

    def at(self, now: State) -> "KnownNames":
        """Return the names of that moment; only files that changed since are asked for."""
        if now.snapshot.generation == self.generation:
            return self
        states, before, known = now.snapshot.files, self._states or {}, dict(self._known or {})
        # Whatever is written of a file gives it a new state, so one that is the same object tells the same names.
        changed = [state for path, state in states.items() if before.get(path) is not state]
        for path in [path for path in known if path not in states]:
            del known[path]
        named = _all(now.db) if len(changed) > _MANY else _some(now.db, changed)
        words, stayed = _MarksOfWords(), len(known)
        for one in named:
            if one.path not in known or known[one.path][0] != one:
                names = (one.path.without_md, one.title, *one.aliases)
                known[one.path] = (one, words.of(*map(str.lower, names)))
        if len(known) > stayed:
            known = {path: known[path] for path in sorted(known)}
        return KnownNames(now.snapshot.generation, states, known)

    @cached_property
    def files(self) -> tuple[NamedFile, ...]:
        """All of them, by path."""
        return tuple(named for named, _ in (self._known or {}).values())

    def like(self, text: str, count: int, but: Collection[VaultPath]) -> tuple[NamedFile, ...]:
        """Return the files whose names share most with a text in lower case, those that share something at all."""
        wanted = _MarksOfWords().of(text)
        shared = [(marks & wanted).bit_count() for marks in self._all_marks]
        if but:
            shared = [0 if named.path in but else number for number, named in zip(shared, self.files, strict=True)]
        enough = _least_of(shared, count)
        found = [(number, named) for number, named in zip(shared, self.files, strict=True) if number >= enough]
        return tuple(named for _, named in sorted(found, key=itemgetter(0), reverse=True)[:count])

    @cached_property
    def _all_marks(self) -> tuple[int, ...]:
        return tuple(marks for _, marks in (self._known or {}).values())


def _least_of(numbers: Iterable[int], count: int) -> int:
    """Return the least of the ``count`` highest numbers, 1 at least."""
    how_often, so_many = Counter(numbers), 0
    for number in sorted(how_often, reverse=True):
        so_many += how_often[number]
        if so_many >= count:
            return max(number, 1)
    return 1


def _all(db: sqlite3.Connection) -> Iterable[NamedFile]:
    aliases: dict[int, list[str]] = {}
    for file, alias in db.execute(f"{_ALIASES} ORDER BY file, n"):
        aliases.setdefault(file, []).append(alias)
    for file, path, title in db.execute(_NAMED):
        yield NamedFile(VaultPath(path), title, tuple(aliases.get(file, ())))


def _some(db: sqlite3.Connection, states: Iterable[FileState]) -> Iterable[NamedFile]:
    for state in states:
        for file, path, title in db.execute(f"{_NAMED} AND id = ?", (state.id,)):
            aliases = db.execute(f"{_ALIASES} WHERE file = ? ORDER BY n", (file,))
            yield NamedFile(VaultPath(path), title, tuple(alias for (_, alias) in aliases))
