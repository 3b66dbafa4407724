"""The tool ``memory``."""

from typing import Annotated

from sidecar.services.memory_input import Command, MemoryAnswer, MemoryInput
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Memory files", writes=True, destructive=True, idempotent=False, form="plain")
async def memory(
    call: Call,
    command: Annotated[Command, Arg("Which command.")],
    path: Annotated[str | None, Arg("File or directory: /memories or below.")] = None,
    view_range: Annotated[list[int] | None, Arg("view: first and last line; -1 is the end.")] = None,
    file_text: Annotated[str | None, Arg("create: the text.")] = None,
    old_str: Annotated[str | None, Arg("str_replace: the text to replace, which must be unique.")] = None,
    new_str: Annotated[str | None, Arg("str_replace: what replaces it; left out, it is deleted.")] = None,
    insert_line: Annotated[int | None, Arg("insert: the line to insert behind; 0 is the start.")] = None,
    insert_text: Annotated[str | None, Arg("insert: the text.")] = None,
    old_path: Annotated[str | None, Arg("rename: from here.")] = None,
    new_path: Annotated[str | None, Arg("rename: to here.")] = None,
) -> MemoryAnswer:
    """Carry out a command of the Claude API's memory tool (memory_20250818) on the vault's folder of memories.

    Programs forward the input of a tool_use block unchanged; results and errors are the documented strings.
    Directories are deleted and renamed with all that is in them, links follow, and undo takes each change back.
    In a conversation use recall_save and recall_search, which keep names, types and the index in order.
    """
    return await call.services.memories.commands.run(
        call.caller,
        MemoryInput(
            command=command,
            path=path,
            view_range=view_range,
            file_text=file_text,
            old_str=old_str,
            new_str=new_str,
            insert_line=insert_line,
            insert_text=insert_text,
            old_path=old_path,
            new_path=new_path,
        ),
    )
