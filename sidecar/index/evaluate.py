"""A query's tree against one segment of the index: which files match, and how well."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from sidecar.index.analysis import STEM, search_terms, stem
from sidecar.index.ranking import BEGINNING, INFLECTED, Scores, add_scores
from sidecar.model.search import (
    And,
    Everything,
    HasTask,
    Leaf,
    Not,
    OneOf,
    Or,
    PathHas,
    Phrase,
    PropertyIs,
    Query,
    TagIs,
    Term,
)

__all__ = ["Postings", "evaluate", "leaves"]


class Postings(Protocol):
    """What a segment knows: where terms stand, and which files meet a condition of the catalog.

    ``among`` are the only files of which anything is wanted; ``None`` means all.
    """

    def everything(self) -> AbstractSet[int]:
        """Return all files."""
        ...

    def meeting(self, leaf: Leaf) -> AbstractSet[int]:
        """Return the files that meet a condition."""
        ...

    def fields_with(self, term: str) -> Mapping[str, int]:
        """Return the fields in which a term stands, each with the number of files it does in."""
        ...

    def add_term(
        self, found: Scores, field: str, term: str, share: float, among: AbstractSet[int] | None = None
    ) -> None:
        """Add the weight of a term, times ``share``, to the scores of the files that hold it."""
        ...

    def with_beginning(self, field: str, beginning: str, among: AbstractSet[int] | None = None) -> Collection[int]:
        """Return the files that hold a term which begins so."""
        ...

    def with_phrase(
        self, field: str, terms: Sequence[str], *, open_end: bool, among: AbstractSet[int] | None = None
    ) -> Scores:
        """Return the files that hold terms one after another; with ``open_end`` the last may go on."""
        ...


def evaluate(
    query: Query, postings: Postings, fields: Mapping[str, float], among: AbstractSet[int] | None = None
) -> Scores:
    """Return the files that match; conditions of the catalog decide, but do not score."""
    match query:
        case Term(text, prefix, case=False):
            return _words(search_terms(text), postings, fields, among, prefix=prefix)
        case Phrase(text, case=False):
            return _phrase(search_terms(text), postings, fields, among, open_end=False)
        case And(parts):
            return _all_of(parts, postings, fields, among)
        case Or(parts):
            either: Scores = {}
            for part in parts:
                add_scores(either, evaluate(part, postings, fields, among))
            return either
        case _:
            return dict.fromkeys(_unscored(query, postings, fields, among), 0.0)


def _unscored(
    query: Query, postings: Postings, fields: Mapping[str, float], among: AbstractSet[int] | None
) -> AbstractSet[int]:
    match query:
        case Everything():
            return postings.everything() if among is None else among
        case Not(part):
            every = postings.everything() if among is None else among
            return every - evaluate(part, postings, fields, among).keys()
        case TagIs() | PathHas() | PropertyIs() | HasTask() | OneOf():
            met = postings.meeting(query)
            return met if among is None else met & among
        case _:
            raise TypeError(f"the index cannot answer {type(query).__name__}")


def leaves(query: Query) -> tuple[Leaf, ...]:
    """Return the conditions of a tree that the catalog answers."""
    match query:
        case And(parts) | Or(parts):
            return tuple(leaf for part in parts for leaf in leaves(part))
        case Not(part):
            return leaves(part)
        case TagIs() | PathHas() | PropertyIs() | HasTask() | OneOf():
            return (query,)
        case _:
            return ()


def _all_of(
    parts: Sequence[Query], postings: Postings, fields: Mapping[str, float], among: AbstractSet[int] | None
) -> Scores:
    """Begin with the part that fewest files match, and ask the others about those only."""
    found: Scores | None = None
    for part in sorted(parts, key=lambda part: _about(part, postings, fields)):
        scores = evaluate(part, postings, fields, among)
        found = scores if found is None else {file: found[file] + score for file, score in scores.items()}
        if not found:
            break
        among = found.keys()
    return found or {}


def _about(query: Query, postings: Postings, fields: Mapping[str, float]) -> float:
    """Return about how many files match."""
    match query:
        case Term(text, prefix):
            # Beginnings are looked for among many terms, so the other words had better go first.
            return _about_words(search_terms(text), postings, fields) * (3 if prefix else 1)
        case Phrase(text):
            return _about_words(search_terms(text), postings, fields)
        case And(parts):
            return min((_about(part, postings, fields) for part in parts), default=0)
        case Or(parts):
            return sum(_about(part, postings, fields) for part in parts)
        case TagIs() | PathHas() | PropertyIs() | HasTask() | OneOf():
            return len(postings.meeting(query))
        case _:
            return math.inf


def _about_words(terms: Sequence[str], postings: Postings, fields: Mapping[str, float]) -> int:
    if len(terms) == 1:
        stems = _files_with(STEM + stem(terms[0]), postings, fields)
        return stems + _files_with(terms[0], postings, fields)
    return min((_files_with(term, postings, fields) for term in terms), default=0)


def _files_with(term: str, postings: Postings, fields: Iterable[str]) -> int:
    files = postings.fields_with(term)
    return sum(files.get(field, 0) for field in fields)


def _words(
    terms: Sequence[str],
    postings: Postings,
    fields: Mapping[str, float],
    among: AbstractSet[int] | None,
    *,
    prefix: bool,
) -> Scores:
    if len(terms) != 1:
        return _phrase(terms, postings, fields, among, open_end=prefix)
    (word,) = terms
    root = stem(word)
    variants = {word: 1.0, STEM + root: INFLECTED}
    if stem(root) == root:
        variants.setdefault(root, INFLECTED)
    found: Scores = {}
    for term, share in variants.items():
        for field in postings.fields_with(term):
            if field in fields:
                postings.add_term(found, field, term, fields[field] * share, among)
    if prefix:
        for field, boost in fields.items():
            beginning = postings.with_beginning(field, word, among)
            if beginning:
                add_scores(found, dict.fromkeys(beginning, boost * BEGINNING))
    return found


def _phrase(
    terms: Sequence[str],
    postings: Postings,
    fields: Mapping[str, float],
    among: AbstractSet[int] | None,
    *,
    open_end: bool,
) -> Scores:
    found: Scores = {}
    for field, boost in fields.items():
        if len(terms) == 1 and not open_end:
            postings.add_term(found, field, terms[0], boost, among)
        elif terms:
            phrase = postings.with_phrase(field, terms, open_end=open_end, among=among)
            add_scores(found, {file: score * boost for file, score in phrase.items()})
    return found
