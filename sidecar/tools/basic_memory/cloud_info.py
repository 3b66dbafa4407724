"""The tool ``cloud_info``."""

from sidecar.services.reach import ReachReport
from sidecar.tools.tool import Call, tool


@tool(title="Ways to the vault")
async def cloud_info(call: Call) -> ReachReport:
    """Tell how the vault can be reached from elsewhere, and what of it is on now.

    Returns the local HTTP address and where its token lies (not the token), and services that carry the files to
    other machines: Obsidian Sync, git, sync folders. For the list of vaults use list_memory_projects.
    """
    return await call.services.reach.report()
