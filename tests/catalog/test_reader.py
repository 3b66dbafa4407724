import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from sidecar.catalog.queries import CatalogReader
from sidecar.catalog.store import Catalog
from sidecar.model.path import VaultPath
from sidecar.model.search import PropertyIs, TagIs
from tests.catalog.builders import file, fill

A, B = VaultPath("a.md"), VaultPath("b.md")


def test_reading_holds_one_state_for_all_questions_inside(catalog: Catalog) -> None:
    fill(catalog, file("a.md", tags=["old"]))
    reader = catalog.reader()
    with reader.reading() as snapshot:
        fill(catalog, file("a.md", tags=["new"]), file("b.md", "[[a]]"))
        assert snapshot.files.keys() == {A}
        assert list(reader.tag_counts()) == ["old"]
        assert reader.backlinks(A) == ()
        assert reader.note(B) is None
    assert list(reader.tag_counts()) == ["new"]
    assert len(reader.backlinks(A)) == 1


def test_an_error_inside_ends_the_state(catalog: Catalog) -> None:
    fill(catalog, file("a.md"))
    reader = catalog.reader()
    with pytest.raises(KeyError), reader.reading():
        raise KeyError
    fill(catalog, file("b.md"))
    with reader.reading() as snapshot:
        assert snapshot.files.keys() == {A, B}


def test_each_thread_holds_its_own_state(catalog: Catalog) -> None:
    fill(catalog, file("a.md", tags=["old"]))
    reader = catalog.reader()
    with reader.reading(), ThreadPoolExecutor(1) as other:
        fill(catalog, file("a.md", tags=["new"]))
        assert list(other.submit(reader.tag_counts).result()) == ["new"]
        assert list(reader.tag_counts()) == ["old"]


def _look(reader: CatalogReader) -> None:
    """Every commit of the writer changes all of this together; a mix of two would be torn."""
    with reader.reading() as snapshot:
        step = snapshot.generation
        assert reader.matching(TagIs(f"g{step}")) == frozenset(snapshot.files)
        assert reader.matching(PropertyIs("g", step)) == frozenset(snapshot.files)
        assert len(reader.backlinks(VaultPath("0.md"))) == len(snapshot.files)
        assert not reader.unresolved()


def test_readers_see_whole_states_while_the_writer_commits(catalog: Catalog) -> None:
    def commit(step: int) -> None:
        count = step % 7 + 1
        for n in range(count, 8):
            catalog.remove(VaultPath(f"{n}.md"))
        fill(catalog, *(file(f"{n}.md", "[[0]]", tags=[f"g{step}"], properties={"g": step}) for n in range(count)))

    commit(1)
    done = threading.Event()
    reader = catalog.reader()

    def read() -> int:
        looks = 0
        while not done.is_set():
            _look(reader)
            looks += 1
        return looks

    with ThreadPoolExecutor(3) as pool:
        reads = [pool.submit(read) for _ in range(3)]
        for step in range(2, 200):
            commit(step)
        done.set()
        assert all(looks.result() > 0 for looks in reads)
