from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Served
from tests.tools.office import Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    (tmp_path / "home/office").mkdir()
    (tmp_path / "home/office/In home.md").write_text("---\ntitle: A\n---\n")
    for name in ("b.md", "C.canvas", "a.png"):
        (tmp_path / "office" / name).write_text("{}")
    yield made
    made.close()


def listed(office: Office, **arguments: Any) -> dict[str, Any]:
    result: dict[str, Any] = office.ok("bm_list", **arguments)["result"]
    return result


def test_the_root_lists_the_projects(office: Office) -> None:
    for path in ("/", "", None):
        listing = listed(office, **({} if path is None else {"path": path}))
        assert [(p["path"], p["is_default"]) for p in listing["projects"]] == [("/home", True), ("/office", False)]
    text = office.reply("bm_list").blocks[0]
    assert text.startswith("/: 2 projects; '/name' is the root of one\n- /home/ (the default)\n- /office/")
    page = listed(office, page_size=1, page=2)
    assert ([p["name"] for p in page["projects"]], page["total"], page["has_more"]) == (["office"], 2, False)
    assert office.opened == {}


@pytest.mark.parametrize(
    ("arguments", "project", "path"),
    [
        ({"path": "/office"}, "office", "/"),
        ({"path": "/office/"}, "office", "/"),
        ({"path": "/OFFICE/specs"}, "office", "/specs"),
        ({"path": "/personal/office/specs"}, "office", "/specs"),
        ({"path": "/specs"}, "home", "/specs"),
        ({"path": "specs"}, "home", "/specs"),
        ({"path": "office"}, "home", "/office"),
        ({"path": "home/specs"}, "home", "/specs"),
        ({"path": "office/specs"}, "office", "/specs"),
        ({"path": "/", "project": "office"}, "office", "/"),
        ({"path": "specs", "project": "personal/office"}, "office", "/specs"),
        ({"path": "/office/specs", "project": "office"}, "office", "/specs"),
        ({"path": "/office", "project": "home"}, "home", "/office"),
    ],
)
def test_which_project_a_path_means(office: Office, arguments: dict[str, str], project: str, path: str) -> None:
    listing = listed(office, **arguments)
    assert (listing["project"], listing["path"], "missing" in listing) == (project, path, False)


def test_the_project_may_be_given_by_id(office: Office) -> None:
    given = office.projects.meant("office", None).id
    assert listed(office, project=given)["project"] == listed(office, project_id=given)["project"] == "office"


def test_without_a_default_a_path_may_still_name_a_project(tmp_path: Path) -> None:
    office = Office(tmp_path)
    try:
        registry = office.state.root / "projects.json"
        registry.write_text(registry.read_text().replace("true", "false"))
        assert listed(office, path="office/specs")["project"] == "office"
        assert office.fails_wrapped("bm_list", path="specs")["candidates"] == ["home", "office"]
    finally:
        office.close()


def test_folders_first_then_files_in_order(office: Office) -> None:
    listing = listed(office, path="/office")
    assert listing["folders"] == [{"path": "specs", "files": 1}]
    assert [f["title"] for f in listing["files"]] == ["a", "b", "C"]
    assert [f["title"] for f in listed(office, path="/office", sort="title_desc")["files"]] == ["C", "b", "a"]
    assert [f["permalink"] for f in listing["files"]] == [None, "b", "c.canvas"]


@pytest.mark.parametrize(("glob", "expected"), [(".md", ["b"]), ("*.MD", ["b"]), ("[ab]*", ["a", "b"]), ("x*", [])])
def test_glob_is_for_files_only(office: Office, glob: str, expected: list[str]) -> None:
    listing = listed(office, path="/office", glob=glob)
    assert ([f["title"] for f in listing["files"]], len(listing["folders"])) == (expected, 1)


def test_paging(office: Office) -> None:
    page = listed(office, path="/office", limit=2, page_number=2)
    assert ([f["title"] for f in page["files"]], page["total"], page["has_more"]) == (["C"], 3, False)
    for size in (0, 101):
        assert office.fails_wrapped("bm_list", page_size=size)["error"] == "invalid"


def test_text_and_json_both_fit_the_output_schema(office: Office) -> None:
    text = office.reply("bm_list", path="/office")
    assert text.structured == {"result": text.blocks[0]}
    assert text.blocks[0].startswith("/: 1 folder, 3 files (depth 1)\n- specs/ (1 file)\n- a.png (attachment, ")
    gone = listed(office, path="/office/spec")
    assert (gone["missing"], gone["candidates"]) == (True, ["specs"])
    bad = office.reply("bm_list", path="../x")
    assert bad.is_error
    assert bad.structured == {"result": bad.blocks[0]}


def test_a_tied_connection_begins_at_its_vaults_root(served: Served) -> None:
    served.write("Vault/a.md", "x")
    served.write("b.md", "x")
    assert [f["title"] for f in served.ok("bm_list")["result"]["files"]] == ["b"]
    assert served.ok("bm_list", path="Vault")["result"]["path"] == "/Vault"
    assert served.ok("bm_list", path="/Vault/Vault")["result"]["path"] == "/Vault"
    assert "was not used" in served.call("bm_list", project="other").blocks[0]
