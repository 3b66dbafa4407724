"""Changes to a canvas, all or none: what no operation names stays as it is, to the byte."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sidecar.canvas import edit_cards, edit_edges
from sidecar.canvas.board import Board, Named
from sidecar.canvas.check import Finding, Severity, check
from sidecar.canvas.layout.geometry import Size, box_of
from sidecar.canvas.model import Canvas
from sidecar.canvas.operations import Operation, operations_of
from sidecar.canvas.settle import Unsettled, settle
from sidecar.errors import Invalid, SidecarError
from sidecar.model.note import Json
from sidecar.model.path import VaultPath

__all__ = ["Edited", "edit"]


@dataclass(frozen=True, slots=True)
class Edited:
    """A canvas after an edit, and what the edit did."""

    canvas: Canvas
    ids: Mapping[str, str]
    """The id that was stored for each id of the caller's, where they differ."""
    added: tuple[Named, ...]
    updated: tuple[Named, ...]
    removed: tuple[Named, ...]
    connected: int
    """How many edges are new."""
    disconnected: int
    """How many edges are gone, those of removed cards among them."""
    findings: tuple[Finding, ...]
    """Warnings and hints about what the edit touched."""


def edit(
    canvas: Canvas,
    operations: Sequence[Json],
    path: VaultPath,
    *,
    exists: Callable[[str], bool] | None = None,
    titles: Mapping[str, str] | None = None,
) -> Edited:
    """Carry out operations one after the other, all or none.

    Cards are named by id, by an id given in this call or an earlier one, by the title or path of their note, their
    label, or the start of their text. New cards without a place get one at the end, beside what they are near or joined
    to; nothing else moves. ``exists`` tells whether the vault holds a file; ``titles`` holds the titles of notes, by
    path, where they differ from the file's name.

    Raises:
        NotFound, Ambiguous: when one operation names no card, or several.
        Invalid: listing everything else that is wrong, or all faults when there are several.

    """
    board = Board(canvas, path, titles or {})
    wanted, faults = operations_of(operations)
    failed: list[SidecarError] = []
    removed: list[Named] = []
    before = set(board.edges)
    for operation in wanted:
        try:
            removed += _APPLY[operation.op](board, operation) or ()
        except SidecarError as error:
            message = f"{operation}: {error.message}"
            failed.append(type(error)(message, hint=error.hint, candidates=error.candidates, data=error.data))
    if len(failed) == 1 and not faults:
        raise failed[0]
    _refuse([*faults, *(error.message for error in failed)], [c for error in failed for c in error.candidates])
    after = _settled(board)
    touched = {*board.added, *(str(board.cards[key].get("id")) for key in board.changed), *set(board.edges) - before}
    touched |= {str(board.edges[key].get("id")) for key in board.recolored}
    names = {stored: given for given, stored in board.ids.items()}
    old = {(finding.id, finding.code) for finding in check(canvas, exists)}
    new = [f for f in check(after, exists, names) if f.id in touched or f.code == "too_many"]
    new = [finding for finding in new if (finding.id, finding.code) not in old]
    _refuse([finding.message for finding in new if finding.severity is Severity.ERROR], ())
    return Edited(
        canvas=after,
        ids=MappingProxyType({given: stored for given, stored in board.ids.items() if given != stored}),
        added=tuple(board.named(key) for key in board.added),
        updated=tuple(board.named(key) for key in board.changed),
        removed=tuple(removed),
        connected=len(set(board.edges) - before),
        disconnected=len(before - set(board.edges)),
        findings=tuple(new),
    )


def _refuse(faults: Sequence[str], candidates: Sequence[str]) -> None:
    if faults:
        raise Invalid(
            "The canvas was not changed:\n" + "\n".join(f"- {fault}" for fault in faults),
            hint="Correct these and call again.",
            candidates=candidates,
            data={"findings": list(faults)},
        )


_APPLY: Final[Mapping[str, Callable[[Board, Operation], Sequence[Named] | None]]] = MappingProxyType(
    {
        "add": edit_cards.add,
        "update": edit_cards.update,
        "remove": edit_cards.remove,
        "connect": edit_edges.connect,
        "disconnect": edit_edges.disconnect,
        "group": edit_cards.group,
        "ungroup": edit_cards.ungroup,
    }
)


def _settled(board: Board) -> Canvas:
    """Give everything that is new a place, and return the canvas."""
    sizes = {}
    for key in board.floating:
        box = box_of({**board.cards[key], "x": 0, "y": 0})
        if box is None:
            board.put(key, {"x": 0, "y": 0, **board.cards[key]})  # its size is a fault, which check names
        else:
            sizes[key] = Size(int(box.width), int(box.height))
    new = Unsettled(sizes, board.floating, board.frames)
    drawing = settle(new, board.links(), board.boxes(), board.groups())
    for key, box in drawing.boxes.items():
        place: dict[str, Json] = {"x": int(box.x), "y": int(box.y)}
        if key in board.frames:
            place |= {"width": int(box.width), "height": int(box.height)}
        board.put(key, {**board.cards[key], **place})
    board.floating.clear()
    board.frames.clear()
    return board.canvas(drawing.sides)
