"""A connection that is tied to no vault, and two registered vaults which are opened when they are first asked for."""

import asyncio
from pathlib import Path
from typing import Any

from sidecar.app import OpenVault, known_projects, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.model.change import Author
from sidecar.registry import Project
from sidecar.services.caller import Audience, Caller
from sidecar.services.services import Services
from sidecar.services.shelf import delete_derived
from sidecar.tools.desk import Desk
from sidecar.tools.dispatch import call_tool
from sidecar.tools.families import tools_of
from sidecar.tools.reply import Reply

AUTHOR = Author("test", "s")


class Office:
    """Serves ``home``, the default, and ``office``, each with a note ``specs/Plan.md``."""

    def __init__(self, tmp_path: Path) -> None:
        self.state = StateFolder(tmp_path / "state")
        self.projects = known_projects(self.state, Settings(), self)
        self.opened: dict[str, OpenVault] = {}
        for name in ("home", "office"):
            folder = tmp_path / name
            (folder / "specs").mkdir(parents=True)
            (folder / "specs/Plan.md").write_text(f"the {name} plan")
            self.projects.add(folder)

    @property
    def home(self) -> Path:
        return self.state.root

    def check_unused(self, project: Project) -> None:
        """Nobody is tied to anything."""

    def open_project(self, project: Project) -> None:
        if project.id not in self.opened:
            vault = open_vault(Path(project.path), self.state, Settings(), self.projects)
            vault.index_now()
            self.opened[project.id] = vault

    def forget(self, project: Project) -> None:
        if project.id in self.opened:
            self.opened.pop(project.id).close()
        delete_derived(self.state.of_project(project.id))

    async def open(self, project: Project) -> Services:
        self.open_project(project)
        return self.opened[project.id].services

    def reply(self, tool: str, *, audience: Audience = Audience.AGENT, **arguments: Any) -> Reply:
        desk = Desk(self.projects, None, self.open)
        return asyncio.run(call_tool(tools_of(), desk, Caller(AUTHOR, audience), tool, arguments))

    def call(self, tool: str, **arguments: Any) -> Reply:
        return self.reply(tool, **arguments, output_format="json")

    def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed; return its JSON."""
        reply = self.call(tool, **arguments)
        assert not reply.is_error, reply.blocks
        assert reply.structured is not None
        return reply.structured

    def fails(self, tool: str, category: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must fail in this way; return the error's JSON."""
        reply = self.call(tool, **arguments)
        assert reply.is_error, reply.blocks
        assert reply.structured is not None
        assert reply.structured["error"] == category, reply.structured
        return reply.structured

    def fails_wrapped(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool with an output schema that must fail; return the error's JSON."""
        reply = self.call(tool, **arguments)
        assert reply.is_error, reply.blocks
        assert reply.structured is not None
        error: dict[str, Any] = reply.structured["result"]
        return error

    def names(self) -> list[str]:
        return [project.name for project in self.projects.all()]

    def close(self) -> None:
        for vault in self.opened.values():
            vault.close()
