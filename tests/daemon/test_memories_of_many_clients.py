"""Four clients save memories at once, some under the same names: every one acknowledged is there, every clash told."""

import re
from collections.abc import Mapping

import anyio
import pytest
from mcp import Client

from tests.daemon.daemons import Home, said, said_at_last

CLIENTS = ("ada", "ben", "cyd", "dot")
MEMORIES = 20
SHARED = 5
"""Of the names of each client so many are those of all others too."""


async def _save(client: Client, writer: str) -> dict[str, str]:
    statuses = {}
    for number in range(MEMORIES):
        name = f"shared-{number}" if number < SHARED else f"{writer}-{number}"
        fact = {"name": name, "description": f"of {writer}", "type": "project", "body": f"{writer} says {number}"}
        statuses[name] = (await said_at_last(client, "recall_save", **fact))["status"]
    return statuses


@pytest.mark.slow
def test_all_that_was_acknowledged_is_there(home: Home) -> None:
    statuses: dict[str, Mapping[str, str]] = {}

    async def scenario() -> None:
        async with home.client() as ada, home.client() as ben, home.client() as cyd, home.client() as dot:
            await said_at_last(ada, "recall_list")

            async def save(writer: str, client: Client) -> None:
                statuses[writer] = await _save(client, writer)

            async with anyio.create_task_group() as tasks:
                for writer, client in zip(CLIENTS, (ada, ben, cyd, dot), strict=True):
                    tasks.start_soon(save, writer, client)
            assert (await said(ada, "recall_list", limit=200))["total"] == SHARED + len(CLIENTS) * (MEMORIES - SHARED)

    anyio.run(scenario)
    folder = home.vault / "Memory"
    for writer, own in statuses.items():
        for name, status in own.items():
            text = (folder / f"{name}.md").read_text("utf-8")
            assert (f"\n{writer} says " in text) is (status == "created"), (writer, name)
            assert name.startswith("shared-") or status == "created"
    for number in range(SHARED):
        told = sorted(own[f"shared-{number}"] for own in statuses.values())
        assert told == ["conflict", "conflict", "conflict", "created"]
    lines = re.findall(r"^- \[.*\]\((.*)\.md\) — of \w+$", (folder / "MEMORY.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(lines) == sorted({name for own in statuses.values() for name in own})
