import random
from pathlib import Path

import pytest

from sidecar.index.merge import Merge
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath
from tests.index.builders import filled, found, note

QUERIES = ("alpha", "beta gamma", '"alpha beta"', "del*", "-alpha", "deltas", "gamma OR number3")


def texts(rng: random.Random) -> str:
    return " ".join(rng.choices(["alpha", "beta", "gamma", "delta", "deltas", "epsilon"], k=rng.randint(1, 30)))


def files(count: int, seed: int) -> list[ParsedFile]:
    rng = random.Random(seed)  # noqa: S311 - no secrets here
    return [note(f"{n}.md", f"{texts(rng)} number{n}", headings=[texts(rng)]) for n in range(count)]


def test_a_merge_goes_on_over_many_steps_while_files_come_and_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sidecar.index.whoosh_index._TIDY_SECONDS", 0)
    current = {file.path: file for file in files(30, 1)}
    index = WhooshIndex(tmp_path / "index")
    for file in current.values():
        index.put(file)
        index.commit()
    changes = iter(files(30, 2))
    steps = 0
    while index.merge_small():
        steps += 1
        if steps % 9 == 0 and (change := next(changes, None)):
            current[change.path] = change
            index.put(change)
            index.commit()
        if steps == 40:
            del current[VaultPath("11.md")]
            index.remove(VaultPath("11.md"))
            index.commit()
    assert steps > 100
    assert len(index._published.parts) <= 9
    assert {p.name for p in (tmp_path / "index").glob("*MAIN_*.seg")} == {f"{p.id}.seg" for p in index._published.parts}
    scratch = filled(tmp_path / "scratch", current.values())
    for query in QUERIES:
        assert sorted(found(index, query)) == sorted(found(scratch, query)), query
    index.close()
    again = WhooshIndex(tmp_path / "index")
    assert not again.rebuilt
    assert again.paths_held() == current.keys()
    again.close()
    scratch.close()


def test_a_merge_that_is_given_up_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidecar.index.whoosh_index._TIDY_SECONDS", 0)
    index = WhooshIndex(tmp_path)
    for file in files(10, 3):
        index.put(file)
        index.commit()
    assert index.merge_small()
    assert list(tmp_path.glob("new-*"))
    index.close()
    assert not list(tmp_path.glob("new-*"))


def test_a_merged_segment_does_not_depend_on_the_steps(tmp_path: Path) -> None:
    index = WhooshIndex(tmp_path)
    for file in files(12, 4):
        index.put(file)
        index.commit()
    parts = index._published.parts
    written = []
    for name, seconds in (("MAIN_a", 0.0), ("MAIN_b", 9.0)):
        (tmp_path / name).mkdir()
        for part in parts:
            (tmp_path / name / f"{part.id}.seg").write_bytes((tmp_path / f"{part.id}.seg").read_bytes())
        merge = Merge(tmp_path / name, "MAIN_x", parts)
        while not merge.step(seconds):
            pass
        assert merge.finish(index._published).live == 12
        written.append((tmp_path / name / "MAIN_x.seg").read_bytes())
    assert written[0] == written[1]
    index.close()
