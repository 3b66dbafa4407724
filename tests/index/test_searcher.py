from collections.abc import Iterator
from pathlib import Path

import pytest

from sidecar.index.cache import PostingsCache
from sidecar.index.generation import Generation
from sidecar.index.searcher import Searcher
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.search import Everything
from tests.index.builders import filled, note


@pytest.fixture
def index(tmp_path: Path) -> Iterator[WhooshIndex]:
    index = filled(tmp_path, [note("a.md")])
    yield index
    index.close()


def paths(searcher: Searcher, *generations: Generation) -> list[str]:
    *old, newest = generations
    order = iter(old)
    found = searcher.matches(lambda: next(order, newest), Everything(), {}, ())
    return sorted(names[number] for names, scores in found for number in scores)


def test_files_that_a_merge_took_away_are_not_missed_when_there_is_a_newer_generation(
    tmp_path: Path, index: WhooshIndex
) -> None:
    old = index._published
    index.put(note("a.md", "changed"))
    index.put(note("b.md"))
    index.commit()
    assert len(list(tmp_path.glob("*.seg"))) == 1
    searcher = Searcher(tmp_path, PostingsCache())
    assert paths(searcher, old, index._published) == ["a.md", "b.md"]
    searcher.close()


def test_files_that_are_missing_from_the_newest_generation_are_an_error(tmp_path: Path, index: WhooshIndex) -> None:
    next(tmp_path.glob("*.seg")).unlink()
    with pytest.raises(FileNotFoundError):
        paths(Searcher(tmp_path, PostingsCache()), index._published)


def test_an_empty_generation_has_no_matches(tmp_path: Path) -> None:
    assert paths(Searcher(tmp_path, PostingsCache()), Generation(0, ())) == []


def test_a_segment_is_opened_once_over_many_generations(
    tmp_path: Path, index: WhooshIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    searcher = Searcher(tmp_path, PostingsCache())
    assert paths(searcher, index._published) == ["a.md"]
    index.put(note("b.md"))
    index.commit()
    first = next(part for part in index._published.parts if "a.md" in part.numbers)
    monkeypatch.setattr(
        "sidecar.index.searcher.SegmentReader",
        lambda folder, name: pytest.fail(name) if name == first.id else _reader(folder, name),
    )
    assert paths(searcher, index._published) == ["a.md", "b.md"]
    searcher.close()


def _reader(folder: Path, name: str) -> object:
    from sidecar.index.segment_file import SegmentReader

    return SegmentReader(folder, name)
