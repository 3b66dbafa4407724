"""What the Claude API's memory tool is asked and answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sidecar.errors import Invalid, NotFound
from sidecar.model.path import VaultPath
from sidecar.services.pictures import Picture

__all__ = ["ROOT", "Command", "MemoryAnswer", "MemoryInput", "Named"]

ROOT = "/memories"
"""What the folder of the memories is called there."""


class Command(StrEnum):
    """What to do."""

    VIEW = "view"
    CREATE = "create"
    STR_REPLACE = "str_replace"
    INSERT = "insert"
    DELETE = "delete"
    RENAME = "rename"


@dataclass(frozen=True, slots=True)
class MemoryInput:
    """The argument object of the tool."""

    command: Command
    path: str | None = None
    view_range: Sequence[int] | None = None
    file_text: str | None = None
    old_str: str | None = None
    new_str: str | None = None
    insert_line: int | None = None
    insert_text: str | None = None
    old_path: str | None = None
    new_path: str | None = None

    def needed(self, name: str) -> str:
        """Return a text without which the command cannot be carried out.

        Raises:
            Invalid: when it was not given.

        """
        value = getattr(self, name)
        if value is None:
            raise Invalid(f"Error: {self.command} needs {name}")
        return str(value)


@dataclass(frozen=True, slots=True)
class MemoryAnswer:
    """The tool's result, word for word, or a picture."""

    text: str
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """A path as it was given, without a slash at its end, and the file or folder it stands for."""

    said: str
    path: VaultPath
    is_root: bool = False

    def missing(self, words: str) -> NotFound:
        """Return the error that there is no such path, in the words of the command."""
        return NotFound(words.format(self.said))
