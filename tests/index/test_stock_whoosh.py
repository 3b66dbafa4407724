"""Whoosh itself reads what we write, finds the same files and gives them the same scores."""

import random
from pathlib import Path
from typing import Any

import pytest
from whoosh import query as whoosh_query
from whoosh.index import open_dir
from whoosh.scoring import BM25F

from sidecar.index.ranking import ALL_FIELDS
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.path import VaultPath
from sidecar.model.search import And, Phrase, Query, SearchRequest
from tests.index.builders import FakeScope, note

WORDS = [f"word{n}" for n in range(40)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an index of four segments with deleted files, long and short ones, and a term in more than one block."""
    rng = random.Random(5)  # noqa: S311 - no secrets here
    folder = tmp_path_factory.mktemp("index")
    index = WhooshIndex(folder)

    def text(longest: int) -> str:
        return " ".join(rng.choices(WORDS, [1 / (n + 1) for n in range(len(WORDS))], k=rng.randint(1, longest)))

    for number in range(600):
        title, headings, tags = text(4), [text(3)], [rng.choice(WORDS)]
        index.put(note(f"{number % 450}.md", text(300), title=title, headings=headings, tags=tags))
        if number % 170 == 0:
            index.commit()
    index.remove(VaultPath("7.md"))
    index.commit()
    assert len(index._published.parts) >= 4
    index.close()
    return folder


def stock(folder: Path, query: Any) -> dict[str, float]:
    with open_dir(str(folder)).searcher(weighting=BM25F()) as searcher:
        return {hit["path"]: hit.score for hit in searcher.search(query, limit=None)}


def ours(folder: Path, query: Query) -> dict[str, float]:
    index = WhooshIndex(folder)
    found = index.search(SearchRequest(query, limit=10_000), FakeScope())
    index.close()
    assert found.total == len(found.hits)
    return {str(hit.path): hit.score for hit in found.hits}


def anywhere(word: str) -> Any:
    return whoosh_query.Or([whoosh_query.Term(field, word, boost) for field, boost in ALL_FIELDS.items()])


@pytest.mark.parametrize("word", ["word0", "word1", "word9", "word39", "nowhere"])
def test_one_word_scores_as_bm25f(folder: Path, word: str) -> None:
    expected = stock(folder, anywhere(word))
    assert ours(folder, Phrase(word)) == pytest.approx(expected, abs=1e-5)
    assert (len(expected) > 3) == (word != "nowhere")


@pytest.mark.parametrize("words", [("word0", "word1"), ("word2", "word38"), ("word30", "word3", "word0")])
def test_several_words_score_as_bm25f(folder: Path, words: tuple[str, ...]) -> None:
    expected = stock(folder, whoosh_query.And([anywhere(word) for word in words]))
    assert ours(folder, And(tuple(map(Phrase, words)))) == pytest.approx(expected, abs=1e-5)
    assert len(expected) > 3


@pytest.mark.parametrize("words", [("word0", "word1"), ("word1", "word0", "word2"), ("word5", "word5")])
def test_phrases_are_found_in_the_same_files(folder: Path, words: tuple[str, ...]) -> None:
    expected = stock(folder, whoosh_query.Or([whoosh_query.Phrase(field, list(words)) for field in ALL_FIELDS]))
    assert ours(folder, Phrase(" ".join(words))).keys() == expected.keys()
    assert len(expected) > 3


def test_whoosh_walks_through_every_term(folder: Path) -> None:
    with open_dir(str(folder)).reader() as reader:
        assert set(reader.field_terms("tag")) == set(WORDS)
        assert {term.decode() for term in reader.expand_prefix("body", "word3")} == {
            word for word in WORDS if word.startswith("word3")
        }
        assert reader.doc_count() == 449


def test_whoosh_can_make_one_segment_of_all(folder: Path, tmp_path: Path) -> None:
    copied = tmp_path / "copy"
    copied.mkdir()
    for file in folder.iterdir():
        (copied / file.name).write_bytes(file.read_bytes())
    before = stock(folder, anywhere("word3"))
    open_dir(str(copied)).optimize()
    assert stock(copied, anywhere("word3")).keys() == before.keys()
