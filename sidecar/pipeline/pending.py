"""The paths that wait to be looked at."""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from threading import Condition, Event

from sidecar.model.file import FileState
from sidecar.model.path import VaultPath

__all__ = ["CHANGED", "GONE", "LATER", "Look", "Pending"]


@dataclass(frozen=True, slots=True)
class Look:
    """What is expected to be found at a path. Whatever it is, the disk decides."""

    may_be_gone: bool = False
    """A file that is not there any more may be forgotten; otherwise someone has to find out why it vanished."""
    is_unindexed: bool = False
    """The index lacks it, so that even an unchanged file has to be put in again ..."""
    known: FileState | None = None
    """... as long as the catalog still knows it as this."""
    is_indexed_later: bool = False
    """The index only has to forget what it says of the file; a second look brings it back."""
    is_urgent: bool = False
    """It is such a second look, which searches wait for a moment."""

    def after(self, earlier: "Look | None") -> "Look":
        """Return what is to be done when this comes to what waits: what the index lacks it lacks still."""
        if earlier is None or self.is_unindexed or not earlier.is_unindexed:
            return self
        return replace(self, is_unindexed=True, known=earlier.known, is_urgent=earlier.is_urgent)


CHANGED = Look()
GONE = Look(may_be_gone=True)
LATER = Look(may_be_gone=True, is_indexed_later=True)


class Pending:
    """Paths in the order in which they came, each once; safe to use from several threads."""

    def __init__(self, told: Callable[[], object] = lambda: None) -> None:
        """Make it empty; ``told`` is called whenever work begins, ends or is given up."""
        self._told = told
        self._lock = Condition()
        self._looks: dict[VaultPath, Look] = {}
        self._taken: dict[VaultPath, Look] = {}
        self._lent: dict[VaultPath, Look] = {}
        self._later: dict[VaultPath, Look] = {}
        self._total = 0
        self._is_worked_on = False
        self._idle = Event()
        self._idle.set()

    @property
    def counts(self) -> tuple[int, int]:
        """How many wait, and how many the current run of work began with: 0 when none wait."""
        with self._lock:
            return len(self._looks) + len(self._lent), self._total

    @property
    def urgent(self) -> int:
        """How many of those that wait are urgent."""
        with self._lock:
            return sum(look.is_urgent for look in self._looks.values())

    def add(self, looks: Mapping[VaultPath, Look]) -> bool:
        """Add paths, or new reasons for paths that wait; tell whether the work has to be started."""
        with self._lock:
            self._later.update({path: look for path, look in looks.items() if path in self._lent})
            fresh = {p: look.after(self._looks.get(p)) for p, look in looks.items() if p not in self._lent}
            if any(look.is_urgent for look in looks.values()):
                self._looks = {**fresh, **self._looks}
            self._looks.update(fresh)
            self._total = max(self._total, len(self._looks) + len(self._lent))
            if not self._looks or self._is_worked_on:
                return False
            self._is_worked_on = True
            self._idle.clear()
        self._told()
        return True

    @property
    def waiting(self) -> tuple[VaultPath, ...]:
        """Paths that are to be looked at, or were and are not published yet, the first to be done first."""
        with self._lock:
            return (*self._taken, *self._lent, *self._looks)

    @property
    def taken(self) -> frozenset[VaultPath]:
        """Paths that were taken out and are not published yet: the catalog does not tell how they were found."""
        with self._lock:
            return frozenset(self._taken)

    @property
    def leaving(self) -> frozenset[VaultPath]:
        """Paths of which it was decided that they may be forgotten."""
        with self._lock:
            return frozenset(path for path, look in (*self._looks.items(), *self._taken.items()) if look.may_be_gone)

    def take(self) -> tuple[VaultPath, Look] | None:
        """Take out the first one."""
        with self._lock:
            path = next(iter(self._looks), None)
            if path is None:
                return None
            self._taken[path] = self._looks.pop(path)
            return path, self._taken[path]

    def take_these(
        self, paths: Iterable[VaultPath], later: AbstractSet[VaultPath] = frozenset()
    ) -> Mapping[VaultPath, Look]:
        """Take out paths that are looked at at once, whether they wait or not; return all there is to do.

        Those ``later`` the index gets by a second look.
        """
        with self._lock:
            looks = {}
            for path in paths:
                waited = self._lent.pop(path, None) or self._looks.pop(path, None)
                self._later.pop(path, None)
                looks[path] = (LATER if path in later else GONE).after(waited)
            self._taken.update(looks)
            return looks

    def lend(self, is_wanted: Callable[[VaultPath, Look], bool], fewest: int) -> tuple[VaultPath, ...]:
        """Lend out those that are wanted, in order, if they are at least so many; none of them is taken meanwhile."""
        with self._lock:
            if len(self._looks) < fewest:
                return ()
            wanted = tuple(path for path, look in self._looks.items() if is_wanted(path, look))
            if len(wanted) < fewest:
                return ()
            self._lent.update((path, self._looks.pop(path)) for path in wanted)
            return wanted

    def give_back(self, paths: Iterable[VaultPath]) -> None:
        """Count these as done, unless they were added again meanwhile."""
        with self._lock:
            for path in paths:
                self._lent.pop(path, None)
                if path in self._later:
                    self._looks[path] = self._later.pop(path)

    def published(self) -> None:
        """Take note that the catalog tells of all that were taken."""
        with self._lock:
            self._taken.clear()
            self._lock.notify_all()

    def drop(self) -> None:
        """Forget all that wait, and all that were taken and are not published."""
        with self._lock:
            self._looks.clear()
            self._later.clear()
            self._lent.clear()
            self._taken.clear()
            self._lock.notify_all()
        self._told()

    def finish(self) -> bool:
        """End the work if nothing waits any more; tell whether it has ended."""
        with self._lock:
            if self._looks or self._lent:
                return False
            self._is_worked_on, self._total = False, 0
            self._idle.set()
        self._told()
        return True

    def settle_urgent(self, seconds: float) -> bool:
        """Wait until nothing urgent waits or is unpublished, at most so long; tell whether that is so."""
        with self._lock:
            return self._lock.wait_for(lambda: not self._is_urgent(), seconds)

    def _is_urgent(self) -> bool:
        return any(look.is_urgent for looks in (self._looks, self._taken) for look in looks.values())

    def settle(self, seconds: float | None) -> bool:
        """Wait until no work is to do; tell whether that is so."""
        return self._idle.wait(seconds)
