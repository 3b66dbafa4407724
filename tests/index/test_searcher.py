from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sidecar.index.generation import Generation, Part
from sidecar.index.searcher import Searcher
from sidecar.index.segment import Reader
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.search import Everything
from tests.index.builders import filled, note


@pytest.fixture
def index(tmp_path: Path) -> Iterator[WhooshIndex]:
    index = filled(tmp_path, [note("a.md")])
    yield index
    index.close()


def failing(times: int, then: Callable[[Part], Reader]) -> tuple[Callable[[Part], Reader], list[str]]:
    asked: list[str] = []

    def open_reader(part: Part) -> Reader:
        asked.append(part.id)
        if len(asked) <= times:
            raise FileNotFoundError(part.id)
        return then(part)

    return open_reader, asked


def test_files_that_a_merge_took_away_are_not_missed_when_there_is_a_newer_generation(index: WhooshIndex) -> None:
    old = index._published
    index.put(note("b.md"))
    index.commit()
    generations = iter([old, index._published])
    open_reader, asked = failing(1, index._searcher._open_reader)
    searcher = Searcher(open_reader)
    found = searcher.matches(lambda: next(generations, index._published), Everything(), {}, ())
    assert sorted(path for path, _ in found) == ["a.md", "b.md"]
    assert len(asked) == 3
    searcher.matches(lambda: index._published, Everything(), {}, ())
    assert len(asked) == 3
    searcher.close()


def test_files_that_are_missing_from_the_newest_generation_are_an_error(index: WhooshIndex) -> None:
    open_reader, _ = failing(9, index._searcher._open_reader)
    with pytest.raises(FileNotFoundError):
        Searcher(open_reader).matches(lambda: index._published, Everything(), {}, ())


def test_an_empty_generation_has_no_matches() -> None:
    open_reader, asked = failing(0, lambda _: pytest.fail("nothing to open"))
    assert Searcher(open_reader).matches(lambda: Generation(0, ()), Everything(), {}, ()) == []
    assert asked == []
