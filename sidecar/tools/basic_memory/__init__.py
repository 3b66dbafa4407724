"""The tools of Basic Memory's contract."""

from sidecar.tools.basic_memory.canvas import canvas
from sidecar.tools.basic_memory.edit_note import edit_note
from sidecar.tools.basic_memory.list_directory import list_directory
from sidecar.tools.basic_memory.read_note import read_note
from sidecar.tools.basic_memory.search_notes import search_notes
from sidecar.tools.basic_memory.write_note import write_note

__all__ = ["TOOLS"]

TOOLS = (write_note, read_note, edit_note, search_notes, list_directory, canvas)
