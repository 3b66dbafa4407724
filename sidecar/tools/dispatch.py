"""One call of one tool: arguments checked, project told, the service asked, the answer worded."""

import logging
from collections.abc import Mapping
from typing import Any, Literal

from sidecar.errors import NotFound, SidecarError
from sidecar.services.caller import Caller
from sidecar.services.pending import ChangePending
from sidecar.services.services import Services
from sidecar.tools.desk import Desk
from sidecar.tools.reply import Reply, document_of, error_reply, plain_error, plain_of, reply_to, wrapped
from sidecar.tools.tool import Call, Form, Tool

__all__ = ["call_tool"]

_log = logging.getLogger(__name__)


async def call_tool(
    tools: Mapping[str, Tool], desk: Desk, caller: Caller, name: str, arguments: Mapping[str, Any]
) -> Reply:
    """Call a tool by name; whatever goes wrong comes back as a reply the model can act on."""
    wants_json = "json" in (arguments.get("output_format"), arguments.get("response_format"))
    output_format: Literal["text", "json"] = "json" if wants_json else "text"
    form: Form = "standard"
    try:
        tool = _named(tools, name)
        form = tool.form
        checked = tool.check(arguments)
        if _is_about_no_single_vault(tool, desk, checked):
            result = await tool.call(Call(caller, desk.projects, desk.tied, desk.every), checked)
            return _formed(
                form, reply_to(result, checked["output_format"], desk.tied.project if desk.tied else None, ())
            )
        chosen = await (desk.choose_folder(checked, caller) if tool.about in _FOLDERS else desk.choose(checked))
        services = chosen.services
        with desk.projects.using(services.project_id):
            result = await _result(tool, Call(caller, desk.projects, services, desk.every), chosen.arguments)
        if form == "document":
            return document_of(result, services.reach.vault_name)
        if form == "plain":
            return plain_of(result)
        notices = _notices(services, chosen.notice)
        return _formed(form, reply_to(result, checked["output_format"], services.project, notices))
    except SidecarError as error:
        return _failed(form, error, output_format)
    except Exception as error:  # noqa: BLE001 - one call's fault must not end the connection
        # The traceback would hold note text; its type and place are enough to find the fault.
        _log.error("%s failed: %s at %s", name, type(error).__name__, _place(error))
        fault = SidecarError(
            f"{name} failed: {type(error).__name__}.",
            hint="This is a fault of the sidecar; history tells whether anything was written.",
        )
        return _failed(form, fault, output_format)


async def _result(tool: Tool, call: Call, checked: Mapping[str, Any]) -> object:
    try:
        return await tool.call(call, checked)
    except ChangePending as held:
        return held.pending


_FOLDERS = frozenset({"folder", "folders"})


def _is_about_no_single_vault(tool: Tool, desk: Desk, checked: Mapping[str, Any]) -> bool:
    return (
        tool.about == "projects"
        or (tool.about == "vaults" and desk.means_all(checked))
        or (tool.about == "folders" and desk.means_list(checked))
    )


def _formed(form: Form, reply: Reply) -> Reply:
    """Return a reply in the tool's form; an error too has to fit the output schema."""
    return wrapped(reply) if form == "result" else reply


def _failed(form: Form, error: SidecarError, output_format: Literal["text", "json"]) -> Reply:
    return plain_error(error) if form == "plain" else _formed(form, error_reply(error, output_format))


def _named(tools: Mapping[str, Tool], name: str) -> Tool:
    found = tools.get(name) or next((tool for tool in tools.values() if name in tool.also), None)
    if found is None:
        raise NotFound(f"There is no tool '{name}'.", candidates=tuple(tools))
    return found


def _notices(services: Services, notice: str | None) -> list[str]:
    notices = [notice] if notice else []
    if pending := services.status.pending:
        notices.append(f"Files still being indexed: {pending}; newer text may be missing.")
    return notices


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace is not None else "?"
