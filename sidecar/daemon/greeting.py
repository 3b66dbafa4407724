"""The daemon's side of what precedes MCP on the local socket; :func:`sidecar.daemon.shim.connect` is the other side."""

import hmac
import json
import secrets
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sidecar import __version__
from sidecar.daemon.shim import PROTOCOL, proof
from sidecar.errors import Invalid

__all__ = ["Ask", "Greeting", "Preface", "declined"]


class Ask(StrEnum):
    """What a client comes for."""

    SERVE = "serve"
    LEAVE = "leave"
    """End, if nobody else is connected: a newer version wants to take over."""
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Preface:
    """The client's line. With neither vault nor project, each call says which project it means."""

    ask: Ask
    vault: Path | None
    project: str | None
    tools: str
    person: bool
    version: str
    nonce: str


class Greeting:
    """One exchange; its nonce is never used twice."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._nonce = secrets.token_hex(16)

    @property
    def line(self) -> bytes:
        """What the daemon says first."""
        return f"vault-sidecar {PROTOCOL} {__version__} {self._nonce}\n".encode()

    def check(self, line: bytes) -> Preface:
        """Read the client's line.

        Raises:
            Invalid: when it cannot be understood, or does not prove the token.

        """
        try:
            said = json.loads(line)
            nonce, shown = str(said["nonce"]), str(said["proof"])
            preface = Preface(
                ask=Ask(said.get("ask", "serve")),
                vault=Path(said["vault"]) if said.get("vault") else None,
                project=str(said["project"]) if said.get("project") else None,
                tools=str(said.get("tools", "full")),
                person=said.get("person") is True,
                version=str(said.get("version", "?")),
                nonce=nonce,
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Invalid("the preface cannot be read") from None
        if not hmac.compare_digest(shown.encode(), proof(self._token, "client", self._nonce, nonce).encode()):
            raise Invalid("the token is not the one of this process")
        if preface.vault and preface.project:
            raise Invalid("Give a vault or a project, not both.")
        return preface

    def accepted(self, preface: Preface) -> bytes:
        """Return the line after which MCP begins."""
        return f"OK {__version__} {proof(self._token, 'daemon', self._nonce, preface.nonce)}\n".encode()


def declined(reason: str) -> bytes:
    """Return the line that turns a client away."""
    return f"NO {' '.join(reason.split())}\n".encode()
