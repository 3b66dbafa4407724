"""A planned change as text, and back; its bytes are kept beside it by their hashes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sidecar.model.change import Author, ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath

__all__ = ["plan_of", "text_of"]


def text_of(change: ChangeSet, author: Author, before: Mapping[VaultPath, bytes]) -> tuple[str, dict[str, bytes]]:
    """Return a plan as JSON and the bytes it speaks of; of ``before`` only what is to be replaced."""
    blobs: dict[str, bytes] = {}
    entries = []
    for entry in change.entries:
        if entry.after is not None:
            blobs[checksum(entry.after)] = entry.after
            if entry.before is not None:
                blobs[entry.before] = before[entry.path]
        entries.append(
            {
                "op": entry.op,
                "path": entry.path,
                "to": entry.to,
                "before": entry.before,
                "after": None if entry.after is None else checksum(entry.after),
            }
        )
    plan = {
        "client": _storable(author.client),
        "session": _storable(author.session),
        "tool": change.tool,
        "summary": _storable(change.summary),
        "reason": None if change.reason is None else _storable(change.reason),
        "undoes": change.undoes,
        "folders": change.folders,
        "emptied": change.emptied,
        "mended": change.mended,
        "system_trash": change.system_trash,
        "entries": entries,
    }
    return json.dumps(plan), blobs


def plan_of(plan: Mapping[str, Any], blobs: Mapping[str, bytes]) -> tuple[ChangeSet, Author, dict[VaultPath, bytes]]:
    """Return the change, who asked for it, and the bytes it was planned on."""
    entries = tuple(
        Entry(
            Op(said["op"]),
            VaultPath(said["path"]),
            said["before"],
            None if said["after"] is None else blobs[said["after"]],
            None if said["to"] is None else VaultPath(said["to"]),
        )
        for said in plan["entries"]
    )
    change = ChangeSet(
        plan["tool"],
        entries,
        plan["summary"],
        plan["reason"],
        tuple(plan["undoes"]),
        folders=_paths(plan["folders"]),
        emptied=_paths(plan["emptied"]),
        mended=_paths(plan["mended"]),
        system_trash=plan["system_trash"],
    )
    before = {e.path: blobs[e.before] for e in entries if e.before is not None and e.after is not None}
    return change, Author(plan["client"], plan["session"]), before


def _paths(names: Sequence[str]) -> tuple[VaultPath, ...]:
    return tuple(VaultPath(name) for name in names)


def _storable(text: str) -> str:
    """Replace lone surrogates, which a message of an agent can carry and an answer to the plugin cannot."""
    return text.encode(errors="replace").decode()
