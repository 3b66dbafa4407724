"""The tool ``list_memory_projects``."""

from sidecar.services.project_results import ProjectList
from sidecar.tools.tool import Call, tool


@tool(title="List projects", about="projects")
async def list_memory_projects(call: Call) -> ProjectList:
    """List the vaults this server knows, with their ids, folders, workspaces and which one is the default.

    Other tools, such as search_notes, take a name, workspace/name or id as project. A connection may be tied to one
    vault; then project has no effect.
    """
    return call.projects.listed(call.tied)
