"""Deletions that are not believed at once: an unplugged disk must not empty the index."""

import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from sidecar.model.path import VaultPath

__all__ = ["DeletionHold", "Held"]

_SHARE = 0.3
_FEW = 20
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Held:
    """Deletions that wait. ``seconds`` from now they are looked at again."""

    reason: str
    files: int
    seconds: float


class DeletionHold:
    """Lets deletions pass, unless more than 30 % of the notes vanish at once: then only what is gone a minute later."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: float | None = None
        self._reason = ""
        self._waiting: frozenset[VaultPath] = frozenset()

    @property
    def held(self) -> Held | None:
        """What waits just now."""
        due = self.due
        return None if due is None else Held(self._reason, len(self._waiting), max(0.0, due - self._clock()))

    @property
    def due(self) -> float | None:
        """When to compare everything again, by the clock."""
        return None if self._since is None else self._since + _SECONDS

    def passes(self, vanished: int, notes: Callable[[], int]) -> bool:
        """Tell whether so many files with text, of so many, may be forgotten at once."""
        return self._since is None and not _is_suspicious(vanished, notes)

    def judge(self, gone: AbstractSet[VaultPath], vanished: int, notes: Callable[[], int]) -> frozenset[VaultPath]:
        """Return which of the files that a comparison found gone may be forgotten now.

        ``vanished`` of them had text, and the vault has ``notes`` such files.
        """
        if not _is_suspicious(vanished, notes):
            self._end()
            return frozenset(gone)
        if self._waiting and self._since is not None and self._clock() - self._since >= _SECONDS:
            confirmed = self._waiting & gone
            self._end()
            return confirmed
        if self._since is None or not self._waiting:
            self._since = self._clock()
        self._reason = f"{vanished} of {notes()} notes vanished at once"
        self._waiting |= gone
        return frozenset()

    def root_is_missing(self, reason: str) -> None:
        """Hold everything, since the vault's own folder cannot be listed; looked at again every minute."""
        self._since, self._reason, self._waiting = self._clock(), reason, frozenset()

    def _end(self) -> None:
        self._since, self._waiting = None, frozenset()


def _is_suspicious(vanished: int, notes: Callable[[], int]) -> bool:
    return vanished > _FEW and vanished > _SHARE * notes()
