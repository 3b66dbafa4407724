"""What the services of projects answer."""

from dataclasses import dataclass

from sidecar.registry import Project

__all__ = ["ProjectCreated", "ProjectDeleted", "ProjectList", "Workspace", "WorkspaceList"]


@dataclass(frozen=True, slots=True)
class ProjectList:
    """All projects by name; ``tied`` names the only one that this connection may use."""

    projects: tuple[Project, ...]
    tied: str | None


@dataclass(frozen=True, slots=True)
class ProjectCreated:
    """A project that is there now; ``created`` when it was not before."""

    project: Project
    created: bool
    made_folder: bool = False


@dataclass(frozen=True, slots=True)
class ProjectDeleted:
    """A project that is not known any more; its files are where they were."""

    project: Project


@dataclass(frozen=True, slots=True)
class Workspace:
    """A named group of projects."""

    name: str
    projects: tuple[Project, ...]

    @property
    def is_default(self) -> bool:
        """Tell whether the project that is meant when none is named is in it."""
        return any(project.is_default for project in self.projects)


@dataclass(frozen=True, slots=True)
class WorkspaceList:
    """All workspaces by name."""

    workspaces: tuple[Workspace, ...]
