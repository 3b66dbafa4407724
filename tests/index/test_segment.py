from pathlib import Path

import pytest

from tests.index.builders import filled, found, note


@pytest.mark.parametrize(("beginning", "most"), [("wo*", 8), ("wor*", 5)])
def test_of_very_many_words_that_begin_so_those_in_most_files_count_and_all_of_a_short_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beginning: str, most: int
) -> None:
    monkeypatch.setattr("sidecar.index.opened.MOST_BEGINNINGS", 5)
    monkeypatch.setattr("sidecar.index.counts.MOST_BEGINNINGS", 5)
    words = [f"word{letter}" for letter in "abcdefgh"]
    once = [note(f"{n}.md", word) for n, word in enumerate(words)]
    index = filled(tmp_path, [*once, note("often.md", "wordh")])
    names = found(index, beginning)
    assert {"7.md", "often.md", "0.md", "1.md"} <= set(names)
    assert len(names) == most + 1
    index.close()
