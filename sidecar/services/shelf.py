"""What is open of the projects in this process, and what is kept of them."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sidecar.config import StateFolder
from sidecar.registry import Project

__all__ = ["ClosedShelf", "Shelf", "delete_derived"]

_KEPT = frozenset({"journal", "proposals"})
"""What is there only once; everything else comes back from the files."""


class Shelf(Protocol):
    """The process in which projects come and go. Its methods may block."""

    @property
    def home(self) -> Path:
        """The state folder, where no project may lie."""
        ...

    def open_project(self, project: Project) -> object:
        """Index a project and watch it from now on, if this process does that."""
        ...

    def check_unused(self, project: Project) -> None:
        """Check that no connection can use this project only.

        Raises:
            Refused: when one can.

        """
        ...

    def forget(self, project: Project) -> None:
        """Close a project and delete what was derived from its files; the journal stays."""
        ...


@dataclass(frozen=True, slots=True)
class ClosedShelf:
    """The shelf of a process that serves nobody; it holds the lock, so that no other does."""

    state: StateFolder

    @property
    def home(self) -> Path:
        """The state folder."""
        return self.state.root

    def open_project(self, project: Project) -> None:
        """Leave it to the process that will serve."""

    def check_unused(self, project: Project) -> None:
        """Nobody is connected."""

    def forget(self, project: Project) -> None:
        """Delete what was derived from a project's files."""
        delete_derived(self.state.of_project(project.id))


def delete_derived(folder: Path) -> None:
    """Delete all that is in the folder of a project's state, but for the journal and proposals."""
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.name in _KEPT:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)
