"""``vault-sidecar project``: names for vaults."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sidecar.app import known_projects
from sidecar.cli.options import AsJson
from sidecar.config import StateFolder, load_settings
from sidecar.services.projects import Projects

__all__ = ["group"]

group = typer.Typer(help="Give vaults names, so that agents can say which one they mean.", no_args_is_help=True)


def _projects() -> Projects:
    state = StateFolder.default()
    return known_projects(state, load_settings(state.config))


@group.command("add")
def add(
    folder: Annotated[Path, typer.Argument(help="Folder of the vault.", show_default=False)],
    name: Annotated[str | None, typer.Option(help="Its name; else the folder's.")] = None,
    default: Annotated[bool, typer.Option("--default", help="Make it the default.")] = False,
) -> None:
    """Add a vault."""
    project = _projects().add(folder, name, default=default)
    typer.echo(f"Added '{project.name}' ({project.path})" + (", the default." if project.is_default else "."))


@group.command("remove")
def remove(name: Annotated[str, typer.Argument(help="Name or id.")]) -> None:
    """Forget a vault; its files stay."""
    project = _projects().remove(name)
    typer.echo(f"Forgot '{project.name}'; the files at {project.path} are untouched.")


@group.command("default")
def default(name: Annotated[str, typer.Argument(help="Name or id.")]) -> None:
    """Choose the vault that is meant when none is named."""
    typer.echo(f"'{_projects().set_default(name).name}' is the default now.")


@group.command("list")
def listed(as_json: AsJson = False) -> None:
    """List the vaults."""
    projects = _projects().all()
    if as_json:
        typer.echo(json.dumps([asdict(project) for project in projects], ensure_ascii=False))
        return
    for project in projects:
        typer.echo(f"{project.name:<20} {project.path}" + ("  (default)" if project.is_default else ""))
    if not projects:
        typer.echo("No vault yet: vault-sidecar project add FOLDER")
