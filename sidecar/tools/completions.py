"""What completes an argument of a resource template or a prompt that somebody began to type."""

from collections.abc import Mapping

from sidecar.errors import NotFound
from sidecar.services.caller import Caller
from sidecar.services.note_list import Completions, best_completions
from sidecar.tools.desk import Desk
from sidecar.tools.prompts import PROMPTS
from sidecar.tools.resources import RESOURCE_TEMPLATES, project_names, vault_named

__all__ = ["complete_prompt", "complete_template"]

_TIMEFRAMES = ("today", "yesterday", "3d", "7d", "2 weeks", "30d", "3 months", "1 year")


async def complete_template(
    desk: Desk, caller: Caller, uri: str, argument: str, typed: str, given: Mapping[str, str]
) -> Completions:
    """Complete a variable of a template; ``given`` holds the variables that were filled in before.

    Raises:
        NotFound: when there is no such template, or the project that was given is not there.

    """
    template = next((t for t in RESOURCE_TEMPLATES if t.uri == uri), None)
    if template is None:
        raise NotFound(f"There is no resource template '{uri}'.", candidates=tuple(t.uri for t in RESOURCE_TEMPLATES))
    return await _complete(desk, caller, f"{template.name} {argument}", typed, given)


async def complete_prompt(
    desk: Desk, caller: Caller, name: str, argument: str, typed: str, given: Mapping[str, str]
) -> Completions:
    """Complete an argument of a prompt.

    Raises:
        NotFound: when there is no such prompt, or the project that was given is not there.

    """
    if not any(name in (p.name, *p.aliases) for p in PROMPTS):
        raise NotFound(f"There is no prompt '{name}'.", candidates=tuple(p.name for p in PROMPTS))
    return await _complete(desk, caller, argument, typed, given)


async def _complete(desk: Desk, caller: Caller, what: str, typed: str, given: Mapping[str, str]) -> Completions:
    if what.endswith("project"):
        return best_completions(typed, project_names(desk))
    if what == "timeframe":
        return best_completions(typed, _TIMEFRAMES)
    if what not in ("note path", "folder path", "tag tag", "topic"):
        return Completions((), 0)
    names = project_names(desk)
    project = given.get("project") or (names[0] if names else "")
    notes = (await vault_named(desk, project)).note_list
    complete = {"note path": notes.paths, "folder path": notes.folders, "tag tag": notes.tags, "topic": notes.titles}
    return await complete[what](caller, typed)
