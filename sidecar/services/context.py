"""What belongs to a note: its facts, and the notes it is linked with, to go on with a topic."""

import time
from dataclasses import dataclass

from sidecar.dates.timeframe import since
from sidecar.errors import Invalid, SidecarError
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.frontmatter import block_of
from sidecar.parse.text import read_text
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer
from sidecar.services.facts import Fact
from sidecar.services.gathering import ContextItem, FactItem, Gathering
from sidecar.services.memory_urls import meant_by
from sidecar.services.neighbours import LinkNames
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["Context", "Contexts"]

_DEEPEST = 5
_ROOM = 22_000
"""Characters of a reply for all that was asked for; what is around it takes less than 3,000 more."""
_DAY = 86_400 * 10**9
_YEAR = 365


@dataclass(frozen=True, slots=True)
class Context:
    """The context of what a URL means. ``hidden`` counts what the timeframe left out; ``shown_by`` would show it."""

    url: str
    depth: int
    timeframe: str | None
    items: tuple[ContextItem | FactItem, ...]
    total: int
    page: int
    page_size: int
    hidden: int = 0
    shown_by: str | None = None
    near: tuple[str, ...] = ()
    """Other names, when nothing was found."""


class Contexts:
    """Follows links from a note."""

    def __init__(self, views: Views, files: VaultFiles, committer: Committer, threads: Threads, project: str) -> None:
        self._views = views
        self._files = files
        self._committer = committer
        self._threads = threads
        self._project = project

    async def build(
        self,
        caller: Caller,
        *,
        url: str,
        depth: int | None = 1,
        timeframe: str | None = "7d",
        page: int = 1,
        page_size: int = 10,
        max_related: int = 10,
        compact: bool = False,
    ) -> Context:
        """Return the note that ``url`` names, or all that fit its ``*``, with linked notes down to ``depth`` links.

        A fact's permalink, or a pattern of them, gives facts. The timeframe leaves out related notes and matches of a
        pattern that were not changed since; never what was named. ``compact`` leaves the notes' text out.

        Raises:
            Ambiguous: when the name fits several.
            Invalid: when depth or timeframe is out of range.

        """
        depth = 1 if depth is None else depth
        if not 1 <= depth <= _DEEPEST:
            raise Invalid(f"depth is {depth}; it goes from 1 to {_DEEPEST}.")
        after = since(timeframe, time.time_ns()) if timeframe else 0
        return await self._threads.read(
            self._build, caller, url, depth, timeframe, after, page, page_size, max_related, compact
        )

    def _build(
        self,
        caller: Caller,
        url: str,
        depth: int,
        timeframe: str | None,
        after: int,
        page: int,
        page_size: int,
        max_related: int,
        compact: bool,
    ) -> Context:
        view = self._views.newest(caller.audience)
        meant = meant_by(view, url, project=self._project, index_now=self._committer.index_now)
        view = self._views.newest(caller.audience)
        gathering = Gathering(view, after, depth, max_related, LinkNames(view))
        found: list[VaultPath | Fact] = [*meant.paths, *meant.facts]
        if not meant.named:
            found = gathering.recent(found)
        first = (page - 1) * page_size
        texts = {item: self._text(view, item) for item in found[first : first + page_size]}
        # A note that became private since the snapshot counts for nothing.
        found = [item for item in found if texts.get(item, "") is not None]
        room = _ROOM // max(1, len(texts))
        items = tuple(
            gathering.note(item, "" if compact else text, room) if isinstance(item, VaultPath) else gathering.fact(item)
            for item, text in texts.items()
            if text is not None
        )
        return Context(
            url=url,
            depth=depth,
            timeframe=timeframe,
            items=items,
            total=len(found),
            page=page,
            page_size=page_size,
            hidden=len(gathering.hidden),
            shown_by=_reaching(min(gathering.hidden.values())) if gathering.hidden else None,
            near=() if found else meant.near,
        )

    def _text(self, view: View, path: VaultPath | Fact) -> str | None:
        """Return a note's text without its properties; ``None`` when the caller may not see it."""
        if not isinstance(path, VaultPath) or kind_of(path) is not FileKind.NOTE:
            return ""
        try:
            text = read_text(self._files.read(path))[0]
        except SidecarError:
            return ""  # gone since the snapshot; its links still tell something
        if not view.sees_text(path, text):
            return None
        block = block_of(text)
        return text[block.end if block else 0 :].strip()


def _reaching(oldest_ns: int) -> str | None:
    """Return a timeframe that reaches back so far; ``None`` beyond a year, where only no timeframe does."""
    days = (time.time_ns() - oldest_ns) // _DAY + 1
    return f"{days}d" if days <= _YEAR else None
