"""The versions of the bridge's protocol that this daemon speaks."""

from dataclasses import dataclass

__all__ = ["PROTOCOL", "ProtocolRange"]


@dataclass(frozen=True, slots=True)
class ProtocolRange:
    """The oldest and the newest version, both spoken."""

    min: int
    max: int


PROTOCOL = ProtocolRange(1, 1)
