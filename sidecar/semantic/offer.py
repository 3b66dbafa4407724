"""Which models there are to choose from, and why one cannot be had; nothing is loaded to tell."""

from importlib.util import find_spec

__all__ = ["OFF", "library_and_name", "why_not"]

OFF = "off"
_NEEDED = {
    "wordllama": ("numpy", "safetensors", "tokenizers", "wordllama"),
    "model2vec": ("numpy", "safetensors", "tokenizers", "huggingface_hub"),
    "fastembed": ("numpy", "fastembed"),
    "sentence-transformers": ("numpy", "sentence_transformers"),
}
_OF_THE_EXTRA = frozenset({"wordllama", "model2vec"})


def library_and_name(model: str) -> tuple[str, str]:
    """Split the name of a model as the settings have it: ``wordllama``, or a library and a name in it."""
    library, _, name = model.partition(":")
    return library.strip().lower(), name.strip()


def why_not(model: str) -> str | None:
    """Say why there can be no search by meaning with this model; ``None`` when it is worth a try.

    The words stand behind a colon: they begin small and have no full stop.
    """
    library, name = library_and_name(model)
    if library == OFF:
        return "search by meaning is switched off in config.toml"
    needed = _NEEDED.get(library)
    if needed is None or bool(name) is (library == "wordllama"):
        return (
            f"the model '{model}' in config.toml is not one of: wordllama, model2vec:NAME, fastembed:NAME, "
            "sentence-transformers:NAME, off"
        )
    if all(map(find_spec, needed)):
        return None
    package = "'vault-sidecar[semantic]'" if library in _OF_THE_EXTRA else library
    return f"{library} is not installed: pip install {package}, then restart"
