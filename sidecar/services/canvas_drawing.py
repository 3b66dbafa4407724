"""Draw and edit canvases: check what an agent gives, fill in what it left out, write it as Obsidian would."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from sidecar.canvas.board import Named
from sidecar.canvas.check import Finding, Severity, check
from sidecar.canvas.codec import dumps, loads
from sidecar.canvas.complete import Completed, complete
from sidecar.canvas.defaults import PAYLOAD
from sidecar.canvas.edit import Edited, edit
from sidecar.canvas.model import fields_of
from sidecar.errors import Ambiguous, Invalid, NotFound, Refused
from sidecar.model.note import Json
from sidecar.model.path import VaultPath, file_name_from_title
from sidecar.parse.text import decode
from sidecar.services.caller import Caller
from sidecar.services.canvas_reading import SUFFIX, titles_on
from sidecar.services.canvas_writing import CanvasPlan, CanvasWriter, CanvasWritten, exists_in
from sidecar.services.lookup import find_file
from sidecar.services.notes import placed_in
from sidecar.services.relink import RelinkedFile
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["CanvasDrawing", "CanvasDrawn", "CanvasEdited"]

_NO_PLACE: Final = "no_place"
_CONTENTS: Final = (*PAYLOAD.values(), "label")
_DESCRIBED: Final = 40
"""Characters of a card's text that tell which one is meant."""


@dataclass(frozen=True, slots=True)
class CanvasDrawn:
    """A canvas that was written. ``ids`` maps the names used in the call to the ids in the file."""

    path: VaultPath
    checksum: str
    action: Literal["created", "updated", "unchanged"]
    nodes: int
    edges: int
    ids: Mapping[str, str]
    warnings: tuple[str, ...]
    change: str | None
    relinked: tuple[RelinkedFile, ...] = ()
    """Files with links that a new canvas of this name would have led astray (M8); they lead where they led."""


@dataclass(frozen=True, slots=True)
class CanvasEdited:
    """A canvas that was edited. ``ids`` maps the names used in the call to the ids in the file."""

    written: CanvasWritten
    ids: Mapping[str, str]
    added: tuple[Named, ...]
    updated: tuple[Named, ...]
    removed: tuple[Named, ...]
    connected: int
    disconnected: int
    warnings: tuple[str, ...]


