"""Searches while the index is behind, being built, or damaged: what is found is what the files say."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sidecar.catalog.store import Catalog
from sidecar.index.built import BUILD
from sidecar.index.query import parse_query
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.file import FileStat
from sidecar.model.note import FileKind, ParsedFile
from sidecar.model.path import VaultPath as P
from sidecar.model.search import Hits, Leaf, SearchFilter, SearchRequest
from sidecar.parse.file import parse_file
from sidecar.pipeline import covering as module
from sidecar.pipeline.covering import CoveringIndex
from sidecar.vault.files import VaultFiles
from sidecar.vault.glance import Glance
from sidecar.vault.ignore import CurrentRules


class Scope:
    """Allows all files but those that are hidden; a tag is on those that were told."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.hidden: set[P] = set()
        self.tagged: set[P] = set()

    def matching(self, leaf: Leaf) -> frozenset[P]:
        del leaf
        return frozenset(self.tagged)

    def allowed(self, conditions: SearchFilter) -> frozenset[P] | None:
        del conditions
        return frozenset(self.catalog.known().keys() - self.hidden) if self.hidden else None


class Vault:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "vault"
        self.root.mkdir()
        self.files = VaultFiles(self.root)
        self.catalog = Catalog(folder / "catalog.sqlite3")
        self.index = WhooshIndex(folder / "index")
        self.rules = CurrentRules(self.root, ["Secret/"])
        self.waiting: tuple[P, ...] = ()
        self.rebuilds = 0
        self.scope = Scope(self.catalog)
        self.covering = self.cover()

    def cover(self, seconds: float = 60) -> CoveringIndex:
        return CoveringIndex(
            self.index, self.files, self.catalog, self.rules, lambda: self.waiting, self._rebuild, seconds
        )

    def _rebuild(self) -> None:
        self.rebuilds += 1

    def write(self, path: str, text: str) -> P:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        return P(path)

    def add(self, path: str, text: str, *, is_indexed: bool = True) -> P:
        """Write a file that the catalog knows, and perhaps the index."""
        at = self.write(path, text)
        stat = self.files.stat(at)
        assert stat is not None
        parsed = parse_file(at, text.encode())
        self.catalog.put(parsed, stat, "hash")
        self.catalog.commit()
        if is_indexed:
            self.index.put(parsed)
            self.index.commit()
        return at

    def search(self, text: str, offset: int = 0, limit: int = 10) -> Hits:
        return self.covering.search(SearchRequest(parse_query(text), offset=offset, limit=limit), self.scope)

    def found(self, text: str) -> list[str]:
        hits = self.search(text)
        assert hits.total == len(hits.hits)
        return sorted(hit.path for hit in hits.hits)

    def damage(self) -> None:
        for segment in self.index.folder.glob("*.seg"):
            segment.write_bytes(b"\0" * 100)

    @property
    def beside(self) -> list[Path]:
        return list(self.index.folder.glob(f"{BUILD}*"))


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    vault = Vault(tmp_path)
    yield vault
    vault.covering.close()
    assert vault.beside == []
    vault.index.close()
    vault.catalog.close()


