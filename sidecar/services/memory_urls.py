"""What a memory URL means: one note, one fact in a note, or all notes and facts that fit a pattern."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import chain

from sidecar.catalog.permalink import permalink_of
from sidecar.errors import Invalid, NotFound
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.facts import Fact, observation_facts, relation_facts
from sidecar.services.lookup import find_file, near_names
from sidecar.services.views import View

__all__ = ["Meant", "meant_by"]

_SCHEME = "memory://"
_LEAST_FACT = 2
"""Segments behind the note's: those of ``type/target`` and of ``observations/category/text``."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The notes and facts a URL means; ``named`` when it has no pattern; ``near`` what else might be meant."""

    paths: tuple[VaultPath, ...] = ()
    facts: tuple[Fact, ...] = ()
    named: bool = False
    near: tuple[str, ...] = ()


def meant_by(view: View, url: str, *, project: str, index_now: Callable[[VaultPath], bool]) -> Meant:
    """Find what a URL, path, title or pattern means; nothing found is an answer too, with near names.

    Raises:
        Ambiguous: when a name fits several files.
        Invalid: when it is empty.
        Refused: when it leads out of the vault.

    """
    bare = url.strip().removeprefix(_SCHEME).strip("/")
    if not bare:
        raise Invalid("The URL names nothing.", hint="Give memory://folder/note, a title, or a pattern: folder/*.")
    spellings = [permalink.lower() for permalink in _spellings(bare, project)]
    if "*" in bare:
        for pattern in spellings:
            paths, facts = tuple(_fitting(view, pattern)), tuple(_facts(view, pattern))
            if paths or facts:
                return Meant(paths, facts)
        return Meant(near=_near(view, bare))
    try:
        return Meant((find_file(view, url, project=project, index_now=index_now),), named=True)
    except NotFound as error:
        facts = tuple(chain.from_iterable(_facts(view, spelling) for spelling in spellings))
        near = () if facts else _folder(view, bare) + error.candidates
        return Meant(facts=facts, named=True, near=near)


def _spellings(bare: str, project: str) -> Iterator[str]:
    """Yield the name as it is, and without the project's name in front of it."""
    yield bare
    head, slash, rest = bare.partition("/")
    if slash and rest and head.lower() in {project.lower(), permalink_of(VaultPath(project))}:
        yield rest


def _near(view: View, bare: str) -> tuple[str, ...]:
    return near_names(view, bare.replace("*", "").strip("/"))


def _folder(view: View, bare: str) -> tuple[str, ...]:
    """Suggest what is in a folder when the folder was named."""
    found = (f for f in view.snapshot.folders if f.lower() == bare.lower() and view.sees_folder(f))
    return tuple(f"{folder}/*" for folder in sorted(found))


def _fitting(view: View, pattern: str) -> list[VaultPath]:
    """Return the notes, canvases and bases whose path or permalink fits; else those with a permalink of their own."""
    glob = _glob(pattern)
    beginning = pattern.partition("*")[0]
    folders: dict[VaultPath, bool] = {}
    found = set()
    for path, _ in view.files():
        if kind_of(path) is FileKind.ATTACHMENT:
            continue
        folder = path.folder
        if folder not in folders:
            # Making permalinks is slow, and most folders are elsewhere.
            folders[folder] = any(_is_on_the_way(f"{name}/", beginning) for name in (folder.key, permalink_of(folder)))
        if (folders[folder] or not folder) and (
            fnmatchcase(path.without_md.lower(), glob) or fnmatchcase(permalink_of(path), glob)
        ):
            found.add(path)
    if not found:
        own = view.property_values("permalink")
        found = {path for path, value in own if isinstance(value, str) and fnmatchcase(value.lower(), glob)}
    return sorted(found)


def _is_on_the_way(folder: str, beginning: str) -> bool:
    """Tell whether something in a folder may have a path or permalink that begins so."""
    return folder.startswith(beginning) or beginning.startswith(folder)


def _facts(view: View, pattern: str) -> Iterator[Fact]:
    """Go through the facts that fit, by permalink: the front of the pattern names notes, the rest their facts."""
    segments = pattern.split("/")
    found: dict[str, Fact] = {}
    for split in range(1, len(segments)):
        front, rest = "/".join(segments[:split]), segments[split:]
        glob = _glob("/".join(rest).replace("_", "-").replace(" ", "-"))
        for path in _fronted(view, front, rest):
            note = f"{permalink_of(path)}/"
            facts: Iterator[Fact] = chain(observation_facts(view, path), relation_facts(view, path))
            for fact in facts:
                if fnmatchcase(fact.permalink.removeprefix(note), glob):
                    found[fact.permalink] = fact
    return (found[permalink] for permalink in sorted(found))


def _fronted(view: View, front: str, rest: list[str]) -> tuple[VaultPath, ...]:
    if "*" not in front:
        found = view.find(front)
        return (found,) if found else view.by_permalink(front)
    # Without a word to begin with, the rest would be every fact of every note.
    return tuple(_fitting(view, front)) if len(rest) >= _LEAST_FACT and "*" not in rest[0] else ()


def _glob(pattern: str) -> str:
    """Only ``*`` is a wildcard in a memory URL."""
    return pattern.replace("[", "[[]").replace("?", "[?]")
