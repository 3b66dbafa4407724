"""Telling of each change that was carried out and journaled."""

from collections.abc import Callable

from sidecar.model.change import Author, ChangeSet, RecordedChange
from sidecar.model.ports import ChangeSink

__all__ = ["ToldSink"]


class ToldSink:
    """Implements ``ChangeSink``: passes changes on to another one, and tells of those that came to be."""

    def __init__(self, sink: ChangeSink, told: Callable[[RecordedChange], object]) -> None:
        """Take the sink that does it; ``told`` is called on the writer thread and must not raise."""
        self._sink = sink
        self._told = told

    def apply(self, change: ChangeSet, author: Author) -> RecordedChange:
        """Apply all entries or none.

        Raises:
            SidecarError: what the sink raises; then nothing is told.

        """
        recorded = self._sink.apply(change, author)
        self._told(recorded)
        return recorded
