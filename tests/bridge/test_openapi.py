"""The OpenAPI document: it says all there is, and what it says is so."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from sidecar.bridge.openapi import openapi_document
from sidecar.bridge.routes import ROUTES
from tests.bridge.bridges import KEY, Bridge


def refs(node: Any) -> Iterator[str]:
    for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from refs(value)
    if isinstance(node, dict) and isinstance(node.get("$ref"), str):
        yield node["$ref"]


def test_every_route_is_there_with_its_query_body_and_errors(bridge: Bridge) -> None:
    said = bridge.get("openapi.json", vault="")
    assert said == json.loads(json.dumps(openapi_document(ROUTES)))
    listed = {(path, method.upper()) for path, methods in said["paths"].items() for method in methods}
    assert listed == {(f"/v1/{route.path}", route.method) for route in ROUTES}
    for methods in said["paths"].values():
        for method, operation in methods.items():
            assert operation["summary"].endswith((".", "?")), operation
            assert ("requestBody" in operation) == (method == "post")
            assert {"400", "403", "421"} <= set(operation["responses"])
    assert said["paths"]["/v1/hello"]["get"]["security"] == []
    assert "401" in said["paths"]["/v1/status"]["get"]["responses"]


def test_no_reference_leads_nowhere() -> None:
    document = openapi_document(ROUTES)
    schemas = document["components"]["schemas"]
    found = set(refs(document))
    assert found
    assert {ref.removeprefix("#/components/schemas/") for ref in found} <= set(schemas)


def test_ids_of_operations_are_unique() -> None:
    ids = [o["operationId"] for methods in openapi_document(ROUTES)["paths"].values() for o in methods.values()]
    assert len(ids) == len(set(ids))


_MORE_THAN_FORM = (
    "POST /v1/activity/undo",
    "POST /v1/vaults",
    "POST /v1/requests/{id}/claim",
    "POST /v1/requests/{id}/result",
)
_FUZZED = [f"{route.method} /v1/{route.path}" for route in ROUTES]


@pytest.mark.slow
@pytest.mark.parametrize("name", _FUZZED)
def test_whatever_is_sent_is_answered_as_documented(bridge: Bridge, name: str) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis, of the group dev, is not installed")
    from hypothesis import HealthCheck, given, settings
    from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

    # The token is asked for before the bridge; and whether a folder is a vault no schema can say.
    excluded = [ignored_auth, *([positive_data_acceptance] if name in _MORE_THAN_FORM else [])]
    method, path = name.split()
    schema = schemathesis.openapi.from_dict(openapi_document(ROUTES))
    schema.app = bridge.app
    operation = schema[path][method]
    bridge.served.ok("write_note", title="C", directory="", content="x")

    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy() | operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE))
    def fuzz(case: Any) -> None:
        query = dict(case.query or {})
        if case.meta is None or case.meta.generation.mode is schemathesis.GenerationMode.POSITIVE:
            query["vault"] = KEY
        if "wait" in query and str(query["wait"]).replace(".", "").isdigit():
            query["wait"] = 0  # what is waited for does not come
        case.query = query
        case.call_and_validate(excluded_checks=excluded)

    fuzz()
