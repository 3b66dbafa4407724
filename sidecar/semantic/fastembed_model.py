"""Models that run through fastembed, and the only module that imports it."""

from collections.abc import Sequence
from importlib import import_module

from sidecar.semantic.arrays import Floats, floats, unit

__all__ = ["FastembedModel"]


class FastembedModel:
    """A model that fastembed keeps on this machine."""

    def __init__(self, name: str) -> None:
        """Load it; whatever fastembed raises when it is not here comes through."""
        self._model = import_module("fastembed").TextEmbedding(model_name=name, threads=1, local_files_only=True)
        self.dimensions = len(self.embed_question("dimensions"))
        self.identity = f"fastembed {name} {self.dimensions}"

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return a row for each text."""
        if not texts:
            return floats([]).reshape(0, self.dimensions)
        return unit(floats(list(self._model.passage_embed(list(texts)))))

    def embed_question(self, text: str) -> Floats:
        """Return the vector of a question, which some models make in another way."""
        return unit(floats(next(iter(self._model.query_embed(text)))))
