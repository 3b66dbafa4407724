"""The projects there are, and which one a call means."""

from dataclasses import dataclass, replace
from pathlib import Path

from sidecar.config import project_id_of
from sidecar.errors import Invalid
from sidecar.registry import Project, Registry

__all__ = ["ProjectList", "Projects"]


@dataclass(frozen=True, slots=True)
class ProjectList:
    """All projects by name; ``tied`` names the only one that this connection may use."""

    projects: tuple[Project, ...]
    tied: str | None


class Projects:
    """Knows the registered projects, and the vaults that are open without being registered."""

    def __init__(self, registry: Registry, *, allow_nested: bool = False) -> None:
        self._registry = registry
        self._allow_nested = allow_nested
        self._open: dict[str, Project] = {}

    def opened(self, root: Path) -> Project:
        """Take note of a vault that is being served; return it under its registered name, else its folder's."""
        project = self._project(root, None)
        known = next((p for p in self._registry.projects() if p.id == project.id), project)
        self._open[known.id] = known
        return known

    def all(self) -> tuple[Project, ...]:
        """Return registered and open projects by name."""
        known = {**self._open, **{p.id: p for p in self._registry.projects()}}
        return tuple(sorted(known.values(), key=lambda p: p.name.lower()))

    def meant(self, project: str | None, project_id: str | None) -> Project:
        """Return the project a call means: the named one, else the default, else the only one.

        Raises:
            NotFound: when there is none of that name, with those there are.
            Invalid: when it is not clear which is meant.

        """
        projects = self.all()
        wanted = (project_id or project or "").strip().lower()
        if wanted:
            names = {key: p for p in projects for key in (f"{p.workspace}/{p.name}".lower(), p.name.lower(), p.id)}
            return names[wanted] if wanted in names else self._registry.named(wanted)
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
        path = rest if found else identifier
        head, slash, tail = path.strip("/").partition("/")
        project = next((p for p in self.all() if p.name.lower() == head.lower()), None) if slash else None
        return (project, f"{scheme}://{tail}" if found else tail) if project else (None, identifier)

    def add(self, root: Path, name: str | None = None, *, default: bool = False) -> Project:
        """Register a folder.

        Raises:
            Invalid: when it is no folder, its name is taken, or it lies inside another project.

        """
        if not root.expanduser().is_dir():
            raise Invalid(f"'{root}' is not a folder.", hint="Give the path of the vault's folder.")
        return self._registry.add(self._project(root, name), default=default, allow_nested=self._allow_nested)

    def remove(self, name: str) -> Project:
        """Forget a project; its files and its journal stay."""
        return self._registry.remove(name)

    def set_default(self, name: str) -> Project:
        """Make a project the one that is meant when none is named."""
        return self._registry.set_default(name)

    def listed(self, tied: str | None) -> ProjectList:
        """Return all projects, for a connection that is tied to one of them or to none."""
        return ProjectList(self.all(), tied)

    def _project(self, root: Path, name: str | None) -> Project:
        real = root.expanduser().resolve()
        project = Project(real.name or "vault", project_id_of(real), str(real))
        return replace(project, name=name) if name else project
