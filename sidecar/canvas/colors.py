"""The six colours of a canvas by number, as the app names them and as it shows them on light ground (contract 7)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["COLOR_NAMES", "PALETTE"]

COLOR_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"1": "red", "2": "orange", "3": "yellow", "4": "green", "5": "cyan", "6": "purple"}
)
PALETTE: Final[Mapping[str, str]] = MappingProxyType(
    {"1": "#e93147", "2": "#ec7500", "3": "#e0ac00", "4": "#08b94e", "5": "#00bfbc", "6": "#7852ee"}
)
