"""A vault that worker processes index is found as one that this process indexes."""

import sys
import threading
import time

import pytest

from sidecar.app import OpenVault, open_vault
from sidecar.model.path import VaultPath
from sidecar.pipeline.build.crew import Crew, Finding
from tests.conftest import Served

CEILING = 30
FILES = 60


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidecar.pipeline.pipeline._FEWEST_TO_BUILD", FILES // 2)


@pytest.fixture
def vault(served: Served) -> Served:
    for n in range(FILES):
        served.write(
            f"F{n % 3}/{n:02}.md", f"---\ntags: [t{n % 2}]\n---\n# Head {n}\n\nalpha word{n} [[{(n + 1) % FILES:02}]]"
        )
    served.write("F0/Secret.md", "---\nprivate: true\n---\nalpha hidden")
    served.write("Denied/D.md", "alpha denied")
    served.write(".mcpignore", "Denied/\n")
    served.write(
        "C.canvas", '{"nodes":[{"id":"1","type":"text","text":"alpha card","x":0,"y":0,"width":9,"height":9}]}'
    )
    served.write("p.png", b"\x89PNG")
    return served


def opened_without_waiting(served: Served) -> OpenVault:
    served.opened = open_vault(served.root, served.state, served.settings)
    served.opened.pipeline.reconcile()
    return served.opened


def crews(monkeypatch: pytest.MonkeyPatch) -> list[Crew]:
    made: list[Crew] = []
    real = Crew.__init__

    def remembered(self: Crew, *args: object, **options: object) -> None:
        made.append(self)
        real(self, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Crew, "__init__", remembered)
    return made


def seen(served: Served) -> dict[str, object]:
    opened = served.open()
    reader = opened.catalog.reader()
    queries = ("alpha", "word7", "tag:t1", '"head 5"', "card", "hidden", "denied", "png", "-alpha")
    return {
        "found": {query: sorted(served.found(query, page_size=100)) for query in queries},
        "held": opened.index.paths_held(),
        "known": {path: (s.mtime_ns, s.size, s.hash) for path, s in opened.catalog.snapshot.files.items()},
        "notes": [
            (n.path, n.title, n.properties, n.tags, n.headings, n.link_count)
            for path in sorted(opened.catalog.snapshot.files)
            if (n := reader.note(path))
        ],
        "problems": dict(opened.pipeline.progress.problems),
    }


def test_workers_and_this_process_make_the_same_of_a_vault(vault: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    made = crews(monkeypatch)
    opened = vault.open()
    assert opened.pipeline.settle(CEILING)
    built = seen(vault)
    assert len(made) == 1
    assert opened.index_now() == 0
    vault.close()
    for file in vault.state.root.rglob("*"):
        if file.name.endswith((".sqlite3", ".seg", ".toc")) and "journal" not in file.name:
            file.unlink()
    monkeypatch.setattr("sidecar.pipeline.pipeline._FEWEST_TO_BUILD", 10_000)
    assert vault.open().pipeline.settle(CEILING)
    assert seen(vault) == built
    assert len(made) == 1


@pytest.mark.parametrize("harm", ["no process", "killed at once", "killed later"])
def test_when_workers_fail_this_process_does_the_work(
    vault: Served, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    made = crews(monkeypatch)
    real = Crew.take
    if harm == "no process":
        monkeypatch.setattr(sys, "executable", "/nowhere/python")

    def killing(self: Crew, seconds: float) -> list[Finding] | None:
        found = real(self, seconds)
        if harm == "killed at once" or (harm == "killed later" and found):
            for member in self._members:
                member.process.kill()
        return found

    monkeypatch.setattr(Crew, "take", killing)
    opened = vault.open()
    assert opened.pipeline.settle(CEILING)
    assert len(made) == 1, "workers that failed are not asked again"
    assert len(vault.found("alpha", page_size=100)) == FILES + 1
    assert opened.index_now() == 0
    assert not opened.pipeline.progress.problems
    assert not list(vault.state.root.rglob("build-*"))


def test_what_an_agent_writes_during_a_build_is_newer(vault: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, real = threading.Event(), Crew.take
    monkeypatch.setattr(Crew, "take", lambda self, seconds: real(self, seconds) if gate.is_set() else [])
    opened = opened_without_waiting(vault)
    assert opened.pipeline.progress.pending >= FILES
    vault.ok("edit_note", identifier="F1/01.md", operation="append", content="\nfreshly added")
    assert vault.found("freshly") == ["F1/01.md"]
    vault.write("F2/02.md", "changed outside")
    opened.pipeline.look_again(frozenset({VaultPath("F2/02.md")}))
    time.sleep(1)  # the workers have read everything by now, or nearly
    gate.set()
    assert opened.pipeline.settle(CEILING)
    assert vault.found("freshly") == ["F1/01.md"]
    assert vault.found("word1 freshly") == ["F1/01.md"]
    assert vault.found("outside") == ["F2/02.md"]
    assert vault.found('"word2"') == []
    assert opened.index_now() == 0


def test_closing_in_the_middle_leaves_nothing_behind(vault: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Crew, "take", lambda *_: [])
    opened_without_waiting(vault).writer.submit_background(lambda: None).result(CEILING)
    assert list(vault.state.root.rglob("build-*"))
    vault.close()
    assert not list(vault.state.root.rglob("build-*"))
    monkeypatch.undo()
    assert vault.open().pipeline.settle(CEILING)
    assert len(vault.found("alpha", page_size=100)) == FILES + 1


def test_the_folder_is_cleaned_of_a_build_that_was_killed(vault: Served) -> None:
    assert vault.open().pipeline.settle(CEILING)
    folder = vault.open().index.folder
    vault.close()
    (folder / "build-left").mkdir()
    (folder / "build-left/MAIN_x.seg").write_bytes(b"half")
    (folder / "new-MAIN_y").write_bytes(b"half")
    opened = vault.open()
    assert {file.name for file in folder.iterdir() if file.name.startswith(("build-", "new-"))} == set()
    assert not opened.index.rebuilt
