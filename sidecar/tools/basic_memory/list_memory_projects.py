"""The tool ``list_memory_projects``."""

from sidecar.services.projects import ProjectList
from sidecar.tools.tool import Call, tool


@tool(title="List projects", about="projects")
async def list_memory_projects(call: Call) -> ProjectList:
    """List the vaults this server knows, with their ids, folders and which one is the default.

    Other tools, such as search_notes, take a name as project and an id as project_id. A connection may be tied to one
    vault; then project has no effect, and the reply says so.
    """
    return call.projects.listed(call.vault.project if call.vault else None)
