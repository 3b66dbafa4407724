import json
from pathlib import Path

import pytest

from tests.cli.test_commands import command

GRAPH = [
    {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["Likes tea"]},
    {"type": "entity", "name": "Plan", "entityType": "project", "observations": ["Ships in May"]},
    {"type": "relation", "from": "Plan", "to": "Ada", "relationType": "led by"},
]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "Vault"
    (root / ".obsidian").mkdir(parents=True)
    (tmp_path / "memory.jsonl").write_text("\n".join(map(json.dumps, GRAPH)), "utf-8")
    return root


def test_a_graph_is_imported_once(vault: Path) -> None:
    file = str(vault.parent / "memory.jsonl")
    assert command(vault, "memories", "import", file, "--vault", str(vault)).strip() == "2 created"
    plan = (vault / "Memory/plan.md").read_text("utf-8")
    assert plan.endswith("\n- Ships in May\n\n- led by [[ada]]\n")
    assert (vault / "Memory/MEMORY.md").read_text("utf-8").count("\n") == 2
    again = json.loads(command(vault, "memories", "import", file, "--vault", str(vault), "--json"))
    assert again == {"created": 0, "updated": 0, "conflict": 2, "failed": 0}
    assert command(vault, "memories", "import", file, "--vault", str(vault), "--overwrite").strip() == "2 updated"


def test_a_file_that_cannot_be_read_is_named(vault: Path) -> None:
    assert "cannot be read" in command(vault, "memories", "import", "none.jsonl", "--vault", str(vault), ok=False)
