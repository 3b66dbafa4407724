"""What is wrong in a vault, for the person who keeps it: nothing is changed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sidecar.canvas.check import Severity, check
from sidecar.canvas.codec import loads
from sidecar.errors import Invalid, SidecarError
from sidecar.model.note import FileKind, LinkKind, kind_of
from sidecar.model.path import VaultPath, check_new_path
from sidecar.parse.text import decode
from sidecar.pipeline.pipeline import Pipeline
from sidecar.services.caller import Caller
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["Checkup", "Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and where."""

    severity: Severity
    kind: str
    path: VaultPath
    line: int | None
    message: str


_CONFLICT_COPY = re.compile(r"\(.*conflicted copy.*\)$|\.sync-conflict-\d{8}-\d{6}-\w+$|_Conflict$", re.IGNORECASE)
"""Names that sync services give to what they could not merge (H8)."""


class Checkup:
    """Looks for what is broken: properties, links, names, canvases, files that cannot be read."""

    def __init__(self, views: Views, files: VaultFiles, pipeline: Pipeline, threads: Threads) -> None:
        self._views = views
        self._files = files
        self._pipeline = pipeline
        self._threads = threads

    async def look(self, caller: Caller) -> tuple[Finding, ...]:
        """Return all findings, errors first, then by path and line."""
        return await self._threads.read(self._look, caller)

    def _look(self, caller: Caller) -> tuple[Finding, ...]:
        view = self._views.newest(caller.audience)
        findings = [
            Finding(Severity.ERROR, "unreadable", path, None, why)
            for path, why in self._pipeline.progress.problems.items()
            if view.sees(path) and kind_of(path) is not FileKind.CANVAS  # a canvas is looked at below
        ]
        findings += _links(view)
        names: dict[str, VaultPath] = {}
        for path, _ in sorted(view.files()):
            findings += self._of_file(view, path)
            twin = names.setdefault(path.key, path)
            if twin != path:
                findings.append(_warning("twin", path, f"Its name differs from '{twin}' in case only."))
        return tuple(sorted(findings, key=lambda f: (f.severity, f.path, f.line or 0, f.message)))

    def _of_file(self, view: View, path: VaultPath) -> Iterator[Finding]:
        try:
            check_new_path(path)
        except Invalid as error:
            yield _warning("name", path, error.message)
        if _CONFLICT_COPY.search(path.basename):
            yield _warning("conflict_copy", path, "A sync service kept this beside the original.")
        if kind_of(path) is FileKind.NOTE:
            record = view.note(path)
            if record and record.problem:
                message = f"The properties do not parse: {record.problem.message}"
                yield Finding(Severity.ERROR, "properties", path, record.problem.line, message)
        elif kind_of(path) is FileKind.CANVAS:
            yield from self._of_canvas(view, path)

    def _of_canvas(self, view: View, path: VaultPath) -> Iterator[Finding]:
        try:
            canvas = loads(decode(self._files.read(path)).text)
        except SidecarError as error:
            yield Finding(Severity.ERROR, "canvas", path, None, error.message)
            return
        for finding in check(canvas, lambda file: view.state(VaultPath(file)) is not None):
            yield Finding(finding.severity, f"canvas_{finding.code}", path, None, finding.message)


def _links(view: View) -> Iterator[Finding]:
    for at in view.unresolved():
        if at.link.kind is not LinkKind.CANVAS_FILE:  # a card is told of with its canvas
            yield _warning("unresolved", at.source, f"Nothing answers to {at.link.raw}.", at.link.line)


def _warning(kind: str, path: VaultPath, message: str, line: int | None = None) -> Finding:
    return Finding(Severity.WARNING, kind, path, line, message)
