import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Served
from tests.tools.office import Office

NOTES = {
    "Plan A.md": "---\nstatus: active\npriority: 3\ntags: [work/urgent]\nowner: {name: Ann, team: x}\n---\n",
    "deep/Plan B.md": "---\nstatus: done\npriority: 1\ndue: 2026-05-01\nlabels: [red, blue]\n---\n#home\n",
    "deep/er/plan c.md": "---\ntype: spec\nStatus: Active\ndue: 2026-07-01\n---\n",
    "deep/Bare.md": "no properties",
    "deep/Map.canvas": "{}",
}


@pytest.fixture
def vault(served: Served) -> Served:
    for n, (path, text) in enumerate(NOTES.items()):
        os.utime(served.write(path, text), (10**9 + n, 10**9 + n))
    return served


def found(vault: Served, **arguments: Any) -> list[str]:
    result = vault.ok("bm_find", **arguments)["result"]
    assert result["total"] >= len(result["files"])
    return [f["file_path"].rpartition("/")[2].partition(".")[0] for f in result["files"]]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ["Bare", "Map", "Plan A", "Plan B", "plan c"]),
        ({"name": "Plan*"}, ["Plan A", "Plan B"]),
        ({"name": "plan*"}, ["plan c"]),
        ({"glob": ".canvas"}, ["Map"]),
        ({"path": "deep"}, ["Bare", "Map", "Plan B", "plan c"]),
        ({"path": "/DEEP/", "depth": 1}, ["Bare", "Map", "Plan B"]),
        ({"path": "deep", "depth": 2, "name": "*c.md"}, ["plan c"]),
        ({"sort": "updated_desc", "page_size": 2}, ["Map", "Bare"]),
        ({"sort": "updated_desc", "page_size": 2, "page": 2}, ["plan c", "Plan B"]),
    ],
)
def test_by_name(vault: Served, arguments: dict[str, Any], expected: list[str]) -> None:
    assert found(vault, **arguments) == expected


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ("status=active", ["Plan A", "plan c"]),
        ("status!=active", ["Bare", "Plan B"]),
        ("priority>=2", ["Plan A"]),
        ("priority<=2", ["Plan B"]),
        ("due<2026-06-01", ["Plan B"]),
        ("due between 2026-06-01..2026-08-01", ["plan c"]),
        ("priority in [1, 3]", ["Plan A", "Plan B"]),
        ("labels has red", ["Plan B"]),
        ("labels=blue", ["Plan B"]),
        ("tags has work", ["Plan A"]),
        ("tag=#home", ["Plan B"]),
        ("tags!=home", ["Bare", "Plan A", "plan c"]),
        ("tags exists", ["Plan A"]),
        ("owner.name=ann", ["Plan A"]),
        ("owner", ["Plan A"]),
        ("due missing", ["Bare", "Plan A"]),
        ("due=null", ["Bare", "Plan A"]),
        ("type=note", ["Bare", "Plan A", "Plan B"]),
        ("type!=note", ["plan c"]),
        ("status=active, due exists", ["plan c"]),
        (["status=active", "priority>2"], ["Plan A"]),
        ({"status": "done", "priority": 1}, ["Plan B"]),
        ("nothing=1", []),
    ],
)
def test_by_properties(vault: Served, meta: object, expected: list[str]) -> None:
    assert found(vault, meta=meta) == expected


def test_name_and_meta_combine(vault: Served) -> None:
    assert found(vault, name="Plan*", meta="status=active") == ["Plan A"]
    assert found(vault, path="deep", meta="status=active") == ["plan c"]


def test_properties_are_shown_as_data(vault: Served) -> None:
    result = vault.ok("bm_find", meta="status=active", fields="status, owner.team, none")["result"]
    assert [f.get("fields") for f in result["files"]] == [{"status": "active", "owner.team": "x"}, {"status": "Active"}]
    (text,) = vault.call("bm_find", meta="priority>2", fields=["status"]).blocks
    lines = text.splitlines()
    assert lines[0] == "/: 1 file where priority>2"
    mark = lines[1].partition("<")[2].partition(">")[0]
    assert lines[3] == f'   status: <{mark}>"active"</{mark}>'


def test_long_properties_are_cut_in_text(served: Served) -> None:
    served.write("n.md", f"---\nsummary: {'x' * 5000}\n---\n")
    assert len(served.call("bm_find", fields="summary").blocks[0]) < 1000
    assert len(served.ok("bm_find", fields="summary")["result"]["files"][0]["fields"]["summary"]) == 5000


def test_a_missing_folder_is_empty_and_near_names_are_told(vault: Served) -> None:
    result = vault.ok("bm_find", path="dep")["result"]
    assert (result["total"], result["missing"], result["candidates"]) == (0, True, ["deep"])
    assert "Folders there are: '/deep'" in vault.call("bm_find", path="dep").blocks[0]


@pytest.mark.parametrize("arguments", [{"meta": "=x"}, {"meta": 3}, {"depth": 0}, {"page_size": 101}, {"sort": "size"}])
def test_what_cannot_be_understood(vault: Served, arguments: dict[str, Any]) -> None:
    reply = vault.call("bm_find", **arguments, output_format="json")
    assert reply.is_error
    assert reply.structured is not None
    assert reply.structured["result"]["error"] == "invalid"


def test_text_fits_the_output_schema(vault: Served) -> None:
    reply = vault.call("bm_find", name="*.canvas")
    assert reply.structured == {"result": reply.blocks[0]}
    assert "deep/Map.canvas (canvas, 2 bytes, " in reply.blocks[0]


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.close()


def test_projects(office: Office) -> None:
    assert office.ok("bm_find")["result"]["project"] == "home"
    assert office.ok("bm_find", path="/office/specs")["result"]["project"] == "office"
    assert office.ok("bm_find", path="/", project="office")["result"]["files"][0]["file_path"] == "specs/Plan.md"
