from pathlib import Path

from tests.conftest import Served


def test_the_tied_vault_and_the_registered_ones(served: Served, tmp_path: Path) -> None:
    (tmp_path / "Other").mkdir()
    served.open().services.projects.add(tmp_path / "Other", "work")
    listed = served.ok("list_memory_projects")
    assert [(p["name"], p["is_default"]) for p in listed["projects"]] == [("Vault", False), ("work", True)]
    assert (listed["default_project"], listed["constrained_project"]) == ("work", "Vault")
    assert "tied to 'Vault'" in served.call("list_memory_projects").blocks[0]


def test_each_is_listed_with_all_its_names(served: Served, tmp_path: Path) -> None:
    (tmp_path / "Other").mkdir()
    project = served.open().services.projects.add(tmp_path / "Other", "work", workspace="team")
    listed = next(p for p in served.ok("list_memory_projects")["projects"] if p["name"] == "work")
    assert (listed["external_id"], listed["id"], listed["path"]) == (project.id, project.id, str(tmp_path / "Other"))
    assert (listed["qualified_name"], listed["workspace"], listed["display_name"]) == ("team/work", "team", "work")
    text = served.call("list_memory_projects", project="ignored").blocks[0]
    assert f"- work ({tmp_path / 'Other'}) [{project.id}] in team, the default" in text
