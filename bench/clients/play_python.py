"""Plays a session with the Python SDK 1.x; runs in that SDK's environment, given our shim's command as JSON."""

import asyncio
import importlib
import json
import os
import sys
from typing import Any

mcp: Any = importlib.import_module("mcp")
types: Any = importlib.import_module("mcp.types")
stdio: Any = importlib.import_module("mcp.client.stdio")
networks: Any = importlib.import_module("pydantic.networks")

NOTE = "note://My%20Vault/Garden/Rose%20%26%20Thorn.md"
SEARCH = "search://My%20Vault/omega"


async def play(command: list[str]) -> dict[str, Any]:
    heard: list[Any] = []

    async def hear(message: Any) -> None:
        heard.append(getattr(message, "root", message))

    server = mcp.StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    async with (
        stdio.stdio_client(server) as (reading, writing),
        mcp.ClientSession(reading, writing, message_handler=hear) as session,
    ):
        hello = await session.initialize()
        done: dict[str, Any] = {"protocol": hello.protocolVersion}
        done["tools"] = len((await session.list_tools()).tools)
        done["prompts"] = len((await session.list_prompts()).prompts)
        done["templates"] = len((await session.list_resource_templates()).resourceTemplates)
        listed = [str(resource.uri) for resource in (await session.list_resources()).resources]
        done["resources"] = len(listed)
        done["note is listed"] = NOTE in listed
        read = await session.read_resource(networks.AnyUrl(NOTE))
        done["note is read"] = "beta" in read.contents[0].text
        await session.subscribe_resource(networks.AnyUrl(SEARCH))
        reference = types.ResourceTemplateReference(type="ref/resource", uri="note://{project}/{+path}")
        completed = await session.complete(reference, {"name": "path", "value": "rose"})
        done["path is completed"] = completed.completion.values == ["Garden/Rose & Thorn.md"]
        prompt = await session.get_prompt("search", {"query": "beta"})
        done["prompt is given"] = "Rose" in prompt.messages[-1].content.text
        done["search"] = await said(session, "search_notes", "Note.md", query="alpha")
        new = {"title": "New", "directory": "", "content": "omega"}
        done["write"] = await said(session, "write_note", "New.md", **new)
        done["own write is found"] = await said(session, "search_notes", "New.md", query="omega")
        done["read"] = await said(session, "read_note", "omega", identifier="New")
        done["error is told"] = (await session.call_tool("read_note", {"identifier": "Nothing"})).isError
        done["update is heard"] = await came(heard, types.ResourceUpdatedNotification)
        done["list change is heard"] = await came(heard, types.ResourceListChangedNotification)
        done["undo"] = await said(session, "undo", "New.md")
    return done


async def said(session: Any, tool: str, wanted: str, **arguments: str) -> bool:
    result = await session.call_tool(tool, arguments)
    return not result.isError and wanted in "\n".join(getattr(item, "text", "") for item in result.content)


async def came(heard: list[Any], kind: Any) -> bool:
    for _ in range(100):
        if any(isinstance(message, kind) for message in heard):
            return True
        await asyncio.sleep(0.05)
    return False


if __name__ == "__main__":
    print(json.dumps(asyncio.run(play(json.loads(sys.argv[1])))))
