"""Opening the index that a folder holds."""

from contextlib import closing
from pathlib import Path
from shutil import rmtree

from sidecar.index.built import BUILD
from sidecar.index.errors import IndexDamaged
from sidecar.index.generation import Generation, Part, SegmentRecord
from sidecar.index.segment_file import UNFINISHED, SegmentReader
from sidecar.index.toc import TableOfContents
from sidecar.model.path import VaultPath

__all__ = ["load"]


def load(folder: Path, contents: TableOfContents) -> Generation:
    """Return the newest generation, reading every path once, and delete what killed processes left unfinished.

    Raises:
        Exception: of many kinds, when there is none or it is damaged.

    """
    number, segments = contents.read()
    generation = Generation(number, tuple(Part.of(segment, _stored_paths(folder, segment)) for segment in segments))
    paths = list(generation.paths())
    if len(paths) != len(set(paths)):
        raise IndexDamaged
    for entry in folder.glob(f"{UNFINISHED}*"):
        entry.unlink()
    for entry in folder.glob(f"{BUILD}*"):
        rmtree(entry, ignore_errors=True)
    return generation


def _stored_paths(folder: Path, segment: SegmentRecord) -> tuple[VaultPath, ...]:
    with closing(SegmentReader(folder, segment.id)) as reader:
        return tuple(map(VaultPath, reader.paths(segment.count)))
