"""The tool ``list_workspaces``."""

from sidecar.services.project_results import WorkspaceList
from sidecar.tools.tool import Call, tool


@tool(title="List workspaces", about="projects")
async def list_workspaces(call: Call) -> WorkspaceList:
    """List the workspaces: named groups of projects on this machine, each with the names of its projects.

    A workspace comes to be when create_memory_project names it. For ids and folders use list_memory_projects.
    """
    return call.projects.workspaces()
