"""The MCP server's handlers of prompts and of completion."""

import mcp_types as types

from sidecar.errors import SidecarError
from sidecar.tools.completions import complete_prompt, complete_template
from sidecar.tools.prompts import PROMPTS, prompt_messages
from sidecar.tools.server_context import Context, DeskOf, caller_of, protocol_error

__all__ = ["PromptHandlers"]


class PromptHandlers:
    """Lists and gives prompts, and completes what somebody types for them or for a resource template."""

    def __init__(self, desk_of: DeskOf) -> None:
        self._desk_of = desk_of

    async def list(self, _ctx: Context, _params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """Answer ``prompts/list``."""
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=prompt.name,
                    title=prompt.title,
                    description=prompt.description,
                    arguments=[
                        types.PromptArgument(name=a.name, description=a.description, required=a.required)
                        for a in prompt.arguments
                    ],
                )
                for prompt in PROMPTS
            ]
        )

    async def get(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Answer ``prompts/get``."""
        try:
            said = await prompt_messages(await self._desk_of(ctx), caller_of(ctx), params.name, params.arguments or {})
        except SidecarError as error:
            raise protocol_error(ctx, error) from error
        return types.GetPromptResult(
            messages=[
                types.PromptMessage(role="user", content=types.TextContent(type="text", text=text)) for text in said
            ]
        )

    async def complete(self, ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Answer ``completion/complete``."""
        given = (params.context.arguments if params.context else None) or {}
        argument, ref = params.argument, params.ref
        try:
            desk, caller = await self._desk_of(ctx), caller_of(ctx)
            if isinstance(ref, types.PromptReference):
                found = await complete_prompt(desk, caller, ref.name, argument.name, argument.value, given)
            else:
                found = await complete_template(desk, caller, str(ref.uri), argument.name, argument.value, given)
        except SidecarError as error:
            raise protocol_error(ctx, error) from error
        return types.CompleteResult(
            completion=types.Completion(
                values=list(found.values), total=found.total, has_more=found.total > len(found.values)
            )
        )
