"""A real vault, served by the real app, for tests that ask what an agent would ask."""

import asyncio
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings as law_settings

from sidecar.app import OpenVault, open_vault
from sidecar.config import AccessSettings, Settings, StateFolder
from sidecar.model.change import Author
from sidecar.services.caller import Audience, Caller
from sidecar.tools.desk import Desk
from sidecar.tools.dispatch import call_tool
from sidecar.tools.families import tools_of
from sidecar.tools.reply import Reply

# Nothing here is a timed test. In CI Hypothesis chooses its own profile: no deadline, the same examples each time.
if not os.environ.get("CI"):
    law_settings.register_profile("desk", deadline=None)
    law_settings.load_profile("desk")


@dataclass
class Served:
    """A vault folder and the app that serves it; files are given and read as text with exact line breaks."""

    root: Path
    state: StateFolder
    settings: Settings = field(default_factory=Settings)
    opened: OpenVault | None = None
    client: str = "test"

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def open(self) -> OpenVault:
        if self.opened is None:
            self.opened = open_vault(self.root, self.state, self.settings)
            self.opened.index_now()
        return self.opened

    def reindex(self) -> None:
        self.open().index_now()

    def call(
        self, tool: str, *, audience: Audience = Audience.AGENT, as_session: str = "s1", **arguments: Any
    ) -> Reply:
        caller = Caller(Author(self.client, as_session), audience)
        return asyncio.run(call_tool(tools_of(), Desk.tied_to(self.open().services), caller, tool, arguments))

    def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed; return its JSON."""
        reply = self.call(tool, output_format="json", **arguments)
        assert not reply.is_error, reply.blocks
        assert reply.structured is not None
        return reply.structured

    def fails(self, tool: str, category: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must fail in this way; return the error's JSON."""
        before = self.hash()
        reply = self.call(tool, output_format="json", **arguments)
        assert reply.is_error, reply.blocks
        assert reply.structured is not None
        assert reply.structured["error"] == category, reply.structured
        assert self.hash() == before, "a call that failed changed the vault"
        return reply.structured

    def found(self, query: str, **arguments: Any) -> list[str]:
        return [r["file_path"] for r in self.ok("search_notes", query=query, **arguments)["results"]]

    def hash(self) -> str:
        return vault_hash(self.root)

    def close(self) -> None:
        if self.opened is not None:
            self.opened.close()
            self.opened = None


def vault_hash(root: Path) -> str:
    """Hash names, bytes and times of every file."""
    total = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.is_file():
            total.update(f"{path.relative_to(root)}\0{path.stat().st_mtime_ns}\0".encode() + path.read_bytes())
    return total.hexdigest()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    root = tmp_path / "Vault"
    root.mkdir()
    vault = Served(root, StateFolder(tmp_path / "state"))
    yield vault
    vault.close()


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Served]:
    """A vault where ``Secret/`` is denied and ``Sources/`` read-only."""
    root = tmp_path / "Vault"
    root.mkdir()
    settings = Settings(access=AccessSettings(deny=("Secret/",), read_only=("Sources/",)))
    vault = Served(root, StateFolder(tmp_path / "state"), settings)
    yield vault
    vault.close()
