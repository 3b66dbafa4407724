"""The MCP server's handlers of resources and of subscriptions to them, in both protocol eras."""

from base64 import b64encode
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import mcp_types as types
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError

from sidecar.errors import NotFound, SidecarError
from sidecar.tools.addresses import address_of
from sidecar.tools.desk import Desk
from sidecar.tools.resources import (
    GUIDES,
    RESOURCE_TEMPLATES,
    Contents,
    Resource,
    read_resource,
    resource_page,
    vault_named,
)
from sidecar.tools.server_context import RETRY, Context, DeskOf, caller_of, protocol_error
from sidecar.tools.subscriptions import Subscriber, Subscriptions

__all__ = ["ResourceHandlers"]

_MOST_LISTENING = 1000
_SUBSCRIBER = "subscriber"


class ResourceHandlers:
    """Lists, reads and watches resources."""

    def __init__(self, subscriptions: Subscriptions, desk_of: DeskOf) -> None:
        self._subscriptions = subscriptions
        self._desk_of = desk_of
        self._listening: set[ListenHandler] = set()

    async def list(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """Answer ``resources/list``."""
        try:
            page = await resource_page(await self._desk_of(ctx), caller_of(ctx), params.cursor if params else None)
        except SidecarError as error:
            raise protocol_error(ctx, error) from error
        return types.ListResourcesResult(
            resources=[_listed(resource) for resource in page.resources], next_cursor=page.next
        )

    async def templates(
        self, _ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Answer ``resources/templates/list``."""
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=t.uri, name=t.name, title=t.title, description=t.description, mime_type=t.content_type
                )
                for t in RESOURCE_TEMPLATES
            ]
        )

    async def read(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Answer ``resources/read``."""
        uri = str(params.uri)
        try:
            contents = await read_resource(await self._desk_of(ctx), caller_of(ctx), uri)
        except SidecarError as error:
            raise protocol_error(ctx, error, uri) from error
        return types.ReadResourceResult(contents=[_contents(uri, contents)])

    async def subscribe(self, ctx: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        """Answer ``resources/subscribe`` of the handshake era."""
        uri = str(params.uri)
        try:
            await self._follow(await self._subscriber(ctx), await self._desk_of(ctx), uri)
        except SidecarError as error:
            raise protocol_error(ctx, error, uri) from error
        return types.EmptyResult()

    async def unsubscribe(self, ctx: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        """Answer ``resources/unsubscribe`` of the handshake era."""
        (await self._subscriber(ctx)).watched.pop(str(params.uri), None)
        return types.EmptyResult()

    async def initialized(self, ctx: Context, _params: types.NotificationParams) -> None:
        """Tell a client of the handshake era of changes of the list from now on; nobody asks for that there."""
        await self._subscriber(ctx)

    async def listen(
        self, ctx: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Answer ``subscriptions/listen``: tell of what was asked for, until the client leaves or all ends."""
        if len(self._listening) >= _MOST_LISTENING:
            raise MCPError(RETRY, "Too many clients listen already.")
        wanted, bus = params.notifications, InMemorySubscriptionBus()

        async def tell(uri: str | None) -> None:
            await bus.publish(ResourcesListChanged() if uri is None else ResourceUpdated(uri))

        desk = await self._desk_of(ctx)
        subscriber = Subscriber(desk, caller_of(ctx), tell, lists=bool(wanted.resources_list_changed))
        handler = ListenHandler(bus)
        async with AsyncExitStack() as leaving:
            leaving.callback(self._subscriptions.remove, subscriber)
            leaving.callback(self._listening.discard, handler)
            self._listening.add(handler)
            for uri in wanted.resource_subscriptions or ():
                try:
                    await self._follow(subscriber, desk, str(uri))
                except SidecarError:
                    continue  # acknowledged like all others, and never heard of: so nothing tells what is denied
            await self._subscriptions.add(subscriber)
            return await handler(ctx, params)

    def close(self) -> None:
        """End all listening as the protocol wants it."""
        for handler in self._listening:
            handler.close()

    async def _follow(self, subscriber: Subscriber, desk: Desk, uri: str) -> None:
        if uri in GUIDES:
            return
        address = address_of(uri)
        if address is None:
            raise NotFound(f"There is no resource '{uri}'.")
        await self._subscriptions.follow(subscriber, uri, address, await vault_named(desk, address.project))

    async def _subscriber(self, ctx: Context) -> Subscriber:
        """Return the one listener of a connection of the handshake era."""
        connection, session = ctx.session._connection, ctx.session  # noqa: SLF001 - no other way to what outlives a request
        known: Subscriber | None = connection.state.get(_SUBSCRIBER)
        if known is not None:
            return known

        async def tell(uri: str | None) -> None:
            if uri is None:
                await session.send_resource_list_changed()
            else:
                await session.send_resource_updated(uri)

        made = Subscriber(ctx.lifespan_context.desk, caller_of(ctx), tell, lists=True)
        connection.state[_SUBSCRIBER] = made
        connection.exit_stack.callback(self._subscriptions.remove, made)
        await self._subscriptions.add(made)
        return made


def _listed(resource: Resource) -> types.Resource:
    modified = resource.modified_ns
    return types.Resource(
        uri=resource.uri,
        name=resource.name,
        title=resource.title,
        description=resource.description,
        mime_type=resource.content_type,
        size=resource.size,
        annotations=None
        if modified is None
        else types.Annotations(last_modified=datetime.fromtimestamp(modified / 1e9, UTC).isoformat(timespec="seconds")),
    )


def _contents(uri: str, contents: Contents) -> types.TextResourceContents | types.BlobResourceContents:
    if contents.text is not None:
        return types.TextResourceContents(uri=uri, mime_type=contents.content_type, text=contents.text)
    return types.BlobResourceContents(uri=uri, mime_type=contents.content_type, blob=b64encode(contents.data).decode())
