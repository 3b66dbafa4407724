"""One file at a time: what is read, what is stored, and what is only noted."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from sidecar.catalog.store import Catalog
from sidecar.errors import Unavailable
from sidecar.model.file import FileStat
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath as P
from sidecar.parse.file import parse_name
from sidecar.pipeline.build.wire import ReadFile
from sidecar.pipeline.differences import differences
from sidecar.pipeline.indexing import Indexing, StoreFailed
from sidecar.pipeline.pending import CHANGED, GONE, Look
from sidecar.vault.files import VaultFiles
from sidecar.vault.glance import Glance
from sidecar.vault.ignore import CurrentRules


class Index:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.put_paths: list[P] = []
        self.removed: list[P] = []
        self.errors: list[Exception] = []

    def put(self, file: ParsedFile) -> None:
        self.put_paths.append(file.path)

    def remove(self, path: P) -> None:
        self.removed.append(path)

    def commit(self) -> None:
        if self.errors:
            raise self.errors.pop(0)

    def paths_held(self) -> frozenset[P]:
        return frozenset(self.put_paths)

    def merge_small(self) -> bool:
        return False


class Vault:
    def __init__(self, root: Path, state: Path) -> None:
        self.root = root
        self.files = VaultFiles(root)
        self.catalog = Catalog(state / "catalog.sqlite3")
        self.index = Index()
        self.indexing = Indexing(self.catalog, self.index, CurrentRules(root, ["Secret/"]))

    def write(self, path: str, text: str) -> P:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        return P(path)

    def see(self, path: P, look: Look = CHANGED) -> tuple[P, ...]:
        """Look and publish; return the files that look different."""
        assert self.indexing.look(path, look, self.files.glance())
        return self.indexing.publish().changed


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    (tmp_path / "vault").mkdir()
    vault = Vault(tmp_path / "vault", tmp_path)
    yield vault
    vault.catalog.close()


def test_a_file_is_indexed_once_for_the_same_bytes(vault: Vault) -> None:
    path = vault.write("N.md", "alpha")
    assert vault.see(path) == (path,)
    assert vault.see(path) == ()
    generation = vault.catalog.snapshot.generation
    vault.see(path)
    assert vault.index.put_paths == [path]
    assert vault.catalog.snapshot.generation == generation


def test_a_file_that_was_only_touched_is_not_indexed_again(vault: Vault) -> None:
    path = vault.write("N.md", "alpha")
    vault.see(path)
    os.utime(vault.root / path, ns=(5, 5))
    assert vault.see(path) == ()
    assert vault.index.put_paths == [path]
    assert vault.catalog.known()[path].mtime_ns == 5


def test_other_bytes_of_the_same_size_and_time_are_seen_by_their_hash(vault: Vault) -> None:
    path = vault.write("N.md", "alpha")
    os.utime(vault.root / path, ns=(5, 5))
    vault.see(path)
    vault.write("N.md", "gamma")
    os.utime(vault.root / path, ns=(5, 5))
    assert vault.see(path) == (path,)


def test_files_read_right_after_a_change_may_bear_the_time_of_the_next(vault: Vault) -> None:
    path = vault.write("N.md", "alpha")
    vault.see(path)
    assert vault.indexing.young == {path}
    os.utime(vault.root / path, ns=(5, 5))
    vault.see(path)
    assert vault.indexing.young == set()


def test_a_vanished_file_is_forgotten_only_when_that_is_expected(vault: Vault) -> None:
    path = vault.write("N.md", "alpha")
    vault.see(path)
    (vault.root / path).unlink()
    assert not vault.indexing.look(path, CHANGED, vault.files.glance())
    assert path in vault.catalog.known()
    assert vault.see(path, GONE) == (path,)
    assert path not in vault.catalog.known()
    assert vault.index.removed == [path]


def test_a_temporary_file_that_came_and_went_costs_nothing(vault: Vault) -> None:
    for look in (CHANGED, GONE):
        assert vault.see(P("4913"), look) == ()
    assert vault.index.removed == []


def test_a_file_that_only_the_index_knows_is_taken_out(vault: Vault) -> None:
    assert vault.see(P("N.md"), Look(may_be_gone=True, is_unindexed=True)) == (P("N.md"),)
    assert vault.index.removed == ["N.md"]


def test_deleted_and_written_again_between_two_commits(vault: Vault) -> None:
    path = vault.write("N.md", "alpha")
    os.utime(vault.root / path, ns=(5, 5))
    vault.see(path)
    (vault.root / path).unlink()
    vault.indexing.look(path, GONE, vault.files.glance())
    vault.write("N.md", "alpha")
    os.utime(vault.root / path, ns=(5, 5))
    assert vault.see(path) == (path,)
    assert path in vault.catalog.known()
    assert vault.index.put_paths == [path, path]


def test_what_the_index_lacks_is_put_in_again_unless_someone_did_so_meanwhile(vault: Vault) -> None:
    path = vault.write("N.md", "alpha")
    vault.see(path)
    unindexed = Look(is_unindexed=True, known=vault.catalog.known()[path])
    assert vault.see(path, unindexed) == ()
    assert vault.index.put_paths == [path] * 2
    vault.write("N.md", "by an agent")
    vault.see(path, GONE)
    vault.see(path, unindexed)
    assert vault.index.put_paths == [path] * 3


def test_denied_notes_are_known_and_never_indexed(vault: Vault) -> None:
    by_rule, by_property = vault.write("Secret/N.md", "alpha"), vault.write("P.md", "---\nprivate: true\n---\nalpha")
    vault.see(by_rule)
    vault.see(by_property)
    assert vault.index.put_paths == []
    assert set(vault.catalog.known()) == {by_rule, by_property}


class _Cloud:
    """Holds files under other times and sizes, as a placeholder does, until it is ``away``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def __enter__(self) -> None:
        self._monkeypatch.setattr(Glance, "stat", lambda _, path: FileStat(path, 1, 5, here=False))
        self._monkeypatch.setattr(Glance, "read", self._read)

    def __exit__(self, *_: object) -> None:
        self._monkeypatch.undo()

    @staticmethod
    def _read(_: Glance, path: P) -> NoReturn:
        raise AssertionError(f"{path} was read")


