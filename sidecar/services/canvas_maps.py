"""Maps of notes: what a source names and its links, drawn on a canvas, and brought up to date when asked again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sidecar.canvas.check import Severity, check
from sidecar.canvas.codec import dumps
from sidecar.canvas.layout.arrange import Layout
from sidecar.canvas.model import Canvas
from sidecar.errors import Invalid, NotFound
from sidecar.model.path import VaultPath
from sidecar.services.asked import Asked
from sidecar.services.caller import Audience, Caller
from sidecar.services.canvas_lines import lines_among, strongest
from sidecar.services.canvas_reading import SUFFIX, CanvasFile
from sidecar.services.canvas_record import MapRecord, MapWish, record_of
from sidecar.services.canvas_refresh import Refreshed, refreshed
from sidecar.services.canvas_sources import Source, notes_of, sources_of
from sidecar.services.canvas_values import assigned_colors, card_size, legend_of, moments_of, values_by
from sidecar.services.canvas_wanted import WantedCard, WantedMap
from sidecar.services.canvas_writing import CanvasPlan, CanvasWriter, CanvasWritten, exists_in
from sidecar.services.notes import placed_in
from sidecar.services.search import Search
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["CanvasMapped", "CanvasMaps"]

_MOST: Final = 60
_DEEPEST: Final = 3
_MOST_FOUND: Final = 100


@dataclass(frozen=True, slots=True)
class CanvasMapped:
    """A map that was made or brought up to date."""

    written: CanvasWritten
    cards: int
    """Notes on the map."""
    added: tuple[VaultPath, ...]
    removed: tuple[VaultPath, ...]
    kept: tuple[VaultPath, ...]
    """Notes outside of the source whose cards a person has made theirs."""
    left_away: tuple[VaultPath, ...]
    """Notes of the source whose cards a person took away."""
    left_out: int
    """Notes of the source beyond the limit."""
    lines: int
    lines_left_out: int
    groups: tuple[str, ...]
    colors: Mapping[str, str]
    warnings: tuple[str, ...]
    """What was asked for that no note answers to."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    map: WantedMap
    left_out: int
    lines_left_out: int


