"""Versions of notes that callers have read: to refuse a stale write, and to show what changed since."""

from collections import OrderedDict
from difflib import unified_diff
from threading import Lock

from sidecar.errors import Invalid, Stale
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath

__all__ = ["Versions", "short_diff"]

_KEPT = 64
_LARGEST = 256_000
_SHORTEST_CHECKSUM = 16
_DIFF_LINES = 40


class Versions:
    """Remembers the last notes served, so that a refusal can show a diff; callable from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def served(self, data: bytes) -> str:
        """Remember a version that a caller now knows; return its checksum."""
        digest = checksum(data)
        if len(data) <= _LARGEST:
            with self._lock:
                self._kept[digest] = data
                self._kept.move_to_end(digest)
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
        return digest

    def check(self, path: VaultPath, current: bytes, expected: str | None) -> None:
        """Check that a file still is the version the caller decided on; ``None`` asks nothing.

        Raises:
            Invalid: when ``expected`` is no checksum (at least its first 16 hex digits).
            Stale: with the current checksum and, where the old version is known, what changed.

        """
        if expected is None:
            return
        prefix = expected.strip().lower()
        if len(prefix) < _SHORTEST_CHECKSUM or set(prefix) - set("0123456789abcdef"):
            raise Invalid(
                f"'{expected}' is not a checksum.", hint="Give at least the first 16 hex digits that read_note shows."
            )
        now = checksum(current)
        if now.startswith(prefix):
            return
        with self._lock:
            old = next((data for digest, data in self._kept.items() if digest.startswith(prefix)), None)
        raise Stale(
            f"'{path}' was changed since you read it.",
            hint="Read it again and decide anew; its checksum now is given here.",
            data={"checksum": now, **({"diff": short_diff(old, current)} if old is not None else {})},
        )


def short_diff(before: bytes, after: bytes, limit: int = _DIFF_LINES) -> str:
    """Return a unified diff of two versions, cut after ``limit`` lines."""
    lines = list(
        unified_diff(
            before.decode("utf-8", "replace").splitlines(),
            after.decode("utf-8", "replace").splitlines(),
            "before",
            "after",
            lineterm="",
            n=1,
        )
    )
    more = len(lines) - limit
    return "\n".join(lines[:limit] + ([f"… {more} more lines"] if more > 0 else []))
