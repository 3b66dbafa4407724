from pathlib import Path

from tests.conftest import Served


def test_the_tied_vault_and_the_registered_ones(served: Served, tmp_path: Path) -> None:
    (tmp_path / "Other").mkdir()
    served.open().services.projects.add(tmp_path / "Other", "work")
    listed = served.ok("list_memory_projects")
    assert [(p["name"], p["is_default"]) for p in listed["projects"]] == [("Vault", False), ("work", True)]
    assert (listed["default_project"], listed["constrained_project"]) == ("work", "Vault")
    assert "tied to 'Vault'" in served.call("list_memory_projects").blocks[0]
