"""The tools' schemas are a contract: a change shows as a difference of the snapshot. UPDATE_SNAPSHOTS=1 renews it."""

import json
import os
from pathlib import Path

import pytest

from sidecar.errors import Invalid
from sidecar.tools.core import CORE
from sidecar.tools.families import FAMILIES, tools_of
from sidecar.tools.server import listed_tool
from sidecar.tools.tool import Tool

SNAPSHOT = Path(__file__).with_name("schemas.json")
TOOLS = [tool for family in FAMILIES.values() for tool in family]


def test_schemas_equal_the_snapshot() -> None:
    now = {tool.name: tool.schema for tool in TOOLS}
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert now == json.loads(SNAPSHOT.read_text("utf-8"))


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_every_parameter_is_described_and_nothing_is_wasted(tool: Tool) -> None:
    for name, prop in tool.schema["properties"].items():
        assert prop["description"].endswith("."), name
        assert "title" not in prop
        assert "$ref" not in json.dumps(prop), name
        assert {"type": "null"} not in prop.get("anyOf", ()), name
        assert prop.get("default", "") is not None


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_descriptions_say_what_comes_back_and_name_a_sibling(tool: Tool) -> None:
    assert 150 < len(tool.description) < 900
    assert any(other.name in tool.description for other in TOOLS if other is not tool)


@pytest.mark.parametrize(
    ("families", "limit"),
    [(["basic-memory", "bm"], 26_000), (["full"], 56_000), (["core"], 10_000)],
    ids=["both contracts", "full", "core"],
)
def test_the_tools_fit_their_budget(families: list[str], limit: int) -> None:
    listed = [listed_tool(tool).model_dump(by_alias=True, exclude_none=True) for tool in tools_of(families).values()]
    assert len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False).encode()) <= limit


def test_families_and_names_can_be_chosen() -> None:
    assert list(tools_of(["undo", "read_note"])) == ["read_note", "undo"]
    assert list(tools_of(["obsidian"])) == [tool.name for tool in FAMILIES["obsidian"]]
    with pytest.raises(Invalid):
        tools_of(["nope"])


def test_core_shows_few_parameters_and_takes_all() -> None:
    core = tools_of(["core"])
    assert set(core) == set(CORE)
    for tool in core.values():
        assert set(tool.schema["properties"]) == set(CORE[tool.name])
        assert set(tool.schema.get("required", ())) <= set(CORE[tool.name])
    assert core["read_note"].check({"identifier": "a", "end_line": 3})["end_line"] == 3


def test_core_beside_a_family_shows_the_family_whole() -> None:
    both = tools_of(["core", "basic-memory"])
    assert both["read_note"] is tools_of()["read_note"]
    assert both["undo"].shown is not None
    assert tools_of(["basic-memory", "core"]) == both
