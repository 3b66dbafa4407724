"""Rankers to compare ours with: a counter of substrings, and stock Whoosh with stems and stop words."""

from collections.abc import Callable, Mapping, Sequence

from whoosh.analysis import StemmingAnalyzer
from whoosh.fields import ID, TEXT, Schema
from whoosh.filedb.filestore import RamStorage
from whoosh.qparser import MultifieldParser, OrGroup
from whoosh.scoring import BM25F

from bench.recall.templates import Case
from sidecar.model.path import VaultPath
from sidecar.services.memory_ranking import Corpus, weights_of

__all__ = ["RANKERS", "Ranker"]

Ranker = Callable[[str], Sequence[str]]
"""Returns names of memories, best first."""


def _ours(cases: Sequence[Case]) -> Ranker:
    corpus = Corpus().changed({VaultPath(c.name): weights_of(c.name, c.description, c.body) for c in cases})
    return lambda question: [str(one.path) for one in corpus.rank(question)]


def _substrings(cases: Sequence[Case]) -> Ranker:
    texts = [(c.name, c.name.lower(), c.description.lower(), c.body.lower()) for c in cases]

    def rank(question: str) -> Sequence[str]:
        words = question.lower().replace("?", "").replace(",", "").split()
        scored = [
            (-sum(3 * (w in own) + 2 * (w in description) + (w in body) for w in words), name)
            for name, own, description, body in texts
        ]
        return [name for score, name in sorted(scored) if score]

    return rank


def _whoosh(weights: Mapping[str, float]) -> Callable[[Sequence[Case]], Ranker]:
    def build(cases: Sequence[Case]) -> Ranker:
        analyzer = StemmingAnalyzer()
        schema = Schema(
            id=ID(stored=True), **{name: TEXT(analyzer=analyzer, field_boost=w) for name, w in weights.items()}
        )
        index = RamStorage().create_index(schema)
        writer = index.writer()
        for c in cases:
            writer.add_document(id=c.name, name=c.name.replace("-", " "), description=c.description, body=c.body)
        writer.commit()
        parser = MultifieldParser(list(weights), schema, group=OrGroup)
        searcher = index.searcher(weighting=BM25F())
        plain = str.maketrans("?,:'", "    ")
        return lambda question: [
            hit["id"] for hit in searcher.search(parser.parse(question.translate(plain)), limit=20)
        ]

    return build


RANKERS: Mapping[str, Callable[[Sequence[Case]], Ranker]] = {
    "ours": _ours,
    "substrings 3/2/1": _substrings,
    "stock BM25F 3/2/1": _whoosh({"name": 3, "description": 2, "body": 1}),
    "stock BM25F 8/4/1": _whoosh({"name": 8, "description": 4, "body": 1}),
}
