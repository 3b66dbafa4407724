"""After any changes from outside, told in any way, catalog and index equal those made from scratch."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.dump import catalog_dump
from bench.watch import storm
from sidecar.app import OpenVault, open_vault
from sidecar.config import AccessSettings, Settings, StateFolder
from sidecar.model.path import VaultPath
from tests.conftest import Served, vault_hash

CEILING = 30
SETTINGS = Settings(access=AccessSettings(deny=("Secret/",)))
WORDS = ("alpha", "beta", "gamma", "zqstorm3", "zqdeep", "tag:deep")

Change = tuple[str, str, str]

FILES = ("A.md", "a.md", "B.md", "Sub/A.md", "Sub/Deep/C.md", "sub/A.md", "Secret/D.md", "E.canvas", "p.png")
FOLDERS = ("Sub", "sub", "Sub/Deep", "Secret", "Other")
TEXTS = ("", "alpha [[B]]", "beta #tag", "---\nprivate: true\n---\ngamma", "gamma [[A]] [[C]]\n- [ ] task")
changes = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("save by rename"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("delete"), st.sampled_from(FILES), st.just("")),
    st.tuples(st.just("rename"), st.sampled_from(FILES), st.sampled_from(FILES)),
    st.tuples(st.just("rename"), st.sampled_from(FOLDERS), st.sampled_from(FOLDERS)),
    st.tuples(st.just("look"), st.just(""), st.just("")),
)


def make(root: Path, change: Change) -> set[VaultPath]:
    """Carry out one change as another program would; return the files that a watcher may name."""
    kind, name, other = change
    place = root / name
    match kind:
        case "write" | "save by rename" if not place.is_dir():
            place.parent.mkdir(parents=True, exist_ok=True)
            target = place.with_name(f"{place.name}.tmp") if kind == "save by rename" else place
            target.write_text(other)
            target.rename(place)
            return {VaultPath(name), VaultPath(f"{name}.tmp")}
        case "delete" if place.is_file():
            place.unlink()
            return {VaultPath(name)}
        case "rename" if place.exists() and not (root / other).exists() and not other.startswith(f"{name}/"):
            (root / other).parent.mkdir(parents=True, exist_ok=True)
            place.rename(root / other)
            return {VaultPath(name), VaultPath(other)}
    return set()


@contextmanager
def served_from(root: Path, state: Path) -> Iterator[OpenVault]:
    opened = open_vault(root, StateFolder(state), SETTINGS)
    try:
        yield opened
    finally:
        opened.close()


def dumped(opened: OpenVault, root: Path, state: Path) -> tuple[list[str], set[VaultPath]]:
    return catalog_dump(StateFolder(state).project(root) / "catalog.sqlite3"), set(opened.index.paths_held())


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(history=st.lists(changes, max_size=14), told=st.randoms(use_true_random=False))
def test_any_changes_told_in_any_way_and_one_comparison_give_what_scratch_gives(
    history: list[Change], told: Random
) -> None:
    temporary = Path(tempfile.mkdtemp())
    root, state, fresh = temporary / "vault", temporary / "state", temporary / "fresh"
    root.mkdir()
    try:
        with served_from(root, state) as opened:
            events = list[VaultPath]()
            for change in history:
                events += make(root, change)
                if change[0] == "look":
                    # events come late, in another order, or never
                    told.shuffle(events)
                    kept = told.randint(0, len(events))
                    opened.pipeline.look_again(frozenset(events[:kept]))
                    events = events[kept:]
            opened.pipeline.look_again(frozenset(events[::2]))
            before = vault_hash(root)
            opened.index_now()
            with served_from(root, fresh) as scratch:
                scratch.index_now()
                assert dumped(opened, root, state) == dumped(scratch, root, fresh)
                assert opened.index_now() == 0
            assert vault_hash(root) == before, "looking changes nothing"
    finally:
        shutil.rmtree(temporary)


def found_in(served: Served) -> dict[str, list[str]]:
    # By words: two indexes need not have embedded the same notes by now.
    return {word: sorted(served.found(word, page_size=100, search_type="text")) for word in WORDS}


@pytest.mark.slow
def test_after_a_storm_of_changes_the_index_is_as_from_scratch(
    served: Served, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    paths = [f"Folder {n % 5}/N{n}.md" for n in range(40)]
    for path in paths:
        served.write(path, f"alpha {path}")
    opened = served.open()
    opened.start()
    storm(served.root, paths, replacements=300, folders=100)
    end = time.monotonic() + CEILING
    while served.found("zqlastq") != ["Last.md"]:
        assert time.monotonic() < end
        served.ok("write_note", title=f"Beside {time.monotonic_ns()}", directory="", content="beta")
        time.sleep(0.05)
    while opened.watcher._settling.is_waiting or opened.watcher._listens_at is not None:
        assert time.monotonic() < end
        time.sleep(0.05)
    opened.watcher.stop()
    before = served.hash()
    missed = opened.pipeline.progress.missed.count
    assert opened.pipeline.settle(CEILING)
    changed = opened.index_now()
    scratch = Served(served.root, StateFolder(tmp_path / "scratch"))
    scratch.open()
    try:
        assert found_in(served) == found_in(scratch)
        assert dumped(opened, served.root, served.state.root) == dumped(scratch.open(), served.root, scratch.state.root)
    finally:
        scratch.close()
    assert (missed, changed) == (0, 0), "the watcher told everything"
    assert served.hash() == before
    assert capfd.readouterr().err == ""
