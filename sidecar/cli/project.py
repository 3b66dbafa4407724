"""``vault-sidecar project``: names for vaults."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sidecar.app import known_projects
from sidecar.cli.options import AsJson
from sidecar.config import StateFolder, load_settings, project_id_of
from sidecar.daemon.attach import attach, wants
from sidecar.daemon.client import Client
from sidecar.daemon.lock import DaemonLock
from sidecar.errors import Invalid, SidecarError
from sidecar.model.change import Author
from sidecar.registry import Project
from sidecar.services.caller import Audience, Caller
from sidecar.services.projects import Projects
from sidecar.vault.known_vaults import lists_of_vaults, vaults_in

__all__ = ["group"]

group = typer.Typer(help="Give vaults names, so that agents can say which one they mean.", no_args_is_help=True)

Discover = Annotated[bool, typer.Option("--discover", help="The vaults that Obsidian knows and that have no name yet.")]


def _projects(state: StateFolder) -> Projects:
    return known_projects(state, load_settings(state.config))


@group.command("add")
def add(
    folder: Annotated[Path | None, typer.Argument(help="Folder of the vault.", show_default=False)] = None,
    name: Annotated[str | None, typer.Option(help="Its name; else the folder's.")] = None,
    default: Annotated[bool, typer.Option("--default", help="Make it the default.")] = False,
    workspace: Annotated[str | None, typer.Option(help="The group of projects it belongs to.")] = None,
    discover: Discover = False,
) -> None:
    """Add a vault; a process that serves watches it at once."""
    if (folder is None) != discover:
        raise Invalid("Which vault?", hint="Give its folder, or --discover for those that Obsidian knows.")
    state = StateFolder.default()
    projects = _projects(state)
    if folder is not None:
        _say_added(projects.add(folder, name, default=default, workspace=workspace))
        _serve(state, [folder])
        return
    added = []
    for found in _unnamed(projects):
        try:
            _say_added(projects.add(found, workspace=workspace))
            added.append(found)
        except SidecarError as error:
            typer.echo(f"Not added: {error.message}", err=True)
    if not added:
        typer.echo("Obsidian knows no other vault.")
    _serve(state, added)


@group.command("remove")
def remove(name: Annotated[str, typer.Argument(help="Name or id.")]) -> None:
    """Forget a vault; its files stay."""
    state = StateFolder.default()
    lock = DaemonLock(state.make(state.run) / "daemon.lock")
    if not lock.acquire():
        _remove_there(state, name)
        return
    try:
        caller = Caller(Author("vault-sidecar", "command line"), Audience.PERSON)
        project = asyncio.run(_projects(state).delete(caller, None, name=name)).project
    finally:
        lock.release()
    typer.echo(f"Forgot '{project.name}'; the files at {project.path} are untouched.")


@group.command("default")
def default(name: Annotated[str, typer.Argument(help="Name or id.")]) -> None:
    """Choose the vault that is meant when none is named."""
    typer.echo(f"'{_projects(StateFolder.default()).set_default(name).name}' is the default now.")


@group.command("list")
def listed(as_json: AsJson = False, discover: Discover = False) -> None:
    """List the vaults."""
    projects = _projects(StateFolder.default())
    if discover:
        found = [str(path) for path in _unnamed(projects)]
        typer.echo(json.dumps(found, ensure_ascii=False) if as_json else "\n".join(found or ["None."]))
        return
    every = projects.all()
    if as_json:
        typer.echo(json.dumps([asdict(project) for project in every], ensure_ascii=False))
        return
    for project in every:
        typer.echo(f"{project.name:<20} {project.path}" + ("  (default)" if project.is_default else ""))
    if not every:
        typer.echo("No vault yet: vault-sidecar project add FOLDER")


def _say_added(project: Project) -> None:
    typer.echo(f"Added '{project.name}' ({project.path})" + (", the default." if project.is_default else "."))


def _unnamed(projects: Projects) -> list[Path]:
    known = {project.id for project in projects.all()}
    found = dict.fromkeys(path for file in lists_of_vaults() for path in vaults_in(file))
    return [path for path in found if project_id_of(path) not in known]


def _serve(state: StateFolder, roots: Iterable[Path]) -> None:
    """Let the process that serves, if there is one, open these vaults."""
    lock = DaemonLock(state.make(state.run) / "daemon.lock")
    for root in roots:
        if lock.acquire():
            lock.release()
            return
        with Client(attach(state, wants(root))):
            pass


def _remove_there(state: StateFolder, name: str) -> None:
    """Let the process that serves forget a vault, so that it closes it first."""
    with Client(attach(state, wants(None, person=True))) as client:
        result = client.request("tools/call", {"name": "delete_project", "arguments": {"project_name": name}})
    text = "\n".join(item["text"] for item in result["content"])
    typer.echo(text, err=bool(result.get("isError")))
    if result.get("isError"):
        raise typer.Exit(1)
