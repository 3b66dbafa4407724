"""Results as JSON objects, with the keys that the contracts name."""

from datetime import UTC, datetime
from functools import singledispatch
from typing import Any

from sidecar.services.canvases import CanvasDrawn
from sidecar.services.content import NoteText
from sidecar.services.edits import NoteEdited
from sidecar.services.folders import FolderListing
from sidecar.services.history import ChangeShown, HistoryPage, Undone
from sidecar.services.notes import NoteWritten
from sidecar.services.search import SearchResults

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
        "tags": list(r.tags),
        "observations": dict(r.observations),
        "relations": {"resolved": r.resolved, "unresolved": r.unresolved},
        "relinked": [file.path for file in r.relinked],
        "change": r.change,
    }


@json_of.register
def _(r: NoteText) -> dict[str, Any]:
    problem = {"message": r.problem.message, "line": r.problem.line} if r.problem else None
    return {
        "title": r.title,
        "permalink": r.permalink,
        "file_path": r.path,
        "content": r.content,
        "frontmatter": dict(r.properties),
        "checksum": r.checksum,
        **({"frontmatter_problem": problem} if problem else {}),
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
def _(r: SearchResults) -> dict[str, Any]:
    return {
        "results": [
            {
                "title": f.title,
                "type": "entity",
                "permalink": f.permalink,
                "file_path": f.path,
                "score": None if f.score is None else round(f.score, 3),
                "excerpt": f.excerpt.text if f.excerpt else None,
                "line": f.excerpt.line if f.excerpt else None,
                "heading": f.excerpt.heading if f.excerpt else None,
            }
            for f in r.results
        ],
        "current_page": r.page,
        "page_size": r.page_size,
        "total": r.total,
        "has_more": r.next is not None,
        "next": r.next,
        "relaxed": r.relaxed,
        "corrected": dict(r.corrected),
        "incomplete": r.unchecked > 0,
        **({"unchecked": r.unchecked} if r.unchecked else {}),
        **({"moved": True} if r.moved else {}),
    }


@json_of.register
def _(r: FolderListing) -> dict[str, Any]:
    return {
        "path": f"/{r.path}",
        "folders": [{"path": f.path, "files": f.files} for f in r.folders],
        "files": [
            {
                "file_path": f.path,
                "title": f.title,
                "kind": f.kind.value,
                "size": f.size,
                "updated_at": iso(f.modified_ns),
                **({} if f.here else {"on_this_machine": False}),
            }
            for f in r.files
        ],
        "page": r.page,
        "page_size": r.page_size,
        "total": r.total,
        "has_more": r.page * r.page_size < r.total,
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
    return {"changes": [_change(shown) for shown in r.changes]}


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
