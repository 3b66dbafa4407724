"""Find files by name and by properties, below a folder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sidecar.errors import Invalid
from sidecar.model.note import FileKind, Json, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.search import PropertyIs, TagIs
from sidecar.services.caller import Caller
from sidecar.services.file_order import FileOrder, ordered
from sidecar.services.folders import FileEntry, entries_of, name_test, place_of
from sidecar.services.meta_conditions import Condition, condition_of, value_at
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["FilesFound", "Finder", "FoundFile"]

_TAGS = frozenset({"tag", "tags"})


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file and those of its properties that were asked for."""

    file: FileEntry
    fields: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class FilesFound:
    """One page of the files; ``total`` counts before paging. A folder that is ``missing`` has names ``near`` it."""

    path: VaultPath
    name: str | None
    meta: tuple[str, ...]
    files: tuple[FoundFile, ...]
    total: int
    page: int
    page_size: int
    missing: bool = False
    near: tuple[VaultPath, ...] = ()


class Finder:
    """Finds files by what the catalog knows; their text is not looked at."""

    def __init__(self, views: Views, files: VaultFiles, threads: Threads) -> None:
        self._views = views
        self._files = files
        self._threads = threads

    async def find(
        self,
        caller: Caller,
        *,
        folder: str,
        name: str | None,
        meta: Sequence[str],
        fields: Sequence[str],
        depth: int | None,
        order: FileOrder,
        page: int,
        page_size: int,
    ) -> FilesFound:
        """Find the files whose name fits ``name`` and whose properties meet all conditions of ``meta``.

        ``depth`` is how many levels down, all if ``None``. With conditions only notes are found.

        Raises:
            Invalid: when a condition cannot be understood.
            Refused: when the path leads out of the vault or to what is hidden.

        """
        conditions = tuple(map(condition_of, meta))
        if depth is not None and depth < 1:
            raise Invalid(f"depth is {depth}; it begins at 1.", hint="Leave it out for all levels.")

        def work() -> FilesFound:
            view = self._views.newest(caller.audience)
            place = place_of(view, self._files, folder)
            said = (place.path, name, tuple(meta))
            if place.missing:
                return FilesFound(*said, (), 0, page, page_size, missing=True, near=place.near)
            fits = name_test(name, case=True)
            found = {
                path
                for path, _ in view.files()
                if path.is_under(place.path)
                and (depth is None or path.count("/") < place.level + depth)
                and fits(path.name)
            }
            for condition in conditions:
                found = _meeting(view, found, condition)
            paths = ordered(view, found, order)
            entries = entries_of(view, self._files, paths[(page - 1) * page_size : page * page_size])
            shown = _fields(view, [entry.path for entry in entries], fields)
            files = tuple(FoundFile(entry, shown[entry.path]) for entry in entries)
            return FilesFound(*said, files, len(paths), page, page_size)

        return await self._threads.read(work)


def _meeting(view: View, paths: set[VaultPath], condition: Condition) -> set[VaultPath]:
    """Return the notes among ``paths`` that meet a condition."""
    notes = {path for path in paths if kind_of(path) is FileKind.NOTE}
    name, sign = condition.name.lower(), condition.sign
    if name in _TAGS and sign in ("=", "!=", "has", "in", "not in"):
        # Tags in the text are tags too, and a tag has those nested below it.
        tagged = frozenset[VaultPath]().union(*(view.matching(TagIs(str(tag))) for tag in condition.values))
        return notes - tagged if sign in ("!=", "not in") else notes & tagged
    if name == "type" and sign in ("=", "!=", "in", "not in"):
        # A note that does not say what it is, is a note.
        typed = frozenset[VaultPath]().union(*(view.matching(PropertyIs(name, one)) for one in condition.values))
        return notes - typed if sign in ("!=", "not in") else notes & typed
    values = _values(view, condition.name)
    return {path for path in notes if condition.holds(values.get(path))}


def _values(view: View, name: str) -> Mapping[VaultPath, Json]:
    """Return the value of a property in each visible file that has it."""
    found = dict(view.property_values(name))
    segments = name.split(".")
    for end in range(len(segments) - 1, 0, -1):
        top = ".".join(segments[:end])
        for path, value in view.property_values(top):
            found.setdefault(path, value_at({top: value}, name))
    return found


def _fields(view: View, paths: Sequence[VaultPath], names: Sequence[str]) -> Mapping[VaultPath, Mapping[str, Json]]:
    """Return the asked-for properties of each file, without those that it has not."""
    values = {name: _values(view, name) for name in names}
    return {path: {name: of[path] for name, of in values.items() if of.get(path) is not None} for path in paths}
