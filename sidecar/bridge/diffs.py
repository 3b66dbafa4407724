"""Diffs as the plugin draws them."""

from dataclasses import dataclass

from sidecar.services.file_diff import FileDiff

__all__ = ["DiffTold", "HunkTold", "LineTold", "diffs_told"]


@dataclass(frozen=True, slots=True)
class LineTold:
    """A line that stays (a space), comes (``+``) or goes (``-``)."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class HunkTold:
    """Lines that stand together; they count from 1."""

    old_start: int
    new_start: int
    lines: list[LineTold]


@dataclass(frozen=True, slots=True)
class DiffTold:
    """What becomes of one file. ``more`` lines are left out; a ``binary`` file has none to show."""

    op: str
    path: str
    to: str | None
    binary: bool
    hunks: list[HunkTold]
    more: int


def diffs_told(files: tuple[FileDiff, ...]) -> list[DiffTold]:
    """Return the diffs of several files."""
    return [
        DiffTold(
            op=file.op.value,
            path=file.path,
            to=file.to,
            binary=file.binary,
            hunks=[
                HunkTold(hunk.old_start, hunk.new_start, [LineTold(line.kind, line.text) for line in hunk.lines])
                for hunk in file.hunks
            ],
            more=file.more,
        )
        for file in files
    ]
