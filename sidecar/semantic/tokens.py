"""Texts as numbers of tokens, and the only module that imports tokenizers."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

# One thread is enough for work in the background, and a process that forks warns of more.
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from tokenizers import Tokenizer

__all__ = ["Tokens"]


class Tokens:
    """Cuts texts as a model was taught to; callable from several threads."""

    def __init__(self, file: Path) -> None:
        """Read the description of a tokenizer; what is not JSON of that form raises an error of the library's."""
        self._tokenizer = Tokenizer.from_file(str(file))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        if resize := getattr(self._tokenizer.model, "_resize_cache", None):
            resize(0)  # passages seldom come twice, and thousands of them would be held
        self._unknown = _unknown(file)

    def of(self, texts: Sequence[str], *, leave_out_unknown: bool = False) -> list[list[int]]:
        """Return each text's tokens."""
        cut = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        if leave_out_unknown and self._unknown is not None:
            return [[token for token in text.ids if token != self._unknown] for text in cut]
        return [text.ids for text in cut]


def _unknown(file: Path) -> int | None:
    """Return the token that stands for words the model does not know."""
    model = json.loads(file.read_bytes())["model"]
    if "unk_id" in model:
        found = model["unk_id"]
        return found if isinstance(found, int) else None
    number = model["vocab"].get(model.get("unk_token"))
    return number if isinstance(number, int) else None
