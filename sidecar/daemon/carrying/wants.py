"""What a client asks of the daemon: its arguments and its environment, read."""

# pathlib would cost a tenth of the time to the first answer:
# ruff: noqa: PTH100, PTH109, PTH111, PTH112, PTH117, PTH118

import os
import sys
from collections.abc import Mapping

__all__ = ["Wants", "options", "state_folder"]

Wants = dict[str, object]
"""The client's line of the exchange: ``vault`` or ``project``, ``tools``, ``person``; ``ask`` is serve, stop, or leave
(end if you are idle)."""


def state_folder(environment: Mapping[str, str]) -> str:
    """Return the state folder: the one ``VAULT_SIDECAR_HOME`` names, else the platform's place for data of programs."""
    if named := environment.get("VAULT_SIDECAR_HOME"):
        return os.path.abspath(os.path.expanduser(named))
    if sys.platform == "win32":
        usual = environment.get("LOCALAPPDATA") or "~\\AppData\\Local"
    else:
        usual = "~/Library/Application Support" if sys.platform == "darwin" else "~/.local/share"
        named = environment.get("XDG_DATA_HOME", "").strip()
        usual = named if os.path.isabs(named) else usual
    return os.path.join(os.path.expanduser(usual), "vault-sidecar")


def options(arguments: list[str], environment: Mapping[str, str]) -> tuple[str, Wants] | None:
    """Read the arguments of ``vault-sidecar mcp`` into state folder and wants; ``None`` when it is no plain start.

    Without a vault and a project the current folder counts when it is a vault; else each call says which it means.
    """
    found: dict[str, str] = {}
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        name = {"-v": "--vault"}.get(name, name)
        if "vault" in found and not argument.startswith("-"):
            found["vault"] += f" {argument}"  # a client took the blank in a path for the end of an argument
            continue
        if name not in ("--vault", "--project", "--tools", "--home"):
            return None
        given = value if equals else next(rest, None)
        if given is None:
            return None
        found[name[2:]] = given
    for key, variable in (("tools", "VAULT_SIDECAR_TOOLS"), ("home", "VAULT_SIDECAR_HOME")):
        if variable in environment:
            found.setdefault(key, environment[variable])
    if "vault" not in found and "project" not in found:
        if vault := environment.get("VAULT_SIDECAR_VAULT"):
            found["vault"] = vault
        elif project := environment.get("VAULT_SIDECAR_PROJECT"):
            found["project"] = project
        elif os.path.isdir(".obsidian"):
            found["vault"] = os.getcwd()
    home = state_folder({**environment, "VAULT_SIDECAR_HOME": found.pop("home", "")})
    if "vault" in found:
        given, folder = found["vault"], os.path.abspath(os.path.expanduser(found["vault"]))
        # What has quotes or another system's form the daemon may understand, and else it says why not.
        odd = given != given.strip("\"' \\") or ":" in given
        found["vault"] = given if odd and not os.path.isdir(folder) else folder
    return home, {"tools": "full", **found}
