"""A vault and a state folder for daemons; none outlives its test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.daemons import Home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    vault = tmp_path / "My Vault"
    vault.mkdir()
    (vault / "Note.md").write_text("# Note\n\nalpha\n", encoding="utf-8")
    made = Home(tmp_path / "state", vault)
    yield made
    made.end()
