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
from sidecar.pipeline.indexing import Indexing, StoreFailed
from sidecar.pipeline.pending import CHANGED, GONE, Look
from sidecar.vault.files import VaultFiles
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
        self.indexing = Indexing(self.files, self.catalog, self.index, CurrentRules(root, ["Secret/"]))

    def write(self, path: str, text: str) -> P:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        return P(path)

    def see(self, path: P, look: Look = CHANGED) -> tuple[P, ...]:
        """Look and publish; return the files that look different."""
        assert self.indexing.look(path, look)
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
    assert not vault.indexing.look(path, CHANGED)
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
    vault.indexing.look(path, GONE)
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


def test_a_cloud_file_is_known_by_its_name_and_never_read(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    path = vault.write("N.md", "alpha")

    def elsewhere(path: P) -> FileStat:
        return FileStat(path, 1, 5, here=False)

    def read(path: P) -> NoReturn:
        raise AssertionError(f"{path} was read")

    with monkeypatch.context() as cloud:
        cloud.setattr(vault.files, "stat", elsewhere)
        cloud.setattr(vault.files, "read", read)
        assert vault.see(path) == (path,)
        assert vault.see(path) == ()
        assert vault.catalog.known()[path].hash == ""
    assert vault.see(path) == (path,), "it was downloaded"
    assert vault.catalog.known()[path].hash
    with monkeypatch.context() as cloud:
        cloud.setattr(
            vault.files,
            "stat",
            lambda p: FileStat(p, (s := (vault.root / p).stat()).st_mtime_ns, s.st_size, here=False),
        )
        cloud.setattr(vault.files, "read", read)
        assert vault.see(path) == (), "what was read before it left stays"
        assert vault.catalog.known()[path].hash


def test_an_unreadable_file_is_known_by_its_name_and_a_problem(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    path = vault.write("N.md", "alpha")

    def locked(_: P) -> NoReturn:
        raise Unavailable("It is locked.")

    with monkeypatch.context() as locks:
        locks.setattr(vault.files, "read", locked)
        assert vault.see(path) == (path,)
        assert vault.see(path) == ()
        assert vault.indexing.problems == {path: "It is locked."}
        assert vault.catalog.snapshot.resolve("N", P("x.md")).target == path
    vault.see(path)
    with monkeypatch.context() as locks:
        locks.setattr(vault.files, "read", locked)
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
    vault.indexing.look(path, CHANGED)
    published = vault.indexing.publish()
    assert (published.fault, published.changed) == ("full", (path,))
    assert vault.catalog.known()[path].hash == "", "so that the next start looks again as well"
    assert vault.see(path) == (path,)
    assert vault.catalog.known()[path].hash


def test_a_damaged_index_begins_anew(vault: Vault) -> None:
    path = vault.write("N.md", "alpha")
    vault.index.errors = [Unavailable("damaged")]
    vault.indexing.look(path, CHANGED)
    published = vault.indexing.publish()
    assert (published.fault, published.is_index_anew) == (None, True)
    assert vault.catalog.known()[path].hash


def test_a_catalog_that_fails_forgets_all_since_the_last_commit(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    path, other = vault.write("N.md", "alpha"), vault.write("O.md", "beta")
    vault.indexing.look(path, CHANGED)
    put = vault.catalog.put

    def full(*_: object) -> NoReturn:
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(vault.catalog, "put", full)
    with pytest.raises(StoreFailed, match="The disk is full"):
        vault.indexing.look(other, CHANGED)
    vault.indexing.drop()
    monkeypatch.setattr(vault.catalog, "put", put)
    assert vault.indexing.publish().changed == ()
    assert not vault.catalog.known()
    assert vault.see(path) == (path,)
