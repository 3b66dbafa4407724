"""The last answers of many rows, so that the pages behind the first do not look for all of them again."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sidecar.services.views import View

__all__ = ["Answers"]

T = TypeVar("T")
_KEPT = 8


@dataclass(frozen=True, slots=True)
class _Answer(Generic[T]):
    view: View
    rows: Sequence[T]


class Answers(Generic[T]):
    """Rows by what was asked, as long as the view is the same; callable from any thread."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, _Answer[T]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, view: View, asked: Hashable, find: Callable[[], Sequence[T]]) -> Sequence[T]:
        """Return the rows for what was asked; those of a view are made by ``find`` once, while they are remembered."""
        with self._lock:
            known = self._kept.get(asked)
            if known is not None and known.view is view:
                self._kept.move_to_end(asked)
                return known.rows
        rows = find()
        with self._lock:
            self._kept[asked] = _Answer(view, rows)
            self._kept.move_to_end(asked)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return rows
