"""The token, and the proof that a daemon knows it."""

import hashlib
import hmac

from sidecar.bridge.auth import BridgeSecret


def test_the_proof_is_what_the_protocol_says() -> None:
    expected = hmac.new(b"secret", b"vault-sidecar hello " + b"0f" * 16, hashlib.sha256).hexdigest()
    assert BridgeSecret("secret").proof("0f" * 16) == expected


def test_who_squats_on_the_port_cannot_make_the_proof() -> None:
    ours, squatter = BridgeSecret(), BridgeSecret()
    assert squatter.proof("ab" * 16) != ours.proof("ab" * 16)
    assert ours.proof("ab" * 16) != ours.proof("cd" * 16), "an overheard proof is worth nothing"


def test_only_the_token_opens_and_it_is_not_shown() -> None:
    secret = BridgeSecret()
    assert secret.opens(secret.token)
    assert not any(map(secret.opens, ("", secret.token[:-1], f"{secret.token} ", "ü")))
    assert secret.token not in repr(secret)
