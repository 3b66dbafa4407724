"""Projects, workspaces, ways to a vault and what is new, as JSON and as text."""

from typing import Any

from sidecar.registry import Project
from sidecar.services.project_results import ProjectCreated, ProjectDeleted, ProjectList, WorkspaceList
from sidecar.services.reach import ReachReport
from sidecar.services.release_notes import ReleaseNotes
from sidecar.tools.json_view import json_of
from sidecar.tools.text_view import blocks_of

__all__: list[str] = []

_LONGEST_NOTES = 20_000


def _project(p: Project) -> dict[str, Any]:
    return {
        "name": p.name,
        "external_id": p.id,
        "id": p.id,
        "path": p.path,
        "is_default": p.is_default,
        "display_name": p.name,
        "qualified_name": f"{p.workspace}/{p.name}",
        "workspace": p.workspace,
        "source": "local",
    }


@json_of.register
def _(r: ProjectList) -> dict[str, Any]:
    return {
        "projects": [_project(p) for p in r.projects],
        "default_project": next((p.name for p in r.projects if p.is_default), None),
        "constrained_project": r.tied,
    }


@blocks_of.register
def _(r: ProjectList) -> tuple[str, ...]:
    lines = [
        f"- {p.name} ({p.path}) [{p.id}] in {p.workspace}" + (", the default" if p.is_default else "")
        for p in r.projects
    ]
    if r.tied:
        lines.append(f"This connection is tied to '{r.tied}'.")
    return ("\n".join(lines or ["No project yet: vault-sidecar project add FOLDER adds one."]),)


@json_of.register
def _(r: ProjectCreated) -> dict[str, Any]:
    return {
        **_project(r.project),
        "created": r.created,
        "already_exists": not r.created,
        "folder_made": r.made_folder,
    }


@blocks_of.register
def _(r: ProjectCreated) -> tuple[str, ...]:
    p = r.project
    lines = [
        f"# Created: project {p.name}" if r.created else f"# Project {p.name} already exists",
        f"folder: {p.path}" + (" (made now)" if r.made_folder else ""),
        f"id: {p.id}",
        f"workspace: {p.workspace}",
    ]
    if p.is_default:
        lines.append("It is the default project.")
    return ("\n".join([*lines, "It is indexed and watched from now on."]),)


@json_of.register
def _(r: ProjectDeleted) -> dict[str, Any]:
    return {**_project(r.project), "deleted": True}


@blocks_of.register
def _(r: ProjectDeleted) -> tuple[str, ...]:
    lines = [
        f"# Forgotten: project {r.project.name}",
        f"Its files at {r.project.path} are untouched. The history of changes is kept for the day it is added again.",
    ]
    return ("\n".join(lines),)


@json_of.register
def _(r: WorkspaceList) -> dict[str, Any]:
    return {
        "workspaces": [
            {
                "name": w.name,
                "slug": w.name,
                "tenant_id": w.name,
                "workspace_type": "local",
                "role": "owner",
                "is_default": w.is_default,
                "projects": [p.name for p in w.projects],
            }
            for w in r.workspaces
        ],
        "count": len(r.workspaces),
    }


@blocks_of.register
def _(r: WorkspaceList) -> tuple[str, ...]:
    lines = [f"- {w.name}: {', '.join(p.name for p in w.projects)}" for w in r.workspaces]
    return ("\n".join(lines or ["There is no project yet, so no workspace either."]),)


@json_of.register
def _(r: ReachReport) -> dict[str, Any]:
    return {
        "vault": str(r.vault),
        "http": {"on": r.endpoint is not None, "url": r.endpoint, "token_file": str(r.token_file)},
        "sync": [{"name": way.name, "detail": way.detail} for way in r.ways],
        "cloud": False,
    }


@blocks_of.register
def _(r: ReachReport) -> tuple[str, ...]:
    lines = [f"# How {r.vault} can be reached"]
    if r.endpoint:
        lines.append(f"- Over HTTP, from this machine only: {r.endpoint}, with the token in {r.token_file}.")
    else:
        lines.append("- Over HTTP: off now; vault-sidecar serve, or a process that a client started, serves it.")
    lines += [f"- {way.name}: {way.detail}." for way in r.ways]
    if not r.ways:
        lines.append("- No service that carries the files elsewhere was recognised (Obsidian Sync, git, sync folders).")
    lines.append(
        "Other machines reach the notes by what is listed here only: Vault Sidecar itself sends nothing anywhere. "
        "Run it beside each copy of the vault."
    )
    return ("\n".join(lines),)


@json_of.register
def _(r: ReleaseNotes) -> dict[str, Any]:
    return {
        "version": r.version,
        "releases": [{"version": n.version, "date": n.day, "notes": n.text} for n in r.releases],
    }


@blocks_of.register
def _(r: ReleaseNotes) -> tuple[str, ...]:
    text = "\n\n".join(f"## {n.version}" + (f" ({n.day})" if n.day else "") + f"\n\n{n.text}" for n in r.releases)
    if len(text) > _LONGEST_NOTES:
        text = text[:_LONGEST_NOTES].rpartition("\n")[0] + "\n… older entries are in CHANGELOG.md."
    return (f"# Vault Sidecar {r.version}\n\n{text}",)
