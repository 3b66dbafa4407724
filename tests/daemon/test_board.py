"""One board from the first card to the last undo, through a real client over stdio."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.types import ImageContent

from tests.daemon.test_stdio import connected, said

pytestmark = pytest.mark.slow
BOARD = "Maps/Garden.canvas"
NOTES = {
    "Garden.md": "---\ntags: [green]\n---\n# Garden\n\n## Beds\n\n[[Beans]] and [[Peas]]\n",
    "Beans.md": "---\ntags: [green]\nneeds: '[[Water]]'\n---\n",
    "Peas.md": "---\ntags: [green]\n---\n",
    "Water.md": "# Water\n",
}


async def nodes(vault: Path) -> dict[str, dict[str, Any]]:
    text = await anyio.Path(vault / BOARD).read_text("utf-8")
    return {node.get("file") or node.get("text"): node for node in json.loads(text)["nodes"]}


async def outline(client: Client) -> list[str]:
    return [card["name"] for card in (await said(client, "canvas_read", path="Garden.canvas"))["cards"]]


def test_a_board_is_drawn_read_edited_mapped_again_and_taken_back(tmp_path: Path) -> None:
    vault = tmp_path / "Vault"
    vault.mkdir()
    for name, text in NOTES.items():
        (vault / name).write_text(text, encoding="utf-8")

    async def play() -> None:
        async with connected(vault, tmp_path / "state") as client:
            await said(client, "search_notes", query="water")
            drawn = await said(client, "canvas_map", path=BOARD, source="note:Garden", color_by="tag")
            assert (drawn["action"], drawn["cards"], drawn["lines"]) == ("created", 3, 2)
            assert sorted(await outline(client)) == ["Beans", "Colours: tag", "Garden", "Peas"]

            picture = await client.call_tool("canvas_preview", {"path": BOARD, "width": 600})
            (image,) = [block for block in picture.content if isinstance(block, ImageContent)]
            assert image.mime_type == "image/svg+xml"

            operations = [{"op": "add", "text": "Ask the neighbours", "id": "own", "near": "Peas"}]
            operations.append({"op": "connect", "from": "Peas", "to": "own"})
            edited = await said(
                client, "canvas_edit", path=BOARD, operations=operations, expected_checksum=drawn["checksum"]
            )
            assert (edited["connected"], [card["name"] for card in edited["added"]]) == (1, ["Ask the neighbours"])
            before = await nodes(vault)

            await anyio.Path(vault / "Garden.md").write_text("---\ntags: [green]\n---\n[[Beans]] [[Water]]\n")
            with anyio.fail_after(20):
                while "Water.md" not in await nodes(vault):
                    await said(client, "canvas_map", path=BOARD, source="note:Garden", color_by="tag")
            after = await nodes(vault)
            assert after.keys() == before.keys() | {
                "Water.md"
            }  # a line that is not the map's holds the card of the peas
            assert all(after[name] == before[name] for name in before)

            arranged = await said(client, "canvas_arrange", path=BOARD, pinned=["Garden"])
            assert (await nodes(vault))["Garden.md"] == before["Garden.md"]
            assert arranged["action"] in ("updated", "unchanged")

            for change in (await said(client, "history"))["changes"]:
                await said(client, "undo", change=change["id"])
            assert not await anyio.Path(vault / BOARD).exists()

    anyio.run(play)
