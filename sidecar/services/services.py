"""All services of one vault, as its tools see them."""

from dataclasses import dataclass

from sidecar.services.activity import Activities
from sidecar.services.canvases import Canvases
from sidecar.services.checkup import Checkup
from sidecar.services.content import Content
from sidecar.services.context import Contexts
from sidecar.services.deletes import Deletes
from sidecar.services.edits import Edits
from sidecar.services.folders import Folders
from sidecar.services.history import History
from sidecar.services.moves import Moves
from sidecar.services.notes import Notes
from sidecar.services.projects import Projects
from sidecar.services.search import Search
from sidecar.services.status import Status

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
    canvases: Canvases
    history: History
    contexts: Contexts
    activities: Activities
    projects: Projects
    checkup: Checkup
    status: Status
