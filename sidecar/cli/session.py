"""A command's way to a vault: in this process, or through the process that already serves."""

import asyncio
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import typer

from sidecar.app import OpenVault, open_vault
from sidecar.cli.terminal import printable
from sidecar.config import StateFolder, load_settings
from sidecar.daemon.attach import attach, wants
from sidecar.daemon.client import Client
from sidecar.daemon.lock import DaemonLock
from sidecar.model.change import Author
from sidecar.semantic.offer import OFF, library_and_name
from sidecar.services.caller import Audience, Caller
from sidecar.tools.desk import Desk
from sidecar.tools.dispatch import call_tool
from sidecar.tools.families import tools_of
from sidecar.tools.reply import Reply
from sidecar.tools.status_view import status_json

__all__ = ["Checked", "Session", "own_vault", "print_reply", "session"]


@dataclass(frozen=True, slots=True)
class Checked:
    """What is wrong in a vault, how many files were not looked at yet, and why there is no search by meaning."""

    findings: list[dict[str, Any]]
    pending: int
    no_meaning: str | None


class Session(Protocol):
    """What a command can ask of a vault."""

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply: ...

    def status(self) -> dict[str, Any]: ...

    def checkup(self) -> Checked: ...


@dataclass(frozen=True, slots=True)
class _Here:
    vault: OpenVault
    audience: Audience

    @property
    def _caller(self) -> Caller:
        return Caller(Author("vault-sidecar", "command line"), self.audience)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        return asyncio.run(call_tool(tools_of(), Desk.tied_to(self.vault.services), self._caller, tool, arguments))

    def status(self) -> dict[str, Any]:
        return {**status_json(self.vault.services.status.look()), "served": False}

    def checkup(self) -> Checked:
        findings = asyncio.run(self.vault.services.checkup.look(self._caller))
        return Checked([asdict(finding) for finding in findings], 0, self.vault.meaning.missing_model)


@dataclass(frozen=True, slots=True)
class _There:
    client: Client

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        result = self.client.request("tools/call", {"name": tool, "arguments": dict(arguments)})
        blocks = tuple(item["text"] for item in result["content"])
        return Reply(blocks, result.get("structuredContent"), bool(result.get("isError")))

    def status(self) -> dict[str, Any]:
        return {**self.client.request("sidecar/status", {}), "served": True}

    def checkup(self) -> Checked:
        found, status = self.client.request("sidecar/checkup", {}), self.status()
        meaning = status["meaning"]
        is_wanted = library_and_name(meaning["model"])[0] != OFF
        return Checked(found["findings"], status["pending"], meaning["missing"] if is_wanted else None)


@contextmanager
def own_vault(root: Path, state: StateFolder) -> Iterator[OpenVault | None]:
    """Open the vault in this process, or give ``None`` when another process serves."""
    lock = DaemonLock(state.make(state.run) / "daemon.lock")
    if not lock.acquire():
        yield None
        return
    try:
        vault = open_vault(root, state, load_settings(state.config))
        try:
            yield vault
        finally:
            vault.close()
    finally:
        lock.release()


@contextmanager
def session(root: Path, audience: Audience = Audience.PERSON) -> Iterator[Session]:
    """Give a session with an up-to-date vault."""
    state = StateFolder.default()
    with own_vault(root, state) as vault:
        if vault is not None:
            vault.index_now()
            yield _Here(vault, audience)
            return
    with Client(attach(state, wants(root, person=audience is Audience.PERSON))) as client:
        yield _There(client)


def print_reply(reply: Reply, *, as_json: bool = False) -> None:
    """Print a reply; an error goes to stderr and ends the command with code 1."""
    text = "\n".join(reply.blocks)
    is_for_stderr = reply.is_error and not as_json
    stream = sys.stderr if is_for_stderr else sys.stdout
    typer.echo(printable(text) if stream.isatty() else text, err=is_for_stderr)
    if reply.is_error:
        raise typer.Exit(1)
