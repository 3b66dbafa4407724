import asyncio
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sidecar.app import OpenVault, known_projects, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.model.change import Author
from sidecar.registry import Project
from sidecar.services.caller import Caller
from sidecar.services.services import Services
from sidecar.tools.desk import Desk
from sidecar.tools.dispatch import call_tool
from sidecar.tools.families import tools_of
from sidecar.tools.reply import Reply
from tests.conftest import Served

NOTE = "- [idea] fly #sky\n- part_of [[X]]\n"


@pytest.fixture
def days(served: Served) -> Served:
    now = time.time()
    for name, age in (("Old", 30), ("Mid", 3), ("New", 0)):
        os.utime(served.write(f"{name}.md", NOTE), (now - age * 86_400,) * 2)
    served.write("p.png", b"\x89PNG")
    return served


def paths(page: dict[str, Any]) -> list[str]:
    return [line["file_path"] for line in page["result"]]


def test_newest_first_within_the_timeframe(days: Served) -> None:
    assert paths(days.ok("recent_activity")) == ["New.md", "Mid.md"]
    assert days.ok("recent_activity", timeframe="last year")["total"] == 3
    for alias in ("since", "time_range", "lookback"):
        assert days.ok("recent_activity", **{alias: "24h"})["total"] == 1
    assert paths(days.ok("recent_activity", page=2, page_size=1)) == ["Mid.md"]
    assert days.ok("recent_activity", limit=1)["has_more"] is True
    facts = days.ok("recent_activity", type="observation,relation", timeframe="last year", page_size=3, page=2)
    assert (paths(facts), facts["total"], facts["has_more"]) == (["Mid.md", "Old.md", "Old.md"], 6, False)


def test_json_is_a_flat_list_and_programs_get_the_pages_beside_it(days: Served) -> None:
    reply = days.call("recent_activity", output_format="json", timeframe="24h")
    assert reply.structured is not None
    (line,) = json.loads(reply.blocks[0])
    assert [line] == reply.structured["result"]
    assert [line[key] for key in ("type", "title", "permalink", "file_path", "project")] == [
        "entity",
        "New",
        "new",
        "New.md",
        "Vault",
    ]
    assert line["created_at"] == line["updated_at"]
    assert [reply.structured[key] for key in ("total", "page", "has_more", "projects")] == [1, 1, False, {"Vault": 1}]


def test_a_note_says_itself_when_it_was_created(days: Served) -> None:
    days.write("Dated.md", "---\nCreated: 2020-02-03T10:00:00Z\n---\n")
    days.write("Odd.md", "---\ncreated: some day\ndate created: 2021-01-02T00:00:00Z\n---\n")
    lines = days.ok("recent_activity", timeframe="24h")["result"]
    created = {line["file_path"]: line["created_at"] for line in lines}
    assert created["Dated.md"].startswith("2020-02-03T10:00")
    assert created["Odd.md"].startswith("2021-01-02T00:00")


@pytest.mark.parametrize("kinds", ["observation,relation", ["observation", "relation"], '["observation", "relation"]'])
@pytest.mark.parametrize("name", ["type", "types", "kind"])
def test_facts_are_rows_of_their_own(days: Served, kinds: Any, name: str) -> None:
    lines = days.ok("recent_activity", timeframe="24h", **{name: kinds})["result"]
    assert [(line["type"], line["title"], line["permalink"]) for line in lines] == [
        ("observation", "[idea] fly #sky", "new/observations/idea/fly-sky"),
        ("relation", "New part_of [[X]]", "new/part-of/x"),
    ]


@pytest.mark.parametrize("kinds", ["", [], None, "entity"])
def test_notes_are_what_is_listed_otherwise(days: Served, kinds: Any) -> None:
    assert {line["type"] for line in days.ok("recent_activity", type=kinds, depth=2)["result"]} == {"entity"}


def test_text(days: Served) -> None:
    text = days.call("recent_activity", page_size=1).blocks[0]
    assert text.startswith("# Recent activity, timeframe 7d: 2\n- ")
    assert "New (New.md)\nMore: page=2." in text
    assert "by project" not in text
    late = days.call("recent_activity", timeframe="1m", page=9).blocks[0]
    assert late.startswith("# Recent activity, timeframe 1m: ")


def test_nothing_recent_has_a_next_step(served: Served) -> None:
    text = served.call("recent_activity").blocks[0]
    assert text.startswith("# Recent activity, timeframe 7d: 0\nNothing changed in it; a longer timeframe")


@pytest.mark.parametrize("arguments", [{"timeframe": "whenever"}, {"page": 0}, {"page_size": 101}, {"depth": 0}])
def test_bad_arguments(days: Served, arguments: dict[str, Any]) -> None:
    days.fails("recent_activity", "invalid", **arguments)


def test_a_bad_type_names_the_good_ones(served: Served) -> None:
    assert (
        "'entity', 'observation' or 'relation'" in served.fails("recent_activity", "invalid", type="bogus")["message"]
    )


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Desk]:
    """Three projects, none of them tied; the second holds two notes, the third none."""
    state, opened = StateFolder(tmp_path / "state"), dict[str, OpenVault]()
    projects = known_projects(state, Settings())
    now = time.time()
    for name, notes in (("home", {"H": 5}), ("work", {"W1": 1, "W2": 9}), ("empty", {})):
        root = tmp_path / name
        root.mkdir()
        for note, minutes in notes.items():
            (root / f"{note}.md").write_text("x", encoding="utf-8")
            os.utime(root / f"{note}.md", (now - 60 * minutes,) * 2)
        opened[name] = open_vault(root, state, Settings(), projects)
        opened[name].index_now()

    async def services(project: Project) -> Services:
        return opened[project.name].services

    yield Desk(projects, None, services)
    for vault in opened.values():
        vault.close()


def _recent(desk: Desk, **arguments: Any) -> Reply:
    return asyncio.run(call_tool(tools_of(), desk, Caller(Author("test", "s")), "recent_activity", arguments))


def test_without_a_project_all_of_them_are_meant(three: Desk) -> None:
    page = _recent(three, output_format="json").structured
    assert page is not None
    assert [(line["project"], line["file_path"]) for line in page["result"]] == [
        ("work", "W1.md"),
        ("home", "H.md"),
        ("work", "W2.md"),
    ]
    assert (page["total"], page["projects"]) == (3, {"empty": 0, "home": 1, "work": 2})
    second = _recent(three, output_format="json", page_size=2, page=2).structured
    assert second is not None
    assert (paths(second), second["has_more"]) == (["W2.md"], False)
    text = _recent(three).blocks[0]
    assert "by project: empty 0, home 1, work 2" in text
    assert "work: W1 (W1.md)" in text


def test_a_project_that_is_named_is_the_only_one(three: Desk) -> None:
    page = _recent(three, output_format="json", project="work").structured
    assert page is not None
    assert (paths(page), page["projects"]) == (["W1.md", "W2.md"], {"work": 2})
