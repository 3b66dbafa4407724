"""How well memories fit a question: BM25F over stems, in which a name outweighs a description, and that a body."""

import itertools
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from sidecar.index.analysis import stem, tokens
from sidecar.model.path import VaultPath

__all__ = ["Corpus", "Ranked", "Weights", "weights_of"]

Weights: TypeAlias = Mapping[str, float]
"""The stems of one memory, each with what it weighs there."""

_NAME, _DESCRIPTION = 12.0, 4.0
_LEAST = 2 / 3
"""The part of a field's weight that a word always has, however long the field is."""
_MOST_IN_BODY = 2.5
"""Below the least weight in a description, as all of both is below the least in a name: so one word ranks as it should,
wherever else it stands and however often."""
_K1 = 1.2
_B = 0.75
_USUAL_NAME, _USUAL_DESCRIPTION, _USUAL_BODY = 3, 15, 50
"""Lengths in words against which long texts count less. They are fixed, so that no memory changes another's weights."""
_UNFINISHED = 0.5
"""A word that only begins like one of the question counts this much."""
_SHORTEST_BEGINNING = 3

_STOP_WORDS = frozenset(
    tokens(
        "a about am an and any are as at be been being but by can could did do does doing for from had has have having "
        "he her hers him his how i if in into is it its me my of on or our ours s she should so some t than that the "
        "their theirs them then there these they this those to us was we were what when where which while who whom "
        "whose why will with would you your yours"
    )
)
"""Words of a question that say nothing about what is asked."""


class Ranked(NamedTuple):
    """A memory that fits; higher scores are better."""

    path: VaultPath
    score: float


def weights_of(name: str, description: str, body: str) -> Weights:
    """Weigh the words of one memory."""
    found: dict[str, float] = {}
    for text, weight, usual in ((name, _NAME, _USUAL_NAME), (description, _DESCRIPTION, _USUAL_DESCRIPTION)):
        words = Counter(map(stem, tokens(text)))
        # A long field weakens, but never below the least: a hit in a name outweighs everything else.
        share = _LEAST + (1 - _LEAST) * min(1.0, usual / (words.total() or 1))
        for word in words:
            found[word] = found.get(word, 0.0) + weight * share
    words = Counter(map(stem, tokens(body)))
    norm = 1 - _B + _B * words.total() / _USUAL_BODY
    for word, count in words.items():
        found[word] = found.get(word, 0.0) + min(_MOST_IN_BODY, count / norm)
    return found


@dataclass(frozen=True, slots=True)
class Corpus:
    """The words of all memories, each with those that hold it; a change makes a new one."""

    words: Mapping[VaultPath, tuple[str, ...]] = field(default_factory=dict)
    holders: Mapping[str, Mapping[VaultPath, float]] = field(default_factory=dict)

    def changed(self, changes: Mapping[VaultPath, Weights | None]) -> "Corpus":
        """Return the corpus after ``changes``; ``None`` takes a memory out."""
        if not changes:
            return self
        words, held = dict(self.words), _Copies(self.holders)
        for path, weights in changes.items():
            for word in words.pop(path, ()):
                del held[word][path]
            for word, weight in (weights or {}).items():
                held[word][path] = weight
            if weights is not None:
                words[path] = tuple(weights)
        every: dict[str, Mapping[VaultPath, float]] = {**self.holders, **held}
        return Corpus(words, {word: holders for word, holders in every.items() if holders})

    def rank(self, question: str, among: Collection[VaultPath] | None = None) -> Sequence[Ranked]:
        """Return the memories that hold a word of the question, best first, those of equal score by path."""
        scores: dict[VaultPath, float] = {}
        for word in _asked(question):
            held = self.holders.get(word) or self._beginning_like(word)
            rarity = math.log(1 + (len(self.words) - len(held) + 0.5) / (len(held) + 0.5))
            for path, weight in held.items():
                scores[path] = scores.get(path, 0.0) + rarity * weight / (_K1 + weight)
        found = itertools.starmap(Ranked, scores.items())
        wanted = found if among is None else (one for one in found if one.path in among)
        return sorted(wanted, key=lambda one: (-one.score, one.path))

    def _beginning_like(self, word: str) -> Mapping[VaultPath, float]:
        """Return who holds a word that begins so; those count less, since nobody wrote the very word."""
        found: dict[VaultPath, float] = {}
        if len(word) >= _SHORTEST_BEGINNING:
            for other, held in self.holders.items():
                if other.startswith(word):
                    for path, weight in held.items():
                        found[path] = max(found.get(path, 0.0), weight * _UNFINISHED)
        return found


class _Copies(dict[str, dict[VaultPath, float]]):
    """Copies the holders of a word when they are first asked for, so that the corpus before stays as it was."""

    def __init__(self, holders: Mapping[str, Mapping[VaultPath, float]]) -> None:
        super().__init__()
        self._holders = holders

    def __missing__(self, word: str) -> dict[VaultPath, float]:
        copy = self[word] = dict(self._holders.get(word, {}))
        return copy


def _asked(question: str) -> Sequence[str]:
    """Return the stems that a question is about; where it is of stop words only, those."""
    words = tokens(question)
    telling = [word for word in words if word not in _STOP_WORDS]
    return tuple(dict.fromkeys(map(stem, telling or words)))
