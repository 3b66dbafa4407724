"""Search among observations and relations, each a row of its own with its few words."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sidecar.index.document import Document
from sidecar.index.needles import Needles, matches_in, needles
from sidecar.index.regex import OutOfTime, Patience
from sidecar.index.scan import both, text_check, widened
from sidecar.index.words import Words, word_check
from sidecar.model.note import Observation, Relation
from sidecar.model.path import VaultPath
from sidecar.model.search import (
    And,
    Everything,
    HasTask,
    Not,
    OneOf,
    Or,
    PathHas,
    Phrase,
    Place,
    PropertyHas,
    PropertyIs,
    Query,
    TagIs,
    Term,
    Within,
)
from sidecar.services.asked import Plan, RowKind
from sidecar.services.lexical import Lexical, Sought
from sidecar.services.rankings import Ranked, Ranking
from sidecar.services.threads import Threads
from sidecar.services.views import View

__all__ = ["FactSearch", "fact_text"]

_SECONDS_OF_EXPRESSIONS = 0.5
_SATURATION, _BY_LENGTH = 1.2, 0.5
_NAMES = frozenset({Place.NAME, Place.PATH, Place.TAG})

Fact: TypeAlias = Observation | Relation


@dataclass(frozen=True, slots=True)
class _Row:
    path: VaultPath
    fact: Fact
    words: Words


RowCheck: TypeAlias = Callable[[_Row], bool]


def fact_text(fact: Fact) -> str:
    """Return what a fact says, in one line."""
    context = f" ({fact.context})" if fact.context else ""
    if isinstance(fact, Observation):
        return f"[{fact.category}] {fact.content}{context}"
    return f"{fact.type} [[{fact.target}]]{context}"


class FactSearch:
    """Ranks facts by their own words; what else a query asks holds for the note they stand in."""

    def __init__(self, lexical: Lexical, threads: Threads) -> None:
        self._lexical = lexical
        self._threads = threads

    async def rank(self, plan: Plan, query: Query, sought: Sought) -> Ranking:
        """Rank the facts that match; without words they stand newest note first.

        Raises:
            Invalid: when a regular expression is none.
            Unavailable: when the index turned out damaged.

        """

        async def rank(query: Query) -> Ranking:
            wanted = both(query, *map(TagIs, plan.tags))
            met = {part: await self._meeting(part, sought) for part in _of_notes(wanted)}
            among = await self._lexical.meeting(widened(query), sought)
            return await self._threads.read(_ranked, plan, wanted, among, met, sought)

        return await self._lexical.forgiving(query, plan.text, sought, rank)

    async def _meeting(self, part: Query, sought: Sought) -> frozenset[VaultPath] | None:
        if isinstance(part, TagIs):
            # The tag of another line says nothing of a fact; that of the whole note does.
            return await self._threads.read(sought.view.property_tagged, part.tag)
        return await self._lexical.meeting(part, sought)


def _ranked(
    plan: Plan,
    query: Query,
    among: frozenset[VaultPath] | None,
    met: Mapping[Query, frozenset[VaultPath] | None],
    sought: Sought,
) -> Ranking:
    view = sought.view
    holds = _check(query, met, Patience(_SECONDS_OF_EXPRESSIONS))
    found: list[_Row] = []
    unchecked = 0
    for row in _rows(view, view.snapshot.files if among is None else among, plan):
        try:
            if holds(row):
                found.append(row)
        except OutOfTime:
            unchecked += 1
    rows = _by_score(found, needles(query), view)
    return Ranking(query, tuple(rows[: sought.limit]), len(rows), unchecked=unchecked)


def _rows(view: View, paths: Iterable[VaultPath], plan: Plan) -> Iterator[_Row]:
    facts: list[Iterable[tuple[VaultPath, Fact]]] = []
    if RowKind.OBSERVATION in plan.rows:
        facts.append(view.observations_of(paths, plan.categories))
    if RowKind.RELATION in plan.rows:
        facts.append(view.relations_of(paths))
    return (_Row(path, fact, Words(fact_text(fact))) for of_kind in facts for path, fact in of_kind)


def _has_tag(fact: Fact, tag: str) -> bool:
    tags = fact.tags if isinstance(fact, Observation) else ()
    return any(f"{own.lower()}/".startswith(f"{tag.lower().rstrip('/')}/") for own in tags)


def _of_notes(query: Query) -> Iterator[Query]:
    """Go through the conditions that are the note's to meet, not the fact's."""
    match query:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _of_notes(part)
        case Not(part):
            yield from _of_notes(part)
        case TagIs() | PathHas() | PropertyIs() | PropertyHas() | HasTask() | OneOf():
            yield query
        case Within(place) if place in _NAMES:
            yield query
        case _:
            return


def _check(query: Query, met: Mapping[Query, frozenset[VaultPath] | None], patience: Patience) -> RowCheck:
    """Prepare a query to be asked of facts."""
    if query in met:
        paths, tag = met[query], query.tag if isinstance(query, TagIs) else None
        return lambda row: paths is None or row.path in paths or (tag is not None and _has_tag(row.fact, tag))
    match query:
        case Everything():
            return lambda _: True
        case Term(case=False) | Phrase(case=False):
            holds = word_check(query)
            return lambda row: holds(row.words)
        case And(parts) | Or(parts):
            checks = [_check(part, met, patience) for part in parts]
            combined = all if isinstance(query, And) else any
            return lambda row: combined(check(row) for check in checks)
        case Not(part):
            unwanted = _check(part, met, patience)
            return lambda row: not unwanted(row)
        case _:
            of_text = text_check(query, patience)
            return lambda row: of_text(_document(row).whole) is not None


def _document(row: _Row) -> Document:
    return Document(row.path, row.words.text, ((0, len(row.words.text)),))


def _by_score(found: Sequence[_Row], wanted: Needles, view: View) -> list[Ranked]:
    """Order facts by how much the words they hold tell, and how little else they say; then newest note first."""
    states = view.snapshot.files
    counts = [Counter(match.needle for match in matches_in(row.words.text, wanted)) for row in found]
    holding = Counter(needle for count in counts for needle in count)
    average = sum(len(row.words.spelled) for row in found) / (len(found) or 1) if wanted else 1
    rows = []
    for row, count in zip(found, counts, strict=True):
        length = 1 - _BY_LENGTH + _BY_LENGTH * len(row.words.spelled) / (average or 1) if count else 1
        score = sum(
            math.log(1 + (len(found) + 1) / holding[needle]) * n / (n + _SATURATION * length)
            for needle, n in count.items()
        )
        rows.append(Ranked(row.path, score, row.fact))
    return sorted(rows, key=lambda row: (-row.score, -states[row.path].mtime_ns, row.path, _line(row)))


def _line(row: Ranked) -> int:
    return row.fact.line if row.fact else 0
