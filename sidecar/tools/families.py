"""Which tools there are, in the order in which they are listed."""

from collections.abc import Iterable

from sidecar.errors import Invalid
from sidecar.tools import basic_memory, bm, obsidian, recall
from sidecar.tools.core import CORE, briefly
from sidecar.tools.tool import Tool

__all__ = ["FAMILIES", "tools_of"]

FAMILIES: dict[str, tuple[Tool, ...]] = {
    "basic-memory": basic_memory.TOOLS,
    "recall": recall.TOOLS,
    "bm": bm.TOOLS,
    "obsidian": obsidian.TOOLS,
}


def tools_of(names: Iterable[str] = ("full",)) -> dict[str, Tool]:
    """Return tools by name, for families, single tools, ``full`` (all), or ``core`` (few, with few parameters shown).

    Raises:
        Invalid: for a name that is neither.

    """
    every = {tool.name: tool for family in FAMILIES.values() for tool in family}
    chosen: dict[str, Tool] = {}
    for name in names:
        if name == "full":
            chosen.update(every)
        elif name == "core":
            chosen = {**{name: briefly(every[name], shown) for name, shown in CORE.items()}, **chosen}
        elif name in FAMILIES:
            chosen.update({tool.name: tool for tool in FAMILIES[name]})
        elif name in every:
            chosen[name] = every[name]
        else:
            raise Invalid(
                f"There is no tool or family '{name}'.",
                hint=f"Families: full, core, {', '.join(FAMILIES)}.",
                candidates=tuple(every),
            )
    return {name: chosen[name] for name in every if name in chosen}
