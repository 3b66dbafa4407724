"""The tools of Basic Memory's contract."""

from sidecar.tools.basic_memory.build_context import build_context
from sidecar.tools.basic_memory.canvas import canvas
from sidecar.tools.basic_memory.cloud_info import cloud_info
from sidecar.tools.basic_memory.create_memory_project import create_memory_project
from sidecar.tools.basic_memory.delete_note import delete_note
from sidecar.tools.basic_memory.delete_project import delete_project
from sidecar.tools.basic_memory.edit_note import edit_note
from sidecar.tools.basic_memory.fetch import fetch
from sidecar.tools.basic_memory.list_directory import list_directory
from sidecar.tools.basic_memory.list_memory_projects import list_memory_projects
from sidecar.tools.basic_memory.list_workspaces import list_workspaces
from sidecar.tools.basic_memory.move_note import move_note
from sidecar.tools.basic_memory.read_content import read_content
from sidecar.tools.basic_memory.read_note import read_note
from sidecar.tools.basic_memory.recent_activity import recent_activity
from sidecar.tools.basic_memory.release_notes import release_notes
from sidecar.tools.basic_memory.schema_diff import schema_diff
from sidecar.tools.basic_memory.schema_infer import schema_infer
from sidecar.tools.basic_memory.schema_validate import schema_validate
from sidecar.tools.basic_memory.search import search
from sidecar.tools.basic_memory.search_notes import search_notes
from sidecar.tools.basic_memory.view_note import view_note
from sidecar.tools.basic_memory.write_note import write_note

__all__ = ["TOOLS"]

TOOLS = (
    write_note,
    read_note,
    view_note,
    edit_note,
    move_note,
    delete_note,
    read_content,
    build_context,
    recent_activity,
    list_directory,
    search_notes,
    search,
    fetch,
    list_memory_projects,
    create_memory_project,
    delete_project,
    list_workspaces,
    schema_validate,
    schema_infer,
    schema_diff,
    canvas,
    cloud_info,
    release_notes,
)
