"""How many files to gather for one commit: many are cheap, few are quick."""

__all__ = ["CommitPace"]

_SECONDS_BESIDE_AGENTS = 0.05
_SECONDS_ALONE = 1.0
_AGENT_MAY_COME_BACK = 30.0
_FEWEST, _MOST = 16, 1000
_FIRST_GUESS = 0.002


class CommitPace:
    """Learns from each commit how long a file takes; an agent's write waits for one commit at most."""

    def __init__(self) -> None:
        self._seconds_a_file = _FIRST_GUESS

    def allowed(self, quiet_seconds: float) -> int:
        """Return how many files to gather when the last agent's write was so long ago."""
        seconds = _SECONDS_ALONE if quiet_seconds > _AGENT_MAY_COME_BACK else _SECONDS_BESIDE_AGENTS
        return max(_FEWEST, min(_MOST, int(seconds / self._seconds_a_file)))

    def measured(self, files: int, seconds: float) -> None:
        """Take note of a commit; small ones say little, since each has a cost of its own."""
        if files >= _FEWEST:
            self._seconds_a_file = max(1e-6, (self._seconds_a_file + seconds / files) / 2)
