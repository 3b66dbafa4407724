"""The state of the sidecar as JSON and as text."""

from datetime import datetime
from typing import Any

from sidecar.services.status import VaultStatus
from sidecar.tools.json_view import iso

__all__ = ["status_json", "status_text"]


def status_json(status: VaultStatus) -> dict[str, Any]:
    """Return the state as a JSON object; times in ISO 8601."""
    return {
        "project": status.project,
        "vault": status.vault,
        "files": dict(status.files),
        "generation": status.generation,
        "pending": status.pending,
        "total": status.total,
        "last_event": iso(status.last_event_ns) if status.last_event_ns else None,
        "last_reconcile": iso(status.last_reconcile_ns) if status.last_reconcile_ns else None,
        "problems": dict(status.problems),
        "journal_bytes": status.journal_bytes,
    }


def status_text(status: dict[str, Any]) -> str:
    """Return the state for a person to read."""
    files = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in status["files"].items())
    lines = [
        f"{status['project']}  ({status['vault']})",
        f"  {files}",
        f"  index: {'up to date' if not status['pending'] else str(status['pending']) + ' files to go'}",
        f"  last change seen: {_local(status['last_event'])}",
        f"  last full comparison with the disk: {_local(status['last_reconcile'])}",
        f"  journal: {status['journal_bytes'] / 1e6:.1f} MB",
    ]
    lines += [f"  not readable: {path}: {reason}" for path, reason in status["problems"].items()]
    return "\n".join(lines)


def _local(moment: str | None) -> str:
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M:%S") if moment else "none yet"
