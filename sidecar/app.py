"""The one composition root: everything that serves one vault is built here."""

import time
from dataclasses import dataclass
from pathlib import Path

from sidecar.bridge.app_window import AppWindow
from sidecar.bridge.context import AppContexts
from sidecar.bridge.events import EventLog
from sidecar.bridge.live_writes import LiveSink
from sidecar.bridge.polls import Polls
from sidecar.bridge.publishing import publish_changes
from sidecar.bridge.requests import Requests
from sidecar.bridge.vault import BridgeVault
from sidecar.catalog.store import Catalog
from sidecar.config import Settings, StateFolder
from sidecar.given_folder import given_folder
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.journal.intents import SqliteJournal
from sidecar.journal.proposals import ProposalStore
from sidecar.journal.traces import holds
from sidecar.model.change import RecordedChange
from sidecar.model.ports import Changed
from sidecar.model.proposal import ProposalNews
from sidecar.pipeline.covering import CoveringIndex
from sidecar.pipeline.events import EventHub
from sidecar.pipeline.pipeline import Pipeline
from sidecar.pipeline.writer_thread import WriterThread
from sidecar.registry import Registry
from sidecar.semantic.meaning import Meaning
from sidecar.services.activity import Activities
from sidecar.services.caller import Audience
from sidecar.services.canvases import Canvases
from sidecar.services.change_log import ChangeLog
from sidecar.services.checkup import Checkup
from sidecar.services.commit import Committer
from sidecar.services.content import Content
from sidecar.services.context import Contexts
from sidecar.services.deletes import Deletes
from sidecar.services.edits import Edits
from sidecar.services.finding import Finder
from sidecar.services.folders import Folders
from sidecar.services.history import History
from sidecar.services.linking import Linking
from sidecar.services.links import Links
from sidecar.services.lookup import near_names
from sidecar.services.meaning import AgentTexts
from sidecar.services.memories import Memories
from sidecar.services.mentions import Mentions
from sidecar.services.moves import Moves
from sidecar.services.note_list import NoteList
from sidecar.services.notes import Notes
from sidecar.services.obsidian import Obsidian
from sidecar.services.parity import Parity
from sidecar.services.projects import Projects
from sidecar.services.proposals import Proposals
from sidecar.services.reach import Reach
from sidecar.services.relink import Relinker
from sidecar.services.schemas import Schemas
from sidecar.services.search import Search
from sidecar.services.services import Services
from sidecar.services.shelf import ClosedShelf, Shelf
from sidecar.services.status import Status
from sidecar.services.threads import Threads
from sidecar.services.told_sink import ToldSink
from sidecar.services.upkeep import Upkeep
from sidecar.services.versions import Versions
from sidecar.services.views import Views
from sidecar.services.warm_up import WarmUp
from sidecar.services.watching import WatchedVault
from sidecar.vault.changes import DiskSink, recover
from sidecar.vault.files import VaultFiles
from sidecar.vault.ignore import CurrentRules
from sidecar.vault.obsidian_settings import CurrentSettings
from sidecar.vault.watcher import Watcher

__all__ = ["OpenVault", "known_projects", "open_vault"]


@dataclass(frozen=True, slots=True)
class OpenVault:
    """One vault being served. ``close`` finishes the running change first."""

    services: Services
    pipeline: Pipeline
    writer: WriterThread
    watcher: Watcher
    threads: Threads
    catalog: Catalog
    index: WhooshIndex
    journal: SqliteJournal
    proposed: ProposalStore
    meaning: Meaning
    covering: CoveringIndex
    bridge: BridgeVault
    warm_up: WarmUp

    def start(self, patience: float = 0.0) -> None:
        """Watch, and bring the index up to date in the background; wait ``patience`` seconds for that."""
        self.watcher.start()
        self.writer.submit_background(self.journal.prune)
        self.pipeline.start()
        self.meaning.start()
        self.warm_up.start()
        self.pipeline.settle(patience)

    def index_now(self) -> int:
        """Bring the index up to date before returning; return the number of files that differed."""
        found = self.pipeline.reconcile()
        self.pipeline.settle()
        return found

    def close(self) -> None:
        """Stop watching, finish the running change, and close all files."""
        self.watcher.stop()
        self.warm_up.close()
        self.pipeline.close()
        self.meaning.close()
        self.writer.close()
        self.threads.close()
        self.covering.close()
        self.index.close()
        self.catalog.close()
        self.journal.close()
        self.proposed.close()


def known_projects(state: StateFolder, settings: Settings, shelf: Shelf | None = None) -> Projects:
    """Return the projects of a state folder; ``shelf`` is that of a process which serves them."""
    registry = Registry(state.root / "projects.json")
    return Projects(registry, allow_nested=settings.allow_nested, shelf=shelf or ClosedShelf(state))