class CanvasDrawing:
    """Draws canvases and edits them."""

    def __init__(self, writer: CanvasWriter, files: VaultFiles) -> None:
        self._writer = writer
        self._files = files

    async def draw(
        self,
        caller: Caller,
        *,
        title: str,
        directory: str,
        nodes: Sequence[Mapping[str, Any]],
        edges: Sequence[Mapping[str, Any]],
        overwrite: bool = False,
        reason: str | None = None,
    ) -> CanvasDrawn:
        """Write ``directory/title.canvas``.

        Raises:
            Invalid: listing everything that is wrong with the nodes and edges at once.
            Refused: when the canvas exists and is not to be overwritten.

        """
        name = title[: -len(SUFFIX)] if title.lower().endswith(SUFFIX) else title

        def plan(view: View) -> CanvasPlan[tuple[Completed, tuple[Finding, ...]]]:
            path = placed_in(self._files, view, directory, file_name_from_title(name) + SUFFIX)
            twin = self._files.find_case(path)
            done = complete([dict(n) for n in nodes], [dict(e) for e in edges], path)
            findings = check(done.canvas, exists_in(view), _called(done, nodes, edges))
            _refuse_errors(findings)
            before = self._files.read(twin) if twin is not None else None
            if before is None:
                after = dumps(done.canvas).encode()
            elif not overwrite or twin != path:
                raise Refused(
                    f"'{twin}' exists already.", hint="Choose another title, or overwrite=true to replace it."
                )
            else:
                old = decode(before)
                after = old.encode(dumps(replace(loads(old.text), nodes=done.canvas.nodes, edges=done.canvas.edges)))
            summary = f"Draw {path}: {len(nodes)} cards, {len(edges)} edges"
            return CanvasPlan(path, before, after, summary, (done, findings))

        written, (done, findings) = await self._writer.write(caller, plan, tool="canvas", reason=reason)
        return CanvasDrawn(
            path=written.path,
            checksum=written.checksum,
            action=written.action,
            nodes=len(nodes),
            edges=len(edges),
            ids=done.ids,
            warnings=tuple(f.message for f in findings),
            change=written.change,
            relinked=written.relinked,
        )

    async def edit(
        self,
        caller: Caller,
        *,
        path: str,
        operations: Sequence[Json],
        expected_checksum: str | None = None,
        reason: str | None = None,
    ) -> CanvasEdited:
        """Carry out operations on a canvas, all or none, in one change; what they do not name keeps its bytes.

        The ``file`` of a card may be what ``lookup`` understands.

        Raises:
            NotFound, Ambiguous: when the canvas or a card is not there, or the name fits several.
            Invalid: listing everything that is wrong, or when the canvas cannot be read.
            Refused: when the user's rules forbid it.
            Stale: when the canvas is no longer the version of ``expected_checksum``.

        """

        def plan(view: View) -> CanvasPlan[Edited]:
            file = self._writer.found.open(view, path)
            self._writer.versions.check(file.path, file.data, expected_checksum)
            wanted = [_with_path(view, operation) for operation in operations]
            named = [str(operation.get("file")) for operation in wanted if isinstance(operation, dict)]
            done = edit(
                file.canvas,
                wanted,
                file.path,
                exists=exists_in(view),
                titles=titles_on(view, file.canvas, named),
            )
            after = file.source.encode(dumps(done.canvas))
            summary = f"Edit {file.path}: {_told(done)}"
            return CanvasPlan(file.path, file.data, after, summary, done)

        written, done = await self._writer.write(caller, plan, tool="canvas_edit", reason=reason)
        return CanvasEdited(
            written,
            done.ids,
            done.added,
            done.updated,
            done.removed,
            done.connected,
            done.disconnected,
            tuple(finding.message for finding in done.findings),
        )


def _told(done: Edited) -> str:
    counts = {
        "added": len(done.added),
        "updated": len(done.updated),
        "removed": len(done.removed),
        "connected": done.connected,
        "disconnected": done.disconnected,
    }
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing"


def _with_path(view: View, operation: Json) -> Json:
    """Let a card name its note by title or link; what names none or several stays, for the check to tell."""
    named = operation.get("file") if isinstance(operation, dict) else None
    if not isinstance(operation, dict) or not isinstance(named, str) or view.state(VaultPath(named)) is not None:
        return operation
    try:
        return {**operation, "file": str(find_file(view, named))}
    except (NotFound, Ambiguous, Refused):
        return operation


def _called(done: Completed, nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return what the caller calls cards and edges, by their ids; those without one are described."""
    given = {str(part.get("id")) for part in (*nodes, *edges)}
    called = dict(done.names)
    for part in (*done.canvas.nodes, *done.canvas.edges):
        fields = fields_of(part)
        name = fields.get("id")
        if isinstance(name, str) and name not in called and name not in given:
            called[name] = _description(fields, called)
    return called


def _description(fields: Mapping[str, Json], called: Mapping[str, str]) -> str:
    if "fromNode" in fields or "toNode" in fields:
        ends = (str(fields.get(key, "?")) for key in ("fromNode", "toNode"))
        return " -> ".join(called.get(end, end) for end in ends)
    content = next((value for key in _CONTENTS if (value := fields.get(key))), fields.get("type", "without a type"))
    return " ".join(str(content).split())[:_DESCRIBED]


def _refuse_errors(findings: Sequence[Finding]) -> None:
    faults = [f for f in findings if f.severity is Severity.ERROR]
    wrong = {f.subject for f in faults if f.code != _NO_PLACE}
    # A card gets its place when nothing else is wrong with it.
    errors = [f.message for f in faults if f.code != _NO_PLACE or f.subject not in wrong]
    if errors:
        raise Invalid(
            "The canvas was not written:\n" + "\n".join(f"- {message}" for message in errors),
            hint="Correct these and call again.",
            data={"findings": errors},
        )
