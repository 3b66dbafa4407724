"""What the person has open in Obsidian, and showing them a place there."""

import asyncio
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from sidecar.canvas.card_names import CardNames, keys_of
from sidecar.canvas.codec import loads
from sidecar.canvas.model import fields_of
from sidecar.errors import Invalid, NotFound, SidecarError
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.file import first_part
from sidecar.parse.place import place_of
from sidecar.parse.text import read_text
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer
from sidecar.services.lookup import find_place
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = [
    "App",
    "AppAction",
    "AppContext",
    "AppPlace",
    "ContextShown",
    "Obsidian",
    "OpenedFile",
    "Pane",
    "PlaceOpened",
    "Selection",
]

_MOST_SELECTED = 10_000
"""Characters of a selection that are told; who wants more reads the note."""
_LINE = re.compile(r"(?P<name>.+):(?P<line>[1-9]\d{0,6})")


class AppAction(StrEnum):
    """What may be asked of the app."""

    CONTEXT = "context"
    OPEN = "open"


class Pane(StrEnum):
    """Where the app shows what it opens."""

    CURRENT = "current"
    TAB = "tab"
    SPLIT = "split"
    WINDOW = "window"


@dataclass(frozen=True, slots=True)
class Selection:
    """Text that is selected in the active note, by lines from 1."""

    path: VaultPath
    text: str
    line_from: int
    line_to: int


@dataclass(frozen=True, slots=True)
class AppContext:
    """What is open in the app. The text of ``unsaved`` files is newer than the disk's."""

    active_file: VaultPath | None = None
    selection: Selection | None = None
    open_files: tuple[VaultPath, ...] = ()
    unsaved: tuple[VaultPath, ...] = ()


@dataclass(frozen=True, slots=True)
class AppPlace:
    """A place that the app can show: a file, a line of it, a heading or block, or a canvas card."""

    path: VaultPath
    line: int | None = None
    subpath: str | None = None
    node_id: str | None = None


class App(Protocol):
    """The app with the companion plugin in it; callable from any thread."""

    @property
    def is_connected(self) -> bool: ...

    def context(self) -> AppContext | None:
        """Return what is open, as last told; ``None`` when nobody told it."""
        ...

    def open(self, place: AppPlace, pane: Pane) -> None:
        """Show a place, and wait until it is shown.

        Raises:
            Unavailable: when no app is connected, it does not answer, or cannot show it.

        """
        ...


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file that is open in the app."""

    path: VaultPath
    title: str
    is_unsaved: bool


@dataclass(frozen=True, slots=True)
class ContextShown:
    """What is open in the app, of what the audience may see. Not ``is_connected``: the app or its plugin is away."""

    is_connected: bool
    active: OpenedFile | None = None
    selection: Selection | None = None
    selection_left_out: int = 0
    """Characters of a long selection that are not told."""
    files: tuple[OpenedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceOpened:
    """What the app shows now."""

    place: AppPlace
    title: str
    pane: Pane
    section: str | None = None
    """The heading, block or card in the words it was found by."""


class Obsidian:
    """Looks into the app, and opens places in it."""

    def __init__(
        self, views: Views, files: VaultFiles, committer: Committer, threads: Threads, app: App, project: str
    ) -> None:
        self._views = views
        self._files = files
        self._committer = committer
        self._threads = threads
        self._app = app
        self._project = project

    async def ask(
        self,
        caller: Caller,
        action: AppAction,
        *,
        target: str | None = None,
        pane: Pane = Pane.CURRENT,
    ) -> ContextShown | PlaceOpened:
        """Tell what is open and selected, or open a note, heading, block, line or canvas card.

        Raises:
            Invalid: when there is nothing to open, or a file has no such places.
            NotFound: when the file, section or card is not there.
            Ambiguous: when a name fits several.
            Unavailable: when the app is to open something and is not connected, or does not do it.

        """
        if action is AppAction.CONTEXT:
            return await self._threads.read(self._shown, caller)
        if not (target or "").strip():
            raise Invalid("It is not said what to open.", hint="Give target: a note, Note#Heading or Map.canvas#Card.")
        opened = await self._threads.read(self._found, caller, str(target))
        await asyncio.to_thread(self._app.open, opened.place, pane)
        return replace(opened, pane=pane)

    def _shown(self, caller: Caller) -> ContextShown:
        context = self._app.context()
        if context is None:
            return ContextShown(self._app.is_connected)
        view = self._views.newest(caller.audience)
        paths = dict.fromkeys((*filter(None, (context.active_file,)), *context.open_files))
        seen = [path for path in paths if self._sees(view, path)]
        titles = view.titles_of(seen)
        unsaved = frozenset(context.unsaved)
        files = {path: OpenedFile(path, titles.get(path, path.basename), path in unsaved) for path in seen}
        selected = context.selection if context.selection and context.selection.path in files else None
        return ContextShown(
            self._app.is_connected,
            files.get(context.active_file) if context.active_file is not None else None,
            replace(selected, text=selected.text[:_MOST_SELECTED]) if selected else None,
            max(0, len(selected.text) - _MOST_SELECTED) if selected else 0,
            tuple(files[path] for path in context.open_files if path in files),
        )

    def _sees(self, view: View, path: VaultPath) -> bool:
        """Tell whether the audience may know of an open file, by what is on the disk now."""
        if not view.sees(path):
            return False
        if kind_of(path) is not FileKind.NOTE:
            return self._files.exists(path)
        try:
            return view.sees_text(path, read_text(first_part(self._files.read(path)))[0])
        except SidecarError:
            return False

    def _found(self, caller: Caller, target: str) -> PlaceOpened:
        try:
            return self._place(caller, target, None)
        except NotFound:
            parts = _LINE.fullmatch(target.strip())
            if parts is None:
                raise
            return self._place(caller, parts["name"], int(parts["line"]))

    def _place(self, caller: Caller, target: str, line: int | None) -> PlaceOpened:
        view = self._views.newest(caller.audience)
        path, subpath = find_place(view, target, project=self._project, index_now=self._committer.index_now)
        view = self._views.newest(caller.audience)
        if not self._sees(view, path):
            raise NotFound(f"There is no note '{target}'.", hint="Use search_notes to find it.")
        titles = view.titles_of([path])
        name = subpath.lstrip("#").strip()
        opened = PlaceOpened(AppPlace(path, line), titles.get(path, path.basename), Pane.CURRENT, name or None)
        if not name:
            return opened
        kind = kind_of(path)
        if kind is FileKind.NOTE:
            place_of(read_text(self._files.read(path))[0], subpath)
            return replace(opened, place=AppPlace(path, line, subpath))
        if kind is FileKind.CANVAS:
            return replace(opened, place=AppPlace(path, node_id=self._card(view, path, name)))
        if path.extension == "pdf":
            return replace(opened, place=AppPlace(path, line, subpath))
        raise Invalid(f"'{path}' has no sections to open.", hint="Leave out what stands behind the '#'.")

    def _card(self, view: View, path: VaultPath, name: str) -> str:
        nodes = loads(read_text(self._files.read(path))[0]).nodes
        shown = [VaultPath(str(file)) for node in nodes if (file := fields_of(node).get("file"))]
        titles = view.titles_of([file for file in shown if view.sees(file)])
        names = CardNames({str(file): title for file, title in titles.items()})
        cards = dict(zip(keys_of(nodes), map(fields_of, nodes), strict=True))
        for key, card in cards.items():
            names.add(key, card)
        found = cards[names.find(name)]
        return str(found.get("id") or "")
