"""What the part of a link behind the first ``#`` names in its target note (contract B9, B22, B23)."""

from collections.abc import Iterable

from sidecar.model.note import BlockId, Heading
from sidecar.parse.section import compared_heading

__all__ = ["block_of_subpath", "heading_of_subpath"]


def heading_of_subpath(headings: Iterable[Heading], subpath: str) -> Heading | None:
    """Return the heading that ``#A#B`` names: the first A, then the first later B of a deeper level (B23).

    ``headings`` are those of the note in order. ``None`` when there is none, or the subpath names a block.
    """
    if _block_name(subpath):
        return None
    rest = iter(headings)
    found: Heading | None = None
    for name in map(compared_heading, subpath.removeprefix("#").split("#")):
        deeper = found.level if found else 0
        fitting = (h for h in rest if name and h.level > deeper and compared_heading(h.text) == name)
        found = next(fitting, None)
        if found is None:
            return None
    return found


def block_of_subpath(block_ids: Iterable[BlockId], subpath: str) -> BlockId | None:
    """Return the block that ``#^id`` names, in any case (B22); ``None`` when there is none."""
    name = _block_name(subpath)
    return next((block for block in block_ids if block.name.lower() == name), None) if name else None


def _block_name(subpath: str) -> str:
    last = subpath.rpartition("#")[2].strip()
    return last[1:].lower() if last.startswith("^") else ""
