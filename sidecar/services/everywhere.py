"""Search in one vault, or in all that the caller may reach, as one ranking."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from sidecar.errors import Invalid, Unavailable
from sidecar.model.path import VaultPath
from sidecar.services.asked import Asked, SearchType, plan_of
from sidecar.services.caller import Caller
from sidecar.services.file_order import FileOrder, sort_keys
from sidecar.services.rankings import Ranked
from sidecar.services.results import Found, SearchResults
from sidecar.services.search import Seen
from sidecar.services.services import Services

__all__ = ["find_notes"]

_MOST = 1000
"""Results of several vaults that can be reached by paging."""


@dataclass(frozen=True, slots=True)
class _Vault:
    services: Services
    seen: Seen


async def find_notes(
    caller: Caller, vault: Services | None, every: Callable[[], Awaitable[Sequence[Services]]], asked: Asked
) -> SearchResults:
    """Search in ``vault``, or without one in all there are; then results say in which they stand, best first.

    Scores of several vaults compare only roughly: a word that is rare in one may be common in another. A vault that
    cannot be searched just now is named in the results and leaves the others as they are.

    Raises:
        Invalid: when the search is none, or goes on beyond the last page there can be.
        Unavailable: when the index turned out damaged.

    """
    if vault is not None:
        return await vault.search.answer(caller, asked)
    if asked.cursor:
        raise Invalid("A cursor goes on in one vault.", hint="Search all projects page by page.")
    plan = await asyncio.to_thread(plan_of, asked, time.time_ns())
    wanted = asked.page * asked.page_size
    if wanted > _MOST:
        raise Invalid(f"Of all projects only the first {_MOST} results can be seen.", hint="Name a project.")
    vaults: list[_Vault] = []
    unsearched: dict[str, str] = {}
    for services in await every():
        try:
            vaults.append(_Vault(services, await services.search.rank(caller, plan, wanted)))
        except Unavailable as error:
            unsearched[services.project] = error.message
    vaults = _closest(vaults)
    best = _merged(vaults, plan.order)[wanted - asked.page_size : wanted]
    rankings = [vault.seen.ranking for vault in vaults]
    total = sum(ranking.total for ranking in rankings)
    found = [await _shown(vault, [row for of, row in best if of is vault], asked) for vault in vaults]
    queues = {id(vault): iter(results) for vault, results in zip(vaults, found, strict=True)}
    results = [one for vault, _ in best if (one := next(queues[id(vault)], None)) is not None]
    return SearchResults(
        query=asked.query or "",
        results=tuple(results),
        total=total,
        page=asked.page,
        page_size=asked.page_size,
        used=next((ranking.used for ranking in rankings if ranking.total), plan.kind or SearchType.TEXT),
        unmeant=next((ranking.unmeant for ranking in rankings if ranking.unmeant), None),
        relaxed=any(ranking.relaxed for ranking in rankings),
        corrected={word: better for ranking in rankings for word, better in ranking.corrected.items()},
        unchecked=sum(ranking.unchecked for ranking in rankings),
        has_more=wanted < min(total, _MOST),
        unsearched=unsearched,
    )


async def _shown(vault: _Vault, rows: Sequence[Ranked], asked: Asked) -> list[Found]:
    found = await vault.services.search.show(vault.seen, rows, asked.context_lines)
    return [replace(one, project=vault.services.project) for one in found]


def _closest(vaults: Sequence[_Vault]) -> list[_Vault]:
    """Leave out what was found by other words where something was found by those that were asked for."""
    strict = [v for v in vaults if v.seen.ranking.total and not (v.seen.ranking.relaxed or v.seen.ranking.corrected)]
    return strict or list(vaults)


def _merged(vaults: Sequence[_Vault], order: FileOrder | None) -> list[tuple[_Vault, Ranked]]:
    """Merge rankings, each of which keeps its own order; without scores the newest come first."""
    rows = [(vault, row) for vault in vaults for row in vault.seen.ranking.rows]
    if order is not None:
        keys = {id(vault): sort_keys(vault.seen.view, _paths(vault), order) for vault in vaults}
        rows.sort(key=lambda item: keys[id(item[0])][item[1].path], reverse=order.descends)
    elif any(row.score for _, row in rows):
        rows.sort(key=lambda item: -item[1].score)
    elif all(vault.seen.ranking.used is not SearchType.PERMALINK for vault in vaults):
        rows.sort(key=lambda item: -_modified(*item))
    return rows


def _paths(vault: _Vault) -> list[VaultPath]:
    return list({row.path: None for row in vault.seen.ranking.rows})


def _modified(vault: _Vault, row: Ranked) -> int:
    state = vault.seen.view.state(row.path)
    return state.mtime_ns if state else 0
