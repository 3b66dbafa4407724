"""Move notes and folders to other names and places; whatever linked there still does (contract section 5.3)."""

from dataclasses import dataclass, replace

from sidecar.errors import Invalid, NotFound, Refused
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.services.asked_path import in_vault
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer, Plan
from sidecar.services.lookup import find_file
from sidecar.services.notes import placed_in
from sidecar.services.relink import Mention, RelinkedFile, Relinker, Relinking
from sidecar.services.subtree import find_folder, is_seen, subtree
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["Destination", "Moved", "Moves"]

_TEXTS = frozenset({"md", "canvas", "base"})
_EXTENSIONS = (
    "avif bmp gif jpeg jpg png svg webp flac m4a mp3 ogg wav webm 3gp mkv mov mp4 ogv pdf "
    "csv doc docx htm html json odt rtf txt xls xlsx xml yaml yml zip"
)
_OTHERS = frozenset(_EXTENSIONS.split())
"""What people mean when they end a name so; ``v1.2`` ends in no extension."""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where to: a path, or a folder that the file goes into under its name."""

    path: str = ""
    folder: str = ""

    def __post_init__(self) -> None:
        """Check that it is one of the two.

        Raises:
            Invalid: when it is both or neither.

        """
        if bool(self.path.strip()) == bool(self.folder.strip()):
            raise Invalid(
                "It is not clear where to: give either destination_path or destination_folder.",
                hint="destination_path names the new path, destination_folder keeps the name; '/' is the root.",
            )

    def of(self, source: VaultPath, *, is_directory: bool) -> VaultPath:
        """Return the path that a file or folder gets.

        Raises:
            Refused: when it leads out of the vault or to what is hidden.
            Invalid: when the file would become one of another kind.

        """
        if self.folder.strip() or self.path.rstrip().endswith(("/", "\\")):
            return VaultPath.of(self.folder.strip() or self.path).child(source.name)
        path = VaultPath.of(self.path.strip())
        return path if is_directory else path.folder.child(_with_extension(path, source))


def _with_extension(path: VaultPath, source: VaultPath) -> str:
    """Return the new name of a file; without an extension it keeps the old one."""
    own, given = source.extension, path.extension
    if given == own:
        return path.name
    if given in _OTHERS and own not in _TEXTS:
        return path.name
    if given in _TEXTS | _OTHERS:
        raise Invalid(
            f"'{path.name}' has another extension than '{source.name}'; a move does not change what a file is.",
            hint="Leave the extension out to keep it.",
        )
    return path.name + source.name[len(source.basename) :]


@dataclass(frozen=True, slots=True)
class Moved:
    """What was moved where, and the files whose links follow it."""

    source: VaultPath
    path: VaultPath
    title: str
    permalink: str | None
    is_directory: bool
    files: tuple[VaultPath, ...]
    """The files that moved, under their new names."""
    relinked: tuple[RelinkedFile, ...]
    mentions: tuple[Mention, ...]
    change: str | None
    """Id of the change, for undo."""


class Moves:
    """Moves files and folders."""

    def __init__(self, committer: Committer, views: Views, files: VaultFiles, relinker: Relinker, project: str) -> None:
        self._committer = committer
        self._views = views
        self._files = files
        self._relinker = relinker
        self._project = project

    async def move(
        self,
        caller: Caller,
        *,
        identifier: str,
        destination_path: str = "",
        destination_folder: str | None = None,
        is_directory: bool = False,
        reason: str | None = None,
    ) -> Moved:
        """Move a file, or a folder with all that is in it, and let all links follow, in one change.

        Raises:
            NotFound: when it is not there, with near names.
            Ambiguous: when the name fits several files.
            Invalid: when it is not clear where to, or a name is not allowed.
            Refused: when the destination is taken, or a rule of the user forbids the move or mending a link.

        """
        to = Destination(self._asked(destination_path), self._asked(destination_folder or ""))

        def plan(view: View) -> Plan[Moved]:
            if is_directory:
                return self._folder(view, caller, identifier, to, reason)
            return self._file(view, caller, identifier, to, reason)

        done = await self._committer.apply(plan, caller)
        moved = done.about
        note = None if is_directory else done.view.note(moved.path)
        return replace(
            moved,
            title=note.title if note else moved.path.name,
            permalink=note.permalink if note else None,
            change=done.recorded.id if done.recorded else None,
        )

    def _file(self, view: View, caller: Caller, identifier: str, to: Destination, reason: str | None) -> Plan[Moved]:
        source = find_file(view, identifier, project=self._project, index_now=self._committer.index_now)
        if source not in view.snapshot.files:
            view = self._views.newest(caller.audience)  # it came to the disk only now
        data = self._files.read(source)
        if not is_seen(view, source, data):
            raise NotFound(f"There is no note '{identifier}'.", hint="Use search_notes to find it.")
        path = self._free(view, source, to.of(source, is_directory=False))
        links = self._relinker.plan(view, moves={source: path})
        move = Entry(Op.MOVE, source, checksum(data), links.moved.get(source), path)
        change = ChangeSet("move_note", (move, *links.entries), f"Move {source} to {path}", reason, mended=links.mended)
        return Plan(change, _moved(source, path, (path,), links))

    def _folder(self, view: View, caller: Caller, identifier: str, to: Destination, reason: str | None) -> Plan[Moved]:
        source = find_folder(view, self._files, identifier)
        path = self._free(view, source, to.of(source, is_directory=True))
        if path.is_under(source):
            raise Refused(f"'{source}' cannot be moved into itself.", hint="Choose a folder outside of it.")
        tree = subtree(view, self._files, source, self._committer.index_now)
        view = self._views.newest(caller.audience)
        before = tree.checksums(view, self._files)
        moves = {old: _inside(path, source, old) for old in before}
        links = self._relinker.plan(view, moves=moves, folders={source: path})
        entries = (Entry(Op.MOVE, old, before[old], links.moved.get(old), new) for old, new in moves.items())
        change = ChangeSet(
            "move_note",
            (*entries, *links.entries),
            f"Move the folder {source} to {path}",
            reason,
            folders=tuple(_inside(path, source, folder) for folder in tree.folders),
            emptied=tree.innermost_first,
            mended=links.mended,
        )
        return Plan(change, replace(_moved(source, path, tuple(moves.values()), links), is_directory=True))

    def _asked(self, text: str) -> str:
        return in_vault(text, self._files.root, self._project, self._is_folder)

    def _is_folder(self, path: VaultPath) -> bool:
        found = self._files.find_case(path)
        return found is not None and self._files.folder_exists(found)

    def _free(self, view: View, source: VaultPath, to: VaultPath) -> VaultPath:
        """Return the destination with the spelling of folders that exist, if nothing else has its name."""
        path = placed_in(self._files, view, to.folder, to.name)
        if path == source:
            raise Refused(f"'{source}' is there already.", hint="Give another name or folder.")
        twin = self._files.find_case(path)
        if twin is None or twin == source or (self._files.folder_exists(twin) and not view.sees_folder(twin)):
            return path
        raise Refused(f"'{twin}' exists already.", hint="Choose another name, or move that one away first.")


def _inside(folder: VaultPath, old_folder: VaultPath, path: VaultPath) -> VaultPath:
    """Return where a path is when the folder above it has moved."""
    return VaultPath(folder + path[len(old_folder) :])


def _moved(source: VaultPath, path: VaultPath, files: tuple[VaultPath, ...], links: Relinking) -> Moved:
    return Moved(source, path, path.name, None, False, files, links.files, links.mentions, None)
