"""What a tool is: a name, a description, a checked signature and one service call."""

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from sidecar.errors import Invalid
from sidecar.services.caller import Caller
from sidecar.services.projects import Projects
from sidecar.services.services import Services

__all__ = ["Arg", "Call", "Tags", "Tool", "as_list", "tool"]

OutputFormat = Literal["text", "json"]
Form = Literal["standard", "document"]
About = Literal["vault", "vaults", "projects"]
"""What a tool answers for: one vault; one, or all where none is named; the list of projects itself."""


def Arg(  # noqa: N802 - mirrors pydantic's Field
    description: str,
    *aliases: str,
    listed: bool = True,
    **constraints: Any,  # noqa: ANN401 - pydantic's
) -> Any:  # noqa: ANN401
    """Describe a parameter; ``aliases``, and what is not ``listed``, are accepted when called but not shown."""
    return _Described(description, aliases, listed, constraints)


@dataclass(frozen=True, slots=True)
class _Described:
    description: str
    aliases: tuple[str, ...]
    listed: bool
    constraints: Mapping[str, Any]


def as_list(value: object) -> object:
    """Accept ``"a, b"`` and ``'["a"]'`` where a list of strings is asked for."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return [part.strip() for part in value.split(",") if part.strip()]


Tags = Annotated[list[str], BeforeValidator(as_list)]
"""A list of strings, also given as one string with commas or as JSON."""


@dataclass(frozen=True, slots=True)
class Call:
    """Who calls, and what there is to call. ``vault`` is ``None`` where the call is about no single vault."""

    caller: Caller
    projects: Projects
    vault: Services | None
    every: Callable[[], Awaitable[tuple[Services, ...]]]
    """Opens all vaults the connection may reach: the tied one, or each project."""

    @property
    def services(self) -> Services:
        """The services of the vault the call is for."""
        if self.vault is None:
            raise TypeError("this tool was declared to be about more than one vault")
        return self.vault


@dataclass(frozen=True, slots=True)
class Tool:
    """One MCP tool. ``run`` takes the call and the checked arguments and returns a service's result."""

    name: str
    title: str
    description: str
    run: Callable[..., Awaitable[object]]
    arguments: type[BaseModel]
    writes: bool
    destructive: bool
    idempotent: bool
    form: Form = "standard"
    about: About = "vault"

    @property
    def schema(self) -> dict[str, Any]:
        """The trimmed JSON schema of the arguments: no titles, optional means plain type, no null defaults."""
        raw = self.arguments.model_json_schema(by_alias=False)
        return {
            "type": "object",
            "properties": {
                name: _trimmed(prop) for name, prop in raw["properties"].items() if not prop.get("unlisted")
            },
            **({"required": raw["required"]} if raw.get("required") else {}),
            "additionalProperties": False,
        }

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Check and convert a call's arguments.

        Raises:
            Invalid: listing every fault, and the parameters there are.

        """
        try:
            checked = self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            faults = "; ".join(_fault(item) for item in error.errors())
            known = ", ".join(self.arguments.model_fields)
            raise Invalid(f"{self.name}: {faults}.", hint=f"The parameters are: {known}.") from error
        return {name: getattr(checked, name) for name in self.arguments.model_fields}

    def call(self, call: Call, checked: Mapping[str, Any]) -> Awaitable[object]:
        """Call the function with its own checked arguments; the common ones were handled before."""
        return self.run(call, **{name: value for name, value in checked.items() if name not in _COMMON_NAMES})


def tool(
    *,
    title: str,
    writes: bool = False,
    destructive: bool = False,
    idempotent: bool = True,
    default_format: OutputFormat = "text",
    form: Form = "standard",
    about: About = "vault",
) -> Callable[[Callable[..., Awaitable[object]]], Tool]:
    """Make a tool of an async function whose first parameter is the :class:`Call`.

    Every tool also takes ``project``, ``project_id`` and ``output_format``; they are handled once, for all.
    The form ``document`` is that of search connectors: one JSON text, always, and no common parameter.
    """

    def wrap(function: Callable[..., Awaitable[object]]) -> Tool:
        return Tool(
            name=function.__name__,
            title=title,
            description=inspect.getdoc(function) or "",
            run=function,
            arguments=_arguments(function, {} if form == "document" else _common(default_format)),
            form=form,
            about=about,
            writes=writes,
            destructive=destructive,
            idempotent=idempotent,
        )

    return wrap


_COMMON_NAMES = frozenset({"project", "project_id", "output_format"})


def _common(default_format: OutputFormat) -> dict[str, Any]:
    return {
        "project": (str | None, Field(None, description="Vault by name; else the connected one.")),
        "project_id": (str | None, Field(None, description="Vault by id.")),
        "output_format": (OutputFormat, Field(default_format, description="json: for programs.")),
    }


def _arguments(function: Callable[..., Awaitable[object]], common: Mapping[str, Any]) -> type[BaseModel]:
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        fields[parameter.name] = _field(parameter, hints[parameter.name])
    model: type[BaseModel] = create_model(
        f"{function.__name__}_arguments",
        __config__=ConfigDict(extra="forbid", populate_by_name=True, protected_namespaces=()),
        **{**fields, **common},
    )
    return model


def _field(parameter: inspect.Parameter, hint: Any) -> tuple[Any, Any]:  # noqa: ANN401 - any annotation
    described = next(m for m in hint.__metadata__ if isinstance(m, _Described))
    rest = tuple(m for m in hint.__metadata__ if not isinstance(m, _Described))
    annotation = hint.__origin__
    for extra in rest:
        annotation = Annotated[annotation, extra]
    info = Field(
        ... if parameter.default is inspect.Parameter.empty else parameter.default,
        description=described.description,
        validation_alias=AliasChoices(parameter.name, *described.aliases) if described.aliases else None,
        json_schema_extra=None if described.listed else {"unlisted": True},
        **described.constraints,
    )
    return annotation, info


def _trimmed(prop: Mapping[str, Any]) -> dict[str, Any]:
    result = {k: v for k, v in prop.items() if k != "title"}
    options: Sequence[Mapping[str, Any]] = result.get("anyOf", ())
    present = [o for o in options if o.get("type") != "null"]
    if options and len(present) == 1:
        result.pop("anyOf")
        result = {**_trimmed(present[0]), **result}
    if result.get("default", "") is None:
        result.pop("default")
    return result


def _fault(item: Mapping[str, Any]) -> str:
    name = ".".join(str(part) for part in item["loc"])
    if item["type"] == "missing":
        return f"'{name}' is missing"
    if item["type"] == "extra_forbidden":
        return f"there is no parameter '{name}'"
    return f"'{name}': {item['msg'][:1].lower()}{item['msg'][1:]}"
