"""Which vault a call is for: the tied one, the one it names, or the default."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sidecar.errors import Invalid, Refused
from sidecar.registry import Project
from sidecar.services.caller import Caller
from sidecar.services.projects import Projects
from sidecar.services.services import Services

__all__ = ["Chosen", "Desk"]

_NAMING = ("identifier", "url", "path", "dir_name")
"""Parameters whose value may begin with a project's name."""
_GOALS = ("destination_path", "destination_folder")
"""Parameters that then may begin with it too."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The vault of one call, the arguments without the project's name, and what is to be said about it."""

    services: Services
    arguments: Mapping[str, Any]
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """What one connection may reach: one vault, or all projects."""

    projects: Projects
    tied: Services | None
    open: Callable[[Project], Awaitable[Services]] | None = None

    @classmethod
    def tied_to(cls, services: Services) -> "Desk":
        """Return the desk of a connection that serves one vault only."""
        return cls(services.projects, services)

    def means_list(self, arguments: Mapping[str, Any]) -> bool:
        """Tell whether a call asks for the root above all projects."""
        named = arguments.get("project") or arguments.get("project_id")
        return self.tied is None and not named and str(arguments["path"]).strip() in ("", "/")

    def means_all(self, arguments: Mapping[str, Any]) -> bool:
        """Tell whether a call that names no project may mean several."""
        named = arguments.get("project") or arguments.get("project_id")
        several = self.tied is None and not named and len(self.projects.all()) > 1
        return several and bool(arguments.get("search_all_projects", True))

    async def every(self) -> tuple[Services, ...]:
        """Open all vaults that this connection may reach, by name."""
        if self.tied is not None:
            return (self.tied,)
        return tuple([await self._opened(project) for project in self.projects.all()])

    async def choose(self, arguments: Mapping[str, Any]) -> Chosen:
        """Find the vault: argument, prefix of a name, default, the only one.

        Raises:
            NotFound: when the named project is not there.
            Invalid: when it is not clear which is meant.

        """
        project, project_id = arguments.get("project"), arguments.get("project_id")
        workspace = arguments.get("workspace")
        if self.tied is not None:
            return Chosen(self.tied, arguments, _ignored(project_id or project, self.tied))
        if not (project or project_id):
            for name in _NAMING:
                found, rest = self.projects.prefixed(str(arguments.get(name) or ""))
                if found is not None:
                    return Chosen(await self._opened(found), {**self._inside(found, arguments), name: rest})
        return Chosen(await self._opened(self.projects.meant(project, project_id, workspace)), arguments)

    async def choose_folder(self, arguments: Mapping[str, Any], caller: Caller) -> Chosen:
        """Find the vault of a call whose ``path`` is a folder: ``/name/…`` is project ``name``.

        Without a leading slash it is a folder of the default project, where there is such a one, else a project.

        Raises:
            NotFound: when the named project is not there.
            Invalid: when it is not clear which is meant.

        """
        path = str(arguments["path"])
        if self.tied is None and not (arguments.get("project") or arguments.get("project_id")):
            project, rest = self.projects.leading(path)
            if project is None or not (path.startswith("/") or await self._lacks(path, caller)):
                return Chosen(await self._opened(self.projects.meant(None, None)), arguments)
            return Chosen(await self._opened(project), {**arguments, "path": rest})
        chosen = await self.choose(arguments)
        project, rest = self.projects.leading(path)
        own = project is not None and project.id == chosen.services.project_id
        if own and not await chosen.services.folders.has(caller, path):
            return replace(chosen, arguments={**arguments, "path": rest})
        return chosen

    async def _lacks(self, folder: str, caller: Caller) -> bool:
        """Tell whether the default project has no such folder."""
        try:
            default = self.projects.meant(None, None)
        except Invalid:
            return True  # there is no default
        return not await (await self._opened(default)).folders.has(caller, folder)

    def _inside(self, project: Project, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with the project's name taken off where things go to.

        Raises:
            Refused: when that is another project.

        """
        told = dict(arguments)
        for name in _GOALS:
            found, rest = self.projects.prefixed(str(told.get(name) or ""))
            if found is not None and found.id != project.id:
                raise Refused(
                    f"'{told[name]}' is in project '{found.name}', and nothing moves between projects.",
                    hint=f"Name a place in '{project.name}', or write the note anew there and delete it here.",
                )
            if found is not None:
                told[name] = rest
        return told

    async def _opened(self, project: Project) -> Services:
        if self.open is None:
            raise TypeError("a desk that is tied to no vault needs a way to open one")
        return await self.open(project)


def _ignored(asked: str | None, tied: Services) -> str | None:
    if asked is None or asked.lower().rpartition("/")[2] in (tied.project.lower(), tied.project_id):
        return None
    return f"This connection is tied to '{tied.project}'; project '{asked}' was not used."
