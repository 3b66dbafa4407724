"""Who wants to hear that something happened: that files changed, a change was made, or work began or ended."""

import logging
from collections.abc import Callable
from itertools import count
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["EventHub"]

T = TypeVar("T")
_log = logging.getLogger(__name__)


class EventHub(Generic[T]):
    """Passes each event to all subscribers, on the publisher's thread, in the order they came."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._keys = count()
        self._listeners: dict[int, Callable[[T], object]] = {}

    def publish(self, event: T) -> None:
        """Call every listener; one that fails does not keep the others from hearing."""
        with self._lock:
            listeners = tuple(self._listeners.values())
        for listener in listeners:
            try:
                listener(event)
            except Exception:  # noqa: BLE001
                # The writer publishes after its commit; a listener's fault must not look like a failed write.
                _log.exception("A listener failed.")

    def subscribe(self, listener: Callable[[T], object]) -> Callable[[], None]:
        """Add a listener; the result removes it."""
        with self._lock:
            key = next(self._keys)
            self._listeners[key] = listener

        def unsubscribe() -> None:
            with self._lock:
                self._listeners.pop(key, None)

        return unsubscribe
