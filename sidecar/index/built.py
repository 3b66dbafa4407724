"""Segments that other processes write for the index, each in a folder of its own."""

from dataclasses import dataclass
from pathlib import Path

from sidecar.index.generation import SegmentRecord
from sidecar.model.path import VaultPath

__all__ = ["BUILD", "BuiltSegment"]

BUILD = "build-"
"""So begin the names of such folders, below that of the index; those left behind are removed when it is opened."""


@dataclass(frozen=True, slots=True)
class BuiltSegment:
    """A finished segment in a folder of its own, with the paths of its files by number."""

    folder: Path
    record: SegmentRecord
    paths: tuple[VaultPath, ...]
