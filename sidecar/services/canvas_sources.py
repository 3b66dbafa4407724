"""Which notes are to be on a map: those around a note, of a tag, a folder, a search or a property, or a list."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from sidecar.errors import Invalid, NotFound
from sidecar.model.note import FileKind, Json, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.search import PropertyIs, TagIs
from sidecar.services.canvas_values import value_words
from sidecar.services.lookup import find_file
from sidecar.services.subtree import find_folder
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["Kind", "MapNotes", "Source", "notes_of", "sources_of"]

Kind: TypeAlias = Literal["note", "tag", "folder", "search", "base", "property", "one"]
_KINDS: Final[tuple[Kind, ...]] = ("note", "tag", "folder", "search", "base", "property")
_SHOWN: Final = frozenset({FileKind.NOTE, FileKind.BASE})
"""What is looked for; a canvas is on a map only when it is named, since one map would be the hub of the other."""
_MOST_FOLLOWED: Final = 1000
_NEAR: Final = 8
_HOW: Final = "Sources: note:Name, tag:#name, folder:Path, search:words, property:name=value, or a list of notes."


@dataclass(frozen=True, slots=True)
class Source:
    """One source of notes; the kind ``one`` is a single note."""

    kind: Kind
    value: str


@dataclass(frozen=True, slots=True)
class MapNotes:
    """The notes of all sources, the most important first, and those that the sources themselves name."""

    paths: tuple[VaultPath, ...]
    starts: tuple[VaultPath, ...]


def sources_of(said: str | Sequence[str]) -> tuple[Source, ...]:
    """Read what a map is to be made of; a name alone means the notes around it, in a list the note itself.

    Raises:
        Invalid: when there is nothing, or it is a kind of source that there is not.

    """
    texts = [said] if isinstance(said, str) else list(said)
    found = tuple(_source(text.strip(), alone=isinstance(said, str)) for text in texts if text.strip())
    if not found:
        raise Invalid("It is not said what the map is to show.", hint=_HOW)
    if any(source.kind == "base" for source in found):
        raise Invalid(
            "Maps of a base cannot be made yet.", hint="Use property:name=value, tag: or folder: with the same filter."
        )
    return found


def _source(text: str, *, alone: bool) -> Source:
    head, colon, rest = text.partition(":")
    for kind in _KINDS:
        if colon and head.strip().lower() == kind:
            if not rest.strip():
                raise Invalid(f"'{text}' names nothing.", hint=_HOW)
            return Source(kind, rest.strip())
    return Source("note" if alone else "one", text)


def notes_of(
    view: View,
    files: VaultFiles,
    sources: Iterable[Source],
    own: VaultPath,
    depth: int,
    searched: Mapping[str, Sequence[VaultPath]],
) -> MapNotes:
    """Return the notes of the sources without the map itself; ``searched`` holds what searches found.

    What the user excluded in Obsidian is only there when a source names it.

    Raises:
        NotFound: when a source names what is not there, or finds nothing.
        Ambiguous: when a note's name fits several files.

    """
    paths: dict[VaultPath, None] = {}
    starts: list[VaultPath] = []
    for source in sources:
        match source.kind:
            case "note" | "one":
                start = find_file(view, source.value)
                starts.append(start)
                found = [start, *(_around(view, start, own, depth) if source.kind == "note" else ())]
            case "search":
                found = [path for path in searched[source.value] if kind_of(path) in _SHOWN and view.state(path)]
            case _:
                among = [path for path in _matching(view, files, source) if path not in view.excluded]
                found = _by_links(view, {path for path in among if kind_of(path) in _SHOWN and path != own})
        if not found:
            raise NotFound(f"Nothing is found by '{source.kind}:{source.value}'.", candidates=_near(view, source))
        paths |= dict.fromkeys(path for path in found if path != own)
    return MapNotes(tuple(paths), tuple(starts))


def _matching(view: View, files: VaultFiles, source: Source) -> Iterable[VaultPath]:
    if source.kind == "tag":
        return view.matching(TagIs(source.value.lstrip("#")))
    if source.kind == "folder":
        folder = find_folder(view, files, source.value) if source.value.strip("/") else VaultPath("")
        return (path for path, _ in view.files() if path.is_under(folder))
    name, equals, value = source.value.partition("=")
    if not equals:
        return (path for path, _ in view.property_values(name.strip()))
    wanted = value.strip()
    typed: list[Json] = [wanted, *_other_types(wanted)]
    return frozenset[VaultPath]().union(*(view.matching(PropertyIs(name.strip(), one)) for one in typed))


def _other_types(text: str) -> Iterator[Json]:
    """Go through what else than text a value may be: an agent cannot see which it is."""
    if text.lower() in ("true", "false"):
        yield text.lower() == "true"
    try:
        number = float(text)
    except ValueError:
        return
    yield int(number) if number.is_integer() else number


def _near(view: View, source: Source) -> Sequence[str]:
    if source.kind == "tag":
        stem = source.value.lstrip("#").lower()[:3]
        return [f"tag:#{name}" for name in view.tag_names() if stem in name.lower()][:_NEAR]
    if source.kind == "property":
        name = source.value.partition("=")[0].strip()
        values = Counter(words for _, value in view.property_values(name) for words in value_words(value))
        return [f"property:{name}={value}" for value, _ in values.most_common(_NEAR)]
    return ()


def _around(view: View, start: VaultPath, own: VaultPath, depth: int) -> list[VaultPath]:
    """Return the notes within so many links, nearest first, then those with more links to what is nearer."""
    seen = {start}
    border, found, followed = [start], list[VaultPath](), 0
    for _ in range(depth):
        counts: Counter[VaultPath] = Counter()
        for path in border[: _MOST_FOLLOWED - followed]:
            counts.update(other for other in _linked(view, path) if other not in seen and other != own)
        followed += len(border)
        border = sorted(
            (path for path in counts if kind_of(path) in _SHOWN and path not in view.excluded),
            key=lambda path: (-counts[path], path),
        )
        seen.update(border)
        found += border
    return found


def _linked(view: View, path: VaultPath) -> Iterator[VaultPath]:
    for link in view.outgoing(path):
        if link.target is not None:
            yield link.target
    for at in view.backlinks(path):
        yield at.source


def _by_links(view: View, among: AbstractSet[VaultPath]) -> list[VaultPath]:
    """Put notes in order, those with the most links among them first."""
    counts = Counter(dict.fromkeys(among, 0))
    for end in view.link_ends():
        if end.target is not None and end.source in among and end.target in among and end.source != end.target:
            counts[end.source] += 1
            counts[end.target] += 1
    return sorted(among, key=lambda path: (-counts[path], path))
