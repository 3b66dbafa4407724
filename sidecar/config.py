"""Settings: where our own files live, and what the user wrote into ``config.toml``."""

import os
import tomllib
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sidecar.errors import Invalid

__all__ = [
    "AccessSettings",
    "MemorySettings",
    "SearchSettings",
    "Settings",
    "StateFolder",
    "WriteSettings",
    "load_settings",
    "project_id_of",
]

_PRIVATE_FOLDER = 0o700


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AccessSettings(_Section):
    """Paths in gitignore grammar: ``deny`` is what agents may not see, ``read_only`` what they may not change.

    What they do to ``ask`` is proposed to the person, who decides.
    """

    deny: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()


class WriteSettings(_Section):
    """How writing tools behave when a call does not say."""

    overwrite: bool = False


class SearchSettings(_Section):
    """How searches by meaning are made."""

    model: str = "wordllama"
    """``wordllama``, ``model2vec:NAME``, ``fastembed:NAME``, ``sentence-transformers:NAME``, or ``off``."""


class MemorySettings(_Section):
    """Where memories are kept, and in which form new ones are written."""

    folder: Annotated[str, Field(min_length=1)] = "Memory"
    frontmatter: Literal["nested", "flat"] = "nested"
    """``nested`` as Claude Code writes them, ``flat`` for Obsidian's property editor; both are read."""


class Settings(_Section):
    """The whole of ``config.toml``; every key has a default."""

    allow_nested: bool = False
    """Whether one project may lie inside another."""
    access: AccessSettings = Field(default_factory=AccessSettings)
    write: WriteSettings = Field(default_factory=WriteSettings)
    search: SearchSettings = Field(default_factory=SearchSettings)
    memories: MemorySettings = Field(default_factory=MemorySettings)


@dataclass(frozen=True, slots=True)
class StateFolder:
    """The one folder outside the vault that we write to (design: nothing of ours lives in the vault)."""

    root: Path

    @classmethod
    def default(cls) -> "StateFolder":
        """Return the folder ``VAULT_SIDECAR_HOME`` names, else the platform's place for data of programs."""
        named = os.environ.get("VAULT_SIDECAR_HOME")
        if named:
            return cls(Path(named).expanduser().absolute())
        return cls(platformdirs.user_data_path("vault-sidecar", appauthor=False))

    @property
    def config(self) -> Path:
        return self.root / "config.toml"

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    def project(self, vault: Path) -> Path:
        """Return the folder that holds catalog, index and journal of one vault."""
        return self.of_project(project_id_of(vault))

    def of_project(self, project_id: str) -> Path:
        """Return the folder of a project whose vault may be gone."""
        return self.root / "projects" / project_id

    def make(self, folder: Path) -> Path:
        """Create a folder of ours that only the user can enter."""
        self.root.mkdir(parents=True, exist_ok=True, mode=_PRIVATE_FOLDER)
        folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE_FOLDER)
        return folder


def project_id_of(vault: Path) -> str:
    """Return the UUID of a vault: the same real folder always has the same id, with no registry to lose."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, vault.resolve().as_uri()))


def load_settings(file: Path) -> Settings:
    """Read ``config.toml``; a missing file means all defaults.

    Raises:
        Invalid: naming the file, the line and the key that is wrong.

    """
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return Settings()
    try:
        return Settings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise Invalid(f"{file} is not valid TOML: {error}.", hint="Correct that line, or delete it.") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        line = _line_of(text, str(first["loc"][-1]))
        raise Invalid(
            f"{file}, line {line}: '{key}': {first['msg']}.", hint="Correct that key, or delete its line."
        ) from error


def _line_of(text: str, key: str) -> int:
    lines = text.splitlines()
    return next((n for n, line in enumerate(lines, 1) if line.strip().strip("[]").startswith(key)), 1)
