"""From what an agent says to one file, or an error that lists the candidates; it never guesses between two."""

import unicodedata
from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher

from sidecar.catalog.records import NamedFile
from sidecar.errors import Ambiguous, NotFound, Refused
from sidecar.model.path import VaultPath
from sidecar.services.views import View

__all__ = ["find_file", "find_place", "near_names", "no_note"]

_SCHEME = "memory://"
_SUGGESTIONS = 5
_LIKENESS = 0.5
_COMPARED = 150
"""Files whose names are compared letter by letter."""


def find_file(
    view: View, identifier: str, *, project: str = "", index_now: Callable[[VaultPath], bool] = lambda _: False
) -> VaultPath:
    """Find the one file that a path, memory URL, permalink, title, alias or link text names, tried in this order.

    The project's name may stand before path and permalink; what stands behind ``#`` is not looked at.
    ``index_now`` is asked to read a path that is not in the catalog, and tells whether the file is there after all.

    Raises:
        NotFound: with the nearest names.
        Ambiguous: with every file the name fits.

    """
    return find_place(view, identifier, project=project, index_now=index_now)[0]


def find_place(
    view: View,
    identifier: str,
    *,
    project: str = "",
    index_now: Callable[[VaultPath], bool] = lambda _: False,
    near: int = _SUGGESTIONS,
) -> tuple[VaultPath, str]:
    """Find a file as :func:`find_file` does, and return it with the subpath behind its name: ``#Heading``, ``#^block``.

    A ``#`` that is part of a file's name, title or alias begins no subpath. ``near`` is how many names an error lists.

    Raises:
        NotFound: with the nearest names.
        Ambiguous: with every file the name fits.

    """
    name, is_link = _bare(identifier)
    inside = _without_project(name, project)
    for spelling in (name, inside) if inside else (name,):
        if not is_link and (found := _named(view, identifier, spelling, index_now)):
            return found, ""
        bare, mark, subpath = spelling.partition("#")
        bare = bare.strip()
        if (mark or is_link) and bare and (found := _named(view, identifier, bare, index_now)):
            return found, mark + subpath
        resolution = view.resolve(bare, VaultPath("")) if bare else None
        if resolution and resolution.target is not None:
            return _only(identifier, resolution.candidates or (resolution.target,)), mark + subpath
    if other := _other_thing(view, inside or name):
        kind, hint = other
        raise NotFound(f"There is no note '{identifier}'.", hint=hint, data={"stands_for": kind})
    raise no_note(identifier, near_names(view, name.partition("#")[0].strip() or name, near))


def no_note(identifier: str, candidates: Sequence[str] = ()) -> NotFound:
    """Word that nothing fits a name, with what may have been meant and the next step."""
    one = "Use one of these, or " if candidates else ""
    find = f"{one}search_notes to find it." if one else "Find it with search_notes, or list_directory."
    return NotFound(f"There is no note '{identifier}'.", hint=find, candidates=candidates)


def _other_thing(view: View, name: str) -> tuple[str, str] | None:
    """Tell what a name stands for that is no note, and which call takes it."""
    if "*" in name:
        return (
            "pattern",
            "build_context gathers what fits a pattern, search_notes with search_type='permalink' lists it.",
        )
    key = name.strip("/").lower()
    if any(folder.lower() == key and view.sees_folder(folder) for folder in view.snapshot.folders):
        return "folder", "It is a folder: list_directory shows what is in it; is_directory=true moves or deletes it."
    return None


def _bare(identifier: str) -> tuple[str, bool]:
    """Return the name without the marks around it, and whether it was a link."""
    name = unicodedata.normalize("NFC", identifier.strip())
    if name.startswith("[[") and name.endswith("]]"):
        return name[2:-2].partition("|")[0].strip(), True
    return name[len(_SCHEME) :].strip("/") if name.startswith(_SCHEME) else name, False


def _without_project(name: str, project: str) -> str | None:
    head, slash, rest = name.strip("/").partition("/")
    return rest if project and slash and rest and head.lower() == project.lower() else None


def _named(view: View, identifier: str, name: str, index_now: Callable[[VaultPath], bool]) -> VaultPath | None:
    by_path = _by_path(view, name, index_now)
    if by_path is not None:
        return by_path
    for found in (view.by_permalink(name), view.titled(name), view.aliased(name)):
        if found:
            return _only(identifier, found)
    return None


def _by_path(view: View, name: str, index_now: Callable[[VaultPath], bool]) -> VaultPath | None:
    try:
        path = VaultPath.of(name)
    except Refused:
        if "/" in name or "\\" in name or name == "..":
            raise
        return None  # a title may begin with a dot
    found = view.find(path) if path else None
    if found is not None or not path:
        return found
    for candidate in (path, VaultPath(f"{path}.md")):
        if view.sees(candidate) and index_now(candidate):
            return candidate
    return None


def _only(identifier: str, found: Iterable[VaultPath]) -> VaultPath:
    paths = sorted(set(found))
    if len(paths) == 1:
        return paths[0]
    raise Ambiguous(
        f"'{identifier}' fits {len(paths)} files.", hint="Give one of these paths instead.", candidates=paths
    )


def near_names(view: View, name: str, limit: int = _SUGGESTIONS) -> tuple[str, ...]:
    """Return paths whose path, title or alias is most like ``name``, best first."""
    wanted = name.lower()
    bounds = SequenceMatcher(b=wanted)  # it keeps what it knows of this side
    best: list[tuple[float, VaultPath]] = []
    for named in view.names_like(wanted, _COMPARED):
        enough = max(_LIKENESS, -best[limit - 1][0]) if len(best) >= limit else _LIKENESS
        likeness = max(_likeness(wanted, spelling, enough, bounds) for spelling in _spellings(named))
        if likeness >= enough:
            insort(best, (-likeness, named.path))
    return tuple(path for _, path in best[:limit])


def _spellings(named: NamedFile) -> frozenset[str]:
    texts = (named.path.basename, named.path.without_md, named.title, *named.aliases)
    return frozenset(text.lower() for text in texts)


def _likeness(wanted: str, spelling: str, enough: float, bounds: "SequenceMatcher[str]") -> float:
    """Return how like two texts are, 0 to 1; 0 for less than ``enough``, which is mostly seen at once."""
    if wanted in spelling:
        return 1.0
    bounds.set_seq1(spelling)
    if bounds.real_quick_ratio() < enough or bounds.quick_ratio() < enough:
        return 0.0
    return SequenceMatcher(None, wanted, spelling).ratio()
