"""Models that are a table with a vector for each token: WordLlama's, and those of model2vec."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from sidecar.semantic.arrays import Floats, Table, token_means, unit
from sidecar.semantic.cached import folder_of
from sidecar.semantic.tensors import read_tensors
from sidecar.semantic.tokens import Tokens

__all__ = ["StaticModel", "model2vec", "wordllama"]


class StaticModel:
    """The meaning of a text is the mean of its tokens'."""

    def __init__(
        self,
        identity: str,
        tokens: Tokens,
        table: Table,
        weights: Table | None = None,
        rows: Table | None = None,
        *,
        leave_out_unknown: bool = False,
    ) -> None:
        self.identity = f"{identity} {table.shape[0]}x{table.shape[1]}"
        self.dimensions = int(table.shape[1])
        self._tokens = tokens
        self._table = table
        self._weights = weights
        self._rows = rows
        self._leave_out_unknown = leave_out_unknown

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return a row for each text."""
        ids = self._tokens.of(texts, leave_out_unknown=self._leave_out_unknown)
        return unit(token_means(self._table, ids, self._weights, self._rows))

    def embed_question(self, text: str) -> Floats:
        """Return the vector of a question, which is made as that of any text."""
        vector: Floats = self.embed([text])[0]
        return vector


def wordllama() -> StaticModel:
    """Return the model whose weights are in the wheel of WordLlama, whose own loader looks for them elsewhere.

    Raises:
        FileNotFoundError: when the wheel holds no such files.

    """
    found = find_spec("wordllama")
    folders = found.submodule_search_locations if found else None
    if not folders:
        raise FileNotFoundError("wordllama")
    folder = Path(folders[0])
    table = read_tensors(folder / "weights/l2_supercat_256.safetensors")["embedding.weight"]
    return StaticModel("wordllama l2_supercat", Tokens(folder / "tokenizers/l2_supercat_tokenizer_config.json"), table)


def model2vec(name: str) -> StaticModel:
    """Return a model of model2vec's form, by its folder or by the name under which it was downloaded.

    Raises:
        OSError: when it is not on this machine.
        KeyError: when the files hold something else.

    """
    folder = folder_of(name)
    tensors = read_tensors(folder / "model.safetensors")
    size = (folder / "model.safetensors").stat().st_size
    return StaticModel(
        f"model2vec {name} {size}",
        Tokens(folder / "tokenizer.json"),
        tensors["embeddings"],
        tensors.get("weights"),
        tensors.get("mapping"),
        leave_out_unknown=True,
    )
