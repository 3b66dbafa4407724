"""One folder of a project at a time, beginning with the list of projects."""

from dataclasses import dataclass

from sidecar.registry import Project
from sidecar.services.caller import Caller
from sidecar.services.file_order import FileOrder
from sidecar.services.folders import FolderListing
from sidecar.services.projects import Projects
from sidecar.services.services import Services

__all__ = ["ProjectRoots", "browse"]


@dataclass(frozen=True, slots=True)
class ProjectRoots:
    """The projects that a path may begin with, one page of them by name."""

    projects: tuple[Project, ...]
    total: int
    page: int
    page_size: int


async def browse(
    caller: Caller,
    projects: Projects,
    vault: Services | None,
    *,
    path: str,
    glob: str | None,
    order: FileOrder,
    page: int,
    page_size: int,
) -> FolderListing | ProjectRoots:
    """List one folder of a vault, or the projects when there is no single vault to look into.

    Raises:
        Refused: when the path leads out of the vault or to what is hidden.

    """
    if vault is None:
        every = projects.all()
        shown = every[(page - 1) * page_size : page * page_size]
        return ProjectRoots(shown, len(every), page, page_size)
    return await vault.folders.list(
        caller, folder=path, depth=1, glob=glob, page=page, page_size=page_size, order=order
    )
