"""Unlinked mentions: places where a text names a note and does not link to it."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from sidecar.errors import SidecarError, Unavailable
from sidecar.index.analysis import tokens
from sidecar.model.file import checksum
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.ports import SearchIndex
from sidecar.model.search import Or, Phrase, SearchFilter, SearchRequest
from sidecar.parse.file import first_part
from sidecar.parse.mention import FoundName, NamesSought
from sidecar.parse.text import read_text
from sidecar.services.caller import Audience
from sidecar.services.mention import Direction, MentionKind, Spot
from sidecar.services.text_cards import TextCard, text_cards
from sidecar.services.threads import Threads
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["Mentions", "Sought", "spots_in"]

_ALL = 1 << 30
_KEPT = 8
"""Notes whose mentions are kept for further pages."""
_TEXT_KINDS = frozenset({FileKind.NOTE, FileKind.CANVAS})


@dataclass(frozen=True)
class Sought:
    """A note and the names it is mentioned by."""

    target: VaultPath
    names: tuple[str, ...]
    aliases: tuple[str, ...]
    pattern: NamesSought

    @classmethod
    def of(cls, view: View, target: VaultPath) -> "Sought":
        """Return what the catalog knows: file name, title and aliases of a note; of another file its name."""
        record = view.note(target)
        names, aliases = [target.basename], []
        match kind_of(target):
            case FileKind.NOTE if record:
                names.append(record.title)
                aliases = list(record.aliases)
            case FileKind.ATTACHMENT:
                names = [target.name]
            case _:
                pass
        # A name without a letter or digit stands in no index, and is no word either.
        every = tuple(name for name in dict.fromkeys((*names, *aliases)) if tokens(name))
        return cls(target, every, tuple(aliases), NamesSought(every, view.longer_names(every, target)))

    def alias(self, written: str) -> str | None:
        """Return the alias that was written; ``None`` when it was the title or the file's name."""
        if written not in self._seen:
            self._seen[written] = self._alias_of(written)
        return self._seen[written]

    @cached_property
    def _seen(self) -> dict[str, str | None]:
        """A popular name is written thousands of times, in few ways."""
        return {}

    def _alias_of(self, written: str) -> str | None:
        by_name = (name for name in self.names if name not in self.aliases)
        if any(self.pattern.is_own(written, name) for name in by_name):
            return None
        return next((alias for alias in self.aliases if self.pattern.is_own(written, alias)), None)


_ByFile: TypeAlias = Mapping[VaultPath, tuple[str, tuple[Spot, ...]]]
"""For each file that was looked into the checksum it had, and what was found."""


@dataclass(frozen=True)
class _Known:
    """The mentions of one note, as one view shows them."""

    view: View
    sought: Sought
    by_file: _ByFile

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        return tuple(spot for _, spots in self.by_file.values() for spot in spots)


class Mentions:
    """Finds unlinked mentions: the index tells in which files to look, their own text tells where."""

    def __init__(self, index: SearchIndex, files: VaultFiles, threads: Threads, rebuild: Callable[[], object]) -> None:
        self._index = index
        self._files = files
        self._threads = threads
        self._rebuild = rebuild
        self._kept: OrderedDict[tuple[Audience, VaultPath], _Known] = OrderedDict()

    async def of(self, view: View, target: VaultPath) -> tuple[Spot, ...]:
        """Return all places that name a note without a link, by file and place.

        The note itself and files that the user excluded in Obsidian (A13) are left out.

        Raises:
            Unavailable: when the index turned out damaged; it is being made anew then.

        """
        key = (view.audience, target)
        known = self._kept.get(key)
        if known is not None and known.view is view:
            return known.spots
        sought = await self._threads.read(Sought.of, view, target)
        paths = await self.candidates(view, sought)
        before = known.by_file if known is not None and known.sought == sought else {}
        found = self._kept[key] = await self._threads.read(self._in_files, view, sought, paths, before)
        self._kept.move_to_end(key)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found.spots

    async def candidates(self, view: View, sought: Sought) -> Sequence[VaultPath]:
        """Return the files that may name a note, by path; raises as :meth:`of` does."""
        if not sought.names:
            return ()
        return await self._threads.search(self._candidates, view, sought)

    def _candidates(self, view: View, sought: Sought) -> Sequence[VaultPath]:
        query = Or(tuple(Phrase(name) for name in sought.names))
        request = SearchRequest(query, SearchFilter(kinds=_TEXT_KINDS), limit=_ALL, body_only=True)
        try:
            hits = self._index.search(request, view).hits
        except Unavailable:
            self._rebuild()
            raise
        # The texts of files that agents may not see are in no index.
        denied = view.hidden_from_agents - view.hidden - view.excluded
        unindexed = (path for path in denied if kind_of(path) in _TEXT_KINDS)
        return sorted({*(hit.path for hit in hits), *unindexed} - {sought.target})

    def _in_files(self, view: View, sought: Sought, paths: Iterable[VaultPath], before: _ByFile) -> _Known:
        """Look into these files; what was found before in one that has not changed is there still."""
        read = self._files.reader()
        by_file: dict[VaultPath, tuple[str, tuple[Spot, ...]]] = {}
        for path in paths:
            state = view.state(path)
            known = before.get(path)
            if known is None or state is None or known[0] != state.hash:
                try:
                    data = read(path)
                except SidecarError:
                    continue  # gone or locked since it was indexed
                version = checksum(data)
                known = (version, tuple(spots_in(view, sought, path, data, version)))
            by_file[path] = known
        return _Known(view, sought, by_file)


def spots_in(view: View, sought: Sought, source: VaultPath, data: bytes, version: str) -> Iterator[Spot]:
    """Go through the places of one file that name a note; there are none in what the audience may not see.

    ``version`` is the checksum of the file.
    """
    text = read_text(first_part(data))[0]
    if kind_of(source) is FileKind.CANVAS:
        for card in text_cards(text):
            for name in sought.pattern.in_card(card.text):
                yield _spot(sought, source, name, card.text, version, card)
        return
    found = sought.pattern.in_note(source, text)
    if found and view.sees_text(source, text):
        for name in found:
            yield _spot(sought, source, name, text, version)


def _spot(
    sought: Sought, source: VaultPath, name: FoundName, text: str, version: str, card: TextCard | None = None
) -> Spot:
    written = text[name.start : name.end]
    return Spot(
        source=source,
        target=sought.target,
        direction=Direction.MENTIONS,
        kind=MentionKind.CANVAS if card else MentionKind.BODY,
        line=card.line if card else name.line,
        start=name.start,
        written=written,
        hash=version,
        display=sought.alias(written),
        card=card.id if card else None,
        in_table=name.in_table,
    )
