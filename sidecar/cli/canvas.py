"""``vault-sidecar canvas``: look at a canvas without the app."""

from pathlib import Path
from typing import Annotated

import typer

from sidecar.canvas.codec import loads
from sidecar.errors import Invalid, NotFound
from sidecar.parse.text import decode
from sidecar.services.canvas_preview import PictureFormat, drawn

__all__ = ["group"]

group = typer.Typer(help="Look at canvases.", no_args_is_help=True)


@group.callback()
def _group() -> None:
    pass


@group.command()
def preview(
    file: Annotated[Path, typer.Argument(help="A .canvas file.", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write it; else standard output.")
    ] = None,
    width: Annotated[int, typer.Option(help="Pixels, 200 to 4000.")] = 1200,
    picture_format: Annotated[
        PictureFormat | None, typer.Option("--format", help="Else as the output is called, or svg.")
    ] = None,
) -> None:
    """Draw a canvas as SVG, or as PNG with the extra png; the canvas itself is only read."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise NotFound(f"'{file}' cannot be read: {error.strerror}.") from error
    if output is not None and output.suffix.lower() == ".canvas":
        raise Invalid(f"'{output}' is a canvas.", hint="Give the picture another name: --output map.svg.")
    named = output is not None and output.suffix.lower() == ".png"
    chosen = picture_format or (PictureFormat.PNG if named else PictureFormat.SVG)
    picture = drawn(loads(decode(data).text), chosen, width)
    if output is None:
        typer.echo(picture.data, nl=False)
        return
    output.write_bytes(picture.data)
    typer.echo(f"{output}: {picture.width} x {picture.height}")
