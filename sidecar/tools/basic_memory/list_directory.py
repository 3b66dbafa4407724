"""The tool ``list_directory``."""

from typing import Annotated

from sidecar.services.file_order import FileOrder
from sidecar.services.folders import FolderListing
from sidecar.tools.tool import Arg, Call, tool


@tool(title="List folder")
async def list_directory(
    call: Call,
    dir_name: Annotated[str, Arg("Folder; '/' is the root.", "directory", "folder", "path", "dir")] = "/",
    depth: Annotated[int, Arg("Levels down, 1 to 10.")] = 1,
    file_name_glob: Annotated[
        str | None, Arg("Only files whose name fits: '*.md', '*plan*'.", "glob", "pattern", "filter")
    ] = None,
    page: Annotated[int, Arg("Page.", "page_number", ge=1)] = 1,
    page_size: Annotated[int, Arg("Files a page, at most 500.", "limit", "per_page", ge=1, le=500)] = 100,
    sort: Annotated[
        FileOrder | None, Arg("Order of the files: as in bm_list; by path if left out.", listed=False)
    ] = None,
) -> FolderListing:
    """List the folders and files in a folder of the vault.

    Returns folders with the number of their files, then files with title, kind, size, date and id, attachments too.
    To find notes by what they say use search_notes.
    """
    return await call.services.folders.list(
        call.caller, folder=dir_name, depth=depth, glob=file_name_glob, page=page, page_size=page_size, order=sort
    )
