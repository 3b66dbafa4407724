"""Worker processes: all files come back once, whatever becomes of the processes."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from sidecar.index.built import BuiltSegment
from sidecar.model.path import VaultPath
from sidecar.pipeline.build.crew import Crew, Finding, Job, Left
from sidecar.pipeline.build.wire import ReadFile

CEILING = 30


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    for n in range(300):
        (root / f"{n:03}.md").write_text(f"---\nprivate: {'true' if n == 7 else 'false'}\n---\nword{n} alpha")
    (root / "p.png").write_bytes(b"\x89PNG")
    (tmp_path / "index").mkdir()
    return root


def jobs_of(vault: Path) -> list[Job]:
    return [(VaultPath(file.name), file.name != "008.md") for file in sorted(vault.iterdir())]


def all_of(crew: Crew) -> list[Finding]:
    found: list[Finding] = []
    end = time.monotonic() + CEILING
    while (some := crew.take(0.05)) is not None:
        assert time.monotonic() < end
        found += some
    return found


def paths(findings: list[Finding], kind: type) -> list[str]:
    found: list[str] = []
    for finding in findings:
        match finding:
            case ReadFile() if kind is ReadFile:
                found.append(finding.stat.path)
            case BuiltSegment() | Left() if isinstance(finding, kind):
                found += finding.paths
    return sorted(found)


def test_every_file_is_read_once_and_only_what_may_be_found_is_in_a_segment(vault: Path, tmp_path: Path) -> None:
    jobs = [*jobs_of(vault), (VaultPath("gone.md"), True)]
    crew = Crew(vault, tmp_path / "index", jobs)
    found = all_of(crew)
    names = sorted(file.name for file in vault.iterdir())
    assert paths(found, ReadFile) == names
    assert paths(found, BuiltSegment) == [name for name in names if name not in {"007.md", "008.md"}]
    assert paths(found, Left) == ["gone.md"]
    assert [f.stat.path for f in found if isinstance(f, ReadFile) and not f.is_indexed] == ["007.md", "008.md"]
    segments = [f for f in found if isinstance(f, BuiltSegment)]
    assert all((segment.folder / f"{segment.record.id}.seg").exists() for segment in segments)
    assert not crew.has_failed
    crew.close()
    assert list((tmp_path / "index").iterdir()) == []
    assert all(member.process.poll() is not None for member in crew._members)


def test_files_of_a_worker_that_dies_are_left(vault: Path, tmp_path: Path) -> None:
    crew = Crew(vault, tmp_path / "index", jobs_of(vault), workers=1)
    first: list[Finding] = []
    while not first:
        first = crew.take(0.05) or []
    crew._members[0].process.kill()
    found = [*first, *all_of(crew)]
    crew.close()
    assert crew.has_failed
    in_a_segment = paths(found, BuiltSegment)
    left = paths(found, Left)
    denied = {"007.md", "008.md"} & set(paths(found, ReadFile))
    assert sorted([*in_a_segment, *left, *denied]) == sorted(file.name for file in vault.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGSTOP")
def test_a_worker_that_hangs_is_ended(vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidecar.pipeline.build.crew._PATIENCE", 0.3)
    crew = Crew(vault, tmp_path / "index", jobs_of(vault), workers=1)
    os.kill(crew._members[0].process.pid, signal.SIGSTOP)
    found = all_of(crew)
    crew.close()
    assert crew.has_failed
    assert len(paths(found, Left)) == 301


def test_closing_ends_everything_at_once(vault: Path, tmp_path: Path) -> None:
    crew = Crew(vault, tmp_path / "index", jobs_of(vault) * 50)
    while not crew.take(0.05):
        pass
    begin = time.monotonic()
    crew.close()
    assert time.monotonic() - begin < CEILING
    assert crew.take(0) is None
    assert all(member.process.poll() is not None for member in crew._members)
    assert list((tmp_path / "index").iterdir()) == []


def test_a_worker_ends_when_its_input_does(vault: Path, tmp_path: Path) -> None:
    crew = Crew(vault, tmp_path / "index", [], workers=1)
    assert all_of(crew) == []
    assert crew._members[0].process.wait(CEILING) == 0
    crew.close()


def test_processes_that_cannot_be_started_are_an_error(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere"))
    with pytest.raises(OSError):
        Crew(vault, tmp_path / "index", jobs_of(vault))
    assert list((tmp_path / "index").iterdir()) == []
