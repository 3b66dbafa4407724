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
Form = Literal["standard", "document", "result", "recall", "plain"]
About = Literal["vault", "vaults", "projects", "folder", "folders"]
"""What a tool answers for: one vault; one, or all where none is named; the list of projects itself; a folder, whose
``path`` may name the project; the same, and the list of projects for ``/``."""


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

    @property
    def tied(self) -> str | None:
        """The vault that the connection is tied to, for a tool that is about all projects."""
        return self.vault.project if self.vault is not None else None

    async def vaults(self) -> tuple[Services, ...]:
        """Return the vault the call is for, or all of them where it names none."""
        return (self.vault,) if self.vault is not None else await self.every()


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
    also: tuple[str, ...] = ()
    """Names under which it answers too, though they are not listed."""
    shown: frozenset[str] | None = None
    """The only parameters that are listed, though all are accepted; ``None``: all that are meant to be listed."""

    @property
    def schema(self) -> dict[str, Any]:
        """The trimmed JSON schema of the arguments: no titles, optional means plain type, no null defaults.

        Other properties are not forbidden in it: a client that checks them would refuse aliases.
        """
        raw = self.arguments.model_json_schema(by_alias=False)
        return {
            "type": "object",
            "properties": {
                name: _trimmed(_inlined(prop, raw.get("$defs", {})))
                for name, prop in raw["properties"].items()
                if (not prop.get("unlisted") if self.shown is None else name in self.shown)
            },
            **({"required": raw["required"]} if raw.get("required") else {}),
        }

    @property
    def output_schema(self) -> dict[str, Any] | None:
        """The JSON schema of what comes back beside the text; ``None`` where that differs from call to call."""
        return _RESULT if self.form == "result" else None

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Check and convert a call's arguments.

        Raises:
            Invalid: listing every fault, and the parameters there are.

        """
        try:
            checked = self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            faults = "; ".join(_fault(item) for item in error.errors())
            known = f"The parameters are: {', '.join(self.schema['properties'])}."
            is_of_names = any(item["type"] in _OF_NAMES for item in error.errors())
            raise Invalid(f"{self.name}: {faults}.", hint=known if is_of_names else None) from error
        values = {name: getattr(checked, name) for name in self.arguments.model_fields}
        if self.form == "recall":
            values["output_format"] = "json" if values.pop("response_format") == "json" else "text"
        return values

    def call(self, call: Call, checked: Mapping[str, Any]) -> Awaitable[object]:
        """Call the function with its own checked arguments; the common ones were handled before."""
        own = inspect.signature(self.run).parameters
        return self.run(call, **{name: value for name, value in checked.items() if name in own})


def tool(
    *,
    title: str,
    writes: bool = False,
    destructive: bool = False,
    idempotent: bool = True,
    default_format: OutputFormat = "text",
    form: Form = "standard",
    about: About = "vault",
    also: tuple[str, ...] = (),
) -> Callable[[Callable[..., Awaitable[object]]], Tool]:
    """Make a tool of an async function whose first parameter is the :class:`Call`.

    Every tool also takes ``project``, ``project_id`` and ``output_format``; they are handled once, for all.
    The form ``document`` is that of search connectors: one JSON text, always, and no common parameter. The form
    ``result`` has an output schema with the one key ``result``: the text, or the JSON object. The form ``recall`` takes
    ``response_format`` (``markdown`` or ``json``) instead, and lists no project; ``plain`` is text word for word.
    """

    def wrap(function: Callable[..., Awaitable[object]]) -> Tool:
        return Tool(
            name=function.__name__,
            title=title,
            description=inspect.getdoc(function) or "",
            run=function,
            arguments=_arguments(function, _common_of(form, default_format, about)),
            form=form,
            about=about,
            also=also,
            writes=writes,
            destructive=destructive,
            idempotent=idempotent,
        )

    return wrap


_RESULT = {"type": "object", "properties": {"result": {}}, "required": ["result"]}
_UNLISTED: dict[str, Any] = {"unlisted": True}
_OF_NAMES = frozenset({"missing", "extra_forbidden"})
"""Faults of a call that are mended by knowing the parameters' names."""


def _common_of(form: Form, default_format: OutputFormat, about: About) -> dict[str, Any]:
    if form in ("recall", "plain"):
        return {**_PLACES, **(_RECALL if form == "recall" else {})}
    return {} if form == "document" else _common(default_format, about)


_PLACES: dict[str, Any] = {
    name: (str | None, Field(None, json_schema_extra=_UNLISTED)) for name in ("project", "project_id", "workspace")
}
_RECALL: dict[str, Any] = {
    "response_format": (
        Annotated[Literal["markdown", "json"], BeforeValidator(lambda said: "markdown" if said == "text" else said)],
        Field(
            "markdown",
            description="json: for programs.",
            validation_alias=AliasChoices("response_format", "output_format"),
        ),
    ),
}


def _common(default_format: OutputFormat, about: About) -> dict[str, Any]:
    """Return the parameters that all tools have; a tool about all projects takes no notice of a single one."""
    governs = about == "projects"
    names = ("project",) if governs else ("project", "project_name")
    return {
        "project": (
            str | None,
            Field(
                None,
                description="Vault by name or id.",
                json_schema_extra=_UNLISTED if governs else None,
                validation_alias=AliasChoices(*names),
            ),
        ),
        # ``project`` takes an id as well, so that this one need not be shown with every tool.
        "project_id": (str | None, Field(None, json_schema_extra=_UNLISTED)),
        "output_format": (OutputFormat, Field(default_format, description="json: for programs.")),
        **({} if governs else {"workspace": (str | None, Field(None, json_schema_extra=_UNLISTED))}),
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


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any part of a schema
    """Put definitions where they are referred to: a choice of words is shown at the parameter itself."""
    if isinstance(schema, list):
        return [_inlined(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    own = {key: _inlined(part, definitions) for key, part in schema.items() if key != "$ref"}
    if "$ref" not in schema:
        return own
    found = definitions[schema["$ref"].rpartition("/")[2]]
    return {**{k: v for k, v in found.items() if k not in ("title", "description")}, **own}


def _trimmed(prop: Mapping[str, Any]) -> dict[str, Any]:
    result = {k: v for k, v in prop.items() if k != "title"}
    options: Sequence[Mapping[str, Any]] = result.get("anyOf", ())
    present = [o for o in options if o.get("type") != "null"]
    if options and len(present) == 1:
        result.pop("anyOf")
        result = {**_trimmed(present[0]), **result}
    if result.get("default", "") is None:
        result.pop("default")
    if result.get("minimum") in (0, 1):
        result.pop("minimum")  # no page or limit is below; it is checked nevertheless
    if result.get("additionalProperties") is True:
        result.pop("additionalProperties")
    return result


def _fault(item: Mapping[str, Any]) -> str:
    name = ".".join(str(part) for part in item["loc"])
    if item["type"] == "missing":
        return f"'{name}' is missing"
    if item["type"] == "extra_forbidden":
        return f"there is no parameter '{name}'"
    return f"'{name}': {item['msg'][:1].lower()}{item['msg'][1:]}"
