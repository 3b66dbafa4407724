"""What a route is: a method, a path, a checked message and a coroutine that answers it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator

from sidecar.bridge.daemon import Daemon
from sidecar.bridge.errors import UnknownVault
from sidecar.bridge.vault import BridgeVault
from sidecar.model.change import Author
from sidecar.services.caller import Audience, Caller
from sidecar.services.services import Services

__all__ = ["WHOLE", "Asked", "BridgeCall", "BridgeRoute", "Nothing", "get", "post"]

_LARGEST = 1_000_000
_PERSON = Caller(Author("Obsidian", "companion plugin"), Audience.PERSON)


class Asked(BaseModel):
    """What a request says in its query or its body. Keys that are not known are ignored."""


class Nothing(Asked):
    """The request says nothing more."""


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
"""Behind ``int`` and its bounds: in a body JSON may write a whole number as ``2.0``."""
M = TypeVar("M", bound=Asked)


@dataclass(frozen=True, slots=True)
class BridgeCall:
    """One request: the process, the vault it names, and the parts of its path."""

    daemon: Daemon
    named: BridgeVault | None
    path: Mapping[str, str]
    client_left: Callable[[], Awaitable[None]]
    """Returns when the client closed its connection."""
    caller: Caller = _PERSON

    @property
    def vault(self) -> BridgeVault:
        """The vault it is about.

        Raises:
            UnknownVault: when it names none that is served.

        """
        if self.named is None:
            raise UnknownVault("This vault is not served here.", hint="Start the sidecar for it.")
        return self.named

    @property
    def services(self) -> Services:
        """The services of the vault it is about."""
        return self.vault.services


@dataclass(frozen=True, slots=True)
class BridgeRoute:
    """One route below ``/v1/``. ``answer`` is a frozen dataclass, of which JSON and schema are made.

    ``fails`` are the categories of errors that belong to it beside those every route has.
    """

    method: Literal["GET", "POST"]
    path: str
    summary: str
    asked: type[Asked]
    answer: Any
    run: Callable[[BridgeCall, Any], Awaitable[object]]
    fails: tuple[str, ...] = ()
    about_vault: bool = True
    is_open: bool = False
    """It is answered without the token."""
    waits: bool = False
    """It may take long, and keeps no vault from being closed."""
    largest: int = _LARGEST
    """Bytes a body may have."""


def get(
    path: str,
    asked: type[M],
    answer: Any,  # noqa: ANN401 - any dataclass
    *,
    fails: tuple[str, ...] = (),
    about_vault: bool = True,
    is_open: bool = False,
    waits: bool = False,
) -> Callable[[Callable[[BridgeCall, M], Awaitable[object]]], BridgeRoute]:
    """Make a route that changes nothing of a coroutine that takes the call and its query."""

    def wrap(run: Callable[[BridgeCall, M], Awaitable[object]]) -> BridgeRoute:
        return BridgeRoute("GET", path, _first_line(run), asked, answer, run, fails, about_vault, is_open, waits)

    return wrap


def post(
    path: str,
    asked: type[M],
    answer: Any,  # noqa: ANN401
    *,
    fails: tuple[str, ...] = (),
    about_vault: bool = True,
    largest: int = _LARGEST,
) -> Callable[[Callable[[BridgeCall, M], Awaitable[object]]], BridgeRoute]:
    """Make a route of a coroutine that takes the call and its body."""

    def wrap(run: Callable[[BridgeCall, M], Awaitable[object]]) -> BridgeRoute:
        return BridgeRoute("POST", path, _first_line(run), asked, answer, run, fails, about_vault, largest=largest)

    return wrap


def _first_line(run: Callable[..., object]) -> str:
    return (run.__doc__ or "").strip().partition("\n")[0]
