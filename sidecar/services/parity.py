"""Whether the app and the catalog agree on links and tags, file by file."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sidecar.catalog.resolve import unresolved_key
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.caller import Audience
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views

__all__ = ["AppSays", "Difference", "DifferenceKind", "Parity", "ParityFound"]

_MOST = 1_000
"""Differences that are listed; all are counted."""
_WORDS = {"resolved": "link to", "unresolved": "link to nothing", "tag": "tag"}


class DifferenceKind(StrEnum):
    """What the two do not agree on."""

    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"
    TAG = "tag"


@dataclass(frozen=True, slots=True)
class AppSays:
    """What the app knows of each file: how often it links where, links that lead nowhere, tags with duplicates."""

    resolved: Mapping[str, Mapping[str, int]]
    unresolved: Mapping[str, Mapping[str, int]]
    tags: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Difference:
    """How often one link or tag is in a file, by the app and by the catalog."""

    path: str
    kind: DifferenceKind
    what: str
    app: int
    sidecar: int


@dataclass(frozen=True, slots=True)
class ParityFound:
    """All that differs. ``report`` is Markdown for a note."""

    files: int
    """Files that were compared."""
    differences: tuple[Difference, ...]
    total: int
    report: str


class Parity:
    """Compares what the app says with what the catalog says (R10, R15, T8)."""

    def __init__(self, views: Views, threads: Threads, project: str) -> None:
        self._views = views
        self._threads = threads
        self._project = project

    async def compare(self, app: AppSays) -> ParityFound:
        """Compare every note, and those canvases of which the app tells links."""
        return await self._threads.read(self._compare, app)

    def _compare(self, app: AppSays) -> ParityFound:
        view = self._views.newest(Audience.PERSON)
        named = {*app.resolved, *app.unresolved, *app.tags}
        notes = {path for path in view.snapshot.files if kind_of(path) is FileKind.NOTE}
        told = {path for path in named if kind_of(VaultPath(path)) is FileKind.NOTE or _tells(app, path)}
        paths = sorted(notes | told)
        found = [difference for path in paths for difference in _differences(view, VaultPath(path), app)]
        return ParityFound(len(paths), tuple(found[:_MOST]), len(found), _report(self._project, len(paths), found))


def _tells(app: AppSays, path: str) -> bool:
    return bool(app.resolved.get(path) or app.unresolved.get(path) or app.tags.get(path))


def _differences(view: View, path: VaultPath, app: AppSays) -> Iterable[Difference]:
    resolved: Counter[str] = Counter()
    unresolved: Counter[str] = Counter()
    for link in view.outgoing(path):
        if link.target is not None:
            resolved[link.target] += 1
        else:
            unresolved[unresolved_key(link.link.linkpath)] += 1
    record = view.note(path)
    tags = Counter(tag.name for tag in record.tags) if record else Counter[str]()
    app_tags = Counter(tag.removeprefix("#") for tag in app.tags.get(path, ()))
    for kind, theirs, ours in (
        (DifferenceKind.RESOLVED, app.resolved.get(path, {}), resolved),
        (DifferenceKind.UNRESOLVED, app.unresolved.get(path, {}), unresolved),
        (DifferenceKind.TAG, app_tags, tags),
    ):
        for what in sorted({*theirs, *ours}):
            app_count, own_count = theirs.get(what, 0), ours.get(what, 0)
            if app_count != own_count:
                yield Difference(path, kind, what, app_count, own_count)


def _report(project: str, files: int, found: Sequence[Difference]) -> str:
    lines = [
        f"# Links and tags of {project}: Obsidian and Vault Sidecar",
        "",
        f"{files} files were compared; {len(found)} differences were found.",
    ]
    if found:
        lines += ["", "| file | what | in Obsidian | in Vault Sidecar |", "|---|---|---|---|"]
        lines += [
            f"| {_cell(d.path)} | {_WORDS[d.kind.value]} {_cell(d.what)} | {d.app} | {d.sidecar} |"
            for d in found[:_MOST]
        ]
    if len(found) > _MOST:
        lines += ["", f"{len(found) - _MOST} more are not listed."]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Write a name so that the report itself has neither links nor tags, and stays a table."""
    plain = text.replace("`", "'").replace("|", "\\|").replace("\n", " ")
    return f"`{plain}`"
