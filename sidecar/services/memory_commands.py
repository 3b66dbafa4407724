"""The six commands of the Claude API's memory tool, over the folder of memories; every change is journaled.

Results and errors have the very words of that tool's documentation, since its clients know those.
"""

from collections.abc import Callable, Sequence
from urllib.parse import unquote

from sidecar.errors import Invalid, NotFound, Refused
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath, check_new_path
from sidecar.parse.encrypted import check_edit
from sidecar.parse.memory_edit import MOST_LINES, inserted, numbered, replaced
from sidecar.parse.text import SourceText, decode
from sidecar.services.asked_text import Part
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer, Plan
from sidecar.services.deletes import Deletes
from sidecar.services.memory_deletes import trashed
from sidecar.services.memory_index import MemoryIndex, no_line_for
from sidecar.services.memory_input import ROOT, Command, MemoryAnswer, MemoryInput, Named
from sidecar.services.memory_listing import listing
from sidecar.services.memory_shelf import MemoryShelf
from sidecar.services.moves import Moves
from sidecar.services.notes import placed_in
from sidecar.services.raw_files import check_size, raw_file
from sidecar.services.relink import Relinker
from sidecar.services.subtree import is_seen
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles
from sidecar.vault.obsidian_settings import CurrentSettings

__all__ = ["MemoryCommands"]

_DECODINGS = 3
_TOOL = "memory"
_MISSING = "Error: The path {} does not exist"
_INVALID_PATH = "The path {} does not exist. Please provide a valid path."


