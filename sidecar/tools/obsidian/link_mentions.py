"""The tool ``link_mentions``."""

from typing import Annotated

from pydantic import BeforeValidator

from sidecar.services.linking import MentionsLinked
from sidecar.tools.tool import Arg, Call, as_list, tool


@tool(title="Link mentions", writes=True, idempotent=True)
async def link_mentions(
    call: Call,
    identifier: Annotated[str, Arg("Path, title, alias or [[link]] of the file that is mentioned.", "path", "note")],
    mentions: Annotated[
        list[str], BeforeValidator(as_list), Arg('"all", or ids from links, direction mentions.', "ids")
    ],
    dry_run: Annotated[bool, Arg("true shows the diff and changes nothing.")] = False,
    reason: Annotated[str | None, Arg("Why, for the history.")] = None,
) -> MentionsLinked:
    """Make links of places that name a note without linking to it: [[Note|as written]], by the vault's settings.

    Nothing else changes, and never code, properties, URLs or other links. A file that changed since its ids were given
    is left and named. All files are one change, which undo takes back. To see the mentions first use links.
    """
    return await call.services.linking.link(
        call.caller, identifier=identifier, mentions=mentions, dry_run=dry_run, reason=reason
    )
