"""All over the vault, the links that new names would lead elsewhere, written so that they lead on (contract M1-M8)."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sidecar.bases.links import Literal, lines_naming, rewrite_literals
from sidecar.canvas.rewrite import rewrite_canvas
from sidecar.canvas.source import NotACanvas
from sidecar.errors import NotFound, Refused, SidecarError
from sidecar.model.change import Entry, Op
from sidecar.model.file import checksum
from sidecar.model.note import FileKind, Link, LinkKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.file import first_part
from sidecar.parse.note import links_in, parse_note
from sidecar.parse.rewrite_links import Rewrite, rewrite_links
from sidecar.parse.text import SourceText, decode
from sidecar.services.new_names import NewNames
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles
from sidecar.vault.obsidian_settings import CurrentSettings

__all__ = ["CannotFollow", "Mention", "RelinkedFile", "Relinker", "Relinking"]

_SIGNS = re.compile(r"[^\w\s./,()'+=;@&-]")
"""What may end a link, or begin code, math, HTML or a comment around it; letters of all scripts do not."""
_LINKING = frozenset({"file", "hasLink", "link", "linksTo"})
"""Functions of bases whose argument is a link or a path."""


class CannotFollow(Refused):
    """A link would have to be written anew where that is not possible; then nothing is done at all."""

    def __init__(self, view: View, source: VaultPath, why: str) -> None:
        seen = view.sees(source)
        super().__init__(
            f"A link in '{source}' would lead elsewhere and cannot be mended: {why.rstrip('.')}."
            if seen
            else "A link would lead elsewhere where only the user could mend it.",
            hint="Choose another name or place, or ask the user to do it in Obsidian.",
            data={"path": source} if seen else {},
        )


@dataclass(frozen=True, slots=True)
class RelinkedFile:
    """A file as it is called afterwards, and how many of its links were written anew."""

    path: VaultPath
    links: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A base with lines that name what moved in words of which nobody can say whether they mean it (M5)."""

    path: VaultPath
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Relinking:
    """What becomes of the links. ``files`` and ``mentions`` hold only what the audience may see."""

    entries: tuple[Entry, ...] = ()
    """The files that stay in their places."""
    moved: Mapping[VaultPath, bytes] = field(default_factory=dict)
    """New bytes of files that move, by their old paths."""
    files: tuple[RelinkedFile, ...] = ()
    mentions: tuple[Mention, ...] = ()

    @property
    def mended(self) -> tuple[VaultPath, ...]:
        """The files of the entries."""
        return tuple(entry.path for entry in self.entries)


@dataclass(frozen=True, slots=True)
class _Followed:
    """A file before and after."""

    before: bytes
    after: bytes
    links: int
    is_seen: bool


class Relinker:
    """Plans what has to change with new names."""

    def __init__(self, files: VaultFiles, settings: CurrentSettings) -> None:
        self._files = files
        self._settings = settings

    def plan(
        self,
        view: View,
        *,
        moves: Mapping[VaultPath, VaultPath] | None = None,
        folders: Mapping[VaultPath, VaultPath] | None = None,
        added: Iterable[VaultPath] = (),
    ) -> Relinking:
        """Plan for files that move or are new; ``folders`` are those that move with all that is in them.

        Raises:
            CannotFollow: when a link would have to follow in a file that is read-only or cannot be edited.

        """
        added = tuple(added)
        names = NewNames.of(
            view.snapshot,
            self._settings.now().new_link_format.value,
            moves=moves,
            folders=folders,
            added=added,
            hidden=view.hidden,
        )
        touched = view.touched_links([*names.moves, *names.moves.values(), *added], names.moves)
        at_risk: dict[VaultPath, list[Link]] = defaultdict(list)
        for at in touched:
            at_risk[at.source].append(at.link)
        bases = _bases(names, added)
        read = self._files.reader()
        found = {
            source: _followed(view, names, source, links, read)
            for source, links in (*at_risk.items(), *((base, []) for base in bases))
            if source in bases or any(names.rewrite(link, source) for link in links)
        }
        changed = {source: file for source, file in found.items() if file and file.after != file.before}
        return Relinking(
            entries=tuple(
                Entry(Op.REPLACE, source, checksum(file.before), file.after)
                for source, file in changed.items()
                if source not in names.moves
            ),
            moved={source: file.after for source, file in changed.items() if source in names.moves},
            files=tuple(sorted(_seen(names, changed), key=lambda file: file.path)),
            mentions=tuple(_mentions(names, [(b, file) for b in bases if (file := found[b])])),
        )


def _followed(
    view: View, names: NewNames, source: VaultPath, links: Sequence[Link], read: Callable[[VaultPath], bytes]
) -> _Followed | None:
    """Return a file with links that lead on; ``None`` for what is gone by now, and for a base that is no text.

    ``links`` are those of a note that the catalog knows and that are at risk.
    """
    kind = kind_of(source)
    try:
        data = read(source)
        old = decode(data)
        if kind is FileKind.NOTE:
            known = links if checksum(data) == view.snapshot.files[source].hash else None
            text, done = _note(names, source, old, known, first_part(data))
        else:
            text, done = (_canvas if kind is FileKind.CANVAS else _base)(names, source, old.text)
    except NotFound:
        return None
    except SidecarError as error:
        if kind is FileKind.BASE:
            return None
        raise CannotFollow(view, source, error.message) from error
    is_seen = view.sees_text(source, old.text)
    if done and is_seen and not view.may_change(source):
        raise CannotFollow(view, source, "agents may only read it")
    return _Followed(data, old.encode(text), done, is_seen)


