"""The bridge as an ASGI application: requests checked, routes asked, answers and errors as JSON."""

import json
import logging
import traceback
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import anyio
from pydantic import TypeAdapter, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sidecar.bridge.daemon import Daemon
from sidecar.bridge.errors import error_body, status_of
from sidecar.bridge.openapi import openapi_document
from sidecar.bridge.route import Asked, BridgeCall, BridgeRoute
from sidecar.bridge.routes import ROUTES
from sidecar.errors import Invalid, NotFound, SidecarError

__all__ = ["bridge_app"]

_JSON = "application/json"
_NO_STORE = {"cache-control": "no-store"}
_NOT_FOUND = 404
_CHECKED_ON_LOOP = 100_000
"""Bytes: larger bodies take more than a moment to check."""
_log = logging.getLogger(__name__)


class _TooLarge(Invalid):
    category = "too_large"


class _Unsupported(Invalid):
    category = "unsupported"


def bridge_app(daemon: Daemon, routes: Iterable[BridgeRoute] = ROUTES) -> Starlette:
    """Return the application that answers below ``/v1``; who may ask is checked before it."""
    routes = tuple(routes)
    document = json.dumps(openapi_document(routes), ensure_ascii=False).encode()

    async def openapi(_request: Request) -> Response:
        return Response(document, media_type=_JSON)

    return Starlette(
        routes=[
            Route("/v1/openapi.json", openapi, methods=["GET"]),
            *(Route(f"/v1/{route.path}", _endpoint(daemon, route), methods=[route.method]) for route in routes),
        ],
        exception_handlers={HTTPException: _no_route},
    )


def _endpoint(daemon: Daemon, route: BridgeRoute) -> Callable[[Request], Awaitable[Response]]:
    answers: TypeAdapter[Any] = TypeAdapter(route.answer)

    async def answer(request: Request) -> Response:
        try:
            call = BridgeCall(
                daemon, daemon.vault(request.query_params.get("vault", "")), request.path_params, _left(request)
            )
            asked = await _asked(route, request)
            with _in_use(call, route):
                result = await route.run(call, asked)
            # Thousands of mentions take milliseconds, in which the loop has better things to do.
            body = await anyio.to_thread.run_sync(answers.dump_json, result)
        except SidecarError as error:
            return _failed(error)
        except Exception as error:  # noqa: BLE001 - one request's fault must not end the connection
            # The traceback would hold note text; its type and place are enough to find the fault.
            _log.error("%s failed: %s at %s", route.path, type(error).__name__, _place(error))
            return _failed(SidecarError(f"{route.path} failed: {type(error).__name__}.", hint="Look into the log."))
        return Response(body, media_type=_JSON, headers=_NO_STORE)

    return answer


def _in_use(call: BridgeCall, route: BridgeRoute) -> AbstractContextManager[None]:
    """Keep the vault from being closed meanwhile; one that is not served ends the request here."""
    services = call.services if route.about_vault else None
    return nullcontext() if services is None or route.waits else services.projects.using(services.project_id)


def _left(request: Request) -> Callable[[], Awaitable[None]]:
    async def left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    return left


async def _asked(route: BridgeRoute, request: Request) -> Asked:
    try:
        if route.method == "GET":
            return route.asked.model_validate(dict(request.query_params))
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            raise _Unsupported("The body has to be JSON.", hint=f"Send Content-Type: {_JSON}.")
        body = await _body(request, route.largest)
        if len(body) > _CHECKED_ON_LOOP:
            return await anyio.to_thread.run_sync(lambda: route.asked.model_validate_json(body, strict=True))
        return route.asked.model_validate_json(body, strict=True)
    except ValidationError as error:
        faults = "; ".join(_fault(dict(item)) for item in error.errors(include_url=False, include_input=False))
        raise Invalid(f"{route.path}: {faults}.") from error


async def _body(request: Request, largest: int) -> bytes:
    """Read a body, and no more of it than it may have."""
    received = bytearray()
    async for piece in request.stream():
        received += piece
        if len(received) > largest:
            raise _TooLarge(f"The body has more than {largest} bytes.")
    return bytes(received)


def _fault(item: dict[str, Any]) -> str:
    name = ".".join(str(part) for part in item["loc"])
    return f"'{name}': {item['msg'].lower()}" if name else str(item["msg"]).lower()


async def _no_route(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else status_of("error")
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    fault = NotFound("There is no such route.") if status == _NOT_FOUND else Invalid("The route is not asked this way.")
    told = error_body(fault)
    return Response(json.dumps(told), status, {**_NO_STORE, **headers}, _JSON)


def _failed(error: SidecarError) -> Response:
    told = error_body(error)
    body = json.dumps(told, ensure_ascii=False, default=str).encode("utf-8", "replace")
    return Response(body, status_of(told["error"]), _NO_STORE, _JSON)


def _place(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno}"
