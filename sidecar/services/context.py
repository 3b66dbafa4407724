"""What belongs to a note: its facts, and the notes it is linked with, to go on with a topic."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from sidecar.catalog.permalink import permalink_of
from sidecar.dates.timeframe import since
from sidecar.errors import Invalid, NotFound, SidecarError
from sidecar.model.note import FileKind, Observation, Relation, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.frontmatter import block_of
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer
from sidecar.services.lookup import find_file
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["Context", "ContextItem", "Contexts", "RelatedNote"]

_DEEPEST = 5
_SCHEME = "memory://"
_SHOWN = 1500
"""Characters of a note's text that are shown; read_note gives the rest."""


@dataclass(frozen=True, slots=True)
class RelatedNote:
    """A linked note, with the link that led to it: ``relation`` from ``source`` to ``target``."""

    path: VaultPath
    title: str
    permalink: str
    modified_ns: int
    hops: int
    relation: str
    source: VaultPath
    target: VaultPath


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One note that was asked for, the beginning of its text, its facts and its neighbours."""

    path: VaultPath
    title: str
    permalink: str
    modified_ns: int
    text: str
    cut: bool
    observations: tuple[Observation, ...]
    relations: tuple[Relation, ...]
    related: tuple[RelatedNote, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """The context of one note or of all that fit a pattern. ``hidden`` counts what the timeframe left out."""

    url: str
    depth: int
    timeframe: str | None
    items: tuple[ContextItem, ...]
    total: int
    page: int
    page_size: int
    hidden: int


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
        depth: int = 1,
        timeframe: str | None = "7d",
        page: int = 1,
        page_size: int = 10,
        max_related: int = 10,
    ) -> Context:
        """Return the note that ``url`` names, or all that fit its ``*``, with linked notes down to ``depth`` links.

        The timeframe leaves out related notes and matches of a pattern that were not changed since; never the note
        that was named.

        Raises:
            NotFound: when a named note is not there, with near names.
            Ambiguous: when the name fits several.
            Invalid: when depth or timeframe is out of range.

        """
        if not 1 <= depth <= _DEEPEST:
            raise Invalid(f"depth is {depth}; it goes from 1 to {_DEEPEST}.")
        after = since(timeframe, time.time_ns()) if timeframe else 0
        return await self._threads.read(self._build, caller, url, depth, timeframe, after, page, page_size, max_related)

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
    ) -> Context:
        view = self._views.newest(caller.audience)
        if "*" in url:
            every = _fitting(view, url, self._project)
            found = [path for path in every if _modified(view, path) >= after]
            hidden = len(every) - len(found)
        else:
            index_now = self._committer.index_now
            found = [find_file(view, url, project=self._project, index_now=index_now)]
            view, hidden = self._views.newest(caller.audience), 0
        items = []
        for path in found[(page - 1) * page_size : page * page_size]:
            neighbours = _neighbours(view, path, depth)
            recent = [n for n in neighbours if n.modified_ns >= after]
            hidden += len(neighbours) - len(recent)
            items.append(self._item(view, path, recent[:max_related]))
        return Context(url, depth, timeframe, tuple(items), len(found), page, page_size, hidden)

    def _item(self, view: View, path: VaultPath, related: Sequence[RelatedNote]) -> ContextItem:
        text, cut = self._beginning(view, path)
        return ContextItem(
            path=path,
            title=view.titles_of([path]).get(path, path.basename),
            permalink=permalink_of(path),
            modified_ns=_modified(view, path),
            text=text,
            cut=cut,
            observations=view.observations(path),
            relations=view.relations(path),
            related=tuple(related),
        )

    def _beginning(self, view: View, path: VaultPath) -> tuple[str, bool]:
        if kind_of(path) is not FileKind.NOTE:
            return "", False
        try:
            text = self._files.read(path).decode("utf-8-sig", "replace")
        except SidecarError:
            return "", False  # gone since the snapshot; its links still tell something
        if not view.sees_text(path, text):
            raise NotFound(f"There is no note '{path}'.")
        block = block_of(text)
        body = text[block.end if block else 0 :].strip()
        if len(body) <= _SHOWN:
            return body, False
        return body[: body.rfind("\n", 0, _SHOWN) if "\n" in body[1:_SHOWN] else _SHOWN], True


def _modified(view: View, path: VaultPath) -> int:
    state = view.state(path)
    return state.mtime_ns if state else 0


def _fitting(view: View, url: str, project: str) -> list[VaultPath]:
    pattern = url.strip().removeprefix(_SCHEME).strip("/").lower().removeprefix(f"{project.lower()}/")
    names = (path for path, _ in view.files() if kind_of(path) is not FileKind.ATTACHMENT)
    return sorted(
        p for p in names if fnmatchcase(permalink_of(p), pattern) or fnmatchcase(p.without_md.lower(), pattern)
    )


def _neighbours(view: View, start: VaultPath, depth: int) -> list[RelatedNote]:
    """Return linked notes, nearest first, then newest; each once, by the first link that leads to it."""
    seen: dict[VaultPath, tuple[int, str, VaultPath, VaultPath]] = {start: (0, "", start, start)}
    border = [start]
    for hop in range(1, depth + 1):
        reached: list[VaultPath] = []
        for path in border:
            for relation, source, target in _steps(view, path):
                other = target if source == path else source
                if other not in seen:
                    seen[other] = (hop, relation, source, target)
                    reached.append(other)
        border = reached
    del seen[start]
    titles: Mapping[VaultPath, str] = view.titles_of(seen)
    related = [
        RelatedNote(path, titles.get(path, path.basename), permalink_of(path), _modified(view, path), *step)
        for path, step in seen.items()
    ]
    return sorted(related, key=lambda note: (note.hops, -note.modified_ns, note.path))


def _steps(view: View, path: VaultPath) -> Iterable[tuple[str, VaultPath, VaultPath]]:
    """Go through the links of a note in both directions, as relation, source and target; typed relations first."""
    types = {r.target.partition("|")[0].partition("#")[0].strip().lower(): r.type for r in view.relations(path)}
    outgoing = [
        (types.get(link.link.linkpath.lower(), link.link.property or "links_to"), path, link.target)
        for link in view.outgoing(path)
        if link.target is not None and link.target != path
    ]
    yield from sorted(outgoing, key=lambda step: step[0] == "links_to")
    for at in view.backlinks(path):
        if at.source != path:
            yield at.link.property or "links_to", at.source, path
