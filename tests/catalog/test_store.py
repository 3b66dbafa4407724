import json
import math
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sidecar.catalog import schema
from sidecar.catalog.store import Catalog
from sidecar.errors import Unavailable
from sidecar.model.file import FileStat, FileState
from sidecar.model.note import Heading, Json, ParsedFile, PropertyProblem
from sidecar.model.path import VaultPath
from tests.catalog.builders import file, fill

A, B = VaultPath("a.md"), VaultPath("b.md")


def everything(db_path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Read all tables, with paths in the place of ids."""
    with closing(sqlite3.connect(db_path)) as db, db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        paths = dict(db.execute("SELECT id, path FROM file"))
        rows = {
            table: sorted((paths[row[0]], *row[1:]) for row in db.execute(f"SELECT * FROM {table}"))  # noqa: S608
            for table in tables
            if table != "state"
        }
    db.close()
    return rows


def test_a_new_catalog_is_empty(catalog: Catalog) -> None:
    assert catalog.rebuilt
    assert catalog.known() == {}
    assert catalog.snapshot.generation == 0


def test_nothing_is_visible_before_the_commit(catalog: Catalog) -> None:
    catalog.put(file("a.md"), FileStat(A, 7, 3), "f" * 64)
    assert catalog.known() == {}
    assert catalog.reader().note(A) is None
    snapshot = catalog.commit()
    assert catalog.snapshot is snapshot
    assert snapshot.generation == 1
    assert catalog.known() == {A: FileState(1, 7, 3, "f" * 64)}
    assert catalog.reader().note(A) is not None


def test_a_commit_of_nothing_raises_no_generation(catalog: Catalog) -> None:
    fill(catalog, file("a.md"))
    catalog.remove(B)
    assert catalog.commit().generation == 1


def test_rollback_forgets(catalog: Catalog) -> None:
    fill(catalog, file("a.md", "[[b]]"))
    catalog.remove(A)
    catalog.put(file("b.md"), FileStat(B, 1, 1), "")
    catalog.rollback()
    assert catalog.commit().files.keys() == {A}
    assert len(catalog.reader().outgoing(A)) == 1


def test_ids_are_kept_over_updates_and_never_given_twice(catalog: Catalog) -> None:
    first = fill(catalog, file("a.md"), file("b.md"))
    again = fill(catalog, file("a.md", "[[b]]"))
    assert again.files[A].id == first.files[A].id
    catalog.remove(B)
    catalog.commit()
    assert fill(catalog, file("c.md")).files[VaultPath("c.md")].id > first.files[B].id


def test_ids_are_not_reused_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite3"
    catalog = Catalog(path)
    old = fill(catalog, file("a.md"), file("b.md")).files[B].id
    catalog.remove(B)
    catalog.commit()
    catalog.close()
    catalog = Catalog(path)
    assert fill(catalog, file("c.md")).files[VaultPath("c.md")].id > old
    catalog.close()


def test_a_restart_finds_the_same_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "c.sqlite3"
    catalog = Catalog(path)
    before = fill(catalog, file("a.md"), file("x/B.md"), file("x/pic.png"))
    catalog.close()
    catalog = Catalog(path)
    assert not catalog.rebuilt
    assert catalog.snapshot == before
    catalog.close()


def test_uncommitted_work_is_gone_after_close(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path / "c.sqlite3")
    for n in range(600):  # more than waits in memory
        catalog.put(file(f"{n}.md"), FileStat(VaultPath(f"{n}.md"), 1, 1), "")
    catalog.close()
    catalog = Catalog(tmp_path / "c.sqlite3")
    assert catalog.known() == {}
    catalog.close()


def _other_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    db.close()


def _garbage(path: Path) -> None:
    path.write_bytes(b"this is no database" * 1000)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def _scribble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8192:40960] = b"\xff" * (40960 - 8192)
    path.write_bytes(data)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _no_tables(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION}")
    db.close()


@pytest.mark.parametrize("damage", [_other_version, _garbage, _cut, _scribble, _empty, _no_tables])
def test_what_cannot_be_used_is_built_again(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "c.sqlite3"
    catalog = Catalog(path)
    fill(catalog, *(file(f"{n}.md", "[[a]]", tags=["x"], properties={"p": n}) for n in range(300)))
    catalog.close()
    assert callable(damage)
    damage(path)
    catalog = Catalog(path)
    assert catalog.rebuilt
    assert catalog.known() == {}
    fill(catalog, file("a.md"))
    assert catalog.reader().note(A) is not None
    catalog.close()


def test_a_catalog_in_use_elsewhere_is_not_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.sqlite3"
    catalog = Catalog(path)
    fill(catalog, file("a.md"))
    catalog.close()

    def busy(_: sqlite3.Connection) -> bool:
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(schema, "is_current", busy)
        with pytest.raises(Unavailable):
            Catalog(path)
    catalog = Catalog(path)
    assert catalog.known().keys() == {A}
    catalog.close()


def test_a_failed_write_is_told_and_changes_nothing(catalog: Catalog) -> None:
    before = fill(catalog, file("a.md"))
    catalog._db.execute("PRAGMA query_only = 1")
    catalog.put(file("b.md"), FileStat(B, 1, 1), "")
    with pytest.raises(Unavailable):
        catalog.commit()
    catalog._db.execute("PRAGMA query_only = 0")
    assert catalog.commit() is before


def test_a_file_that_cannot_be_stored_costs_no_other(catalog: Catalog) -> None:
    bad = file("bad.md", properties={"p": object()})  # type: ignore[dict-item]
    catalog.put(file("a.md"), FileStat(A, 1, 1), "")
    with pytest.raises(TypeError):
        catalog.put(bad, FileStat(bad.path, 1, 1), "")
    assert catalog.commit().files.keys() == {A}


JSON: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.dictionaries(st.text(st.characters(exclude_categories=[])), JSON, max_size=4))
def test_law_properties_come_back_exactly(catalog: Catalog, properties: dict[str, Json]) -> None:
    fill(catalog, file("a.md", properties=properties))
    note = catalog.reader().note(A)
    assert note
    assert repr(note.properties) == repr(properties)


def test_infinite_numbers_come_back(catalog: Catalog) -> None:
    fill(catalog, file("a.md", properties={"x": math.inf, "y": [-math.inf]}))
    note = catalog.reader().note(A)
    assert note
    assert note.properties == {"x": math.inf, "y": [-math.inf]}


def test_half_a_surrogate_pair_is_stored_somehow(catalog: Catalog) -> None:
    odd = json.loads('"[[b\\ud83d]]"')
    fill(catalog, file("a.md", odd, title=odd, aliases=(odd,), properties={"permalink": odd, odd: odd}), file("b.md"))
    assert len(catalog.reader().outgoing(A)) == 1
    assert catalog.reader().titled(odd) == (A,)


NAMES = st.sampled_from(["a.md", "A.md", "x/a.md", "x/b.md", "p.png", "c.canvas"])
FILES: st.SearchStrategy[ParsedFile] = st.builds(
    lambda path, links, tags, properties, aliases: file(
        path,
        *links,
        tags=tags,
        properties=properties,
        aliases=tuple(aliases),
        headings=tuple(Heading(1, alias, 1, 0, 1) for alias in aliases),
        problem=PropertyProblem("bad", 2) if "bad" in tags else None,
    ),
    NAMES,
    st.lists(st.sampled_from(["[[a]]", "[[x/a]]", "[[#h]]", "[[none]]", "[[p.png]]"]), max_size=3),
    st.lists(st.sampled_from(["t", "T/u", "bad"]), max_size=2),
    st.dictionaries(st.sampled_from(["type", "n"]), st.sampled_from([1, "note", ["a", None]]), max_size=2),
    st.lists(st.sampled_from(["Zeta", "eta"]), max_size=2),
)


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.one_of(FILES, NAMES, st.sampled_from([None, False])), max_size=25))
def test_law_step_by_step_equals_from_scratch(
    tmp_path_factory: pytest.TempPathFactory, steps: list[ParsedFile | str | bool | None]
) -> None:
    folder = tmp_path_factory.mktemp("law")
    grown, fresh = Catalog(folder / "grown.sqlite3"), Catalog(folder / "fresh.sqlite3")
    current, committed = dict[VaultPath, ParsedFile](), dict[VaultPath, ParsedFile]()
    for step in steps:
        if step is None:
            grown.commit()
            committed = dict(current)
        elif step is False:
            grown.rollback()
            current = dict(committed)
        elif isinstance(step, ParsedFile):
            grown.put(step, FileStat(step.path, 1, 0), "0" * 64)
            current[step.path] = step
        elif isinstance(step, str):
            grown.remove(VaultPath(step))
            current.pop(VaultPath(step), None)
        if len(steps) % 2:
            grown._flush()  # as after a full batch
    grown.commit()
    fill(fresh, *current.values())
    assert grown.snapshot.names == fresh.snapshot.names
    assert grown.snapshot.file_counts == fresh.snapshot.file_counts
    assert grown.known().keys() == current.keys()
    grown.close()
    fresh.close()
    assert everything(folder / "grown.sqlite3") == everything(folder / "fresh.sqlite3")
    again = Catalog(folder / "grown.sqlite3")
    assert again.snapshot == grown.snapshot
    again.close()


def test_what_could_not_be_read_is_remembered_over_a_restart_and_changes_no_generation(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite3"
    catalog = Catalog(path)
    catalog.note_fault(A, "It is locked.", is_unread=True)
    catalog.note_fault(A, "It is torn.", is_unread=False)
    before = catalog.snapshot
    assert catalog.commit() is before
    catalog.note_fault(A, "lost", is_unread=True)
    catalog.rollback()
    catalog.close()
    catalog = Catalog(path)
    assert catalog.faults(is_unread=True) == {A: "It is locked."}
    assert catalog.faults(is_unread=False) == {A: "It is torn."}
    catalog.note_fault(A, None, is_unread=True)
    catalog.commit()
    assert catalog.faults(is_unread=True) == {}
    assert catalog.faults(is_unread=False) == {A: "It is torn."}
    catalog.close()
