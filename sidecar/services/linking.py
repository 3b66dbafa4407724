"""Make links of unlinked mentions, all of them or some, in one change."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sidecar.errors import NotFound, Refused, SidecarError
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.text import read_text
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer, Plan
from sidecar.services.lookup import find_file
from sidecar.services.mention import ID_OF_PATH, Spot, path_id
from sidecar.services.mention_links import LinkWriter
from sidecar.services.mentions import Mentions, Sought, spots_in
from sidecar.services.threads import Threads
from sidecar.services.versions import short_diff
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles
from sidecar.vault.obsidian_settings import CurrentSettings

__all__ = ["LeftFile", "LinkedFile", "Linking", "MentionsLinked"]


@dataclass(frozen=True, slots=True)
class LinkedFile:
    """A file in which mentions became links, and what differs in it on a dry run."""

    path: VaultPath
    links: int
    diff: str | None = None


@dataclass(frozen=True, slots=True)
class LeftFile:
    """A file that was left as it is, and why."""

    path: VaultPath
    reason: str


@dataclass(frozen=True, slots=True)
class MentionsLinked:
    """What became links, and what did not."""

    target: VaultPath
    linked: int
    files: tuple[LinkedFile, ...]
    left: tuple[LeftFile, ...] = ()
    unknown: tuple[str, ...] = ()
    """Ids that belong to no mention of the note there is."""
    dry_run: bool = False
    change: str | None = None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The mentions that were named; ``None`` is all of them."""

    ids: frozenset[str] | None

    def of(self, spots: Iterable[Spot]) -> list[Spot]:
        return [spot for spot in spots if self.ids is None or spot.id in self.ids]

    def names_some_in(self, path: VaultPath) -> bool:
        return self.ids is None or any(path_id(path) == one[:ID_OF_PATH] for one in self.ids)


class Linking:
    """Makes links of unlinked mentions."""

    def __init__(
        self,
        committer: Committer,
        views: Views,
        files: VaultFiles,
        threads: Threads,
        mentions: Mentions,
        settings: CurrentSettings,
        project: str,
    ) -> None:
        self._committer = committer
        self._views = views
        self._files = files
        self._threads = threads
        self._mentions = mentions
        self._settings = settings
        self._project = project

    async def link(
        self,
        caller: Caller,
        *,
        identifier: str,
        mentions: str | Sequence[str],
        dry_run: bool = False,
        reason: str | None = None,
    ) -> MentionsLinked:
        """Make links of all mentions (``"all"``), or of those with these ids, which :class:`Links` gives.

        A file that changed since its ids were given is left as it is, and so is one that agents may not change or in
        which a link would be read as something else.

        Raises:
            NotFound: when the note is not there, with near names, or none of the ids is.
            Ambiguous: when the name fits several files.
            Unavailable: when the index turned out damaged; it is being made anew then.

        """
        ids = frozenset(mentions) if not isinstance(mentions, str) else frozenset({mentions})
        wanted = _Wanted(None if ids == {"all"} else ids)
        view, sought = await self._threads.read(self._sought, caller, identifier)
        paths = await self._mentions.candidates(view, sought)

        def plan(view: View) -> Plan[MentionsLinked]:
            return self._plan(
                view, sought.target, [path for path in paths if wanted.names_some_in(path)], wanted, reason
            )

        done = await self._committer.apply(plan, caller, dry_run=dry_run)
        linked = done.about
        if dry_run:
            return replace(linked, dry_run=True)
        files = tuple(replace(file, diff=None) for file in linked.files)
        return replace(linked, files=files, change=done.recorded.id if done.recorded else None)

    def _sought(self, caller: Caller, identifier: str) -> tuple[View, Sought]:
        view = self._views.newest(caller.audience)
        path = find_file(view, identifier, project=self._project, index_now=self._committer.index_now)
        view = self._views.newest(caller.audience)
        if kind_of(path) is FileKind.NOTE and not view.sees_text(path, read_text(self._files.read(path))[0]):
            raise NotFound(f"There is no note '{identifier}'.", hint="Use search_notes to find it.")
        return view, Sought.of(view, path)

    def _plan(
        self, view: View, target: VaultPath, paths: Sequence[VaultPath], wanted: _Wanted, reason: str | None
    ) -> Plan[MentionsLinked]:
        sought, writer = Sought.of(view, target), LinkWriter(view, target, self._settings.now())
        entries: list[Entry] = []
        files: list[LinkedFile] = []
        left: list[LeftFile] = []
        found: set[str] = set()
        for path, data, spots in self._found(view, sought, paths, wanted):
            found |= {spot.id for spot in spots}
            try:
                if not view.may_change(path):
                    raise Refused("agents may only read it")
                after = writer.linked(path, data, spots)
            except SidecarError as error:
                left.append(LeftFile(path, error.message.rstrip(".")))
                continue
            entries.append(Entry(Op.REPLACE, path, checksum(data), after))
            files.append(LinkedFile(path, len(spots), short_diff(data, after)))
        missing = (wanted.ids or frozenset()) - found
        changed = _changed(view, missing)
        left += [LeftFile(path, "it changed since the mention was found; look again") for path in changed]
        unknown = tuple(sorted(one for one in missing if one[:ID_OF_PATH] not in map(path_id, changed)))
        if unknown and not found and not changed:
            raise NotFound(
                f"No mention of '{target}' has the id '{unknown[0]}'.",
                hint="Ask links with direction=mentions for the ids there are.",
            )
        linked = sum(file.links for file in files)
        summary = f"Link {linked} mentions of {target} in {len(files)} files"
        about = MentionsLinked(target, linked, tuple(files), tuple(left), unknown)
        return Plan(ChangeSet("link_mentions", tuple(entries), summary, reason), about)

    def _found(
        self, view: View, sought: Sought, paths: Sequence[VaultPath], wanted: _Wanted
    ) -> Iterable[tuple[VaultPath, bytes, list[Spot]]]:
        read = self._files.reader()
        for path in paths:
            if path in view.hidden:
                continue  # the rules may have changed since it was found
            try:
                data = read(path)
            except SidecarError:
                continue  # gone since it was indexed
            if spots := wanted.of(spots_in(view, sought, path, data, checksum(data))):
                yield path, data, spots


def _changed(view: View, missing: Iterable[str]) -> list[VaultPath]:
    """Return the visible files that ids belong to which are theirs no longer."""
    beginnings = {one[:ID_OF_PATH] for one in missing}
    if not beginnings:
        return []
    named: Mapping[str, VaultPath] = {path_id(path): path for path, _ in view.files()}
    return sorted(named[beginning] for beginning in beginnings if beginning in named)
