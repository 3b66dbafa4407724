"""The order in which files are listed."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from sidecar.model.note import Json
from sidecar.model.path import VaultPath
from sidecar.services.views import View

__all__ = ["FileOrder", "ordered", "sort_keys"]


class FileOrder(StrEnum):
    """By title, by the property ``created`` (else the last change), or by the last change."""

    TITLE_ASC = "title_asc"
    TITLE_DESC = "title_desc"
    CREATED_ASC = "created_asc"
    CREATED_DESC = "created_desc"
    UPDATED_ASC = "updated_asc"
    UPDATED_DESC = "updated_desc"

    @property
    def descends(self) -> bool:
        """Tell whether the last comes first."""
        return self.value.endswith("_desc")


def ordered(view: View, paths: Iterable[VaultPath], order: FileOrder | None) -> list[VaultPath]:
    """Return visible files in this order, those that are equal in it, and all without one, by their paths."""
    by_path = sorted(paths)
    if order is None:
        return by_path
    keys = sort_keys(view, by_path, order)
    return sorted(by_path, key=lambda path: keys[path], reverse=order.descends)


def sort_keys(
    view: View, paths: Iterable[VaultPath], order: FileOrder
) -> Mapping[VaultPath, str] | Mapping[VaultPath, float]:
    """Return what visible files are compared by, so that files of several vaults can be put in one order."""
    name = order.value.partition("_")[0]
    return _titles(view, paths) if name == "title" else _moments(view, paths, created=name == "created")


def _titles(view: View, paths: Iterable[VaultPath]) -> Mapping[VaultPath, str]:
    titles = view.titles_of(paths)
    return {path: titles.get(path, path.basename).casefold() for path in paths}


def _moments(view: View, paths: Iterable[VaultPath], *, created: bool) -> Mapping[VaultPath, float]:
    """Return seconds since the epoch."""
    said = dict(view.property_values("created")) if created else {}
    moments: dict[VaultPath, float] = {}
    for path in paths:
        moment = _moment(said.get(path))
        state = view.state(path)
        moments[path] = moment if moment is not None else state.mtime_ns / 1e9 if state else 0.0
    return moments


def _moment(value: Json) -> float | None:
    """Return the moment that a property states as ISO 8601, in local time unless it says otherwise."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.strip()).astimezone().timestamp()
    except (ValueError, OverflowError, OSError):
        return None
