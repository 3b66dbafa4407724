"""Real clients over real stdio: the SDK's in both protocol eras, one and several at once, and rough endings."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, StdioServerParameters

from sidecar.daemon.endpoint import read_endpoint
from sidecar.tools.families import tools_of
from tests.conftest import vault_hash

pytestmark = pytest.mark.slow
Era = Literal["auto", "legacy"]


def _arguments(vault: Path) -> list[str]:
    return ["-W", "error", "-m", "sidecar", "mcp", "--embedded", "--vault", str(vault)]


def _environment(state: Path) -> dict[str, str]:
    return {**os.environ, "VAULT_SIDECAR_HOME": str(state)}


@asynccontextmanager
async def connected(vault: Path, state: Path, era: Era = "auto") -> AsyncIterator[Client]:
    server = StdioServerParameters(command=sys.executable, args=_arguments(vault), env=_environment(state))
    async with Client(server, mode=era, read_timeout_seconds=60) as client:
        yield client


async def said(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, {**arguments, "output_format": "json"})
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "My Vault"
    root.mkdir()
    (root / "Note.md").write_text("# Note\n\nalpha\n", encoding="utf-8")
    return root


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_every_tool_through_a_real_client(vault: Path, tmp_path: Path, era: Era) -> None:
    async def play() -> None:
        async with connected(vault, tmp_path / "state", era) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert list(listed) == list(tools_of())
            assert listed["read_note"].annotations is not None
            assert listed["read_note"].annotations.read_only_hint is True
            before = vault_hash(vault)
            assert (await said(client, "search_notes", query="alpha"))["total"] == 1
            assert (await said(client, "read_note", identifier="Note"))["content"] == "# Note\n\nalpha\n"
            assert (await said(client, "list_directory"))["total"] == 1
            assert (await said(client, "history"))["changes"] == []
            assert (await said(client, "build_context", url="Note"))["results"][0]["primary_result"]["title"] == "Note"
            assert (await said(client, "recent_activity"))["total"] == 1
            assert (await said(client, "read_content", path="Note.md"))["text"] == "# Note\n\nalpha\n"
            assert (await said(client, "list_memory_projects"))["constrained_project"] == "My Vault"
            for tool, arguments in (("search", {"query": "alpha"}), ("fetch", {"id": "Note.md"})):
                (block,) = (await client.call_tool(tool, arguments)).content
                assert "Note.md" in block.text  # type: ignore[union-attr]
            assert vault_hash(vault) == before
            await said(client, "write_note", title="New", directory="In", content="beta\n")
            await said(client, "edit_note", identifier="New", operation="append", content="gamma")
            nodes = [{"type": "file", "file": "In/New.md"}, {"type": "text", "text": "delta"}]
            await said(client, "canvas", title="Map", directory="", nodes=nodes, edges=[])
            for word, path in (("gamma", "In/New.md"), ("delta", "Map.canvas")):
                (hit,) = (await said(client, "search_notes", query=word, search_type="text"))["results"]
                assert hit["file_path"] == path
            for _ in range(3):
                await said(client, "undo")
            assert vault_hash(vault) == before
            wrong = await client.call_tool("read_note", {"identifier": "Nope"})
            assert wrong.is_error

    anyio.run(play)


async def _totals(client: Client, wanted: dict[str, int], seconds: float) -> None:
    """Ask until each query has this many results, at most so long."""
    with anyio.fail_after(seconds):
        while {q: (await said(client, "search_notes", query=q))["total"] for q in wanted} != wanted:  # noqa: ASYNC110
            await anyio.sleep(0.05)


def test_c23_changes_from_outside_are_found(vault: Path, tmp_path: Path) -> None:
    async def play() -> None:
        async with connected(vault, tmp_path / "state") as client:
            await _totals(client, {"alpha": 1}, 10)
            (vault / "Outside.md").write_text("omega", encoding="utf-8")
            temporary = vault / ".Note.md.swp"
            temporary.write_text("psi", encoding="utf-8")
            temporary.replace(vault / "Note.md")
            await _totals(client, {"omega": 1, "psi": 1, "alpha": 0}, 10)
            (vault / "Outside.md").unlink()
            await _totals(client, {"omega": 0}, 10)

    anyio.run(play)


def test_clients_share_one_process_and_are_told_apart(vault: Path, tmp_path: Path) -> None:
    async def play() -> None:
        state = tmp_path / "state"
        async with connected(vault, state) as first, connected(vault, state) as second:
            await said(first, "write_note", title="A", directory="", content="one")
            await said(second, "write_note", title="B", directory="", content="two")
            assert (await said(second, "search_notes", query="one"))["total"] == 1
            changes = (await said(first, "history"))["changes"]
            assert len({change["session"] for change in changes}) == 2

    anyio.run(play)


def test_the_second_client_goes_on_when_the_first_leaves(vault: Path, tmp_path: Path) -> None:
    async def play() -> None:
        state = tmp_path / "state"
        holder = _started(vault, state)
        assert holder.stdin is not None
        async with connected(vault, state) as client:
            holder.stdin.close()
            await anyio.sleep(0.5)
            assert (await said(client, "search_notes", query="alpha"))["total"] == 1
            assert holder.poll() is None
        assert holder.wait(10) == 0
        assert holder.stdout is not None
        holder.stdout.close()

    anyio.run(play)


def _started(vault: Path, state: Path) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [sys.executable, *_arguments(vault)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment(state)
    )
    end = time.monotonic() + 30
    while not (state / "run/endpoint.json").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_sigterm_ends_cleanly_while_input_is_open(vault: Path, tmp_path: Path) -> None:
    process = _started(vault, tmp_path / "state")
    process.send_signal(signal.SIGTERM)
    process.wait(10)
    assert not (tmp_path / "state/run/endpoint.json").exists()
    process.communicate()


def test_a_killed_process_leaves_nothing_that_stops_the_next(vault: Path, tmp_path: Path) -> None:
    process = _started(vault, tmp_path / "state")
    process.kill()
    process.communicate()

    async def play() -> None:
        async with connected(vault, tmp_path / "state") as client:
            assert (await said(client, "search_notes", query="alpha"))["total"] == 1

    anyio.run(play)


def test_where_another_process_serves_an_embedded_one_is_a_shim(vault: Path, tmp_path: Path) -> None:
    async def play() -> None:
        state = tmp_path / "state"
        async with connected(vault, state, "legacy") as first:
            async with connected(vault, state) as second:
                await said(first, "write_note", title="A", directory="", content="one")
                assert (await said(second, "search_notes", query="one"))["total"] == 1
            assert (state / "logs/daemon.log").read_text().count(" listens;") == 1
            assert read_endpoint(state / "run") is not None
            assert (await said(first, "search_notes", query="one"))["total"] == 1

    anyio.run(play)
