"""Merging the small segments that changes leave in the index, while nothing else is to do."""

import logging
from collections.abc import Callable
from typing import Protocol

from sidecar.errors import SidecarError
from sidecar.pipeline.writer_thread import WriterThread

__all__ = ["Tidying"]

_COMMITS_UNTIDIED = 100
"""After so many commits it is done even though agents never pause."""
_log = logging.getLogger(__name__)


class _Untidy(Protocol):
    def merge_small(self) -> bool: ...


class Tidying:
    """Does it a few milliseconds at a time, since an agent's write waits as long; only on the writer thread."""

    def __init__(self, index: _Untidy, writer: WriterThread, failed: Callable[[str], None]) -> None:
        """``failed`` is told why it could not be done."""
        self._index = index
        self._writer = writer
        self._failed = failed
        self._commits = 0

    def begin(self) -> None:
        """Look through the index once there is time; any thread may call."""
        self._writer.submit_idle(self._when_idle)

    def committed(self) -> None:
        """Take note of one commit more."""
        self._commits += 1
        if self._commits == 1:
            self._writer.submit_idle(self._when_idle)
        elif self._commits % _COMMITS_UNTIDIED == 0:
            self._writer.submit_background(self._now)

    def _when_idle(self) -> None:
        if self._goes_on():
            self._writer.submit_idle(self._when_idle)

    def _now(self) -> None:
        if self._commits and self._goes_on():
            self._writer.submit_background(self._now)

    def _goes_on(self) -> bool:
        """Do a piece; tell whether there is more to do."""
        try:
            if self._index.merge_small():
                return True
        except Exception as error:  # noqa: BLE001 - nobody waits for this job
            _log.error("Merging the index failed: %s.", type(error).__name__)
            self._failed(error.message if isinstance(error, SidecarError) else f"unexpected {type(error).__name__}")
        self._commits = 0
        return False
