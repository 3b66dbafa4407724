"""Results as JSON objects, with the keys that the contracts name."""

from datetime import UTC, datetime
from functools import singledispatch
from typing import Any

from sidecar.services.canvas_drawing import CanvasDrawn
from sidecar.services.edits import NoteEdited
from sidecar.services.history import ChangeShown, HistoryPage, Undone
from sidecar.services.notes import NoteWritten

__all__ = ["iso", "json_of"]


def iso(ns: int) -> str:
    """Return a moment as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(ns / 1e9, UTC).isoformat(timespec="seconds")


@singledispatch
def json_of(result: object) -> dict[str, Any]:
    """Return the JSON object of a result."""
    raise TypeError(f"no JSON view of {type(result).__name__}")


@json_of.register
def _(r: NoteWritten) -> dict[str, Any]:
    return {
        "title": r.title,
        "permalink": r.permalink,
        "file_path": r.path,
        "checksum": r.checksum,
        "action": r.action,
        **({"alias": r.alias} if r.alias else {}),
        "tags": list(r.tags),
        "observations": dict(r.observations),
        "relations": {"resolved": r.resolved, "unresolved": r.unresolved},
        "relinked": [file.path for file in r.relinked],
        "change": r.change,
    }


@json_of.register
def _(r: NoteEdited) -> dict[str, Any]:
    return {
        "title": r.title,
        "permalink": r.permalink,
        "file_path": r.path,
        "checksum": r.checksum,
        "operation": r.operation.value,
        "detail": r.detail,
        "fileCreated": False,
        "section_created": r.section_created,
        "lines": {"added": r.added, "removed": r.removed},
        "change": r.change,
    }


@json_of.register
def _(r: CanvasDrawn) -> dict[str, Any]:
    return {
        "file_path": r.path,
        "checksum": r.checksum,
        "action": r.action,
        "nodes": r.nodes,
        "edges": r.edges,
        "ids": dict(r.ids),
        "warnings": list(r.warnings),
        "relinked": [file.path for file in r.relinked],
        "change": r.change,
    }


@json_of.register
def _(r: HistoryPage) -> dict[str, Any]:
    decided = {} if r.proposal is None else {"proposal": json_of(r.proposal)}
    return {**decided, "changes": [_change(shown) for shown in r.changes]}


def _change(shown: ChangeShown) -> dict[str, Any]:
    c = shown.change
    diffs = dict(shown.diffs)
    return {
        "id": c.id,
        "at": iso(c.at),
        "client": c.author.client,
        "session": c.author.session,
        "tool": c.tool,
        "summary": c.summary,
        "reason": c.reason,
        "state": c.state.value,
        "undoes": list(c.undoes),
        "undone_by": c.undone_by,
        "files": [
            {
                "op": e.op.value,
                "file_path": e.path,
                **({"to": e.to} if e.to else {}),
                **({"diff": diffs[e.path]} if e.path in diffs else {}),
            }
            for e in c.entries
        ],
    }


@json_of.register
def _(r: Undone) -> dict[str, Any]:
    return {
        "undone": list(r.undone),
        "dry_run": r.dry_run,
        "files": [{"file_path": path, "diff": diff} for path, diff in r.diffs],
        "change": r.change,
    }
