"""Moves and deletions as JSON and as text."""

from collections.abc import Iterable, Sequence
from typing import Any

from sidecar.services.deletes import Dangling, Deleted
from sidecar.services.moves import Moved
from sidecar.services.relink import RelinkedFile
from sidecar.tools.json_view import json_of
from sidecar.tools.text_view import blocks_of

__all__: list[str] = []

_MOST = 100
"""Entries of a list that are shown; the count always tells how many there are."""
_PLACES = {"local": "the vault's .trash", "system": "the system's trash", "none": "the journal only"}


@json_of.register
def _(r: Moved) -> dict[str, Any]:
    return {
        "moved": True,
        "title": r.title,
        "permalink": r.permalink,
        "file_path": r.path,
        "source": r.source,
        "destination": r.path,
        "is_directory": r.is_directory,
        **({"files": list(r.files[:_MOST]), "file_count": len(r.files)} if r.is_directory else {}),
        "relinked": [{"file_path": f.path, "links": f.links} for f in r.relinked[:_MOST]],
        "relinked_count": len(r.relinked),
        "may_name_it": [{"file_path": m.path, "lines": list(m.lines)} for m in r.mentions[:_MOST]],
        "change": r.change,
    }


@blocks_of.register
def _(r: Moved) -> tuple[str, ...]:
    lines = [f"# Moved: {r.title}", f"{r.source} -> {r.path}"]
    if r.is_directory:
        lines += _listed(f"files: {len(r.files)}", r.files)
    if r.relinked:
        lines += _listed(f"files with rewritten links: {len(r.relinked)}", map(_relinked, r.relinked))
    else:
        lines.append("No link had to be rewritten.")
    for mention in r.mentions[:_MOST]:
        where = ", ".join(map(str, mention.lines))
        lines.append(
            f"Look at {mention.path} yourself, line {where}: it may mean what was moved, and was left as it is."
        )
    return ("\n".join([*lines, f"change: {r.change} (undo takes it back)"]),)


def _relinked(file: RelinkedFile) -> str:
    return f"{file.path} ({file.links})"


@json_of.register
def _(r: Deleted) -> dict[str, Any]:
    if not r.deleted:
        about = {"title": None, "permalink": None, "file_path": None}
        return {"deleted": False, **about, "identifier": r.identifier, "candidates": list(r.near), "next": r.hint}
    return {
        "deleted": True,
        "title": r.title,
        "permalink": r.permalink,
        "file_path": r.path,
        "is_directory": r.is_directory,
        "files": list(r.files[:_MOST]),
        "file_count": len(r.files),
        "trash": r.trash.value if r.trash else None,
        "kept_at": r.kept_at,
        "dangling": [_dangling_json(d) for d in r.dangling[:_MOST]],
        "dangling_count": len(r.dangling),
        "change": r.change,
    }


def _dangling_json(d: Dangling) -> dict[str, Any]:
    return {"file_path": d.source, "line": d.link.line, "link": d.link.raw, "leads_now_to": d.now}


@blocks_of.register
def _(r: Deleted) -> tuple[str, ...]:
    if not r.deleted:
        lines = ["false", f"There is nothing to delete by the name '{r.identifier}'."]
        lines += [f"- {name}" for name in r.near]
        return ("\n".join([*lines, *([f"Next: {r.hint}"] if r.hint else [])]),)
    lines = ["true", f"Deleted {'the folder ' if r.is_directory else ''}{r.path}"]
    if r.is_directory:
        lines += _listed(f"files: {len(r.files)}", r.files)
    if r.trash and r.files:
        lines.append(f"It is in {_PLACES[r.trash.value]} now" + (f": {r.kept_at}" if r.kept_at else ""))
    if r.dangling:
        lines += _listed(f"links that led to it: {len(r.dangling)}", map(_dangling, r.dangling))
    return ("\n".join([*lines, f"change: {r.change} (undo takes it back)"]),)


def _dangling(d: Dangling) -> str:
    return f"{d.source}, line {d.link.line}" + (f"; it leads to {d.now} now" if d.now else "")


def _listed(head: str, items: Iterable[str]) -> Sequence[str]:
    every = list(items)
    more = [f"- … {len(every) - _MOST} more"] if len(every) > _MOST else []
    return [head, *(f"- {item}" for item in every[:_MOST]), *more]
