"""The projects there are, which one a call means, and how they come and go."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sidecar.config import project_id_of
from sidecar.errors import Invalid, NotFound, Refused, SidecarError
from sidecar.given_folder import given_folder
from sidecar.registry import Project, Registry, check_apart
from sidecar.services.caller import Audience, Caller
from sidecar.services.project_places import check_for_agents, check_not_inside_a_vault, folder_of, make_folder, name_of
from sidecar.services.project_results import ProjectCreated, ProjectDeleted, ProjectList, Workspace, WorkspaceList
from sidecar.services.shelf import Shelf

__all__ = ["Projects"]

_PATIENCE = 10.0
"""Seconds to let calls finish that use a project which is to go."""
_STEP = 0.02


class Projects:
    """Knows the registered projects, and the vaults that are open without being registered."""

    def __init__(self, registry: Registry, *, allow_nested: bool = False, shelf: Shelf | None = None) -> None:
        """Take the registry, and the shelf of a process that may create and delete projects."""
        self._registry = registry
        self._allow_nested = allow_nested
        self._shelf = shelf
        self._open: dict[str, Project] = {}
        self._calls: Counter[str] = Counter()

    def opened(self, root: Path) -> Project:
        """Take note of a vault that is being served; return it under its registered name, else its folder's."""
        project = self._project(root, None)
        known = next((p for p in self._registry.projects() if p.id == project.id), project)
        self._open[known.id] = known
        return known

    @contextmanager
    def using(self, project_id: str) -> Iterator[None]:
        """Keep a project from being closed as long as the block runs; on the loop thread."""
        self._calls[project_id] += 1
        try:
            yield
        finally:
            self._calls[project_id] -= 1

    def all(self) -> tuple[Project, ...]:
        """Return registered and open projects by name."""
        known = {**self._open, **{p.id: p for p in self._registry.projects()}}
        return tuple(sorted(known.values(), key=lambda p: p.name.lower()))

    def meant(self, project: str | None, project_id: str | None, workspace: str | None = None) -> Project:
        """Return the project a call means: the named one, else the default, else the only one.

        Raises:
            NotFound: when there is none of that name, with those there are.
            Invalid: when it is not clear which is meant.

        """
        projects = self.all()
        named = f"{workspace.strip()}/{project.strip()}" if workspace and project and "/" not in project else project
        wanted = (project_id or named or "").strip().strip("/")
        if wanted:
            return _named(projects, wanted)
        chosen = [p for p in projects if p.is_default] or list(projects)
        if len(chosen) == 1:
            return chosen[0]
        raise Invalid(
            "Which project?" if chosen else "There is no project yet.",
            hint="Name one with project=, or set a default: vault-sidecar project default NAME."
            if chosen
            else "Add a vault: vault-sidecar project add FOLDER.",
            candidates=[p.name for p in chosen],
        )

    def prefixed(self, identifier: str) -> tuple[Project | None, str]:
        """Split a project's name off an identifier such as ``memory://home/specs/x``; ``None`` when there is none."""
        scheme, found, rest = identifier.partition("://")
        path = (rest if found else identifier).strip("/")
        project, tail = self.leading(path) if "/" in path else (None, "")
        return (project, f"{scheme}://{tail}" if found else tail) if project and tail else (None, identifier)

    def leading(self, path: str) -> tuple[Project | None, str]:
        """Split the project off that a path begins with, as ``name`` or ``workspace/name``; the rest may be empty."""
        first, _, rest = path.strip("/").partition("/")
        second, _, tail = rest.partition("/")
        for project in self.all():
            if project.name.lower() == first.lower():
                return project, rest
        for project in self.all():
            if (project.workspace.lower(), project.name.lower()) == (first.lower(), second.lower()):
                return project, tail
        return None, path

    def add(
        self, root: Path, name: str | None = None, *, default: bool = False, workspace: str | None = None
    ) -> Project:
        """Register a folder; the same one again changes its name, default or workspace.

        Raises:
            Invalid: when it is no folder, its name is taken, or it lies inside another project or vault.

        """
        root = given_folder(root)
        project = self._project(root, name_of(name, "project") if name is not None else None, workspace)
        known = next((p for p in self._registry.projects() if p.id == project.id), None)
        if known is not None:
            project = replace(known, name=project.name if name else known.name)
            project = replace(project, workspace=name_of(workspace, "workspace")) if workspace else project
            default = default or known.is_default
        else:
            self._check_free(project)
        return self._registry.add(project, default=default, allow_nested=self._allow_nested)

    async def create(
        self,
        caller: Caller,
        tied: str | None,
        *,
        name: str,
        path: str,
        default: bool = False,
        workspace: str | None = None,
    ) -> ProjectCreated:
        """Register a folder, made if it is not there, and index and watch it at once. The same again is no error.

        Raises:
            Invalid: when the name is taken, or the folder is a project of another name or lies inside another.
            Refused: when the connection is tied to a vault, or agents may not have the folder.
            Unavailable: when the folder cannot be made.

        """
        _check_untied(caller, tied)
        folder = folder_of(path)
        project = self._project(folder, name_of(name, "project"), workspace)
        known = next((p for p in self._registry.projects() if p.id == project.id), None)
        if known is not None and known.name.lower() != project.name.lower():
            raise Invalid(
                f"'{folder}' is the project '{known.name}' already.",
                hint="Use that name. The user can change it: vault-sidecar project add FOLDER --name NAME.",
            )
        if known is None:
            if caller.audience is Audience.AGENT and self._shelf is not None:
                check_for_agents(folder, self._shelf.home)
            self._check_free(project)
        made = make_folder(folder)
        added = self.add(folder, known.name if known else project.name, default=default, workspace=workspace)
        if self._shelf is not None:
            try:
                await asyncio.to_thread(self._shelf.open_project, added)
            except SidecarError:
                if known is None:
                    self._registry.remove(added.id)
                raise
        return ProjectCreated(added, known is None, made)

    async def delete(
        self,
        caller: Caller,
        tied: str | None,
        *,
        name: str,
        workspace: str | None = None,
        delete_notes: bool = False,
    ) -> ProjectDeleted:
        """Forget a project, with its catalog and index; its journal stays, and no file is touched.

        Raises:
            NotFound: with the projects there are.
            Refused: for the default while there are others, for what a connection is tied to, and when files are to
                be deleted too.

        """
        if not name.strip():
            raise Invalid("Which project is to be forgotten?", candidates=[p.name for p in self.all()])
        project = self.meant(name, None, workspace)
        _check_untied(caller, tied)
        if tied is not None and project.name == tied:
            raise Refused(
                f"'{tied}' is the vault of this very connection.", hint="Use: vault-sidecar project remove NAME."
            )
        if delete_notes:
            raise Refused(
                "The files of a project are never deleted with it.",
                hint=f"Without delete_notes it is forgotten; the user can delete the folder '{project.path}' by hand.",
            )
        others = [p.name for p in self.all() if p.id != project.id]
        if project.is_default and others:
            raise Refused(
                f"'{project.name}' is the default project.",
                hint="Make another one the default first: create_memory_project with its name and path and "
                "set_default=true, or vault-sidecar project default NAME.",
                candidates=others,
            )
        if self._shelf is not None:
            self._shelf.check_unused(project)
        self._drop(project)
        await self._unused(project)
        if self._shelf is not None:
            await asyncio.to_thread(self._shelf.forget, project)
        return ProjectDeleted(project)

    def set_default(self, name: str) -> Project:
        """Make a project the one that is meant when none is named."""
        return self._registry.set_default(name)

    def listed(self, tied: str | None) -> ProjectList:
        """Return all projects, for a connection that is tied to one of them or to none."""
        return ProjectList(self.all(), tied)

    def workspaces(self) -> WorkspaceList:
        """Return the groups of projects by name."""
        groups: dict[str, list[Project]] = {}
        for project in self.all():
            groups.setdefault(project.workspace, []).append(project)
        names = sorted(groups, key=str.lower)
        return WorkspaceList(tuple(Workspace(name, tuple(groups[name])) for name in names))

    def _drop(self, project: Project) -> None:
        if any(p.id == project.id for p in self._registry.projects()):
            self._registry.remove(project.id)
        self._open.pop(project.id, None)

    async def _unused(self, project: Project) -> None:
        """Wait for the calls that use a project; none can begin any more."""
        end = time.monotonic() + _PATIENCE
        while self._calls[project.id] and time.monotonic() < end:  # noqa: ASYNC110 - counted in many places
            await asyncio.sleep(_STEP)

    def _check_free(self, project: Project) -> None:
        others = [p for p in self.all() if p.id != project.id]
        check_apart(project, others, allow_nested=self._allow_nested)
        if not self._allow_nested:
            check_not_inside_a_vault(Path(project.path), (p.path for p in others))

    def _project(self, root: Path, name: str | None, workspace: str | None = None) -> Project:
        real = root.expanduser().resolve()
        project = Project(name or real.name or "vault", project_id_of(real), str(real))
        return replace(project, workspace=name_of(workspace, "workspace")) if workspace else project


def _named(projects: Sequence[Project], wanted: str) -> Project:
    """Find a project by id, name or ``workspace/name``, in any case."""
    key = wanted.lower()
    for project in projects:
        if key in (project.id, project.name.lower(), f"{project.workspace}/{project.name}".lower()):
            return project
    raise NotFound(
        f"There is no project '{wanted}'.",
        hint="list_memory_projects shows the projects there are.",
        candidates=[p.name for p in projects],
    )


def _check_untied(caller: Caller, tied: str | None) -> None:
    if tied is not None and caller.audience is Audience.AGENT:
        raise Refused(
            f"This connection is tied to '{tied}' and governs no projects.",
            hint="The user can: vault-sidecar project add FOLDER, or project remove NAME.",
        )
