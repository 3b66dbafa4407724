"""What the first questions would have to wait for, made while nobody asks yet."""

import logging
import threading
from collections.abc import Callable, Sequence

from sidecar.errors import SidecarError

__all__ = ["WarmUp"]

_PAUSE = 3.0
"""So long nobody may have asked for anything: an agent at work shall not share the processor with this."""
_log = logging.getLogger(__name__)


class WarmUp:
    """Does some work once, on a thread of its own, when the vault is indexed and nobody has asked for a while."""

    def __init__(
        self,
        works: Sequence[Callable[[], object]],
        is_settled: Callable[[], bool],
        quiet_seconds: Callable[[], float],
        pause: float = _PAUSE,
    ) -> None:
        self._works = works
        self._is_settled = is_settled
        self._quiet_seconds = quiet_seconds
        self._pause = pause
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="warm-up", daemon=True)

    def start(self) -> None:
        """Begin to wait for the right moment."""
        self._thread.start()

    def close(self) -> None:
        """Give it up; what has begun is finished."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._closed.wait(self._pause):
            if self._quiet_seconds() >= self._pause and self._is_settled():
                break
        for work in self._works:
            if self._closed.is_set():
                return
            try:
                work()
            except SidecarError as error:  # whoever asks for it is told
                _log.info("Nothing could be made ready: %s.", type(error).__name__)
