"""Pictures of canvases, to look at."""

import subprocess
import sys
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import sidecar
from sidecar.canvas.model import Canvas
from sidecar.canvas.picture import shown
from sidecar.canvas.svg import svg
from sidecar.errors import Invalid, Refused, Unavailable
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.canvas_writing import CanvasWriter
from sidecar.services.pictures import Picture, picture_of
from sidecar.services.views import View

__all__ = ["CanvasPreviewed", "CanvasPreviews", "PictureFormat", "drawn"]

_NARROWEST, _WIDEST = 200, 4_000
_MOST_PIXELS: Final = 6_000_000
_LARGEST: Final = 1_000_000
"""Bytes of an SVG in a reply."""
_SECONDS: Final = 30
"""So long a PNG may take."""


class PictureFormat(StrEnum):
    """How a picture is written."""

    SVG = "svg"
    PNG = "png"


@dataclass(frozen=True, slots=True)
class CanvasPreviewed:
    """A canvas as a picture."""

    path: VaultPath
    checksum: str
    format: PictureFormat
    picture: Picture


class CanvasPreviews:
    """Makes pictures of canvases."""

    def __init__(self, writer: CanvasWriter) -> None:
        self._writer = writer

    async def preview(
        self, caller: Caller, *, path: str, picture_format: PictureFormat = PictureFormat.SVG, width: int = 1200
    ) -> CanvasPreviewed:
        """Draw a canvas as it is on the disk.

        Raises:
            NotFound, Ambiguous: when the name fits no canvas, or several.
            Invalid: when it is no canvas, cannot be read, or the width is out of range.
            Refused: when the picture would be too large.
            Unavailable: when PNG is asked for and cannot be made here.

        """

        def look(view: View) -> CanvasPreviewed:
            file = self._writer.found.open(view, path)
            picture = drawn(file.canvas, picture_format, width)
            return CanvasPreviewed(file.path, file.checksum, picture_format, picture)

        return await self._writer.read(caller, look)


def drawn(canvas: Canvas, picture_format: PictureFormat, width: int) -> Picture:
    """Return a picture of a canvas, ``width`` pixels wide, or less where it would be far too high.

    Raises:
        Invalid: when the width is out of range.
        Refused: when the picture would be too large.
        Unavailable: when PNG is asked for and cannot be made here.

    """
    if not _NARROWEST <= width <= _WIDEST:
        raise Invalid(f"width is {width}; it goes from {_NARROWEST} to {_WIDEST}.")
    shape = _shape(canvas, width)
    width = max(1, min(width, int((_MOST_PIXELS / shape) ** 0.5)))
    text = svg(canvas, width=width)
    height = max(1, round(width * _shape(canvas, width)))
    if picture_format is PictureFormat.SVG:
        data = text.encode("utf-8", "replace")
        if len(data) > _LARGEST:
            raise Refused(
                f"The picture has {len(data):,} bytes, too many for a reply.",
                hint="Use format png, or canvas_read.",
            )
        return Picture(data, "image/svg+xml", width, height, width, height, 1)
    picture = picture_of("canvas.png", _png(text))
    if picture is None:
        raise Unavailable("The picture could not be made.", hint="Use format svg.")
    return picture


def _shape(canvas: Canvas, width: int) -> float:
    """Return how many times higher than wide a picture is."""
    frame = shown(canvas, width)
    return frame.height / frame.width


def _png(text: str) -> bytes:
    if find_spec("resvg_py") is None:
        raise Unavailable(
            "PNG pictures cannot be made here: the extra 'png' is not installed.",
            hint="Use format svg, or ask the user to install vault-sidecar[png].",
        )
    try:
        done = subprocess.run(
            [sys.executable, "-m", "sidecar.services.canvas_png"],
            input=text.encode("utf-8", "replace"),
            capture_output=True,
            timeout=_SECONDS,
            check=True,
            cwd=Path(sidecar.__file__).parents[1],  # where it finds this very package
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable("The picture could not be made.", hint="Use format svg.") from error
    return done.stdout
