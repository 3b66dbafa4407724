"""All services of one vault, as its tools see them."""

from dataclasses import dataclass

from sidecar.services.activity import Activities
from sidecar.services.canvases import Canvases
from sidecar.services.change_log import ChangeLog
from sidecar.services.checkup import Checkup
from sidecar.services.content import Content
from sidecar.services.context import Contexts
from sidecar.services.deletes import Deletes
from sidecar.services.edits import Edits
from sidecar.services.finding import Finder
from sidecar.services.folders import Folders
from sidecar.services.history import History
from sidecar.services.linking import Linking
from sidecar.services.links import Links
from sidecar.services.memories import Memories
from sidecar.services.moves import Moves
from sidecar.services.note_list import NoteList
from sidecar.services.notes import Notes
from sidecar.services.obsidian import Obsidian
from sidecar.services.parity import Parity
from sidecar.services.projects import Projects
from sidecar.services.proposals import Proposals
from sidecar.services.reach import Reach
from sidecar.services.schemas import Schemas
from sidecar.services.search import Search
from sidecar.services.status import Status
from sidecar.services.upkeep import Upkeep
from sidecar.services.watching import WatchedVault

__all__ = ["Services"]


@dataclass(frozen=True, slots=True)
class Services:
    """One vault's services."""

    project: str
    project_id: str
    notes: Notes
    edits: Edits
    moves: Moves
    deletes: Deletes
    content: Content
    search: Search
    folders: Folders
    finder: Finder
    canvases: Canvases
    history: History
    contexts: Contexts
    activities: Activities
    schemas: Schemas
    projects: Projects
    reach: Reach
    checkup: Checkup
    status: Status
    note_list: NoteList
    watched: WatchedVault
    change_log: ChangeLog
    parity: Parity
    obsidian: Obsidian
    upkeep: Upkeep
    memories: Memories
    proposals: Proposals
    links: Links
    linking: Linking
