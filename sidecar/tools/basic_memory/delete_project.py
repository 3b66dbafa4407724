"""The tool ``delete_project``."""

from typing import Annotated

from sidecar.services.project_results import ProjectDeleted
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Forget project", writes=True, destructive=True, idempotent=False, about="projects")
async def delete_project(
    call: Call,
    project_name: Annotated[str, Arg("Name, workspace/name or id.", "name", "project")],
    workspace: Annotated[str | None, Arg("Its group, if not in the name.")] = None,
    delete_notes: Annotated[bool, Arg("Refused: files stay.", listed=False)] = False,
) -> ProjectDeleted:
    """Forget a project: its index goes, its files and the history of changes stay.

    Refused for the default project while there are others, and while a client is tied to it.
    create_memory_project brings it back. To delete notes use delete_note.
    """
    return await call.projects.delete(
        call.caller, call.tied, name=project_name, workspace=workspace, delete_notes=delete_notes
    )
