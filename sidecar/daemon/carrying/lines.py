"""Messages as lines of bytes: cut out of what was read, and looked into no further than needed."""

import json
from collections.abc import Callable, Iterator

__all__ = ["answered", "failure", "lines", "parsed"]

_ANSWER = b'{"jsonrpc":"2.0","id":'


def lines(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Give lines with their ends, and at last what has none."""
    begun: list[bytes] = []
    while True:
        try:
            chunk = read()
        except OSError:
            chunk = b""
        if not chunk:
            break
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield b"".join((*begun, end, b"\n"))
            begun = []
        if rest:
            begun.append(rest)
    if begun:
        yield b"".join(begun)


def parsed(line: bytes) -> dict[str, object]:
    """Return a message, or an empty one for what is none."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def answered(line: bytes) -> str | None:
    """Return the id of an answer, or ``None`` for another message; the daemon's own long answers are not parsed."""
    if line.startswith(b'{"jsonrpc":"2.0","method":'):
        return None
    for mark in (b',"result":', b',"error":'):
        head, found, _ = line[:512].partition(mark)
        if found and head.startswith(_ANSWER):
            try:
                return json.dumps(json.loads(head[len(_ANSWER) :]))
            except ValueError:
                break
    message = parsed(line)
    return json.dumps(message["id"]) if "id" in message and "method" not in message else None


def failure(ident: str, reason: str) -> bytes:
    """Return the answer to a call that a daemon can no longer answer: an error after which the client may try again."""
    message = f"{reason} Try again; 'history' tells whether a change was made."
    error = {"code": -32000, "message": message, "data": {"retryable": True}}
    return b'{"jsonrpc":"2.0","id":%s,"error":%s}\n' % (ident.encode(), json.dumps(error).encode())
