"""Which vault a call is for: the tied one, the one it names, or the default."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sidecar.registry import Project
from sidecar.services.projects import Projects
from sidecar.services.services import Services

__all__ = ["Chosen", "Desk"]

_NAMING = ("identifier", "url", "path", "dir_name")
"""Parameters whose value may begin with a project's name."""


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

    def means_all(self, arguments: Mapping[str, Any]) -> bool:
        """Tell whether a call that names no project may mean several."""
        named = arguments.get("project") or arguments.get("project_id")
        return self.tied is None and not named and len(self.projects.all()) > 1

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
        if self.tied is not None:
            return Chosen(self.tied, arguments, _ignored(project_id or project, self.tied))
        if not (project or project_id):
            for name in _NAMING:
                found, rest = self.projects.prefixed(str(arguments.get(name) or ""))
                if found is not None:
                    return Chosen(await self._opened(found), {**arguments, name: rest})
        return Chosen(await self._opened(self.projects.meant(project, project_id)), arguments)

    async def _opened(self, project: Project) -> Services:
        if self.open is None:
            raise TypeError("a desk that is tied to no vault needs a way to open one")
        return await self.open(project)


def _ignored(asked: str | None, tied: Services) -> str | None:
    if asked is None or asked.lower() in (tied.project.lower(), tied.project_id):
        return None
    return f"This connection is tied to '{tied.project}'; project '{asked}' was not used."
