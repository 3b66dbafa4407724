"""Files of weights, and the only module that imports safetensors."""

from collections.abc import Mapping
from pathlib import Path

from safetensors import safe_open

from sidecar.semantic.arrays import Table

__all__ = ["read_tensors"]


def read_tensors(file: Path) -> Mapping[str, Table]:
    """Return all arrays of a file by name; nothing in such a file can be run.

    Raises:
        OSError: when it cannot be read; the library has an error of its own for what is no such file.

    """
    with safe_open(file, framework="numpy") as opened:
        return {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 - it is no mapping
