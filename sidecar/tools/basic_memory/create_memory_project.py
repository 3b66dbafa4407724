"""The tool ``create_memory_project``."""

from typing import Annotated

from sidecar.services.project_results import ProjectCreated
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Create project", writes=True, about="projects")
async def create_memory_project(
    call: Call,
    project_name: Annotated[str, Arg("Its name.", "name", "project")],
    project_path: Annotated[str, Arg("Absolute path of its folder, or ~/….", "path", "folder")],
    set_default: Annotated[bool, Arg("true makes it the default.", "default")] = False,
    workspace: Annotated[str | None, Arg("Group of projects; 'personal' if left out.")] = None,
) -> ProjectCreated:
    """Make a folder a project: an existing vault, or a new folder, which is made.

    It is indexed and watched at once; nothing is written into it. The same again is no error. Refused where the name
    is taken, the folder lies inside another project, or the connection is tied. See list_memory_projects.
    """
    return await call.projects.create(
        call.caller, call.tied, name=project_name, path=project_path, default=set_default, workspace=workspace
    )
