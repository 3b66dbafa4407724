"""Draw a canvas: check what an agent gives, fill in what it left out, write it as Obsidian would."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sidecar.canvas.check import Finding, Severity, check
from sidecar.canvas.codec import dumps, loads
from sidecar.canvas.complete import complete
from sidecar.errors import Invalid, Refused
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath, file_name_from_title
from sidecar.parse.text import decode
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer, Plan
from sidecar.services.notes import placed_in
from sidecar.services.relink import RelinkedFile, Relinker, Relinking
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["CanvasDrawn", "Canvases"]

_SUFFIX = ".canvas"


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


class Canvases:
    """Writes canvases."""

    def __init__(self, committer: Committer, files: VaultFiles, relinker: Relinker) -> None:
        self._committer = committer
        self._files = files
        self._relinker = relinker

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
        name = title[: -len(_SUFFIX)] if title.lower().endswith(_SUFFIX) else title

        def plan(view: View) -> Plan[CanvasDrawn]:
            path = placed_in(self._files, view, directory, file_name_from_title(name) + _SUFFIX)
            done = complete([dict(n) for n in nodes], [dict(e) for e in edges], path)
            findings = check(done.canvas, lambda file: view.state(VaultPath(file)) is not None, done.names)
            _refuse_errors(findings)
            twin = self._files.find_case(path)
            before = self._files.read(twin) if twin is not None else None
            links = self._relinker.plan(view, added=(path,)) if before is None else Relinking()
            if before is None:
                after = dumps(done.canvas).encode()
                entry = Entry(Op.CREATE, path, None, after)
            else:
                if not overwrite or twin != path:
                    raise Refused(
                        f"'{twin}' exists already.", hint="Choose another title, or overwrite=true to replace it."
                    )
                old = decode(before)
                after = old.encode(dumps(replace(loads(old.text), nodes=done.canvas.nodes, edges=done.canvas.edges)))
                entry = Entry(Op.REPLACE, path, checksum(before), after)
            drawn = CanvasDrawn(
                path=path,
                checksum=checksum(after),
                action="created" if before is None else "updated" if before != after else "unchanged",
                nodes=len(nodes),
                edges=len(edges),
                ids=done.ids,
                warnings=tuple(f.message for f in findings),
                change=None,
                relinked=links.files,
            )
            summary = f"Draw {path}: {len(nodes)} cards, {len(edges)} edges"
            entries = (entry, *links.entries) if before != after else ()
            return Plan(ChangeSet("canvas", entries, summary, reason, mended=links.mended), drawn)

        committed = await self._committer.apply(plan, caller)
        return replace(committed.about, change=committed.recorded.id if committed.recorded else None)


def _refuse_errors(findings: Sequence[Finding]) -> None:
    errors = [f.message for f in findings if f.severity is Severity.ERROR]
    if errors:
        raise Invalid(
            "The canvas was not written:\n" + "\n".join(f"- {message}" for message in errors),
            hint="Correct these and call again.",
            data={"findings": errors},
        )
