"""This project's own tools."""

from sidecar.tools.obsidian.history import history
from sidecar.tools.obsidian.undo import undo

__all__ = ["TOOLS"]

TOOLS = (history, undo)