def test_a_cloud_file_is_known_by_its_name_and_never_read(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    path = vault.write("N.md", "alpha")
    with _Cloud(monkeypatch):
        assert vault.see(path) == (path,)
        assert vault.see(path) == ()
        assert vault.catalog.known()[path].hash == ""
    assert vault.see(path) == (path,), "it was downloaded"
    assert vault.catalog.known()[path].hash


def test_a_file_that_a_cloud_service_takes_away_keeps_its_text(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    path = vault.write("N.md", "alpha [[Link]]")
    vault.see(path)
    before = vault.catalog.known()[path]
    with _Cloud(monkeypatch):
        assert vault.see(path) == ()
        assert vault.catalog.known()[path] == before
        assert vault.index.put_paths == [path]
        assert (
            differences({path: FileStat(path, 1, 5, here=False)}, vault.catalog.known(), {path}, frozenset()).count == 0
        )
    assert vault.see(path) == (), "it came back as it was"


@pytest.mark.parametrize("is_private", [False, True])
def test_a_file_that_is_away_and_not_in_the_index_is_found_by_its_name_if_at_all(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, is_private: bool
) -> None:
    path = vault.write("N.md", f"---\nprivate: {str(is_private).lower()}\n---\nalpha [[Link]]")
    vault.see(path)
    known = vault.catalog.known()[path]
    vault.index.put_paths.clear()
    vault.index.removed.clear()
    with _Cloud(monkeypatch):
        vault.see(path, Look(is_unindexed=True, known=known))
    assert (vault.index.put_paths, vault.index.removed) == (([], [path]) if is_private else ([path], []))
    assert vault.catalog.known()[path] == known
    record = vault.catalog.reader().note(path)
    assert record is not None
    assert record.link_count == 1, "the catalog keeps what the text said"


def test_a_worker_that_finds_a_known_file_away_changes_nothing_of_it(vault: Vault) -> None:
    path = vault.write("N.md", "alpha [[Link]]")
    vault.see(path)
    known = vault.catalog.known()[path]
    vault.indexing.take(ReadFile(FileStat(path, 1, 5, here=False), "", 7, is_indexed=True, parsed=parse_name(path)))
    assert vault.indexing.publish().changed == ()
    assert vault.catalog.known()[path] == known


@pytest.mark.parametrize("is_committed", [True, False])
def test_what_is_wrong_with_files_is_remembered_over_a_restart(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, is_committed: bool
) -> None:
    incomplete, locked = vault.write("Old.md", ""), vault.write("Locked.md", "alpha")
    (vault.root / incomplete).write_bytes(b"caf\xe9")
    vault.see(incomplete)
    vault.see(locked)

    def refuse(*_: object) -> NoReturn:
        raise Unavailable("It is locked.")

    with monkeypatch.context() as locks:
        locks.setattr(Glance, "read", refuse)
        assert vault.indexing.look(locked, CHANGED, vault.files.glance())
    assert vault.indexing.unpublished == 1
    if not is_committed:
        vault.indexing.drop()  # as when the disk was full
    vault.indexing.publish()
    problems = vault.indexing.problems
    assert problems.keys() == {incomplete, locked}

    again = Indexing(vault.catalog, vault.index, CurrentRules(vault.root, []))
    assert again.problems == problems
    assert again.unreadable == {locked}
    assert again.look(locked, CHANGED, vault.files.glance())
    again.publish()
    assert Indexing(vault.catalog, vault.index, CurrentRules(vault.root, [])).problems.keys() == {incomplete}


def test_an_unreadable_file_is_known_by_its_name_and_a_problem(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    path = vault.write("N.md", "alpha")

    def locked(*_: object) -> NoReturn:
        raise Unavailable("It is locked.")

    with monkeypatch.context() as locks:
        locks.setattr(Glance, "read", locked)
        assert vault.see(path) == (path,)
        assert vault.see(path) == ()
        assert vault.indexing.problems == {path: "It is locked."}
        assert vault.catalog.snapshot.resolve("N", P("x.md")).target == path
    vault.see(path)
    with monkeypatch.context() as locks:
        locks.setattr(Glance, "read", locked)
        vault.see(path)
    assert vault.catalog.known()[path].hash, "what was read before stays"
    (vault.root / path).unlink()
    vault.see(path, GONE)
    assert vault.indexing.problems == {}


def test_a_reader_that_breaks_on_one_file_is_that_files_problem(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(path: P, data: bytes) -> NoReturn:
        raise RecursionError(f"in {path}: {data!r}")

    monkeypatch.setattr("sidecar.pipeline.indexing.parse_file", broken)
    path = vault.write("N.md", "my secret")
    vault.see(path)
    assert vault.indexing.problems == {path: "unexpected RecursionError"}
    assert path in vault.catalog.known()
    assert "secret" not in caplog.text


def test_a_file_that_is_read_in_part_says_so_until_it_changes(vault: Vault) -> None:
    path = vault.write("C.canvas", "{")
    vault.see(path)
    assert set(vault.indexing.problems) == {path}
    vault.see(path)
    assert set(vault.indexing.problems) == {path}
    vault.write("C.canvas", "{}")
    vault.see(path)
    assert vault.indexing.problems == {}


def test_without_the_index_names_are_right_and_texts_are_looked_at_again(vault: Vault) -> None:
    path = vault.write("N.md", "alpha")
    vault.index.errors = [Unavailable("full"), Unavailable("full")]
    vault.indexing.look(path, CHANGED, vault.files.glance())
    published = vault.indexing.publish()
    assert (published.fault, published.changed) == ("full", (path,))
    assert vault.catalog.known()[path].hash == "", "so that the next start looks again as well"
    assert vault.see(path) == (path,)
    assert vault.catalog.known()[path].hash


def test_a_damaged_index_begins_anew(vault: Vault) -> None:
    path = vault.write("N.md", "alpha")
    vault.index.errors = [Unavailable("damaged")]
    vault.indexing.look(path, CHANGED, vault.files.glance())
    published = vault.indexing.publish()
    assert (published.fault, published.is_index_anew) == (None, True)
    assert vault.catalog.known()[path].hash


def test_a_catalog_that_fails_forgets_all_since_the_last_commit(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    path, other = vault.write("N.md", "alpha"), vault.write("O.md", "beta")
    vault.indexing.look(path, CHANGED, vault.files.glance())
    put = vault.catalog.put

    def full(*_: object) -> NoReturn:
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(vault.catalog, "put", full)
    with pytest.raises(StoreFailed, match="The disk is full"):
        vault.indexing.look(other, CHANGED, vault.files.glance())
    vault.indexing.drop()
    monkeypatch.setattr(vault.catalog, "put", put)
    assert vault.indexing.publish().changed == ()
    assert not vault.catalog.known()
    assert vault.see(path) == (path,)
