"""What was worked out for a view, kept until somebody asks with a newer one."""

from collections.abc import Callable
from typing import Generic, TypeVar

from sidecar.services.caller import Audience
from sidecar.services.views import View

__all__ = ["PerView"]

T = TypeVar("T")


class PerView(Generic[T]):
    """One value for each audience's newest view, made when it is first asked for; callable from any thread."""

    def __init__(self, make: Callable[[View, T | None], T]) -> None:
        """``make`` takes the view, and the value for the one before if there is one, of which it may keep parts."""
        self._make = make
        self._kept: dict[Audience, tuple[View, T]] = {}

    def of(self, view: View) -> T:
        """Return the value for this view."""
        known = self._kept.get(view.audience)  # one read: another thread may put a newer one there
        if known is not None and known[0] is view:
            return known[1]
        made = self._make(view, known[1] if known is not None else None)
        self._kept[view.audience] = (view, made)
        return made
