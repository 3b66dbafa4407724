"""A kill -9 between any two steps of indexing, commit and merging: the next process ends where one from scratch does."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.dump import catalog_dump
from sidecar.config import StateFolder
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.path import VaultPath
from tests.conftest import Served, vault_hash
from tests.killing import Run, running
from tests.pipeline.crashing_index import opened_in

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the script forks")

NEVER = 0
SEGMENTS = 12
"""So many are more than are left unmerged."""
PLACES = 8
"""So many of the steps are tried, spread from the first to the last."""

WORDS = ("alpha", "word2", "fresh", "changed", "single7", "tag:tag3", "task-todo:task")


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    with running(Path(__file__).with_name("crashing_index.py")) as run:
        yield run


@pytest.fixture(scope="module", params=["first index", "index", "merge"])
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Give a vault with its state, as the scenario finds them."""
    folder = tmp_path_factory.mktemp("begun")
    vault = folder / "vault"
    vault.mkdir()
    for n in range(6):
        (vault / f"Note {n}.md").write_text(f"# Note {n}\n\nalpha word{n} [[Note {n + 1}]] #tag{n}\n\n- [ ] task {n}\n")
    if request.param == "first index":
        return folder, "index"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WhooshIndex, "merge_small", lambda _: False)
        opened = opened_in(folder)
        try:
            opened.index_now()
            for n in range(SEGMENTS if request.param == "merge" else 0):
                (vault / f"Single {n}.md").write_text(f"alpha single{n}")
                opened.index_now()
        finally:
            opened.close()
    return folder, request.param


def judge(folder: Path, place: Path) -> None:
    """Open what the killed process left; index and catalog must hold what is in the files, and nothing else."""
    untouched = vault_hash(folder / "vault")
    again = served(folder, folder / "vault")
    scratch = served(place, folder / "vault")
    try:
        assert held(again) == held(scratch)
        assert again.open().index_now() == 0
    finally:
        again.close()
        scratch.close()
    assert vault_hash(folder / "vault") == untouched, "the vault was written to"


def served(place: Path, root: Path) -> Served:
    return Served(root, StateFolder(place / "state"))


def held(vault: Served) -> tuple[list[str], frozenset[VaultPath], list[list[str]], dict[VaultPath, str]]:
    opened = vault.open()
    dump = catalog_dump(vault.state.project(vault.root) / "catalog.sqlite3")
    found = [sorted(vault.found(word, page_size=100, search_type="text")) for word in WORDS]
    return dump, opened.index.paths_held(), found, dict(opened.pipeline.progress.problems)


def test_kill_while_indexing_committing_and_merging(tmp_path: Path, run: Run, begun: tuple[Path, str]) -> None:
    folder, scenario = begun
    kept = shutil.copytree(folder, tmp_path / "kept")

    def begin() -> Path:
        """Put all back in its place: a vault is known by its path."""
        shutil.rmtree(folder)
        return Path(shutil.copytree(kept, folder))

    steps = run(begin(), scenario, NEVER)
    assert steps is not None
    assert steps > 5
    for step in sorted({round(1 + (steps - 1) * n / (PLACES - 1)) for n in range(PLACES)}):
        assert run(begin(), scenario, step) is None
        judge(folder, tmp_path / f"scratch {step}")
