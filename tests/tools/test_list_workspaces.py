from pathlib import Path

from tests.tools.office import Office


def test_groups_of_projects(tmp_path: Path) -> None:
    office = Office(tmp_path)
    (tmp_path / "third").mkdir()
    office.projects.add(tmp_path / "third", workspace="Team")
    listed = office.ok("list_workspaces")
    assert [(w["name"], w["projects"], w["is_default"]) for w in listed["workspaces"]] == [
        ("personal", ["home", "office"], True),
        ("Team", ["third"], False),
    ]
    assert listed["count"] == 2
    assert set(listed["workspaces"][0]) >= {"tenant_id", "workspace_type", "role", "name"}
    assert office.reply("list_workspaces").blocks[0] == "- personal: home, office\n- Team: third"
    assert office.opened == {}


def test_without_projects(tmp_path: Path) -> None:
    office = Office(tmp_path)
    (office.state.root / "projects.json").unlink()
    assert office.ok("list_workspaces") == {"workspaces": [], "count": 0}
    assert "no project yet" in office.reply("list_workspaces").blocks[0]
