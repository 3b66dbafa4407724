"""The tool ``bm_find``."""

from typing import Annotated

from pydantic import BeforeValidator

from sidecar.services.file_order import FileOrder
from sidecar.services.finding import FilesFound
from sidecar.services.meta_conditions import conditions_in
from sidecar.tools.tool import Arg, Call, Tags, tool


@tool(title="Find files", form="result", about="folder")
async def bm_find(
    call: Call,
    path: Annotated[str, Arg("Folder, as in bm_list.", "directory", "folder")] = "/",
    name: Annotated[str | None, Arg("Pattern of the file name; case matters.", "glob", "pattern")] = None,
    meta: Annotated[
        Annotated[list[str], BeforeValidator(conditions_in)] | None,
        Arg("Such as 'status=active', 'priority>=2', 'tags has x', 'k in [a, b]', 'k between 1..5'."),
    ] = None,
    fields: Annotated[Tags | None, Arg("Properties to show.")] = None,
    depth: Annotated[int | None, Arg("Levels down; all if left out.", ge=1)] = None,
    sort: Annotated[FileOrder, Arg("Order.")] = FileOrder.TITLE_ASC,
    page: Annotated[int, Arg("Page.", "page_number", ge=1)] = 1,
    page_size: Annotated[int, Arg("Files a page.", "limit", "per_page", ge=1, le=100)] = 50,
) -> FilesFound:
    """Find files in a folder and below by name and by properties; name and meta combine.

    Also: !=, not in, exists, missing, a.b for nested properties. With meta only notes are found. Returns path, title,
    date and id. To search text use search_notes.
    """
    return await call.services.finder.find(
        call.caller,
        folder=path,
        name=name,
        meta=meta or (),
        fields=fields or (),
        depth=depth,
        order=sort,
        page=page,
        page_size=page_size,
    )
