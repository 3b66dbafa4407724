"""Search by meaning beside the search by words, and the two rankings made one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sidecar.errors import Unavailable
from sidecar.model.path import VaultPath
from sidecar.model.ports import Nearest
from sidecar.model.search import And, Everything, Leaf, Or, Passage, Phrase, Query, Term
from sidecar.services.asked import SearchType
from sidecar.services.lexical import Lexical, Sought
from sidecar.services.rankings import KEPT, Ranked, Ranking
from sidecar.services.threads import Threads
from sidecar.services.views import View

__all__ = ["Nearness", "fused", "is_plain", "meaning_of"]

_K = 60
_LEAST_SIMILARITY = 0.2
"""Below it two texts have as good as nothing to do with one another."""
_EXTRA = "the extra is not installed: pip install 'vault-sidecar[semantic]', then restart"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What of a query is words to be understood, and what is a condition."""

    text: str
    condition: Query


def meaning_of(query: Query) -> Meaning:
    """Take a query apart: words and phrases mean something, all else is a condition that results must meet."""
    match query:
        case Term(text) | Phrase(text):
            return Meaning(text, Everything())
        case Or(parts) if all(meaning_of(part).condition == Everything() for part in parts):
            return Meaning(" ".join(meaning_of(part).text for part in parts), Everything())
        case And(parts):
            found = [meaning_of(part) for part in parts]
            conditions = tuple(part.condition for part in found if part.condition != Everything())
            text = " ".join(part.text for part in found if part.text)
            return Meaning(text, And(conditions) if conditions else Everything())
        case _:
            return Meaning("", query)


def is_plain(query: Query) -> bool:
    """Tell whether a query is words and what narrows them: who writes operators wants just what they say."""
    match query:
        case Term(case=False):
            return True
        case And(parts, explicit=False):
            return any(map(is_plain, parts)) and all(is_plain(part) or isinstance(part, Leaf) for part in parts)
        case _:
            return False


def fused(rankings: Iterable[Sequence[Ranked]]) -> tuple[Ranked, ...]:
    """Make one ranking of several by reciprocal rank; a row that more than one has is taken from the first."""
    rows: dict[object, Ranked] = {}
    scores: dict[object, float] = {}
    for ranking in rankings:
        for place, row in enumerate(ranking, 1):
            key = (row.path, row.fact)
            rows.setdefault(key, row)
            scores[key] = scores.get(key, 0.0) + 1 / (_K + place)
    ordered = sorted(rows, key=lambda key: -scores[key])
    return tuple(replace(rows[key], score=scores[key]) for key in ordered)


def _named(view: View, text: str) -> frozenset[VaultPath]:
    """Return the notes of just this title or alias, which is what a query most likely means."""
    return frozenset(view.titled(text) + view.aliased(text))


class Nearness:
    """Ranks files by what they mean; says why when that cannot be had."""

    def __init__(self, nearest: Nearest | None, lexical: Lexical, threads: Threads) -> None:
        self._nearest = nearest
        self._lexical = lexical
        self._threads = threads

    def is_ready(self) -> bool:
        """Tell whether anything can be found by what it means; that may have to load a model."""
        return self._nearest is not None and self._nearest.missing is None

    async def rank(self, kind: SearchType, query: Query, text: str, sought: Sought, least: float | None) -> Ranking:
        """Rank by meaning, for ``hybrid`` together with the ranking by words; by words alone where it has to be.

        ``least`` is the similarity below which nothing counts.
        """
        meaning = meaning_of(query)
        if not meaning.text:
            return await self._lexical.rank(query, text, sought)
        try:
            passages = await self._passages(meaning, sought, _LEAST_SIMILARITY if least is None else least)
        except Unavailable as error:
            return replace(await self._lexical.rank(query, text, sought), unmeant=error.message)
        by_meaning = tuple(Ranked(p.path, p.similarity, passage=p) for p in passages)
        if kind is SearchType.SEMANTIC:
            return Ranking(query, by_meaning, len(by_meaning), kind)
        by_words = await self._lexical.rank(query, text, sought)
        named = await self._threads.read(_named, sought.view, meaning.text)
        rows = fused([by_words.rows, by_meaning, [row for row in by_words.rows if row.path in named]])
        more = by_words.total - len(by_words.rows)
        return replace(by_words, rows=rows, total=len(rows) + more, used=kind)

    async def _passages(self, meaning: Meaning, sought: Sought, least: float) -> Sequence[Passage]:
        nearest = self._nearest
        if nearest is None:
            raise Unavailable(_EXTRA)
        allowed = await self._lexical.meeting(meaning.condition, sought)
        hidden = sought.view.hidden | (frozenset() if sought.filter.include_excluded else sought.view.excluded)

        def among(path: VaultPath) -> bool:
            return path in allowed if allowed is not None else path not in hidden

        found = await self._threads.read(nearest.nearest, meaning.text, max(KEPT, sought.limit), among)
        return [passage for passage in found if passage.similarity >= least and among(passage.path)]