class CanvasMaps:
    """Makes maps of notes on canvases."""

    def __init__(self, writer: CanvasWriter, files: VaultFiles, search: Search) -> None:
        self._writer = writer
        self._files = files
        self._search = search

    async def draw(
        self,
        caller: Caller,
        *,
        path: str,
        source: str | Sequence[str],
        layout: Layout = Layout.AUTO,
        depth: int = 1,
        limit: int = 40,
        max_edges: int | None = None,
        group_by: str | None = None,
        color_by: str | None = None,
        expected_checksum: str | None = None,
        reason: str | None = None,
    ) -> CanvasMapped:
        """Make a map at ``path``, or bring the one there up to date; what a person placed or changed stays so.

        Raises:
            Invalid: when the source is none, a number is out of range, or the canvas there cannot be read.
            NotFound, Ambiguous: when the source names nothing, or a name fits several files.
            Refused: when the user's rules forbid it.
            Stale: when the canvas is no longer the version of ``expected_checksum``.

        """
        _check_range("depth", depth, _DEEPEST)
        if limit > _MOST:
            raise Invalid(
                f"limit is {limit}; more than {_MOST} cards on one map cannot be read.",
                hint="Make several maps, one for each folder, tag or value, or group the notes.",
            )
        _check_range("limit", limit, _MOST)
        sources = sources_of(source)
        said = (source,) if isinstance(source, str) else tuple(source)
        if group_by is None and len(sources) == 1 and sources[0].kind == "property" and "=" not in sources[0].value:
            group_by = f"property:{sources[0].value}"
        wish = MapWish(
            tuple(text.strip() for text in said),
            alone=isinstance(source, str),
            layout=layout.value,
            depth=depth,
            limit=limit,
            max_edges=max_edges,
            group_by=group_by,
            color_by=color_by,
        )
        return await self._drawn(caller, path, wish, sources, expected_checksum, reason)

    async def refresh(self, caller: Caller, *, path: str, reason: str | None = None) -> CanvasMapped:
        """Bring a map up to date as it was asked for when it was made.

        Raises:
            Invalid: when the canvas is no map that was made here; also what :meth:`draw` raises.

        """
        record = await self._writer.read(caller, lambda view: record_of(self._writer.found.open(view, path).canvas))
        if record is None:
            raise Invalid(f"'{path}' is no map of notes.", hint="Make one with canvas_map.")
        wish = record.wish
        sources = sources_of(wish.source[0] if wish.alone and len(wish.source) == 1 else wish.source)
        return await self._drawn(caller, path, wish, sources, None, reason)

    async def _drawn(
        self,
        caller: Caller,
        path: str,
        wish: MapWish,
        sources: Sequence[Source],
        expected: str | None,
        reason: str | None,
    ) -> CanvasMapped:
        # Agents read what is on a canvas, so that a person's map too shows only what agents may know.
        agent = Caller(caller.author, Audience.AGENT)
        searched = {
            source.value: await self._searched(agent, source.value) for source in sources if source.kind == "search"
        }

        def plan(view: View) -> CanvasPlan[tuple[_Wanted, Refreshed]]:
            place, file = self._place(view, path)
            if file is not None:
                self._writer.versions.check(place, file.data, expected)
            old = file.canvas if file is not None else Canvas()
            wanted = self._wanted(self._writer.newest(agent), wish, sources, searched, place, record_of(old))
            done = refreshed(old, wanted.map)
            _check_new(old, done.canvas, view)
            text = dumps(done.canvas)
            after = file.source.encode(text) if file is not None else text.encode()
            summary = f"Map {place}: {len(wanted.map.cards)} notes of {', '.join(wish.source)}"
            return CanvasPlan(place, file.data if file is not None else None, after, summary, (wanted, done))

        written, (wanted, done) = await self._writer.write(caller, plan, tool="canvas_map", reason=reason)
        groups = dict.fromkeys(card.group for card in wanted.map.cards if card.group is not None)
        return CanvasMapped(
            written,
            len(wanted.map.cards) - len(done.left_away),
            done.added,
            done.removed,
            done.kept,
            done.left_away,
            wanted.left_out,
            done.lines,
            wanted.lines_left_out,
            tuple(groups),
            wanted.map.colors,
            _unanswered(wish, groups, wanted.map.colors),
        )

    async def _searched(self, caller: Caller, query: str) -> tuple[VaultPath, ...]:
        found = await self._search.answer(caller, Asked(query, page_size=_MOST_FOUND))
        return tuple(dict.fromkeys(result.path for result in found.results))

    def _place(self, view: View, said: str) -> tuple[VaultPath, CanvasFile | None]:
        """Return where the map is, with the canvas that is there: a name alone may be that of one in any folder."""
        name = said.strip() if said.strip().lower().endswith(SUFFIX) else said.strip() + SUFFIX
        wanted = VaultPath.of(name)
        if "/" not in wanted:
            try:
                file = self._writer.found.open(view, wanted)
            except NotFound:
                pass
            else:
                return file.path, file
        path = placed_in(self._files, view, wanted.folder, wanted.name)
        twin = self._files.find_case(path)
        return (path, None) if twin is None else (twin, self._writer.found.read(twin))

    def _wanted(
        self,
        view: View,
        wish: MapWish,
        sources: Sequence[Source],
        searched: Mapping[str, Sequence[VaultPath]],
        own: VaultPath,
        record: MapRecord | None,
    ) -> _Wanted:
        notes = notes_of(view, self._files, sources, own, wish.depth, searched)
        paths = notes.paths[: max(wish.limit, 1)]
        lines = lines_among(view, paths, notes.starts)
        drawn = strongest(lines, len(paths), wish.max_edges)
        tags = [source.value for source in sources if source.kind == "tag"]
        groups = values_by(view, paths, wish.group_by, tags)
        values = values_by(view, paths, wish.color_by, tags)
        known = record.colors if record is not None and record.wish.color_by == wish.color_by else {}
        colors = assigned_colors(values, known)
        moments = moments_of(view, paths) if wish.layout == Layout.TIMELINE else {}
        cards = [
            WantedCard(
                path, card_size(view, path), colors.get(values.get(path, "")), groups.get(path), moments.get(path)
            )
            for path in paths
        ]
        legend = legend_of(wish.color_by, values, colors) if wish.color_by is not None and colors else None
        return _Wanted(
            WantedMap(wish, cards, drawn, legend, colors), len(notes.paths) - len(paths), len(lines) - len(drawn)
        )


def _check_range(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise Invalid(f"{name} is {value}; it goes from 1 to {most}.")


def _unanswered(wish: MapWish, groups: Mapping[str, None], colors: Mapping[str, str]) -> tuple[str, ...]:
    asked = (("group_by", wish.group_by, groups), ("color_by", wish.color_by, colors))
    return tuple(f"{name}: no note on the map has '{by}'." for name, by, found in asked if by is not None and not found)


def _check_new(old: Canvas, new: Canvas, view: View) -> None:
    """Refuse to write what was not wrong before.

    Raises:
        Invalid: naming the faults.

    """
    known = {(finding.id, finding.code) for finding in check(old, exists_in(view))}
    faults = [
        finding.message
        for finding in check(new, exists_in(view))
        if finding.severity is Severity.ERROR and (finding.id, finding.code) not in known
    ]
    if faults:
        raise Invalid("The map was not drawn:\n" + "\n".join(f"- {fault}" for fault in faults))
