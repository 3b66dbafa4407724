"""What turns texts into vectors, and the way to the one that the settings name."""

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Protocol

from sidecar.errors import Unavailable
from sidecar.semantic.arrays import Floats
from sidecar.semantic.offer import library_and_name, why_not

__all__ = ["Model", "ModelMissing", "open_model"]


class ModelMissing(Unavailable):
    """The model is not on this machine, or is not what its name says."""

    def __init__(self, model: str, error: Exception) -> None:
        super().__init__(
            f"the model '{model}' in config.toml is not on this machine, or cannot be loaded "
            f"({type(error).__name__}); models are never downloaded here"
        )


class Model(Protocol):
    """A model of meaning; callable from several threads."""

    @property
    def identity(self) -> str:
        """Changes whenever the same text gives another vector."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return a row for each passage, of length one, or of zeros for a text that says nothing."""
        ...

    def embed_question(self, text: str) -> Floats:
        """Return the vector of a question."""
        ...


_loading = Lock()


def open_model(model: str) -> Model:
    """Return the model that the settings name, loaded once for all vaults; nothing is ever downloaded.

    Raises:
        Unavailable: when its library is not installed; :class:`ModelMissing` when itself is not on this machine.

    """
    if why := why_not(model):
        raise Unavailable(why)
    with _loading:
        return _load(model)


@cache
def _load(model: str) -> Model:
    library, name = library_and_name(model)
    try:
        return _of_library(library, name)
    except Exception as error:
        # Each library raises what it likes, and its words speak of downloads that are not wanted.
        raise ModelMissing(model, error) from error


def _of_library(library: str, name: str) -> Model:
    # Only the chosen library may be asked for: the others need not be installed, and take long to load.
    match library:
        case "fastembed":
            from sidecar.semantic.fastembed_model import FastembedModel  # noqa: PLC0415

            return FastembedModel(name)
        case "sentence-transformers":
            from sidecar.semantic.sentence_model import SentenceModel  # noqa: PLC0415

            return SentenceModel(name)
        case _:
            from sidecar.semantic.static_model import model2vec, wordllama  # noqa: PLC0415

            return model2vec(name) if library == "model2vec" else wordllama()
