"""Bringing the vectors up to date with the vault, a few files at a time."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.model.search import Passage
from sidecar.semantic.arrays import Vectors, coded, joined
from sidecar.semantic.model import Model, open_model
from sidecar.semantic.passages import FORM, Piece, passages_of
from sidecar.semantic.ranking import nearest
from sidecar.semantic.segment import Embedded, place_list
from sidecar.semantic.store import Store

__all__ = ["Embedding", "Texts", "open_embedding"]

_FILES_A_STEP = 8
_PASSAGES_AT_ONCE = 32
_PASSAGES_KEPT = 4000
"""So many are embedded before they are written; when the process ends earlier they are made again."""


class Texts(Protocol):
    """What there is to embed: only what agents may see."""

    def states(self, paths: Collection[VaultPath] | None = None) -> Mapping[VaultPath, str]:
        """Return the hash of each of these files that agents may see, or of all of them, newest first."""
        ...

    def read(self, path: VaultPath) -> bytes | None:
        """Return a file's bytes, or ``None`` when it cannot be read just now."""
        ...


@dataclass(frozen=True, slots=True)
class _Fresh:
    path: VaultPath
    key: str
    pieces: tuple[Piece, ...]


class Embedding:
    """Knows what is to do, and does it. Only :meth:`nearest` may be called from other threads."""

    def __init__(self, store: Store, model: Model, texts: Texts) -> None:
        self._store = store
        self._model = model
        self._texts = texts
        self._todo: dict[VaultPath, str] = {}
        self._made: list[Embedded] = []
        self._made_rows = 0

    @property
    def left(self) -> int:
        """Number of files that are not as they should be yet."""
        return len(self._todo) + len(self._made)

    @property
    def embedded(self) -> int:
        """Number of files that are."""
        return sum(len(part.segment) - len(part.dead) for part in self._store.parts)

    @property
    def passages(self) -> int:
        """Number of passages in which a question is looked for."""
        return sum(part.rows for part in self._store.parts)

    def nearest(self, text: str, limit: int, among: Callable[[VaultPath], bool]) -> Sequence[Passage]:
        """Return each file's nearest passage, best first; from any thread."""
        return nearest(self._store.parts, self._model.embed_question(text), limit, among)

    def compare(self, paths: Collection[VaultPath] | None) -> None:
        """Find out what is to do about these files, or about all; forget at once what is gone or was denied.

        What only bears another path is not embedded again.

        Raises:
            OSError: when the disk refuses.
            SidecarError: when nobody can tell what agents may see.

        """
        states = self._texts.states(paths)
        gone = {path for path in (self._store.paths() if paths is None else paths) if path not in states}
        for path in gone:
            self._todo.pop(path, None)
        self._made = [entry for entry in self._made if entry.path not in gone]
        made = {entry.path: entry.key for entry in self._made}
        moved: list[Embedded] = []
        for path, digest in states.items():
            key = _key(path, digest)
            self._todo.pop(path, None)
            if key not in (made.get(path), self._store.key_of(path)):
                if same := self._store.borrowed(key, path):
                    moved.append(same)
                else:
                    self._todo[path] = digest
        self._store.add(moved)
        self._store.forget(gone & self._store.paths())

    def step(self, is_ending: Callable[[], bool]) -> bool:
        """Embed a few files, or tidy up when there are none left; tell whether there was anything to do.

        Raises:
            OSError: when the disk refuses.

        """
        fresh = [item for path in tuple(islice(self._todo, _FILES_A_STEP)) if (item := self._read(path))]
        if fresh:
            self._made += self._embedded(fresh, is_ending)
            self._made_rows = sum(len(made.vectors) for made in self._made)
        if self._made and (not self._todo or self._made_rows >= _PASSAGES_KEPT):
            self._store.add(self._made)
            self._made = []
        return bool(self._todo) or self._store.tidy()

    def _read(self, path: VaultPath) -> _Fresh | None:
        """Return the passages of a file; none of one that has changed since, of which an event will tell."""
        digest = self._todo.pop(path)
        data = self._texts.read(path)
        if data is None or checksum(data) != digest:
            return None
        return _Fresh(path, _key(path, digest), passages_of(path, data))

    def _embedded(self, files: Sequence[_Fresh], is_ending: Callable[[], bool]) -> Iterator[Embedded]:
        pieces = [piece for file in files for piece in file.pieces]
        batches: list[Vectors] = []
        for first in range(0, len(pieces), _PASSAGES_AT_ONCE):
            if is_ending():
                return
            batches.append(coded(self._model.embed([p.text for p in pieces[first : first + _PASSAGES_AT_ONCE]])))
        vectors = joined(batches, self._model.dimensions)
        at = 0
        for file in files:
            places = place_list([(piece.line, piece.heading) for piece in file.pieces])
            yield Embedded(file.path, file.key, places, vectors.between(at, at + len(file.pieces)))
            at += len(file.pieces)


def open_embedding(folder: Path, model_name: str, texts: Texts) -> Embedding:
    """Open what is embedded of a vault with a model.

    Raises:
        Unavailable: when the model cannot be had.
        OSError: when the folder cannot be made.

    """
    model = open_model(model_name)
    return Embedding(Store(folder, f"{FORM} {model.identity}", model.dimensions), model, texts)


def _key(path: VaultPath, digest: str) -> str:
    # The name is a part of it: it is what a note without a title is called, and a title counts.
    return f"{digest[:32]}/{path.name}"
