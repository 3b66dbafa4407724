"""The one composition root: everything that serves one vault is built here."""

import time
from dataclasses import dataclass
from pathlib import Path

from sidecar.catalog.store import Catalog
from sidecar.config import Settings, StateFolder
from sidecar.errors import Invalid
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.journal.intents import SqliteJournal
from sidecar.model.path import VaultPath
from sidecar.pipeline.events import EventHub
from sidecar.pipeline.pipeline import Pipeline
from sidecar.pipeline.writer_thread import WriterThread
from sidecar.registry import Registry
from sidecar.services.activity import Activities
from sidecar.services.canvases import Canvases
from sidecar.services.checkup import Checkup
from sidecar.services.commit import Committer
from sidecar.services.content import Content
from sidecar.services.context import Contexts
from sidecar.services.deletes import Deletes
from sidecar.services.edits import Edits
from sidecar.services.folders import Folders
from sidecar.services.history import History
from sidecar.services.moves import Moves
from sidecar.services.notes import Notes
from sidecar.services.projects import Projects
from sidecar.services.relink import Relinker
from sidecar.services.search import Search
from sidecar.services.services import Services
from sidecar.services.status import Status
from sidecar.services.threads import Threads
from sidecar.services.versions import Versions
from sidecar.services.views import Views
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

    def start(self, patience: float = 0.0) -> None:
        """Watch, and bring the index up to date in the background; wait ``patience`` seconds for that."""
        self.watcher.start()
        self.writer.submit_background(self.journal.prune)
        self.pipeline.start()
        self.pipeline.settle(patience)

    def index_now(self) -> int:
        """Bring the index up to date before returning; return the number of files that differed."""
        found = self.pipeline.reconcile()
        self.pipeline.settle()
        return found

    def close(self) -> None:
        """Stop watching, finish the running change, and close all files."""
        self.watcher.stop()
        self.pipeline.close()
        self.writer.close()
        self.threads.close()
        self.index.close()
        self.catalog.close()
        self.journal.close()


def known_projects(state: StateFolder, settings: Settings) -> Projects:
    """Return the projects of a state folder."""
    return Projects(Registry(state.root / "projects.json"), allow_nested=settings.allow_nested)


def open_vault(root: Path, state: StateFolder, settings: Settings, projects: Projects | None = None) -> OpenVault:
    """Build everything that serves a vault; changes that a crash interrupted are finished or rolled back first.

    Raises:
        Invalid: when ``root`` is no folder.

    """
    root = root.expanduser().absolute()
    if not root.is_dir():
        raise Invalid(f"'{root}' is not a folder.", hint="Give the path of the vault's folder.")
    folder = state.make(state.project(root))
    projects = projects or known_projects(state, settings)
    known = projects.opened(root)
    project, project_id = known.name, known.id

    files = VaultFiles(root)
    journal = SqliteJournal(state.make(folder / "journal") / "journal.sqlite3", time.time_ns)
    recover(files, journal)
    catalog = Catalog(folder / "catalog.sqlite3")
    index = WhooshIndex(state.make(folder / "index"))
    rules = CurrentRules(root, settings.access.deny, settings.access.read_only)
    writer, threads, events = WriterThread(f"writer {project}"), Threads(), EventHub()
    pipeline = Pipeline(files, catalog, index, rules, writer, events)
    watcher = Watcher(root, pipeline.look_again)
    rules.on_change(pipeline.reconcile_soon)

    def applied(paths: tuple[VaultPath, ...]) -> None:
        pipeline.look_now(paths)

    obsidian = CurrentSettings(root)
    views = Views(catalog.reader(), rules, obsidian)
    relinker = Relinker(files, obsidian)
    committer = Committer(writer, DiskSink(files, journal, applied), views, pipeline, files)
    versions = Versions()
    services = Services(
        project=project,
        project_id=project_id,
        notes=Notes(committer, files, versions, relinker, overwrite=settings.write.overwrite),
        edits=Edits(committer, files, versions, project),
        moves=Moves(committer, views, files, relinker, project),
        deletes=Deletes(committer, views, files, obsidian, project),
        content=Content(views, files, committer, versions, threads, project),
        search=Search(index, views, files, threads, pipeline.reconcile_soon),
        folders=Folders(views, files, threads),
        canvases=Canvases(committer, files, relinker),
        contexts=Contexts(views, files, committer, threads, project),
        activities=Activities(views, threads),
        projects=projects,
        checkup=Checkup(views, files, pipeline, threads),
        history=History(journal, committer, views, files, threads, project),
        status=Status(project, root, pipeline, views, journal, lambda: watcher.watching),
    )
    return OpenVault(services, pipeline, writer, watcher, threads, catalog, index, journal)
