"""This project's own tools."""

from sidecar.tools.obsidian.canvas_arrange import canvas_arrange
from sidecar.tools.obsidian.canvas_edit import canvas_edit
from sidecar.tools.obsidian.canvas_map import canvas_map
from sidecar.tools.obsidian.canvas_preview import canvas_preview
from sidecar.tools.obsidian.canvas_read import canvas_read
from sidecar.tools.obsidian.history import history
from sidecar.tools.obsidian.link_mentions import link_mentions
from sidecar.tools.obsidian.links import links
from sidecar.tools.obsidian.obsidian import obsidian
from sidecar.tools.obsidian.undo import undo

__all__ = ["TOOLS"]

TOOLS = (
    links,
    link_mentions,
    canvas_map,
    canvas_read,
    canvas_edit,
    canvas_arrange,
    canvas_preview,
    history,
    undo,
    obsidian,
)
