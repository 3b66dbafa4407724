"""Delete notes and folders to where the user's Obsidian puts what is deleted (contract A7, case C25)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sidecar.catalog.graph import target_of
from sidecar.errors import NotFound
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.note import Link
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer, Plan
from sidecar.services.lookup import find_file
from sidecar.services.subtree import find_folder, is_seen, subtree
from sidecar.services.views import View, Views
from sidecar.vault import trash
from sidecar.vault.files import VaultFiles
from sidecar.vault.obsidian_settings import CurrentSettings, TrashOption

__all__ = ["Dangling", "Deleted", "Deletes"]


@dataclass(frozen=True, slots=True)
class Dangling:
    """A link to what was deleted, and where it leads now: nowhere, or to another file of this name."""

    source: VaultPath
    link: Link
    now: VaultPath | None


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted and where it is now; or that there was nothing, and what is like it."""

    identifier: str
    path: VaultPath | None = None
    title: str | None = None
    permalink: str | None = None
    is_directory: bool = False
    files: tuple[VaultPath, ...] = ()
    trash: TrashOption | None = None
    kept_at: VaultPath | None = None
    """The place in the vault's own trash."""
    dangling: tuple[Dangling, ...] = ()
    near: tuple[str, ...] = ()
    hint: str | None = None
    change: str | None = None
    """Id of the change, for undo; ``None`` when nothing was deleted."""

    @property
    def deleted(self) -> bool:
        """Tell whether there was something to delete."""
        return self.path is not None


class Deletes:
    """Deletes files and folders; the journal keeps their bytes, so that undo brings them back in any case."""

    def __init__(
        self, committer: Committer, views: Views, files: VaultFiles, settings: CurrentSettings, project: str
    ) -> None:
        self._committer = committer
        self._views = views
        self._files = files
        self._settings = settings
        self._project = project

    async def delete(
        self, caller: Caller, *, identifier: str, is_directory: bool = False, reason: str | None = None
    ) -> Deleted:
        """Delete a file, or a folder with all that is in it. What is not there is no error.

        Raises:
            Ambiguous: when the name fits several files.
            Refused: when a rule of the user forbids it, or the system's trash cannot be reached.

        """

        def plan(view: View) -> Plan[Deleted]:
            try:
                if is_directory:
                    return self._folder(view, caller, identifier, reason)
                return self._file(view, caller, identifier, reason)
            except NotFound as missing:
                return Plan(ChangeSet("delete_note", (), ""), self._missing(view, identifier, is_directory, missing))

        done = await self._committer.apply(plan, caller)
        return replace(done.about, change=done.recorded.id if done.recorded else None)

    def _missing(self, view: View, identifier: str, is_directory: bool, missing: NotFound) -> Deleted:
        if not is_directory and self._is_folder(view, identifier):
            return Deleted(
                identifier, hint=f"'{identifier}' is a folder; is_directory=true deletes it with all its files."
            )
        return Deleted(identifier, near=missing.candidates, hint=missing.hint)

    def _is_folder(self, view: View, text: str) -> bool:
        try:
            find_folder(view, self._files, text)
        except NotFound:
            return False
        return True

    def _file(self, view: View, caller: Caller, identifier: str, reason: str | None) -> Plan[Deleted]:
        path = find_file(view, identifier, project=self._project, index_now=self._committer.index_now)
        if path not in view.snapshot.files:
            view = self._views.newest(caller.audience)  # it came to the disk only now
        data = self._files.read(path)
        if not is_seen(view, path, data):
            raise NotFound(f"There is no note '{identifier}'.", hint="search_notes finds notes.")
        note = view.note(path)
        about = Deleted(
            identifier,
            path,
            note.title if note else path.basename,
            note.permalink if note else None,
            files=(path,),
            dangling=_dangling(view, (path,)),
        )
        return self._plan(about, {path: checksum(data)}, (), reason)

    def _folder(self, view: View, caller: Caller, identifier: str, reason: str | None) -> Plan[Deleted]:
        folder = find_folder(view, self._files, identifier)
        tree = subtree(view, self._files, folder, self._committer.index_now)
        view = self._views.newest(caller.audience)
        before = tree.checksums(view, self._files)
        files = tuple(before)
        about = Deleted(
            identifier, folder, folder.name, is_directory=True, files=files, dangling=_dangling(view, files)
        )
        return self._plan(about, before, tree.innermost_first, reason)

    def _plan(
        self, about: Deleted, before: Mapping[VaultPath, str], emptied: Sequence[VaultPath], reason: str | None
    ) -> Plan[Deleted]:
        path = about.path or VaultPath("")
        option = self._settings.now().trash_option
        kept_at = None
        if option is TrashOption.LOCAL:
            kept_at = trash.free_place(self._files, path.name, is_folder=about.is_directory)
        elif option is TrashOption.SYSTEM:
            trash.check_system_trash()
        entries = (
            Entry(Op.TRASH, file, digest, None, None if kept_at is None else VaultPath(kept_at + file[len(path) :]))
            for file, digest in before.items()
        )
        change = ChangeSet(
            "delete_note",
            tuple(entries),
            f"Delete {'the folder ' if about.is_directory else ''}{path}",
            reason,
            emptied=tuple(emptied),
            system_trash=option is TrashOption.SYSTEM,
        )
        return Plan(change, replace(about, trash=option, kept_at=kept_at if before else None))


def _dangling(view: View, files: Sequence[VaultPath]) -> tuple[Dangling, ...]:
    """Return the visible links that led to the files from outside, by source and place."""
    gone = frozenset(files)
    after = view.snapshot.changed(dict.fromkeys(files))
    left = (at for path in files for at in view.backlinks(path) if at.source not in gone)
    found = []
    for at in sorted(left, key=lambda at: (at.source, at.link.line, at.link.start)):
        now = target_of(at.link, at.source, after).target
        found.append(Dangling(at.source, at.link, None if now in view.hidden else now))
    return tuple(found)
