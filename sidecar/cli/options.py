"""Options that several commands share; each may also come from the environment."""

from pathlib import Path
from typing import Annotated

import typer

from sidecar.app import known_projects
from sidecar.config import StateFolder, load_settings
from sidecar.errors import Invalid
from sidecar.given_folder import given_folder

__all__ = ["AsJson", "Tools", "VaultArgument", "VaultOption", "vault_of"]

VaultArgument = Annotated[Path, typer.Argument(help="Folder of the vault.", show_default=False)]
VaultOption = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        "-v",
        envvar="VAULT_SIDECAR_VAULT",
        help="Folder of the vault; else the one you are in, else the default project.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", envvar="VAULT_SIDECAR_JSON", help="Print JSON for programs.")]
Tools = Annotated[
    str, typer.Option(envvar="VAULT_SIDECAR_TOOLS", help="Families or names of tools to serve, with commas.")
]


def vault_of(given: Path | None) -> Path:
    """Return the vault that was given, else the one the current folder is in, else the default or only project.

    Raises:
        Invalid: when it is none of these, with the projects there are.

    """
    if given is not None:
        return given_folder(given)
    here = Path.cwd()
    if found := next((folder for folder in (here, *here.parents) if (folder / ".obsidian").is_dir()), None):
        return found
    state = StateFolder.default()
    projects = known_projects(state, load_settings(state.config))
    try:
        return given_folder(projects.meant(None, None).path)
    except Invalid as error:
        names = [f"{project.name}: {project.path}" for project in projects.all()]
        hint = "Use --vault FOLDER, or go to a vault's folder first."
        raise Invalid("Which vault?", hint=hint, candidates=names) from error
