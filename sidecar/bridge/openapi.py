"""The OpenAPI document, made of the routes and their messages."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from sidecar import __version__
from sidecar.bridge.errors import STATUSES, status_of
from sidecar.bridge.route import Asked, BridgeRoute

__all__ = ["openapi_document"]

_REF = "#/components/schemas/{model}"
_ALWAYS = ("invalid", "refused")
"""Any request may be malformed, or come from a web page."""
_ERROR = {
    "type": "object",
    "required": ["error", "message", "hint", "candidates", "data"],
    "properties": {
        "error": {"type": "string", "description": "The category."},
        "message": {"type": "string"},
        "hint": {"type": ["string", "null"]},
        "candidates": {"type": "array", "items": {"type": "string"}},
        "data": {"type": "object"},
    },
}
_VAULT = {
    "name": "vault",
    "in": "query",
    "required": True,
    "description": "SHA-256 of the vault's real path, in hex.",
    "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
}


def openapi_document(routes: Iterable[BridgeRoute]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of these routes."""
    routes = tuple(routes)
    models: list[tuple[Any, JsonSchemaMode, TypeAdapter[Any]]] = []
    for route in routes:
        models.append((route.answer, "serialization", TypeAdapter(route.answer)))
        if route.method == "POST":
            models.append((route.asked, "validation", TypeAdapter(route.asked)))
    refs, definitions = TypeAdapter.json_schemas(models, ref_template=_REF)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(f"/v1/{route.path}", {})[route.method.lower()] = _operation(route, refs)
    schemas = {**definitions.get("$defs", {}), "Error": _ERROR}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Vault Sidecar, the companion plugin's bridge",
            "version": __version__,
            "description": "For programs of this machine: requests of web pages are refused.",
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(route: BridgeRoute, refs: Mapping[tuple[Any, JsonSchemaMode], Any]) -> dict[str, Any]:
    parameters = [
        *(_part(name) for name in re.findall(r"\{(\w+)\}", route.path)),
        *([_VAULT] if route.about_vault else []),
        *(_query(route.asked) if route.method == "GET" else []),
    ]
    return {
        "operationId": f"{route.method.lower()}_{re.sub(r'[^a-z0-9]+', '_', route.path).strip('_')}",
        "summary": route.summary,
        **({"parameters": parameters} if parameters else {}),
        **({"requestBody": _body(refs[route.asked, "validation"])} if route.method == "POST" else {}),
        "responses": _responses(route, refs[route.answer, "serialization"]),
        **({"security": []} if route.is_open else {}),
    }


def _part(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _query(asked: type[Asked]) -> list[dict[str, Any]]:
    schema = asked.model_json_schema()
    required, named = schema.get("required", ()), schema.get("$defs", {})
    return [
        {"name": name, "in": "query", "required": name in required, "schema": _present(value, named)}
        for name, value in schema.get("properties", {}).items()
    ]


def _present(schema: Mapping[str, Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """Return a parameter's schema as it is when the parameter is there: a query has no null.

    ``named`` are the schemas it may refer to.
    """
    (present,) = [option for option in schema.get("anyOf", [schema]) if option.get("type") != "null"]
    if "$ref" in present:
        present = named[present["$ref"].rpartition("/")[2]]
    return {key: value for key, value in present.items() if key not in ("title", "default")}


def _body(schema: object) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _responses(route: BridgeRoute, answer: object) -> dict[str, Any]:
    categories = [*_ALWAYS, *route.fails]
    categories += ["unknown_vault", "unavailable"] if route.about_vault else []
    categories += ["too_large", "unsupported"] if route.method == "POST" else []
    statuses = {status_of(category) for category in categories if category in STATUSES}
    statuses |= {421} | (set() if route.is_open else {401})
    error = {"content": {"application/json": {"schema": {"$ref": _REF.format(model="Error")}}}}
    return {
        "200": {"description": "It was done.", "content": {"application/json": {"schema": answer}}},
        **{str(status): {"description": "An error.", **error} for status in sorted(statuses)},
    }
