"""The memory tool for programs with the ``anthropic`` SDK, against the SDK's own abstract class where it is installed."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anthropic")

from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError

from sidecar.memory_tool import VaultMemoryTool


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[VaultMemoryTool]:
    monkeypatch.setenv("VAULT_SIDECAR_HOME", str(tmp_path / "state"))
    (tmp_path / "Vault").mkdir()
    with VaultMemoryTool(tmp_path / "Vault") as tool:
        yield tool


def call(memory: VaultMemoryTool, command: str, **arguments: Any) -> Any:
    return memory.call({"command": command, **arguments})


def test_it_is_the_sdks_tool(memory: VaultMemoryTool) -> None:
    assert isinstance(memory, BetaAbstractMemoryTool)
    assert memory.to_dict() == {"type": "memory_20250818", "name": "memory"}


def test_every_command_reaches_the_vault(memory: VaultMemoryTool, tmp_path: Path) -> None:
    head = (
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:"
    )
    assert call(memory, "view", path="/memories") == f"{head}\n0B\t/memories"
    assert call(memory, "create", path="/memories/a.md", file_text="one\n").startswith("File created successfully")
    assert call(memory, "insert", path="/memories/a.md", insert_line=1, insert_text="two\n").endswith("edited.")
    assert call(memory, "str_replace", path="/memories/a.md", old_str="one").startswith("The memory file")
    assert (tmp_path / "Vault/Memory/a.md").read_text() == "\ntwo\n"
    assert call(memory, "view", path="/memories/a.md", view_range=[2, -1]).endswith(":\n     2\ttwo")
    assert call(memory, "rename", old_path="/memories/a.md", new_path="/memories/b.md").startswith("Successfully")
    assert call(memory, "delete", path="/memories/b.md") == "Successfully deleted /memories/b.md"


def test_errors_are_the_sdks(memory: VaultMemoryTool) -> None:
    with pytest.raises(ToolError, match="The path /memories/x does not exist"):
        call(memory, "view", path="/memories/x")


def test_pictures_are_shown(memory: VaultMemoryTool, tmp_path: Path) -> None:
    from PIL import Image

    (tmp_path / "Vault/Memory").mkdir()
    Image.new("RGB", (4, 4)).save(tmp_path / "Vault/Memory/p.png")
    text, image = call(memory, "view", path="/memories/p.png")
    assert (text["type"], image["source"]["media_type"]) == ("text", "image/png")


def test_it_works_inside_a_running_loop(memory: VaultMemoryTool) -> None:
    async def inside() -> Any:
        return call(memory, "view", path="/memories")

    assert asyncio.run(inside()).endswith("/memories")
