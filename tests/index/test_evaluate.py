"""What the index finds is what a naive reading of the texts finds, whatever was put, removed, merged and reopened."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.index.evaluate import leaves
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath
from sidecar.model.search import (
    And,
    Everything,
    Not,
    Or,
    PathHas,
    Phrase,
    PropertyIs,
    Query,
    SearchRequest,
    TagIs,
    Term,
)
from tests.index.builders import FakeScope, note

PLAIN = {"Crème": "creme", "creme": "creme", "ALPHA": "alpha", "alpha": "alpha", "alphabet": "alphabet", "run": "run",
         "runs": "runs", "Running": "running", "zu": "zu"}  # fmt: skip
STEMS = {"creme": "creme", "alpha": "alpha", "alphabet": "alphabet", "run": "run", "runs": "run", "running": "run",
         "zu": "zu"}  # fmt: skip
UNSPACED = ["系統図", "系統", "統", "図系", "系系系"]
WORDS = [*PLAIN, *UNSPACED]


def characters(words: Sequence[str]) -> list[tuple[str, int]]:
    """Return plain words, and the characters of unspaced ones, each with the number of its word."""
    return [(c, n) for n, word in enumerate(words) for c in ([PLAIN[word]] if word in PLAIN else word)]


def holds_sequence(text: Sequence[str], wanted: Sequence[str], *, open_end: bool = False) -> bool:
    have, want = characters(text), characters(wanted)
    for at in range(len(have) - len(want) + 1):
        window = have[at : at + len(want)]
        same = [h[0] == w[0] for h, w in zip(window, want, strict=True)]
        if open_end and not same[-1]:
            same[-1] = window[-1][0].startswith(want[-1][0])
        # Two characters of one unspaced word must be neighbours in one word of the text too.
        joined = all(window[i][1] == window[i + 1][1] for i in range(len(want) - 1) if want[i][1] == want[i + 1][1])
        if all(same) and joined:
            return True
    return False


def holds_word(text: Sequence[str], word: str, *, prefix: bool) -> bool:
    if word not in PLAIN:
        return holds_sequence(text, [word])
    plain = PLAIN[word]
    return any(STEMS[PLAIN[w]] == STEMS[plain] or (prefix and PLAIN[w].startswith(plain)) for w in text if w in PLAIN)


def texts_of(file: ParsedFile, *, titles_only: bool) -> list[list[str]]:
    names = [file.title, *file.aliases]
    rest = [file.body, *(h.text for h in file.headings), *(t.name for t in file.tags)]
    return [text.split() for text in (names if titles_only else names + rest)]


def matches(  # noqa: PLR0911 - one for each kind of query
    file: ParsedFile, query: Query, scope: FakeScope, *, titles_only: bool
) -> bool:
    texts = texts_of(file, titles_only=titles_only)
    match query:
        case Term(word, prefix):
            return any(holds_word(text, word, prefix=prefix) for text in texts)
        case Phrase(phrase):
            return any(holds_sequence(text, phrase.split()) for text in texts)
        case And(parts):
            return all(matches(file, part, scope, titles_only=titles_only) for part in parts)
        case Or(parts):
            return any(matches(file, part, scope, titles_only=titles_only) for part in parts)
        case Not(part):
            return not matches(file, part, scope, titles_only=titles_only)
        case Everything():
            return True
        case _:
            assert isinstance(query, TagIs | PathHas | PropertyIs)
            return file.path in scope.matching(query)


texts = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
files = st.builds(
    lambda n, title, body, aliases, headings, tags: note(
        f"q{n}.md", body, title=title, aliases=aliases, headings=headings, tags=tags
    ),
    st.integers(0, 5),
    texts,
    texts,
    st.lists(texts, max_size=2),
    st.lists(texts, max_size=2),
    st.lists(st.sampled_from(["run", "zu"]), max_size=2),
)
atoms: st.SearchStrategy[Query] = st.one_of(
    st.builds(Term, st.sampled_from(WORDS), st.booleans()),
    st.builds(Phrase, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)),
    st.builds(TagIs, st.sampled_from(["run", "zu"])),
    st.builds(PathHas, st.sampled_from(["q1", "q"])),
    st.just(Everything()),
)
queries: st.SearchStrategy[Query] = st.recursive(
    atoms,
    lambda parts: st.one_of(
        st.builds(And, st.lists(parts, min_size=1, max_size=3).map(tuple)),
        st.builds(Or, st.lists(parts, min_size=1, max_size=3).map(tuple)),
        st.builds(Not, parts),
    ),
    max_leaves=6,
)
Step = ParsedFile | int | str
steps: st.SearchStrategy[list[Step]] = st.lists(
    st.one_of(
        files, files, st.integers(0, 5), st.just("commit"), st.sampled_from(["commit", "commit", "merge", "reopen"])
    ),
    min_size=8,
    max_size=40,
)


def hits(index: WhooshIndex, query: Query, scope: FakeScope, *, titles_only: bool) -> set[str]:
    found = index.search(SearchRequest(query, titles_only=titles_only, limit=100), scope)
    paths = {hit.path for hit in found.hits}
    assert found.total == len(found.hits) == len(paths)
    return set(paths)


def compare(index: WhooshIndex, asked: list[Query], current: Mapping[str, ParsedFile], *, titles_only: bool) -> None:
    scope = FakeScope(current.values())
    for query in asked:
        expected = {p for p, f in current.items() if matches(f, query, scope, titles_only=titles_only)}
        assert hits(index, query, scope, titles_only=titles_only) == expected, query


@settings(max_examples=100, deadline=None)
@given(steps, st.lists(queries, min_size=5, max_size=10), st.booleans())
def test_the_index_after_any_changes_answers_like_a_naive_reading(
    changes: list[Step], asked: list[Query], titles_only: bool
) -> None:
    current: dict[str, ParsedFile] = {}
    with tempfile.TemporaryDirectory() as folder, patch("sidecar.index.generation._SMALL_KEPT", 1):
        index = WhooshIndex(Path(folder))
        for change in [*changes, "commit"]:
            match change:
                case ParsedFile():
                    current[change.path] = change
                    index.put(change)
                case int(n):
                    current.pop(f"q{n}.md", None)
                    index.remove(VaultPath(f"q{n}.md"))
                case "reopen":
                    index.commit()
                    index.close()
                    index = WhooshIndex(Path(folder))
                    assert not index.rebuilt
                case "merge":
                    while index.merge_small():
                        pass
                case _:
                    index.commit()
                    # Readers that were opened for one generation must be right in those after it.
                    compare(index, asked, current, titles_only=titles_only)
            assert index.paths_held() == current.keys()
        index.close()


@settings(max_examples=30, deadline=None)
@given(
    st.lists(files, min_size=1, max_size=6, unique_by=lambda f: f.path),
    st.lists(
        st.tuples(
            st.sampled_from(["alpha", "run", "系統", "creme"]), st.sampled_from(["alph", "ru", "run", "zu", "crem"])
        ),
        min_size=4,
        max_size=4,
    ),
)
def test_several_words_written_as_one_are_a_phrase_with_an_open_end(
    corpus: list[ParsedFile], pairs: list[tuple[str, str]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        index = WhooshIndex(Path(folder))
        for file in corpus:
            index.put(file)
        index.commit()
        for first, beginning in pairs:
            expected = {
                file.path
                for file in corpus
                if any(
                    holds_sequence(text, [first, *found])
                    for text in texts_of(file, titles_only=False)
                    for found in ([w] for w in PLAIN if PLAIN[w].startswith(beginning))
                )
            }
            assert hits(index, Term(f"{first}-{beginning}", prefix=True), FakeScope(), titles_only=False) == expected
        index.close()


def test_leaves_are_the_conditions_of_the_whole_tree() -> None:
    tag, path, prop = TagIs("a"), PathHas("b"), PropertyIs("c", 1)
    tree = And((Or((tag, Term("x"), Not(path))), Everything(), Phrase("y"), Not(And((prop, tag)))))
    assert leaves(tree) == (tag, path, prop, tag)
