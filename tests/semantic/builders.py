"""A small model of words and a vault that is a dictionary, for tests that need neither weights nor a disk."""

import re
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

import numpy as np

from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.semantic.arrays import Floats, coded, unit
from sidecar.semantic.embedding import Embedding
from sidecar.semantic.segment import Embedded, place_list
from sidecar.semantic.store import Store

DIMENSIONS = 16


def word_vector(word: str) -> Floats:
    """Return a direction that depends on the word alone."""
    rng = np.random.default_rng(zlib.crc32(word.lower().encode()))
    return rng.standard_normal(DIMENSIONS).astype(np.float32)


class WordModel:
    """The meaning of a text is the mean of its words', which mean nothing else."""

    identity = "words"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.embedded: list[str] = []
        self.before: Callable[[], object] = lambda: None

    def embed(self, texts: Sequence[str]) -> Floats:
        self.before()
        self.embedded += texts
        return self._vectors(texts)

    def embed_question(self, text: str) -> Floats:
        vector: Floats = self._vectors([text])[0]
        return vector

    def _vectors(self, texts: Sequence[str]) -> Floats:
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text):
                vectors[row] += word_vector(word)
        return unit(vectors)


class Shelf:
    """A vault: path to text; what is in ``hidden`` agents may not see."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self.texts = dict(texts or {})
        self.hidden: set[str] = set()
        self.unreadable: set[str] = set()
        self.read_paths: list[VaultPath] = []

    def states(self, paths: Collection[VaultPath] | None = None) -> Mapping[VaultPath, str]:
        seen = {path: text for path, text in self.texts.items() if path not in self.hidden}
        return {VaultPath(p): checksum(t.encode()) for p, t in seen.items() if paths is None or p in paths}

    def read(self, path: VaultPath) -> bytes | None:
        self.read_paths.append(path)
        return None if path in self.unreadable else self.texts[path].encode()


def embedded(path: str, *texts: str, key: str = "") -> Embedded:
    """Return what is kept of a file with these passages."""
    places = place_list([(number, f"Heading {number}") for number in range(1, len(texts) + 1)])
    model = WordModel()
    return Embedded(VaultPath(path), key or f"{path}: {texts}", places, coded(model.embed(texts)))


def opened(folder: Path, shelf: Shelf, model: WordModel | None = None) -> Embedding:
    """Open the vectors of a vault in a folder."""
    model = model or WordModel()
    return Embedding(Store(folder, model.identity, DIMENSIONS), model, shelf)


def finish(embedding: Embedding, paths: Collection[str] | None = None) -> None:
    """Do all that is to do."""
    embedding.compare(None if paths is None else [VaultPath(path) for path in paths])
    while embedding.step(lambda: False):
        pass


def contents(store: Store) -> dict[str, tuple[str, bytes, bytes]]:
    """Return all that is kept and alive, in a form that can be compared."""
    return {
        entry.path: (entry.key, entry.places, entry.vectors.tobytes())
        for part in store.parts
        for number in part.living()
        for entry in [part.segment.entry(number)]
    }
