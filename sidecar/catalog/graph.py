"""The links between files, resolved when asked for: no stored target can go stale."""

import json
import sqlite3
from collections.abc import Iterable

from sidecar.catalog.records import LinkAt, LinkEnd, ResolvedLink
from sidecar.catalog.resolve import Resolution, depends_on_source, link_keys_of
from sidecar.catalog.rows import LINKS
from sidecar.catalog.snapshot import Snapshot
from sidecar.catalog.targets import Targets
from sidecar.model.note import Link, LinkKind
from sidecar.model.path import VaultPath

__all__ = ["backlinks", "ends_to", "links_at", "outgoing", "target_of", "touched", "unresolved"]

_COLUMNS = ", ".join(f"link.{column}" for column in LINKS.columns)
_LINKS = f"SELECT path, {_COLUMNS} FROM link JOIN file ON id = file WHERE %s ORDER BY path, n"  # noqa: S608 - our names
_LINKS_BY_NAME = _LINKS % "name_key IN (SELECT value FROM json_each(?))"
_LINKS_TOUCHED = _LINKS % (
    "name_key IN (SELECT value FROM json_each(?)) OR link.file IN (SELECT value FROM json_each(?))"
)
_KINDS = {kind.value: kind for kind in LinkKind}
_LINKS_BY_TEXT = _LINKS % "link.kind = 'canvas_file' OR linkpath IN (SELECT value FROM json_each(?))"
_ENDS_BY_NAME = """
SELECT path, n, link.kind, linkpath FROM link JOIN file ON id = file
WHERE name_key IN (SELECT value FROM json_each(?)) ORDER BY path, n
"""
_LINK_AT = f"SELECT {_COLUMNS} FROM link WHERE file = ? AND n = ?"  # noqa: S608 - our names


def target_of(link: Link, source: VaultPath, snapshot: Snapshot) -> Resolution:
    """Find where a link leads; the path of a canvas card is one from the root and nothing else."""
    rooted = link.kind is LinkKind.CANVAS_FILE and not link.linkpath.startswith("/")
    return snapshot.resolve(f"/{link.linkpath}" if rooted else link.linkpath, source)


def backlinks(db: sqlite3.Connection, snapshot: Snapshot, path: VaultPath) -> tuple[LinkAt, ...]:
    """Return the links that lead to ``path``, by source and place.

    A note that links to itself by name is among them (``source == path``); ``[[#Heading]]`` is not (B9).
    """
    rows = db.execute(_LINKS_BY_NAME, (_keys_to(path),))
    found = (LinkAt(VaultPath(source), LINKS.value(row)) for source, *row in rows)
    return tuple(at for at in found if target_of(at.link, at.source, snapshot).target == path)


def ends_to(db: sqlite3.Connection, snapshot: Snapshot, path: VaultPath) -> tuple[LinkEnd, ...]:
    """Return the :func:`backlinks` without reading them whole: a popular note has thousands of which few are shown."""
    targets = Targets(snapshot)
    rows = db.execute(_ENDS_BY_NAME, (_keys_to(path),))
    found = ((VaultPath(source), n, kind, linkpath) for source, n, kind, linkpath in rows)
    return tuple(
        LinkEnd(source, n, _KINDS[kind], path)
        for source, n, kind, linkpath in found
        if targets.of(kind, linkpath, source) == path
    )


def _keys_to(path: VaultPath) -> str:
    return json.dumps(sorted(link_keys_of(path)))


def touched(
    db: sqlite3.Connection, snapshot: Snapshot, names: Iterable[VaultPath], sources: Iterable[VaultPath]
) -> tuple[LinkAt, ...]:
    """Return the links whose target may change when files come to or go from the paths ``names``, or ``sources`` move.

    They share the name of one of those files, or stand in one of the sources; by source and place.
    """
    keys = sorted(frozenset(key for path in names for key in link_keys_of(path)))
    ids = [state.id for state in snapshot.states(sources)]
    rows = db.execute(_LINKS_TOUCHED, (json.dumps(keys), json.dumps(ids)))
    return tuple(LinkAt(VaultPath(source), LINKS.value(row)) for source, *row in rows)


def outgoing(db: sqlite3.Connection, snapshot: Snapshot, path: VaultPath) -> tuple[ResolvedLink, ...]:
    """Return the links that stand in ``path``, in order, links into itself included."""
    state = snapshot.files.get(path)
    links = [LINKS.value(row) for row in db.execute(LINKS.select, (state.id,))] if state else []
    meant = ((link, target_of(link, path, snapshot)) for link in links)
    return tuple(ResolvedLink(link, m.target, m.candidates) for link, m in meant)


def unresolved(db: sqlite3.Connection, snapshot: Snapshot) -> tuple[LinkAt, ...]:
    """Return the links that lead nowhere, by source and place (R10)."""
    texts = [text for (text,) in db.execute("SELECT DISTINCT linkpath FROM link")]
    # Whether a link leads anywhere is the same from every note, unless it is relative: few need a second look.
    doubtful = [t for t in texts if depends_on_source(t) or snapshot.resolve(t, VaultPath("")).target is None]
    rows = db.execute(_LINKS_BY_TEXT, (json.dumps(doubtful),))
    found = (LinkAt(VaultPath(source), LINKS.value(row)) for source, *row in rows)
    return tuple(at for at in found if target_of(at.link, at.source, snapshot).target is None)


def links_at(
    db: sqlite3.Connection, snapshot: Snapshot, places: Iterable[tuple[VaultPath, int]]
) -> tuple[LinkAt | None, ...]:
    """Return the links at these places of files, in the order given; ``None`` for one that is not there."""
    found: list[LinkAt | None] = []
    for path, n in places:
        state = snapshot.files.get(path)
        row = db.execute(_LINK_AT, (state.id, n)).fetchone() if state else None
        found.append(LinkAt(path, LINKS.value(row)) if row else None)
    return tuple(found)
