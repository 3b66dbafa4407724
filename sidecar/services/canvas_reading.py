"""Canvases as agents read them: found by name, told as an outline or whole."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sidecar.canvas.codec import loads
from sidecar.canvas.model import Canvas, fields_of
from sidecar.canvas.outline import Outline, outline
from sidecar.errors import Invalid, NotFound, Refused
from sidecar.model.file import checksum
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.text import SourceText, decode
from sidecar.services.caller import Caller
from sidecar.services.lookup import find_file, near_names
from sidecar.services.obsidian import App
from sidecar.services.threads import Threads
from sidecar.services.versions import Versions
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["SUFFIX", "CanvasDetail", "CanvasFile", "CanvasFiles", "CanvasReading", "CanvasShown", "titles_on"]

SUFFIX: Final = ".canvas"
_NEAR: Final = 5
_LOOKED_AT: Final = 50
"""Names like the one given of which only the canvases are told."""
_LARGEST_WHOLE: Final = 400_000
"""Characters of a canvas that is handed over whole."""


class CanvasDetail(StrEnum):
    """How much is told of a canvas."""

    OUTLINE = "outline"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class CanvasFile:
    """A canvas as it is on the disk."""

    path: VaultPath
    data: bytes
    source: SourceText
    canvas: Canvas

    @property
    def checksum(self) -> str:
        """The checksum of its bytes."""
        return checksum(self.data)


@dataclass(frozen=True, slots=True)
class CanvasShown:
    """What a canvas holds. Its ``text`` is the file's, and is shown where all is asked for."""

    path: VaultPath
    checksum: str
    detail: CanvasDetail
    outline: Outline
    canvas: Canvas
    text: str
    positions: bool
    is_open: bool
    """Whether Obsidian shows it at the moment."""


class CanvasFiles:
    """Finds canvases by what agents call them, and reads them."""

    def __init__(self, files: VaultFiles, index_now: Callable[[VaultPath], bool], app: App, project: str) -> None:
        self._files = files
        self._index_now = index_now
        self._app = app
        self._project = project

    def find(self, view: View, name: str) -> VaultPath:
        """Return the canvas of that path or name, with or without ``.canvas``.

        Raises:
            NotFound: with canvases of similar names.
            Ambiguous: when several have it.
            Invalid: when it names a file that is no canvas.

        """
        wanted = name.strip()
        if wanted.startswith("[[") and wanted.endswith("]]"):
            wanted = wanted[2:-2].partition("|")[0].strip()
        spellings = (wanted,) if wanted.lower().endswith(SUFFIX) else (wanted + SUFFIX, wanted)
        for spelling in spellings:
            try:
                found = find_file(view, spelling, project=self._project, index_now=self._index_now)
            except NotFound:
                continue
            if kind_of(found) is FileKind.CANVAS:
                return found
            raise Invalid(f"'{found}' is not a canvas.", hint="Give the path of a .canvas file.")
        bare = spellings[0][: -len(SUFFIX)]
        near = [path for path in near_names(view, bare, _LOOKED_AT) if path.endswith(SUFFIX)]
        raise NotFound(
            f"There is no canvas '{name}'.",
            hint="Use one of the candidates, or draw it with canvas or canvas_map.",
            candidates=near[:_NEAR],
        )

    def open(self, view: View, name: str) -> CanvasFile:
        """Find a canvas and read it; raises as :meth:`find` does.

        Raises:
            NotACanvas: when its text is no JSON object.

        """
        return self.read(self.find(view, name))

    def read(self, path: VaultPath) -> CanvasFile:
        """Read the canvas of this path.

        Raises:
            NotFound: when it is not there.
            NotACanvas: when its text is no JSON object.

        """
        data = self._files.read(path)
        source = decode(data)
        return CanvasFile(path, data, source, loads(source.text))

    def is_open(self, path: VaultPath) -> bool:
        """Tell whether Obsidian shows a file now, as far as its plugin told."""
        context = self._app.context()
        return context is not None and path in (context.active_file, *context.open_files)


class CanvasReading:
    """Tells what canvases hold."""

    def __init__(self, found: CanvasFiles, views: Views, versions: Versions, threads: Threads) -> None:
        self._found = found
        self._views = views
        self._versions = versions
        self._threads = threads

    async def read(
        self, caller: Caller, *, path: str, detail: CanvasDetail = CanvasDetail.OUTLINE, positions: bool = False
    ) -> CanvasShown:
        """Show a canvas: cards, groups as a tree, edges; empty ones too (J1).

        Raises:
            NotFound, Ambiguous: when the name fits no canvas, or several.
            Invalid: when it is no canvas, or cannot be read.
            Refused: when it is too large to be shown whole.

        """
        return await self._threads.read(self._shown, caller, path, detail, positions=positions)

    def _shown(self, caller: Caller, name: str, detail: CanvasDetail, *, positions: bool) -> CanvasShown:
        view = self._views.newest(caller.audience)
        file = self._found.open(view, name)
        view = self._views.newest(caller.audience)
        if detail is CanvasDetail.FULL and len(file.source.text) > _LARGEST_WHOLE:
            raise Refused(
                f"'{file.path}' has {len(file.source.text):,} characters, too many to show whole.",
                hint="Use detail outline, or read_note, which shows it in parts.",
            )
        return CanvasShown(
            file.path,
            self._versions.served(file.data),
            detail,
            outline(file.canvas, titles_on(view, file.canvas)),
            file.canvas,
            file.source.text,
            positions,
            self._found.is_open(file.path),
        )


def titles_on(view: View, canvas: Canvas, more: Iterable[str] = ()) -> Mapping[str, str]:
    """Return the titles of the notes on a canvas, and of ``more``, that the audience may see, by path."""
    names = {file for node in canvas.nodes if isinstance(file := fields_of(node).get("file"), str)} | set(more)
    return {str(path): title for path, title in view.titles_of(VaultPath(name) for name in sorted(names)).items()}
