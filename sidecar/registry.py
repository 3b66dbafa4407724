"""The vaults a user has given names to, in ``projects.json`` of the state folder."""

import json
import os
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from sidecar.errors import Invalid, NotFound

__all__ = ["Project", "Registry", "check_apart"]


@dataclass(frozen=True, slots=True)
class Project:
    """A vault, or a folder, under a name. A workspace is a group of projects."""

    name: str
    id: str
    path: str
    workspace: str = "personal"
    is_default: bool = False


class Registry:
    """Reads and writes the list of projects; each change replaces the file in one step."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def projects(self) -> tuple[Project, ...]:
        """Return all projects by name.

        Raises:
            Invalid: when the file cannot be understood, rather than forgetting what it holds.

        """
        try:
            listed = json.loads(self._file.read_text("utf-8"))
            return tuple(sorted((Project(**item) for item in listed), key=lambda p: p.name.lower()))
        except FileNotFoundError:
            return ()
        except (ValueError, TypeError) as error:
            raise Invalid(f"{self._file} is damaged: {error}.", hint="Correct or delete it.") from error

    def add(self, project: Project, *, default: bool, allow_nested: bool = False) -> Project:
        """Add a project; the first one becomes the default. Adding the same again changes nothing but the default.

        Raises:
            Invalid: when the name is taken by another folder, or one folder lies inside the other.

        """
        others = [p for p in self.projects() if p.id != project.id]
        check_apart(project, others, allow_nested=allow_nested)
        added = replace(project, is_default=default or not any(p.is_default for p in others))
        self._write([replace(p, is_default=p.is_default and not added.is_default) for p in others] + [added])
        return added

    def remove(self, name: str) -> Project:
        """Forget a project; its files stay.

        Raises:
            NotFound: with the names there are.

        """
        project = self.named(name)
        self._write(p for p in self.projects() if p.id != project.id)
        return project

    def set_default(self, name: str) -> Project:
        """Make a project the one that is meant when none is named.

        Raises:
            NotFound: with the names there are.

        """
        project = self.named(name)
        self._write(replace(p, is_default=p.id == project.id) for p in self.projects())
        return replace(project, is_default=True)

    def named(self, name: str) -> Project:
        """Find a project by name, ``workspace/name`` or id, in any case.

        Raises:
            NotFound: with the names there are.

        """
        wanted = name.strip().lower()
        projects = self.projects()
        for project in projects:
            if wanted in (project.name.lower(), project.id, f"{project.workspace}/{project.name}".lower()):
                return project
        raise NotFound(
            f"There is no project '{name}'.",
            hint="list_memory_projects shows the projects there are.",
            candidates=[p.name for p in projects],
        )

    def _write(self, projects: Iterable[Project]) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = json.dumps([asdict(p) for p in projects], indent=2, ensure_ascii=False)
        temporary = self._file.with_name(f".projects.{secrets.token_hex(4)}")
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
        temporary.replace(self._file)


def check_apart(project: Project, others: Iterable[Project], *, allow_nested: bool) -> None:
    """Check that a project has a name and a folder of its own among the others.

    Raises:
        Invalid: when the name is taken by another folder, or one folder lies inside the other.

    """
    for other in others:
        if other.id == project.id:
            continue
        if other.name.lower() == project.name.lower():
            raise Invalid(f"There is a project '{other.name}' already, at {other.path}.", hint="Choose another name.")
        if not allow_nested and _nested(other.path, project.path):
            raise Invalid(
                f"'{project.path}' and project '{other.name}' at '{other.path}' lie inside one another.",
                hint="Each note would be in both. Set allow_nested = true in config.toml if you want that.",
            )


def _nested(one: str, other: str) -> bool:
    a, b = Path(one), Path(other)
    return a.is_relative_to(b) or b.is_relative_to(a)