def _note(
    names: NewNames, source: VaultPath, old: SourceText, known: Sequence[Link] | None, readable: bytes
) -> tuple[str, int]:
    """Rewrite the links of a note; what the catalog knows of this very text needs not be read out of it again."""
    readable_text = decode(readable).text
    if known is None or not all(old.text.startswith(link.raw, link.start) for link in known):
        known = parse_note(source, readable_text).links
    rewrites = [rewrite for link in known if (rewrite := names.rewrite(link, source))]
    if not rewrites:
        return old.text, 0
    text = rewrite_links(old.text, rewrites, old.newline)
    if not _are_plain(names, source, rewrites):
        end = len(text) - len(old.text) + len(readable_text)
        _check(names, source, parse_note(source, readable_text).links, parse_note(source, text[:end]).links)
    return text, len(rewrites)


def _canvas(names: NewNames, source: VaultPath, text: str) -> tuple[str, int]:
    done: list[Rewrite] = []

    def file(path: str) -> str:
        rewrite = names.rewrite(Link(LinkKind.CANVAS_FILE, path, path, "", None, 1, 0), source)
        done.extend([rewrite] if rewrite else [])
        return rewrite.linkpath if rewrite else path

    def card(text: str) -> str:
        links = links_in(text)
        rewrites = [rewrite for link in links if (rewrite := names.rewrite(link, source))]
        done.extend(rewrites)
        after = rewrite_links(text, rewrites)
        if not _are_plain(names, source, rewrites):
            _check(names, source, links, links_in(after))
        return after

    try:
        return rewrite_canvas(text, file, card), len(done)
    except NotACanvas:
        return text, 0


def _are_plain(names: NewNames, source: VaultPath, rewrites: Sequence[Rewrite]) -> bool:
    """Tell whether the new paths lead on and hold nothing that Markdown could take for anything else."""
    place = names.place(source)
    return all(
        not _SIGNS.search(rewrite.linkpath)
        and (rewrite.now not in names.after.files or names.after.resolve(rewrite.linkpath, place).target == rewrite.now)
        for rewrite in rewrites
    )


def _check(names: NewNames, source: VaultPath, old: Sequence[Link], new: Sequence[Link]) -> None:
    """Check what was written by reading it: some paths cannot stand in a link of this form at all (F2)."""
    if len(old) != len(new) or not all(map(names.leads_on, old, new, [source] * len(old))):
        raise Refused("the path it would need holds signs that end a link")


def _base(names: NewNames, source: VaultPath, text: str) -> tuple[str, int]:
    done: list[Literal] = []

    def new(literal: Literal) -> str:
        written = _literal(names, source, literal)
        done.extend([literal] if written != literal.text else [])
        return written

    return rewrite_literals(text, new), len(done)


def _literal(names: NewNames, source: VaultPath, literal: Literal) -> str:
    """Return what a text of a formula becomes if it is certain that it means a file or folder that moved."""
    text = literal.text
    if literal.call == "inFolder":
        path = VaultPath(text)
        above = next((old for old in names.folders if path == old or path.is_under(old)), None)
        return text if above is None else names.folders[above] + path[len(above) :]
    if (links := links_in(text)) and links[0].raw == text:
        rewrite = names.rewrite(links[0], source)
        return rewrite_links(text, [rewrite]) if rewrite else text
    if literal.call in _LINKING:
        linkpath, mark, subpath = text.partition("#")
        raw = text if linkpath.lower().endswith(".md") else f"[[{text}]]"
        rewrite = names.rewrite(Link(LinkKind.WIKILINK, raw, linkpath, mark + subpath, None, 1, 0), source)
        return rewrite.linkpath + mark + subpath if rewrite else text
    return names.place(VaultPath(text))


def _bases(names: NewNames, added: Iterable[VaultPath]) -> list[VaultPath]:
    """Return the bases there are to look through: none for a new file whose name no other has."""
    if not names.moves and all(len(names.after.names.get(path.name.lower(), ())) == 1 for path in added):
        return []
    return [path for path in names.before.files if path.lower().endswith(".base")]


def _seen(names: NewNames, changed: Mapping[VaultPath, _Followed]) -> list[RelinkedFile]:
    return [RelinkedFile(names.place(source), file.links) for source, file in changed.items() if file.is_seen]


def _mentions(names: NewNames, bases: Iterable[tuple[VaultPath, _Followed]]) -> list[Mention]:
    words: set[str] = set(names.folders)
    for old, new in names.moves.items() if not names.folders else ():
        words |= {old, old.without_md} | ({old.basename} if old.basename != new.basename else set())
    found = []
    for base, file in bases:
        before, after = (data.decode(errors="replace").splitlines() for data in (file.before, file.after))
        lines = lines_naming("\n".join(before), words)
        left = tuple(number for number in lines if before[number - 1] == after[number - 1])
        if left and file.is_seen:
            found.append(Mention(names.place(base), left))
    return found
