"""When to compare everything."""

from dataclasses import dataclass

__all__ = ["Timetable"]

_CPU_SHARE = 0.001
_SHORTEST_INTERVAL = 60.0
_REST = 4.0
"""Even when asked for all the time, comparing takes a fifth of the time at most."""
_FIRST_RETRY, _LONGEST_RETRY = 5.0, 300.0


@dataclass
class Timetable:
    """Times are seconds of one clock. Not for several threads."""

    ended: float = 0.0
    cpu: float = 0.0
    wall: float = 0.0
    asked: bool = False
    retry: float | None = None
    retry_after: float = _FIRST_RETRY

    def due(self, now: float, hold_due: float | None) -> tuple[float, bool]:
        """Return when to compare next, and whether something asked for it; otherwise it is just time."""
        rested = self.ended + _REST * self.wall
        moments = [max(now, rested)] if self.asked else []
        moments += [max(moment, rested) for moment in (self.retry, hold_due) if moment is not None]
        periodic = self.ended + max(_SHORTEST_INTERVAL, self.cpu / _CPU_SHARE)
        return (min(moments), True) if moments and min(moments) <= periodic else (periodic, False)

    def begin(self) -> None:
        """Begin a comparison: what is asked from now on needs another one."""
        self.asked, self.retry = False, None

    def end(self, now: float, cpu: float, wall: float) -> None:
        """End it, with the processor's and the clock's seconds that it took."""
        self.ended, self.cpu, self.wall = now, cpu, wall

    def failed(self, now: float) -> None:
        """Plan another one after a failure of anything, later each time."""
        self.retry = now + self.retry_after
        self.retry_after = min(2 * self.retry_after, _LONGEST_RETRY)

    def succeeded(self) -> None:
        """Forget earlier failures."""
        self.retry_after = _FIRST_RETRY
