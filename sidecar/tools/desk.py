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

    async def choose(self, arguments: Mapping[str, Any]) -> Chosen:
        """Find the vault: argument, prefix of a name, default, the only one.

        Raises:
            NotFound: when the named project is not there.
            Invalid: when it is not clear which is meant.

        """
        project, project_id = arguments.get("project"), arguments.get("project_id")
        if self.tied is not None:
            return Chosen(self.tied, arguments, _ignored(project_id or project, self.tied))
        if self.open is None:
            raise TypeError("a desk that is tied to no vault needs a way to open one")
        if not (project or project_id):
            for name in _NAMING:
                found, rest = self.projects.prefixed(str(arguments.get(name) or ""))
                if found is not None:
                    return Chosen(await self.open(found), {**arguments, name: rest})
        return Chosen(await self.open(self.projects.meant(project, project_id)), arguments)


def _ignored(asked: str | None, tied: Services) -> str | None:
    if asked is None or asked.lower() in (tied.project.lower(), tied.project_id):
        return None
    return f"This connection is tied to '{tied.project}'; project '{asked}' was not used."
