"""Which file a link means, by Obsidian's rules (contract R1-R17)."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sidecar.model.path import VaultPath

__all__ = [
    "Names",
    "Resolution",
    "depends_on_source",
    "link_keys_of",
    "name_index",
    "name_key",
    "path_for_unresolved",
    "resolve",
    "unresolved_key",
]

Names: TypeAlias = Mapping[str, tuple[VaultPath, ...]]
"""Lower-cased file name, extension included, to the files that bear it."""

_SPACES = str.maketrans("\u00a0\u202f", "  ")


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a link means: ``candidates`` are the files that tie for it (R9), of which ``target`` is the first."""

    target: VaultPath | None = None
    candidates: tuple[VaultPath, ...] = ()

    @property
    def is_ambiguous(self) -> bool:
        """Obsidian may show any of several files, depending on the order in which it read them."""
        return len(self.candidates) > 1


_UNRESOLVED = Resolution()


def name_index(paths: Iterable[VaultPath]) -> dict[str, tuple[VaultPath, ...]]:
    """Return the index that :func:`resolve` looks names up in."""
    names: dict[str, list[VaultPath]] = {}
    for path in paths:
        names.setdefault(path.name.lower(), []).append(path)
    return {name: tuple(sorted(found)) for name, found in names.items()}


def resolve(linkpath: str, source: VaultPath, names: Names) -> Resolution:
    """Find the file that ``linkpath``, standing in ``source``, leads to (R1-R9, R11-R14, R16)."""
    wanted = _normalise(linkpath)
    if not wanted:
        return Resolution(source, (source,))
    wanted, candidates = _candidates(wanted, names)
    if not candidates:
        return _UNRESOLVED
    if "/" not in wanted and len(candidates) == 1:
        return Resolution(candidates[0], candidates)
    if depends_on_source(wanted):
        wanted = _against(source.folder, wanted)
    return _by_path(wanted.lower(), source.folder, candidates)


def depends_on_source(linkpath: str) -> bool:
    """Tell whether the link is written relative to its own note (R4)."""
    return linkpath.startswith(("./", "../"))


def _normalise(linkpath: str) -> str:
    return linkpath if linkpath.isascii() else unicodedata.normalize("NFC", linkpath.translate(_SPACES))


def _candidates(wanted: str, names: Names) -> tuple[str, tuple[VaultPath, ...]]:
    """R2; ``.md`` is appended before lower-casing, which matters for a final sigma."""
    name = wanted.rpartition("/")[2]
    if "." in name and (literal := names.get(name.lower())):
        return wanted, literal
    return f"{wanted}.md", names.get(f"{name}.md".lower(), ())


def _against(folder: str, wanted: str) -> str:
    """Rewrite a relative link as a path from the root; surplus ``..`` stay there (R4)."""
    segments = folder.split("/") if folder else []
    for segment in wanted.split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment != ".":
            segments.append(segment)
    return "/".join(segments)


def _by_path(wanted: str, folder: VaultPath, candidates: tuple[VaultPath, ...]) -> Resolution:
    from_root = wanted.startswith("/")
    exact = wanted[1:] if from_root else wanted
    same = [path for path in candidates if path.key == exact]
    if same:
        return _tie(same)
    if from_root:
        return _UNRESOLVED
    fitting = [path for path in candidates if path.key.endswith(wanted)]
    ranks = {path: (not path.is_under(folder), _utf16_length(path)) for path in fitting}
    best = min(ranks.values(), default=None)
    return _tie([path for path in fitting if ranks[path] == best])


def _tie(paths: list[VaultPath]) -> Resolution:
    ordered = tuple(sorted(paths))
    return Resolution(ordered[0], ordered) if ordered else _UNRESOLVED


def _utf16_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def name_key(linkpath: str) -> str | None:
    """Return what a link shares with its possible targets (:func:`link_keys_of`); ``None`` for a self link (B9).

    A few other links share it too: whoever uses it resolves each link afterwards.
    """
    return _key(_normalise(linkpath).rpartition("/")[2]) if linkpath else None


def link_keys_of(path: VaultPath) -> frozenset[str]:
    """Return the :func:`name_key` of every link that can lead to this file."""
    names = (path.name, path.basename) if path.extension == "md" else (path.name,)
    return frozenset(_key(name) for name in names)


def _key(name: str) -> str:
    # Both small sigmas are one letter here: which of them lower-casing yields depends on what follows.
    return name.lower().replace("ς", "σ").removesuffix(".md")


def unresolved_key(linkpath: str) -> str:
    """Return the name under which Obsidian lists an unresolved link: as typed, without ``.md`` (R10)."""
    return linkpath.removesuffix(".md")


def path_for_unresolved(linkpath: str, source: VaultPath, new_note_folder: VaultPath) -> VaultPath:
    """Return the file that Obsidian would create for an unresolved link (R17).

    Raises:
        Refused: when the link leads out of the vault or to a hidden name.

    """
    wanted = _normalise(linkpath)
    if depends_on_source(wanted):
        wanted = _against(source.folder, wanted)
    elif "/" not in wanted:
        wanted = new_note_folder.child(wanted)
    path = VaultPath.of(wanted)
    return path if path.extension in {"md", "canvas"} else VaultPath(f"{path}.md")
