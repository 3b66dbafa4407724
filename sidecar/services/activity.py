"""What changed lately in the vault, whoever changed it."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sidecar.catalog.permalink import permalink_of
from sidecar.dates.timeframe import since
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views

__all__ = ["Activities", "Activity", "ActivityKind", "ActivityPage"]


class ActivityKind(StrEnum):
    """What a line of the activity is: a note, a fact in it, or a typed link from it."""

    ENTITY = "entity"
    OBSERVATION = "observation"
    RELATION = "relation"


@dataclass(frozen=True, slots=True)
class Activity:
    """One line; its time is that of the note it stands in."""

    kind: ActivityKind
    title: str
    path: VaultPath
    permalink: str
    modified_ns: int


@dataclass(frozen=True, slots=True)
class ActivityPage:
    """Newest first; ``total`` counts before paging."""

    timeframe: str
    items: tuple[Activity, ...]
    total: int
    page: int
    page_size: int


class Activities:
    """Lists notes by the time of their last change."""

    def __init__(self, views: Views, threads: Threads) -> None:
        self._views = views
        self._threads = threads

    async def recent(
        self, caller: Caller, *, kinds: Sequence[ActivityKind], timeframe: str, page: int, page_size: int
    ) -> ActivityPage:
        """Return what changed within the timeframe; only notes when no kind is named.

        Raises:
            Invalid: when the timeframe is none.

        """
        after = since(timeframe, time.time_ns())
        return await self._threads.read(self._recent, caller, tuple(kinds), timeframe, after, page, page_size)

    def _recent(
        self, caller: Caller, kinds: Sequence[ActivityKind], timeframe: str, after: int, page: int, page_size: int
    ) -> ActivityPage:
        view = self._views.newest(caller.audience)
        recent = sorted(
            ((path, state.mtime_ns) for path, state in view.files() if state.mtime_ns >= after and _counts(path)),
            key=lambda item: (-item[1], item[0]),
        )
        wanted = kinds or (ActivityKind.ENTITY,)
        items = [item for path, modified in recent for item in _lines(view, path, modified, wanted)]
        first = (page - 1) * page_size
        return ActivityPage(timeframe, tuple(items[first : first + page_size]), len(items), page, page_size)


def _counts(path: VaultPath) -> bool:
    return kind_of(path) is not FileKind.ATTACHMENT


def _lines(view: View, path: VaultPath, modified: int, kinds: Sequence[ActivityKind]) -> Iterable[Activity]:
    permalink = permalink_of(path)
    title = view.titles_of([path]).get(path, path.basename)
    if ActivityKind.ENTITY in kinds:
        yield Activity(ActivityKind.ENTITY, title, path, permalink, modified)
    if ActivityKind.OBSERVATION in kinds:
        for fact in view.observations(path):
            yield Activity(ActivityKind.OBSERVATION, f"[{fact.category}] {fact.content}", path, permalink, modified)
    if ActivityKind.RELATION in kinds:
        for relation in view.relations(path):
            line = f"{title} {relation.type} [[{relation.target}]]"
            yield Activity(ActivityKind.RELATION, line, path, permalink, modified)
