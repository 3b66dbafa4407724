"""A query's tree against one segment of the index: which files match, and how well."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol, TypeAlias

from sidecar.index.analysis import STEM, search_terms, stem
from sidecar.index.ranking import BEGINNING, INFLECTED
from sidecar.model.search import And, Everything, Leaf, Not, Or, PathHas, Phrase, PropertyIs, Query, TagIs, Term

__all__ = ["Postings", "Scores", "evaluate", "leaves"]

Scores: TypeAlias = dict[int, float]
"""Numbers of the files that match, with their scores."""


class Postings(Protocol):
    """What a segment knows: where terms stand, and which files meet a condition of the catalog."""

    def everything(self) -> AbstractSet[int]:
        """Return all files."""
        ...

    def meeting(self, leaf: Leaf) -> AbstractSet[int]:
        """Return the files that meet a condition."""
        ...

    def with_term(self, field: str, term: str) -> Mapping[int, float]:
        """Return the files that hold a term, with its weight there."""
        ...

    def with_beginning(self, field: str, beginning: str) -> AbstractSet[int]:
        """Return the files that hold a term which begins so."""
        ...

    def with_phrase(self, field: str, terms: Sequence[str], *, open_end: bool) -> Mapping[int, float]:
        """Return the files that hold terms one after another; with ``open_end`` the last may go on."""
        ...


def evaluate(query: Query, postings: Postings, fields: Mapping[str, float]) -> Scores:
    """Return the files that match; conditions of the catalog decide, but do not score."""
    unscored: AbstractSet[int]
    match query:
        case Term(text, prefix):
            return _words(search_terms(text), postings, fields, prefix=prefix)
        case Phrase(text):
            return _phrase(search_terms(text), postings, fields, open_end=False)
        case And(parts):
            return _all_of(parts, postings, fields)
        case Or(parts):
            either: Scores = {}
            for part in parts:
                _add(either, evaluate(part, postings, fields), 1)
            return either
        case Not(part):
            unscored = postings.everything() - evaluate(part, postings, fields).keys()
        case Everything():
            unscored = postings.everything()
        case _:
            unscored = postings.meeting(query)
    return dict.fromkeys(unscored, 0.0)


def leaves(query: Query) -> tuple[Leaf, ...]:
    """Return the conditions of a tree that the catalog answers."""
    match query:
        case And(parts) | Or(parts):
            return tuple(leaf for part in parts for leaf in leaves(part))
        case Not(part):
            return leaves(part)
        case TagIs() | PathHas() | PropertyIs():
            return (query,)
        case _:
            return ()


def _all_of(parts: Sequence[Query], postings: Postings, fields: Mapping[str, float]) -> Scores:
    found: Scores | None = None
    for part in sorted(parts, key=lambda p: isinstance(p, Not)):
        if found is None:
            found = evaluate(part, postings, fields)
        elif isinstance(part, Not):
            unwanted = evaluate(part.part, postings, fields)
            found = {file: score for file, score in found.items() if file not in unwanted}
        else:
            scores = evaluate(part, postings, fields)
            found = {file: score + scores[file] for file, score in found.items() if file in scores}
        if not found:
            break
    return found or {}


def _words(terms: Sequence[str], postings: Postings, fields: Mapping[str, float], *, prefix: bool) -> Scores:
    if len(terms) != 1:
        return _phrase(terms, postings, fields, open_end=prefix)
    (word,) = terms
    root = stem(word)
    variants = {word: 1.0, STEM + root: INFLECTED}
    if stem(root) == root:
        variants.setdefault(root, INFLECTED)
    found: Scores = {}
    for field, boost in fields.items():
        for term, share in variants.items():
            _add(found, postings.with_term(field, term), boost * share)
        if prefix:
            _add(found, dict.fromkeys(postings.with_beginning(field, word), 1.0), boost * BEGINNING)
    return found


def _phrase(terms: Sequence[str], postings: Postings, fields: Mapping[str, float], *, open_end: bool) -> Scores:
    found: Scores = {}
    for field, boost in fields.items():
        if len(terms) == 1 and not open_end:
            _add(found, postings.with_term(field, terms[0]), boost)
        elif terms:
            _add(found, postings.with_phrase(field, terms, open_end=open_end), boost)
    return found


def _add(found: Scores, more: Mapping[int, float], share: float) -> None:
    for file, score in more.items():
        found[file] = found.get(file, 0.0) + score * share
