"""The bridge's secret, and the proof that this process knows it."""

import hmac
import secrets
from dataclasses import dataclass, field

__all__ = ["BridgeSecret"]


@dataclass(frozen=True, slots=True)
class BridgeSecret:
    """A token that is new at each start; whoever may read ``endpoint.json`` knows it."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    def opens(self, given: str) -> bool:
        """Tell whether this is the token; takes the same time whatever was given."""
        return secrets.compare_digest(given.encode(), self.token.encode())

    def proof(self, nonce: str) -> str:
        """Return what shows that we know the token, so that a client sends it to nobody else."""
        return hmac.new(self.token.encode(), f"vault-sidecar hello {nonce}".encode(), "sha256").hexdigest()
