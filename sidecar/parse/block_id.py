"""Names of blocks, ``^id`` (contract B22)."""

import re
from bisect import bisect_right

from sidecar.model.note import BlockId
from sidecar.parse.scanner import Scan

__all__ = ["block_ids_of", "without_block_id"]

_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]++)\s*+\Z")


def _block_id(text: str, start: int, end: int) -> re.Match[str] | None:
    at = text.rfind("^", start, end)
    if at < 0 or (at > start and not text[at - 1].isspace()):
        return None
    return _BLOCK_ID.match(text, at, end)


def block_ids_of(text: str, scan: Scan) -> tuple[BlockId, ...]:
    """Return the block ids of a text: each at the end of a paragraph or list item, or alone on its line."""
    if "^" not in text:
        return ()
    found = []
    for run in scan.runs:
        if run.block_end and (block_id := _block_id(text, run.start, run.end)):
            line = scan.first_line + bisect_right(scan.starts, block_id.start()) - 1
            found.append(BlockId(block_id[1], line))
    return tuple(found)


def without_block_id(text: str) -> str:
    """Drop the block id at the end of a line of text."""
    block_id = _block_id(text, 0, len(text))
    return text[: block_id.start()].rstrip() if block_id else text
