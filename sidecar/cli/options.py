"""Options that several commands share; each may also come from the environment."""

from pathlib import Path
from typing import Annotated

import typer

from sidecar.errors import Invalid
from sidecar.given_folder import given_folder

__all__ = ["AsJson", "Tools", "VaultArgument", "VaultOption", "vault_of"]

VaultArgument = Annotated[Path, typer.Argument(help="Folder of the vault.", show_default=False)]
VaultOption = Annotated[
    Path | None,
    typer.Option("--vault", "-v", envvar="VAULT_SIDECAR_VAULT", help="Folder of the vault; else the current one."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Tools = Annotated[
    str, typer.Option(envvar="VAULT_SIDECAR_TOOLS", help="Families or names of tools to serve, with commas.")
]


def vault_of(given: Path | None) -> Path:
    """Return the vault that was given, or the current folder when it is one.

    Raises:
        Invalid: when neither is a vault's folder.

    """
    if given is not None:
        return given_folder(given)
    here = Path.cwd()
    if not (here / ".obsidian").is_dir():
        raise Invalid("Which vault?", hint="Use --vault FOLDER, or go to a vault's folder first.")
    return here