def test_an_index_that_has_everything_is_asked_alone(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.add("A.md", "alpha")
    monkeypatch.setattr(Glance, "stat", lambda *_: pytest.fail("a file was looked at"))
    assert vault.found("alpha") == ["A.md"]
    assert vault.rebuilds == 0


def test_a_file_that_waits_is_found_by_what_it_says_now(vault: Vault) -> None:
    path = vault.add("A.md", "alpha")
    vault.add("B.md", "alpha running")
    vault.write("A.md", "gamma runs")
    vault.waiting = (path,)
    assert vault.found("alpha") == ["B.md"]
    assert vault.found("gamma") == ["A.md"]
    assert vault.found("run") == ["A.md", "B.md"]
    assert vault.covering.vocabulary("ga") == {"gamma"}
    vault.write("A.md", "delta once more")
    assert vault.found("gamma") == [], "it changed again"
    (vault.root / path).unlink()
    assert vault.found("delta") == []
    vault.waiting = ()
    assert vault.found("alpha") == ["A.md", "B.md"], "the index is asked alone again"
    assert vault.beside == []


def test_a_file_that_the_catalog_does_not_know_yet_is_not_found(vault: Vault) -> None:
    vault.waiting = (vault.write("A.md", "alpha"),)
    assert vault.found("alpha") == []


def test_pages_go_through_both_in_one_order(vault: Vault) -> None:
    for n in range(6):
        vault.add(f"{n}.md", "alpha " * (n + 1), is_indexed=n % 2 == 0)
    vault.waiting = tuple(P(f"{n}.md") for n in (1, 3, 5))
    whole = vault.search("alpha", limit=100)
    assert whole.total == 6
    pages = [hit for at in range(0, 6, 2) for hit in vault.search("alpha", offset=at, limit=2).hits]
    assert tuple(pages) == whole.hits
    assert vault.search("alpha", offset=2, limit=2).total == 6


def test_conditions_of_the_scope_hold_in_both(vault: Vault) -> None:
    for n in range(4):
        vault.add(f"{n}.md", "alpha", is_indexed=n < 2)
    vault.waiting = (P("2.md"), P("3.md"))
    vault.scope.hidden = {P("0.md"), P("2.md")}
    assert vault.found("alpha") == ["1.md", "3.md"]
    vault.scope.tagged = {P("1.md"), P("2.md")}
    assert vault.found("alpha tag:x") == ["1.md"]


@pytest.mark.parametrize("text", ["---\nprivate: true\n---\nalpha", "alpha"])
def test_a_file_that_agents_may_not_see_is_not_found_by_a_scan(vault: Vault, text: str) -> None:
    name = "Secret/A.md" if text == "alpha" else "A.md"
    path = vault.add(name, "once", is_indexed=name == "A.md")
    vault.write(path, text)
    vault.waiting = (path,)
    assert vault.found("alpha") == []
    assert vault.found("once") == [], "what it said before is not found either"


def test_a_damaged_index_is_no_error_and_built_anew(vault: Vault) -> None:
    vault.add("A.md", "alpha")
    vault.add("B.md", "beta")
    vault.add("Secret/C.md", "alpha", is_indexed=False)
    vault.damage()
    assert vault.found("alpha") == ["A.md"]
    assert vault.rebuilds == 1
    assert vault.covering.vocabulary("be") == {"beta"}
    vault.index.remove(P("none"))
    vault.index.commit()
    assert not vault.index.is_damaged
    assert vault.found("beta") == ["B.md"], "it is empty and nobody waits yet, but what it lacks is known"
    for name, text in (("A.md", b"alpha"), ("B.md", b"beta")):
        vault.index.put(parse_file(P(name), text))
    vault.index.commit()
    assert vault.found("alpha") == ["A.md"]
    assert vault.beside == []
    assert not vault.index.is_partial


def test_a_damaged_index_of_nothing_finds_nothing(vault: Vault) -> None:
    path = vault.add("A.md", "alpha")
    vault.damage()
    vault.catalog.remove(path)
    vault.catalog.commit()
    assert vault.found("alpha") == []
    assert vault.rebuilds == 1


def test_a_scan_ends_when_its_time_is_up_and_the_next_search_goes_on(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(5):
        vault.add(f"{n}.md", "alpha", is_indexed=False)
    vault.waiting = tuple(P(f"{n}.md") for n in range(5))
    clock = iter(range(1000))
    monkeypatch.setattr(module, "monotonic", lambda: next(clock))
    vault.covering = vault.cover(seconds=2)
    assert [vault.search("alpha").unchecked for _ in range(4)] == [3, 1, 0, 0]
    assert vault.search("alpha").total == 5


def test_what_is_kept_beside_the_index_has_a_bound(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST", 2)
    for n in range(3):
        vault.add(f"{n}.md", "alpha", is_indexed=False)
    vault.waiting = tuple(P(f"{n}.md") for n in range(3))
    for _ in range(2):
        hits = vault.search("alpha")
        assert (hits.total, hits.unchecked) == (2, 1)


def test_a_file_that_cannot_be_read_or_parsed_is_found_by_its_name(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    vault.add("Broken.md", "alpha", is_indexed=False)
    vault.add("Fine.md", "alpha", is_indexed=False)
    vault.add("photo.png", "alpha", is_indexed=False)
    vault.waiting = (P("Broken.md"), P("Fine.md"), P("photo.png"))

    def parse(path: P, data: bytes) -> ParsedFile:
        if path == "Broken.md":
            raise RecursionError(data)
        return parse_file(path, data)

    monkeypatch.setattr(module, "parse_file", parse)
    assert vault.found("alpha") == ["Fine.md"]
    assert vault.found("broken OR photo") == ["Broken.md", "photo.png"]
    assert caplog.messages == ["A file could not be scanned: RecursionError."]


def test_writers_reach_the_index_through_it(vault: Vault) -> None:
    vault.covering.put(ParsedFile(P("A.md"), FileKind.NOTE, "A", "alpha"))
    vault.covering.commit()
    assert vault.found("alpha") == ["A.md"]
    vault.covering.remove(P("A.md"))
    vault.covering.commit()
    assert vault.found("alpha") == []


def test_what_a_cloud_service_took_away_is_found_by_what_the_index_has_of_it(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.add("A.md", "alpha beta")
    vault.waiting = (P("A.md"),)
    monkeypatch.setattr(Glance, "stat", lambda _, path: FileStat(path, 1, 5, here=False))
    assert vault.found("alpha") == ["A.md"]
    vault.damage()
    assert vault.found("beta") == []
    assert vault.found("alpha") == []
    assert vault.found("A") == ["A.md"], "only its name is left"
