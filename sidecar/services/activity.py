"""What changed lately in a vault, or in several, whoever changed it."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from sidecar.catalog.permalink import permalink_of
from sidecar.dates.timeframe import since
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.facts import created_ns, observation_facts, relation_facts
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views

__all__ = ["Activities", "Activity", "ActivityKind", "ActivityPage", "recent_activity_in"]


class ActivityKind(StrEnum):
    """What a line of the activity is: a note, a fact in it, or a typed link from it."""

    ENTITY = "entity"
    OBSERVATION = "observation"
    RELATION = "relation"


@dataclass(frozen=True, slots=True)
class Activity:
    """One line; its times are those of the note it stands in."""

    kind: ActivityKind
    title: str
    path: VaultPath
    permalink: str
    created_ns: int
    modified_ns: int
    project: str


@dataclass(frozen=True, slots=True)
class ActivityPage:
    """Newest first; ``total`` counts before paging, and ``projects`` says how much of it is in each vault."""

    timeframe: str
    items: tuple[Activity, ...]
    total: int
    page: int
    page_size: int
    projects: tuple[tuple[str, int], ...]


class Vault(Protocol):
    """What is needed of a vault's services."""

    @property
    def project(self) -> str: ...

    @property
    def activities(self) -> "Activities": ...


async def recent_activity_in(
    vaults: Sequence[Vault],
    caller: Caller,
    *,
    kinds: Sequence[ActivityKind] = (),
    timeframe: str = "7d",
    page: int = 1,
    page_size: int = 10,
) -> ActivityPage:
    """Return what changed within the timeframe in all these vaults; only notes when no kind is named.

    Raises:
        Invalid: when the timeframe is none.

    """
    after, last = since(timeframe, time.time_ns()), page * page_size
    lists = [
        await vault.activities.recent(caller, project=vault.project, kinds=kinds, after_ns=after, most=last)
        for vault in vaults
    ]
    merged = sorted((item for items, _ in lists for item in items), key=lambda item: -item.modified_ns)
    counts = tuple((vault.project, total) for vault, (_, total) in zip(vaults, lists, strict=True))
    total = sum(count for _, count in counts)
    return ActivityPage(timeframe, tuple(merged[last - page_size : last]), total, page, page_size, counts)


class Activities:
    """Lists the notes of one vault by the time of their last change."""

    def __init__(self, views: Views, threads: Threads) -> None:
        self._views = views
        self._threads = threads

    async def recent(
        self, caller: Caller, *, project: str, kinds: Sequence[ActivityKind], after_ns: int, most: int
    ) -> tuple[tuple[Activity, ...], int]:
        """Return the newest ``most`` lines of what changed since then, and how many there are in all."""
        return await self._threads.read(self._recent, caller, project, tuple(kinds), after_ns, most)

    def _recent(
        self, caller: Caller, project: str, kinds: Sequence[ActivityKind], after: int, most: int
    ) -> tuple[tuple[Activity, ...], int]:
        view = self._views.newest(caller.audience)
        recent = sorted(
            ((path, state.mtime_ns) for path, state in view.files() if state.mtime_ns >= after and _counts(path)),
            key=lambda item: (-item[1], item[0]),
        )
        wanted = kinds or (ActivityKind.ENTITY,)
        modified, shown, total = dict(recent), list[_Line](), 0
        for path in modified:
            if len(shown) < most:
                shown += list(_lines(view, path, wanted))[: most - len(shown)]
            total += _count(view, path, wanted)
        titles = view.titles_of({line.path for line in shown})
        created = {path: created_ns(view, path, modified[path]) for path in {line.path for line in shown}}
        items = [
            Activity(
                kind=line.kind,
                title=line.said(titles.get(line.path, line.path.basename)),
                path=line.path,
                permalink=line.permalink,
                created_ns=created[line.path],
                modified_ns=modified[line.path],
                project=project,
            )
            for line in shown
        ]
        return tuple(items), total


@dataclass(frozen=True, slots=True)
class _Line:
    """A line before its note's title is known."""

    kind: ActivityKind
    path: VaultPath
    permalink: str
    text: str = ""

    def said(self, title: str) -> str:
        return f"{title} {self.text}" if self.kind is ActivityKind.RELATION else self.text or title


def _counts(path: VaultPath) -> bool:
    return kind_of(path) is not FileKind.ATTACHMENT


def _count(view: View, path: VaultPath, kinds: Sequence[ActivityKind]) -> int:
    """Count a note's lines; that is quicker than making them."""
    return (
        (ActivityKind.ENTITY in kinds)
        + (len(view.observations(path)) if ActivityKind.OBSERVATION in kinds else 0)
        + (len(view.relations(path)) if ActivityKind.RELATION in kinds else 0)
    )


def _lines(view: View, path: VaultPath, kinds: Sequence[ActivityKind]) -> Iterable[_Line]:
    if ActivityKind.ENTITY in kinds:
        yield _Line(ActivityKind.ENTITY, path, permalink_of(path))
    if ActivityKind.OBSERVATION in kinds:
        for fact in observation_facts(view, path):
            said = fact.observation
            yield _Line(ActivityKind.OBSERVATION, path, fact.permalink, f"[{said.category}] {said.content}")
    if ActivityKind.RELATION in kinds:
        for link in relation_facts(view, path):
            said_link = link.relation
            yield _Line(ActivityKind.RELATION, path, link.permalink, f"{said_link.type} [[{said_link.target}]]")
