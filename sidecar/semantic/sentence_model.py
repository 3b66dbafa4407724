"""Models that run through sentence-transformers, and the only module that imports it."""

from collections.abc import Sequence
from importlib import import_module

from sidecar.semantic.arrays import Floats, floats, unit

__all__ = ["SentenceModel"]


class SentenceModel:
    """A model that sentence-transformers keeps on this machine."""

    def __init__(self, name: str) -> None:
        """Load it; whatever sentence-transformers raises when it is not here comes through."""
        library = import_module("sentence_transformers")
        self._model = library.SentenceTransformer(name, device="cpu", local_files_only=True)
        # Versions before 5 make no difference between questions and passages.
        self._passages = getattr(self._model, "encode_document", self._model.encode)
        self._questions = getattr(self._model, "encode_query", self._model.encode)
        self.dimensions = len(self.embed_question("dimensions"))
        self.identity = f"sentence-transformers {name} {self.dimensions}"

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return a row for each text."""
        if not texts:
            return floats([]).reshape(0, self.dimensions)
        return unit(floats(self._passages(list(texts), show_progress_bar=False)))

    def embed_question(self, text: str) -> Floats:
        """Return the vector of a question, which some models make in another way."""
        return unit(floats(self._questions([text], show_progress_bar=False))[0])
