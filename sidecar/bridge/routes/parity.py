"""``POST /v1/parity``: whether the app and the sidecar agree on links and tags."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from sidecar.bridge.route import WHOLE, Asked, BridgeCall, post
from sidecar.services.parity import AppSays

__all__ = ["ROUTES"]

_LARGEST = 64_000_000
"""Bytes: the links of a vault of 100,000 notes are some 20 MB."""
_Count = Annotated[int, Field(ge=0, le=2**31), WHOLE]


class ParityBody(Asked):
    """What the app knows: link counts by file and target, by file and text, and tags by file."""

    resolved: dict[str, dict[str, _Count]]
    unresolved: dict[str, dict[str, _Count]]
    tags: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class DifferenceTold:
    """How often one link or tag is in a file, by the app and by the sidecar."""

    path: str
    kind: str
    what: str
    app: int
    sidecar: int


@dataclass(frozen=True, slots=True)
class ParityTold:
    """What differs: the first 1,000 of ``total`` differences, and a report in Markdown."""

    files: int
    differences: list[DifferenceTold]
    total: int
    report: str


@post("parity", ParityBody, ParityTold, largest=_LARGEST)
async def parity(call: BridgeCall, body: ParityBody) -> ParityTold:
    """Compare the app's links and tags with the sidecar's, and report each difference."""
    found = await call.services.parity.compare(AppSays(body.resolved, body.unresolved, body.tags))
    differences = [DifferenceTold(d.path, d.kind.value, d.what, d.app, d.sidecar) for d in found.differences]
    return ParityTold(found.files, differences, found.total, found.report)


ROUTES = (parity,)
