"""All that can be done with canvases, put together in one place."""

from dataclasses import dataclass

from sidecar.services.canvas_arranging import CanvasArranging
from sidecar.services.canvas_drawing import CanvasDrawing
from sidecar.services.canvas_maps import CanvasMaps
from sidecar.services.canvas_preview import CanvasPreviews
from sidecar.services.canvas_reading import CanvasFiles, CanvasReading
from sidecar.services.canvas_writing import CanvasWriter
from sidecar.services.commit import Committer
from sidecar.services.obsidian import App
from sidecar.services.relink import Relinker
from sidecar.services.search import Search
from sidecar.services.threads import Threads
from sidecar.services.versions import Versions
from sidecar.services.views import Views
from sidecar.vault.files import VaultFiles

__all__ = ["Canvases"]


@dataclass(frozen=True, slots=True)
class Canvases:
    """The services that read and write canvases."""

    drawing: CanvasDrawing
    reading: CanvasReading
    maps: CanvasMaps
    arranging: CanvasArranging
    previews: CanvasPreviews

    @classmethod
    def of(
        cls,
        committer: Committer,
        views: Views,
        files: VaultFiles,
        threads: Threads,
        relinker: Relinker,
        versions: Versions,
        app: App,
        search: Search,
        project: str,
    ) -> "Canvases":
        """Build them for one vault."""
        found = CanvasFiles(files, committer.index_now, app, project)
        writer = CanvasWriter(found, committer, views, files, threads, relinker, versions)
        return cls(
            CanvasDrawing(writer, files),
            CanvasReading(found, views, versions, threads),
            CanvasMaps(writer, files, search),
            CanvasArranging(writer),
            CanvasPreviews(writer),
        )
