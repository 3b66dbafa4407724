"""From what an agent says to one file, or an error that lists the candidates; it never guesses between two."""

from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from sidecar.errors import Ambiguous, NotFound, Refused
from sidecar.model.path import VaultPath
from sidecar.services.views import View

__all__ = ["find_file", "near_names"]

_SCHEME = "memory://"
_SUGGESTIONS = 5
_LIKENESS = 0.5
_GRAM = 3


def find_file(
    view: View, identifier: str, *, project: str = "", index_now: Callable[[VaultPath], bool] = lambda _: False
) -> VaultPath:
    """Find the one file that a path, memory URL, permalink, title, alias or link text names, tried in this order.

    ``index_now`` is asked to read a path that is not in the catalog, and tells whether the file is there after all.

    Raises:
        NotFound: with the nearest names.
        Ambiguous: with every file the name fits.

    """
    name = _bare(identifier, project)
    by_path = _by_path(view, name, index_now)
    if by_path is not None:
        return by_path
    for found in (view.by_permalink(name), view.titled(name), view.aliased(name)):
        if found:
            return _only(identifier, found)
    resolution = view.resolve(name.partition("#")[0], VaultPath(""))
    if resolution.target is not None:
        return _only(identifier, resolution.candidates or (resolution.target,))
    raise NotFound(
        f"There is no note '{identifier}'.",
        hint="Use one of the candidates, or search_notes to find it.",
        candidates=near_names(view, name),
    )


def _bare(identifier: str, project: str) -> str:
    name = identifier.strip()
    if name.startswith("[[") and name.endswith("]]"):
        return name[2:-2].partition("|")[0].partition("#")[0].strip()
    if name.startswith(_SCHEME):
        name = name[len(_SCHEME) :].strip("/")
        if project and name.lower().startswith(f"{project.lower()}/"):
            name = name[len(project) + 1 :]
    return name


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
    grams = _grams(wanted)
    rough: list[tuple[int, VaultPath, str]] = []
    for named in view.names():
        path = named.path
        spellings = (path.basename, path.without_md, named.title, *named.aliases)
        for spelling in {text.lower() for text in spellings}:
            shared = len(grams & _grams(spelling))
            if shared:
                rough.append((-shared, path, spelling))
    rough.sort()
    scored: dict[VaultPath, float] = {}
    for _, path, spelling in rough[:200]:
        likeness = 1.0 if wanted in spelling else SequenceMatcher(None, wanted, spelling).ratio()
        scored[path] = max(scored.get(path, 0.0), likeness)
    best = sorted((-likeness, path) for path, likeness in scored.items() if likeness >= _LIKENESS)
    return tuple(path for _, path in best[:limit])


def _grams(text: str) -> frozenset[str]:
    padded = f" {text} "
    return frozenset(padded[i : i + _GRAM] for i in range(max(1, len(padded) - _GRAM + 1)))
