"""Changes that wait for the user's decision, and what became of them, as JSON and as text."""

from typing import Any

from sidecar.model.proposal import ProposalState
from sidecar.services.pending import Pending
from sidecar.services.proposals import ShownProposal
from sidecar.tools.json_view import iso, json_of
from sidecar.tools.text_view import blocks_of, local

__all__: list[str] = []

_MOST = 100
_NEXT = "Tell the user; history with change={} says what was decided. Asking for the same again proposes nothing new."


@json_of.register
def _(r: Pending) -> dict[str, Any]:
    return {
        "pending": r.id,
        "written": False,
        "summary": r.summary,
        "files": list(r.paths[:_MOST]),
        "file_count": len(r.paths),
        "expires": iso(r.expires),
        "next": _NEXT.format(r.id),
    }


@blocks_of.register
def _(r: Pending) -> tuple[str, ...]:
    return (
        "\n".join(
            (
                f"Pending: {r.id}",
                f"Nothing was written yet: {r.summary}",
                f"The user's rules want the user to decide in Obsidian; it waits until {local(r.expires)}.",
                f"Next: {_NEXT.format(r.id)}",
            )
        ),
    )


@json_of.register
def _(r: ShownProposal) -> dict[str, Any]:
    p = r.proposal
    return {
        "id": p.id,
        "at": iso(p.at),
        "expires": iso(p.expires),
        "client": p.author.client,
        "session": p.author.session,
        "tool": p.change.tool,
        "summary": p.change.summary,
        "reason": p.change.reason,
        "state": p.state.value,
        "stale": r.stale is not None,
        "decided": None if p.decided is None else iso(p.decided),
        "partial": p.is_partial,
        "answer": p.answer,
        "change": p.recorded,
    }


@blocks_of.register
def _(r: ShownProposal) -> tuple[str, ...]:
    p = r.proposal
    lines = [f"{p.id}  {local(p.at)}  {p.author.client}: {p.change.summary}", f"   {_outcome(r)}"]
    return ("\n".join(lines + ([f"   why: {p.change.reason}"] if p.change.reason else [])),)


def _outcome(r: ShownProposal) -> str:
    p = r.proposal
    match p.state:
        case ProposalState.WAITING if r.stale is not None:
            return "It waits for the user, but its files have changed and it no longer fits them: propose it anew."
        case ProposalState.WAITING:
            return f"It waits for the user until {local(p.expires)}; nothing was written."
        case ProposalState.ACCEPTED:
            extent = "a part of it" if p.is_partial else "it"
            return f"The user accepted {extent}" + (f": change {p.recorded}." if p.recorded else "; it was so already.")
        case ProposalState.REJECTED:
            return "The user rejected it" + (f": {p.answer}" if p.answer else ".") + " Nothing was written."
        case ProposalState.EXPIRED:
            return "It waited too long. Nothing was written."
