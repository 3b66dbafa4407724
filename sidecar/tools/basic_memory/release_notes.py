"""The tool ``release_notes``."""

from sidecar.services.release_notes import ReleaseNotes, read_release_notes
from sidecar.tools.tool import Call, tool


@tool(title="What is new", about="projects")
async def release_notes(call: Call) -> ReleaseNotes:  # noqa: ARG001 - every tool has it
    """Tell which version of Vault Sidecar runs and what changed in the newest ones, from its changelog.

    It is about this program only; what changed in the vault is in recent_activity and history.
    """
    return read_release_notes()
