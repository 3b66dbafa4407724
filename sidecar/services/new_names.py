"""What links mean before and after files move or appear, and how they keep leading where they led (M1, M2)."""

import posixpath
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from sidecar.catalog.graph import target_of
from sidecar.catalog.linktext import LinkFormat, linktext
from sidecar.catalog.resolve import depends_on_source
from sidecar.catalog.snapshot import Snapshot
from sidecar.model.file import FileState
from sidecar.model.note import Link, LinkKind
from sidecar.model.path import VaultPath
from sidecar.parse.rewrite_links import Rewrite, is_wikilink

__all__ = ["NewNames"]

_UNREAD = FileState(0, 0, 0, "")


@dataclass(frozen=True, slots=True)
class NewNames:
    """Two snapshots and the way from one to the other."""

    before: Snapshot
    after: Snapshot
    moves: Mapping[VaultPath, VaultPath]
    folders: Mapping[VaultPath, VaultPath]
    """Folders that move with all that is in them, outermost only."""
    link_format: LinkFormat
    hidden: Collection[VaultPath] = field(default_factory=frozenset)
    """Files that the one who asked may not know of: to what that one sees, a link to them leads nowhere."""

    @classmethod
    def of(
        cls,
        before: Snapshot,
        link_format: LinkFormat,
        *,
        moves: Mapping[VaultPath, VaultPath] | None = None,
        folders: Mapping[VaultPath, VaultPath] | None = None,
        added: Iterable[VaultPath] = (),
        hidden: Collection[VaultPath] = frozenset(),
    ) -> "NewNames":
        """Return the new names after these moves and with these new files."""
        moves = moves or {}
        gone: dict[VaultPath, FileState | None] = dict.fromkeys(moves)
        come = {new: before.files.get(old, _UNREAD) for old, new in moves.items()}
        after = before.changed({**gone, **come, **dict.fromkeys(added, _UNREAD)})
        return cls(before, after, moves, folders or {}, link_format, hidden)

    def place(self, path: VaultPath) -> VaultPath:
        """Return where a file is afterwards."""
        return self.moves.get(path, path)

    def rewrite(self, link: Link, source: VaultPath) -> Rewrite | None:
        """Return how a link of ``source`` is to lead on; ``None`` when it may stay as it is (M1).

        A link that led to one file must not lead to another, nor to one of several. A link that leads nowhere stays,
        but for one that goes by its own note's folder (``../X``): it names the same place afterwards (R4, R17).
        """
        meant = target_of(link, source, self.before)
        was, place = meant.target, self.place(source)
        if was is None or self._is_secret(was, source):
            return self._rebased(link, source)
        now = self.place(was)
        if link.kind is LinkKind.CANVAS_FILE:
            return Rewrite(link, now, was, now) if now != was else None
        means = target_of(link, place, self.after)
        if means.target == now and (meant.is_ambiguous or not means.is_ambiguous):
            return None
        in_brackets = is_wikilink(link.raw)
        link_format = self.link_format
        if link_format == "shortest" and not in_brackets and _joined(source.folder, link.linkpath) == was:
            # Other readers of Markdown follow this link too; the bare name of a file elsewhere would lose them.
            link_format = "relative"
        text = linktext(now, place, self.after.names, link_format, omit_md=in_brackets)
        return Rewrite(link, text, was, now)

    def leads_on(self, old: Link, new: Link, source: VaultPath) -> bool:
        """Tell whether ``new``, which was ``old``, leads afterwards to where ``old`` led."""
        was = target_of(old, source, self.before).target
        if was is None or self._is_secret(was, source):
            return True
        return target_of(new, self.place(source), self.after).target == self.place(was)

    def _is_secret(self, target: VaultPath, source: VaultPath) -> bool:
        return target in self.hidden and source not in self.hidden

    def _rebased(self, link: Link, source: VaultPath) -> Rewrite | None:
        folder, new_folder = source.folder, self.place(source).folder
        if folder == new_folder or not depends_on_source(link.linkpath):
            return None
        goal = VaultPath(_joined(folder, link.linkpath))
        if any(goal.is_under(moved) for moved in self.folders):
            return None
        text = posixpath.relpath(f"/{goal}", f"/{new_folder}")
        return Rewrite(link, text if text.startswith("../") else f"./{text}", goal, goal)


def _joined(folder: VaultPath, linkpath: str) -> str:
    """Return the path that a relative link names; what leads above the root stays there (R4)."""
    return posixpath.normpath(posixpath.join("/", folder, linkpath)).lstrip("/")
