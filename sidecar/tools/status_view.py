"""The state of the sidecar as JSON and as text."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sidecar.services.status import VaultStatus
from sidecar.tools.json_view import iso

__all__ = ["files_text", "status_json", "status_text"]


def status_json(status: VaultStatus) -> dict[str, Any]:
    """Return the state as a JSON object; times in ISO 8601."""
    return {
        "project": status.project,
        "vault": status.vault,
        "files": dict(status.files),
        "generation": status.generation,
        "pending": status.pending,
        "total": status.total,
        "watching": {"mode": status.watching.mode, "reason": status.watching.reason},
        "last_event": iso(status.last_event_ns) if status.last_event_ns else None,
        "last_reconcile": iso(status.last_reconcile_ns) if status.last_reconcile_ns else None,
        "missed": {"count": status.missed.count, "last": list(status.missed.last)},
        "held_deletions": _held(status),
        "fault": status.fault,
        "problems": dict(status.problems),
        "journal_bytes": status.journal_bytes,
        "meaning": asdict(status.meaning),
    }


def status_text(status: dict[str, Any]) -> str:
    """Return the state for a person to read."""
    lines = [
        f"{status['project']}  ({status['vault']})",
        f"  {files_text(status['files'])}",
        f"  index: {'up to date' if not status['pending'] else str(status['pending']) + ' files to go'}",
        f"  watching: {_watching(status['watching'])}",
        f"  last change seen: {_local(status['last_event'])}",
        f"  last full comparison with the disk: {_local(status['last_reconcile'])}",
        f"  journal: {status['journal_bytes'] / 1e6:.1f} MB",
        f"  search by meaning: {_meaning(status['meaning'])}",
    ]
    if missed := status["missed"]["count"]:
        last = ", ".join(status["missed"]["last"])
        lines.append(f"  changes found only by comparing everything: {missed}, the last of them {last}")
    if held := status["held_deletions"]:
        lines.append(f"  nothing is forgotten for now: {held['reason']}; looked at again in {held['seconds']} s")
    if status["fault"]:
        lines.append(f"  the index is behind, and tries again: {status['fault']}")
    lines += [f"  not readable: {path}: {reason}" for path, reason in status["problems"].items()]
    return "\n".join(lines)


def files_text(files: Mapping[str, int]) -> str:
    """Return how many files of each kind there are."""
    named = ((n, kind if n == 1 else _PLURALS.get(kind, f"{kind}s")) for kind, n in files.items())
    return ", ".join(f"{n} {name}" for n, name in named)


_PLURALS = {"canvas": "canvases"}
_MODES = {
    "native": "by the events of the system",
    "polling": "by looking at every file again and again",
    "off": "not now",
}


def _watching(watching: dict[str, Any]) -> str:
    how = _MODES[watching["mode"]]
    return f"{how}: {watching['reason']}" if watching["reason"] else how


def _meaning(meaning: dict[str, Any]) -> str:
    if meaning["missing"]:
        return f"not now: {meaning['missing']}"
    if not (meaning["embedded"] or meaning["left"]):
        return f"not loaded now, with {meaning['model']}"
    how_far = f"{meaning['left']} files to go" if meaning["left"] else "up to date"
    return f"{how_far}, {meaning['passages']} passages of {meaning['embedded']} files, with {meaning['model']}"


def _held(status: VaultStatus) -> dict[str, Any] | None:
    held = status.held
    return None if held is None else {"reason": held.reason, "files": held.files, "seconds": round(held.seconds)}


def _local(moment: str | None) -> str:
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M:%S") if moment else "none yet"
