"""The tool ``bm_list``."""

from typing import Annotated

from sidecar.services.browsing import ProjectRoots, browse
from sidecar.services.file_order import FileOrder
from sidecar.services.folders import FolderListing
from sidecar.tools.tool import Arg, Call, tool


@tool(title="List folder", form="result", about="folders")
async def bm_list(
    call: Call,
    path: Annotated[
        str, Arg("Folder: 'specs/active'; '/name/specs' is in project 'name'.", "directory", "folder")
    ] = "/",
    glob: Annotated[str | None, Arg("Only files whose name fits: '.md', 'meeting*'.", "pattern")] = None,
    sort: Annotated[FileOrder, Arg("Order.")] = FileOrder.TITLE_ASC,
    page: Annotated[int, Arg("Page.", "page_number", ge=1)] = 1,
    page_size: Annotated[int, Arg("Files a page.", "limit", "per_page", ge=1, le=100)] = 50,
) -> FolderListing | ProjectRoots:
    """List one folder: its subfolders, then its files with title, date and id.

    '/' without project lists the projects, unless the connection is tied to one. glob and sort are for files only.
    Without a leading slash a folder of the default project comes before a project of that name.
    For all levels, by name or properties, use bm_find.
    """
    return await browse(
        call.caller, call.projects, call.vault, path=path, glob=glob, order=sort, page=page, page_size=page_size
    )