def open_vault(root: Path, state: StateFolder, settings: Settings, projects: Projects | None = None) -> OpenVault:
    """Build everything that serves a vault; changes that a crash interrupted are finished or rolled back first.

    Raises:
        Invalid: when ``root`` is no folder.

    """
    root = given_folder(root)
    folder = state.make(state.project(root))
    projects = projects or known_projects(state, settings)
    known = projects.opened(root)
    project, project_id = known.name, known.id

    files = VaultFiles(root)
    journal = SqliteJournal(state.make(folder / "journal") / "journal.sqlite3", time.time_ns)
    recover(files, journal, holds)
    catalog = Catalog(folder / "catalog.sqlite3")
    index = WhooshIndex(state.make(folder / "index"))
    rules = CurrentRules(root, settings.access.deny, settings.access.read_only, settings.access.ask)
    writer, threads, events = WriterThread(f"writer {project}"), Threads(), EventHub[Changed]()
    work, recorded = EventHub[None](), EventHub[RecordedChange]()
    proposal_news = EventHub[ProposalNews]()
    proposed = ProposalStore(
        state.make(folder / "proposals") / "proposals.sqlite3", time.time_ns, proposal_news.publish
    )
    log, polls = EventLog(), Polls()
    seen, requests = AppContexts(polls), Requests(log, polls)
    pipeline = Pipeline(files, catalog, index, rules, writer, events, worked=lambda: work.publish(None))
    watcher = Watcher(root, pipeline.look_again)

    obsidian = CurrentSettings(root)
    views = Views(catalog.reader(), rules, obsidian)
    texts = AgentTexts(views, files)
    meaning = Meaning(folder / "meaning", settings.search.model, texts, lambda: not pipeline.settle(0))
    events.subscribe(lambda event: meaning.look_again(event.paths))

    def rules_changed() -> None:
        pipeline.reconcile_soon()
        meaning.look_again(None)

    rules.on_change(rules_changed)
    relinker = Relinker(files, obsidian)
    live = LiveSink(DiskSink(files, journal, pipeline.look_now), requests, polls, seen, files, journal)
    live.settled.subscribe(recorded.publish)
    requests.answered.subscribe(lambda _: writer.submit(live.settle) if live.is_unsettled else None)
    sink = ToldSink(live, recorded.publish)
    committer = Committer(writer, sink, views, pipeline, files, proposed)
    versions = Versions()
    covering = CoveringIndex(
        index, files, catalog, rules, lambda: pipeline.waiting, pipeline.reconcile_soon, catch_up=pipeline.catch_up
    )
    search = Search(covering, views, files, threads, pipeline.reconcile_soon, project=project, nearest=meaning)
    content = Content(views, files, committer, versions, threads, search, project)
    proposals = Proposals(proposed, journal, committer, writer, views, files, relinker, threads, proposal_news)
    proposals.recover()
    live.settled.subscribe(lambda _: proposals.recover())
    history = History(journal, committer, views, files, threads, project, proposals)
    moves = Moves(committer, views, files, relinker, project)
    deletes = Deletes(committer, views, files, obsidian, project)
    services = Services(
        project=project,
        project_id=project_id,
        notes=Notes(committer, files, versions, relinker, overwrite=settings.write.overwrite),
        edits=Edits(committer, files, versions, project),
        moves=moves,
        deletes=deletes,
        content=content,
        search=search,
        folders=Folders(views, files, threads),
        finder=Finder(views, files, threads),
        canvases=Canvases.of(
            committer,
            views,
            files,
            threads,
            relinker,
            versions,
            app := AppWindow(requests, polls, seen),
            search,
            project,
        ),
        contexts=Contexts(views, files, committer, threads, project),
        activities=Activities(views, threads),
        schemas=Schemas(views, files, committer, threads, project),
        projects=projects,
        reach=Reach(root, state, obsidian, threads),
        checkup=Checkup(views, files, pipeline, threads),
        history=history,
        status=Status(project, root, pipeline, views, journal, lambda: watcher.watching, lambda: meaning.progress),
        note_list=NoteList(views, content, threads),
        watched=WatchedVault(views, search, threads, events),
        change_log=ChangeLog(journal, history, views, files, threads, recorded),
        parity=Parity(views, threads, project),
        obsidian=Obsidian(views, files, committer, threads, app, project),
        links=Links(
            views,
            files,
            committer,
            threads,
            mentions := Mentions(covering, files, threads, pipeline.reconcile_soon),
            obsidian,
            project,
        ),
        linking=Linking(committer, views, files, threads, mentions, obsidian, project),
        upkeep=Upkeep(pipeline, writer, work, root, settings.access),
        proposals=proposals,
        memories=Memories.of(
            committer,
            views,
            files,
            relinker,
            versions,
            threads,
            obsidian,
            moves,
            deletes,
            time.time_ns,
            folder=settings.memories.folder,
            form=settings.memories.frontmatter,
        ),
    )
    bridge = BridgeVault(services, log, polls, seen, requests)
    publish_changes(bridge)
    return OpenVault(
        services,
        pipeline,
        writer,
        watcher,
        threads,
        catalog,
        index,
        journal,
        proposed,
        meaning,
        covering,
        bridge,
        WarmUp(
            (services.links.prepare, lambda: near_names(views.newest(Audience.AGENT), "")),
            lambda: pipeline.settle(0),
            lambda: threads.quiet_seconds,
        ),
    )
