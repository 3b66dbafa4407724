"""The tool a person named on the command line."""

from difflib import get_close_matches

from sidecar.errors import NotFound
from sidecar.tools.families import tools_of
from sidecar.tools.tool import Tool

__all__ = ["known_tool"]


def known_tool(name: str) -> Tool:
    """Return the tool of this name.

    Raises:
        NotFound: with the names nearest to it.

    """
    known = tools_of()
    if name in known:
        return known[name]
    near = get_close_matches(name, known, cutoff=0.5)
    raise NotFound(f"There is no tool '{name}'.", hint="vault-sidecar tools lists them.", candidates=near)
