"""``/v1/backlinks`` and ``/v1/mentions``: who links to a note or names it, and making links of names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, cast

import anyio
from pydantic import Field

from sidecar.bridge.route import Asked, BridgeCall, get, post
from sidecar.services.link_results import LinkPage, LinkQuery, MentionOrder
from sidecar.services.mention import Direction, Mention, MentionKind

__all__ = ["ROUTES"]

_MILLION = 1_000_000
_LONGEST_PATH = 1_000
_KIND = "|".join(kind.value for kind in MentionKind)
_Path = Annotated[str, Field(min_length=1, max_length=_LONGEST_PATH)]
_Text = Annotated[str | None, Field(max_length=_LONGEST_PATH)]


class MentionsQuery(Asked):
    """Of which file, and which of its mentions; ``kinds`` are joined with commas."""

    path: _Path
    section: _Text = None
    kinds: Annotated[str | None, Field(pattern=rf"^(({_KIND})(,({_KIND}))*)?$")] = None
    folder: _Text = None
    tag: _Text = None
    sort: MentionOrder = MentionOrder.RELEVANCE
    limit: Annotated[int, Field(ge=1, le=1000)] = 200
    cursor: _Text = None


@dataclass(frozen=True, slots=True)
class MentionTold:
    """One mention. Lines and columns count from 1; columns, and ``start`` and ``end`` in ``context``, are UTF-16."""

    id: str
    path: str
    title: str
    kind: str
    line: int
    column: int
    context: str
    start: int
    end: int
    heading: str | None
    property: str | None
    node_id: str | None
    node_text: str | None
    subpath: str | None
    as_written: str
    alias: str | None
    hidden: bool
    modified: int
    created: int


@dataclass(frozen=True, slots=True)
class MentionsTold:
    """A page of mentions; ``total`` counts all of them and ``files`` where they stand."""

    target: str
    generation: int
    total: int
    files: int
    mentions: list[MentionTold]
    cursor: str | None


class LinkMentionsBody(Asked):
    """Which unlinked mentions of a file become links."""

    path: _Path
    mentions: Literal["all"] | Annotated[list[str], Field(max_length=10_000)]
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class LeftTold:
    """A file that was left as it is, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class LinkedTold:
    """What became links, in which files; without a change there was nothing to do."""

    change: str | None
    linked: int
    files: list[str]
    left: list[LeftTold]


@get("backlinks", MentionsQuery, MentionsTold, fails=("not_found", "ambiguous"))
async def backlinks(call: BridgeCall, query: MentionsQuery) -> MentionsTold:
    """List the links that lead to a file, or to one section of it."""
    return await _page(call, query, Direction.BACKLINKS)


@get("mentions", MentionsQuery, MentionsTold, fails=("not_found", "ambiguous"))
async def mentions(call: BridgeCall, query: MentionsQuery) -> MentionsTold:
    """List where a file is named by title or alias without a link."""
    return await _page(call, query, Direction.MENTIONS)


@post("link_mentions", LinkMentionsBody, LinkedTold, fails=("not_found", "ambiguous", "stale"))
async def link_mentions(call: BridgeCall, body: LinkMentionsBody) -> LinkedTold:
    """Make links of unlinked mentions, in one change that can be undone."""
    done = await call.services.linking.link(
        call.caller, identifier=body.path, mentions=body.mentions, dry_run=body.dry_run
    )
    left = [LeftTold(file.path, file.reason) for file in done.left]
    return LinkedTold(done.change, done.linked, [file.path for file in done.files], left)


async def _page(call: BridgeCall, query: MentionsQuery, direction: Direction) -> MentionsTold:
    asked = LinkQuery(
        identifier=query.path,
        direction=direction,
        section=query.section or None,
        kinds=[MentionKind(kind) for kind in (query.kinds or "").split(",") if kind],
        folder=query.folder or None,
        tag=query.tag or None,
        limit=query.limit,
        cursor=query.cursor or None,
        order=query.sort,
    )
    page = cast("LinkPage", await call.services.links.find(call.caller, asked))
    return await anyio.to_thread.run_sync(_told, query.path, page)


def _told(path: str, page: LinkPage) -> MentionsTold:
    return MentionsTold(
        page.target or path, page.generation, page.total, page.files, _mentions(page.mentions), page.next
    )


def _mentions(found: Sequence[Mention]) -> list[MentionTold]:
    return [_mention(mention) for mention in found]


def _mention(m: Mention) -> MentionTold:
    before, written = m.context[: m.start], m.context[m.start : m.end]
    start = _utf16(before)
    return MentionTold(
        id=m.id,
        path=m.path,
        title=m.title,
        kind=m.kind.value,
        line=m.line,
        column=m.column + start - m.start,
        context=m.context,
        start=start,
        end=start + _utf16(written),
        heading=m.heading,
        property=m.property,
        node_id=m.card,
        node_text=m.card_text,
        subpath=m.subpath or None,
        as_written=m.as_written,
        alias=m.alias,
        hidden=m.hidden,
        modified=m.modified_ns // _MILLION,
        created=m.created_ns // _MILLION,
    )


def _utf16(text: str) -> int:
    """Return the length in UTF-16 code units, in which the app counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


ROUTES = (backlinks, mentions, link_mentions)