class MemoryCommands:
    """Carries out commands; paths begin with ``/memories``, which is the folder of the memories."""

    def __init__(
        self,
        committer: Committer,
        views: Views,
        files: VaultFiles,
        relinker: Relinker,
        moves: Moves,
        deletes: Deletes,
        shelf: MemoryShelf,
        index: MemoryIndex,
        obsidian: CurrentSettings,
        threads: Threads,
    ) -> None:
        self._committer = committer
        self._views = views
        self._files = files
        self._relinker = relinker
        self._moves = moves
        self._deletes = deletes
        self._shelf = shelf
        self._index = index
        self._obsidian = obsidian
        self._threads = threads

    async def run(self, caller: Caller, said: MemoryInput) -> MemoryAnswer:
        """Carry out one command.

        Raises:
            NotFound: when the path does not exist.
            Invalid: when a parameter is missing or wrong, in the documentation's words.
            Refused: when the path leads elsewhere, is taken, or the user's rules forbid the change.

        """
        match said.command:
            case Command.VIEW:
                return await self._threads.read(self._view, caller, self._named(said.needed("path")), said.view_range)
            case Command.CREATE:
                return await self._create(caller, self._named(said.needed("path")), said.needed("file_text"))
            case Command.STR_REPLACE:
                return await self._replace(caller, said)
            case Command.INSERT:
                return await self._insert(caller, said)
            case Command.DELETE:
                return await self._delete(caller, self._named(said.needed("path")))
            case Command.RENAME:
                old, new = self._named(said.needed("old_path")), self._named(said.needed("new_path"))
                return await self._rename(caller, old, new)

    def _named(self, said: str) -> Named:
        if said != ROOT and not said.startswith(f"{ROOT}/"):
            raise Refused(f"Path must start with {ROOT}, got: {said}")
        decoded = said
        for _ in range(_DECODINGS):
            decoded = unquote(decoded)
        if "\\" in decoded or "\0" in decoded or ".." in decoded.split("/"):
            raise Refused(f"Path {said} would escape {ROOT} directory")
        shown = said.rstrip("/")
        inside = shown.removeprefix(ROOT).strip("/")
        folder = self._files.find_case(self._shelf.folder) or self._shelf.folder
        try:
            return Named(shown, VaultPath.of(f"{folder}/{inside}"), is_root=not inside)
        except Refused:
            raise NotFound(_INVALID_PATH.format(shown)) from None

    def _is_folder(self, view: View, named: Named) -> bool:
        return self._files.folder_exists(named.path) and view.sees_folder(named.path)

    def _bytes(self, view: View, named: Named, missing: str) -> bytes:
        """Return the bytes of a file that is there for the caller."""
        if self._files.stat(named.path) is None or not view.sees(named.path):
            raise named.missing(missing)
        data = self._files.read(named.path)
        if not is_seen(view, named.path, data):
            raise named.missing(missing)
        return data

    def _view(self, caller: Caller, named: Named, view_range: Sequence[int] | None) -> MemoryAnswer:
        view = self._views.newest(caller.audience)
        if named.is_root or self._is_folder(view, named):
            return MemoryAnswer(listing(view, self._files, named))
        if (stat := self._files.stat(named.path)) is not None:
            check_size(named.path, stat.size)
        data = self._bytes(view, named, _INVALID_PATH)
        raw = raw_file(named.path, data, "", Part())
        if raw.picture is not None:
            return MemoryAnswer(f"Here's the image at {named.said}:", raw.picture)
        if raw.text is None:
            raise Refused(f"The file {named.said} is no text and no image.")
        text = raw.text.text
        if text.count("\n") + (not text.endswith("\n")) > MOST_LINES:
            raise Refused(f"File {named.said} exceeds maximum line limit of 999,999 lines.")
        first, last = _range(view_range)
        shown = numbered(text, first, last)
        said = f"Here's the content of {named.said} with line numbers:\n{shown.text}"
        if shown.cut_after is not None:
            said += (
                f"\n[Lines 1 to {shown.cut_after} of {shown.lines} are shown; "
                f"view_range [{shown.cut_after + 1}, -1] shows the rest.]"
            )
        return MemoryAnswer(said)

    async def _create(self, caller: Caller, named: Named, text: str) -> MemoryAnswer:
        data = text.encode("utf-8", "surrogatepass")

        def plan(view: View) -> Plan[None]:
            path = placed_in(self._files, view, named.path.folder, named.path.name)
            if self._files.find_case(path) is not None:
                raise Refused(f"Error: File {named.said} already exists")
            links = self._relinker.plan(view, added=(path,))
            entries = (Entry(Op.CREATE, path, None, data), *links.entries)
            return Plan(ChangeSet(_TOOL, entries, f"Create {path}", mended=links.mended), None)

        if named.is_root:
            raise Refused(f"Error: File {named.said} already exists")
        await self._committer.apply(plan, caller)
        return MemoryAnswer(f"File created successfully at: {named.said}")

    async def _replace(self, caller: Caller, said: MemoryInput) -> MemoryAnswer:
        named, old = self._named(said.needed("path")), said.needed("old_str")

        def edit(source: SourceText) -> tuple[str, str]:
            return replaced(named.said, source, old, said.new_str or "")

        snippet = await self._edited(caller, named, edit, f"Error: {_INVALID_PATH}")
        head = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return MemoryAnswer(f"{head}\n{snippet}")

    async def _insert(self, caller: Caller, said: MemoryInput) -> MemoryAnswer:
        named, line = self._named(said.needed("path")), int(said.needed("insert_line"))
        text = said.needed("insert_text")

        def edit(source: SourceText) -> tuple[str, str]:
            return inserted(source, line, text), ""

        await self._edited(caller, named, edit, _MISSING)
        return MemoryAnswer(f"The file {named.said} has been edited.")

    async def _edited(
        self, caller: Caller, named: Named, edit: Callable[[SourceText], tuple[str, str]], missing: str
    ) -> str:
        def plan(view: View) -> Plan[str]:
            data = self._bytes(view, named, missing)
            source = decode(data)
            text, told = edit(source)
            check_edit(named.path, source.text, text)
            after = source.encode(text)
            entries = (Entry(Op.REPLACE, named.path, checksum(data), after),) if after != data else ()
            return Plan(ChangeSet(_TOOL, entries, f"Edit {named.path}"), told)

        return (await self._committer.apply(plan, caller)).about

    async def _delete(self, caller: Caller, named: Named) -> MemoryAnswer:
        if named.is_root:
            raise Refused(f"Cannot delete the {ROOT} directory itself")
        done = MemoryAnswer(f"Successfully deleted {named.said}")
        if await self._threads.read(self._is_folder, self._views.newest(caller.audience), named):
            await self._deletes.delete(caller, identifier=named.path, is_directory=True)
            return done

        def plan(view: View) -> Plan[None]:
            data = self._bytes(view, named, _MISSING)
            own = trashed(self._files, self._obsidian, named.path, data)
            is_memory = self._shelf.holds(named.path)
            name = self._shelf.name_of(named.path)
            index = self._index.plan(view, no_line_for(name)).entries if is_memory else ()
            change = ChangeSet(_TOOL, (own.entry, *index), f"Delete {named.path}", system_trash=own.goes_to_system)
            return Plan(change, None)

        await self._committer.apply(plan, caller)
        return done

    async def _rename(self, caller: Caller, old: Named, new: Named) -> MemoryAnswer:
        if old.is_root:
            raise Refused(f"Cannot rename the {ROOT} directory itself")
        done = MemoryAnswer(f"Successfully renamed {old.said} to {new.said}")
        taken = Refused(f"Error: The destination {new.said} already exists")
        if new.is_root:
            raise taken
        view = self._views.newest(caller.audience)
        if await self._threads.read(self._is_folder, view, old):
            if await self._threads.read(self._is_taken, view, old, new):
                raise taken
            await self._moves.move(caller, identifier=old.path, destination_path=new.path, is_directory=True)
            return done

        def plan(view: View) -> Plan[None]:
            data = self._bytes(view, old, _MISSING)
            if self._is_taken(view, old, new):
                raise taken
            path = placed_in(self._files, view, new.path.folder, new.path.name)
            links = self._relinker.plan(view, moves={old.path: path})
            move = Entry(Op.MOVE, old.path, checksum(data), links.moved.get(old.path), path)
            summary = f"Move {old.path} to {path}"
            return Plan(ChangeSet(_TOOL, (move, *links.entries), summary, mended=links.mended), None)

        await self._committer.apply(plan, caller)
        return done

    def _is_taken(self, view: View, old: Named, new: Named) -> bool:
        check_new_path(new.path)
        twin = self._files.find_case(new.path)
        return twin is not None and (twin != old.path or new.path == old.path) and view.sees(twin)


def _range(view_range: Sequence[int] | None) -> tuple[int | None, int | None]:
    if view_range is None:
        return None, None
    if len(view_range) != 2:  # noqa: PLR2004 - first and last
        raise Invalid(f"Error: Invalid `view_range` parameter: {list(view_range)}. Give a list of two integers.")
    return view_range[0], view_range[1]
