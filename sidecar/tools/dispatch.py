"""One call of one tool: arguments checked, project told, the service asked, the answer worded."""

import logging
from collections.abc import Mapping
from typing import Any, Literal

from sidecar.errors import NotFound, SidecarError
from sidecar.services.caller import Caller
from sidecar.services.services import Services
from sidecar.tools.desk import Desk
from sidecar.tools.reply import Reply, document_of, error_reply, reply_to
from sidecar.tools.tool import Call, Tool

__all__ = ["call_tool"]

_log = logging.getLogger(__name__)


async def call_tool(
    tools: Mapping[str, Tool], desk: Desk, caller: Caller, name: str, arguments: Mapping[str, Any]
) -> Reply:
    """Call a tool by name; whatever goes wrong comes back as a reply the model can act on."""
    output_format: Literal["text", "json"] = "json" if arguments.get("output_format") == "json" else "text"
    try:
        tool = _named(tools, name)
        checked = tool.check(arguments)
        if tool.about == "projects" or (tool.about == "vaults" and desk.means_all(checked)):
            result = await tool.call(Call(caller, desk.projects, desk.tied, desk.every), checked)
            return reply_to(result, checked["output_format"], desk.tied.project if desk.tied else None, ())
        chosen = await desk.choose(checked)
        services = chosen.services
        result = await tool.call(Call(caller, desk.projects, services, desk.every), chosen.arguments)
        if tool.form == "document":
            return document_of(result, services.project)
        return reply_to(result, checked["output_format"], services.project, _notices(services, chosen.notice))
    except SidecarError as error:
        return error_reply(error, output_format)
    except Exception as error:  # noqa: BLE001 - one call's fault must not end the connection
        # The traceback would hold note text; its type and place are enough to find the fault.
        _log.error("%s failed: %s at %s", name, type(error).__name__, _place(error))
        fault = SidecarError(
            f"{name} failed: {type(error).__name__}.",
            hint="This is a fault of the sidecar; history tells whether anything was written.",
        )
        return error_reply(fault, output_format)


def _named(tools: Mapping[str, Tool], name: str) -> Tool:
    if name not in tools:
        raise NotFound(f"There is no tool '{name}'.", candidates=tuple(tools))
    return tools[name]


def _notices(services: Services, notice: str | None) -> list[str]:
    notices = [notice] if notice else []
    if pending := services.status.pending:
        notices.append(f"{pending} files are still being indexed; newer text may be missing.")
    return notices


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace is not None else "?"
