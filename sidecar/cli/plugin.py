"""``vault-sidecar plugin``: put the companion plugin into a vault, and tell which versions are where."""

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import typer

from sidecar import __version__
from sidecar.cli.options import AsJson, VaultArgument, vault_of
from sidecar.config import StateFolder
from sidecar.daemon.endpoint import read_endpoint, vault_key
from sidecar.errors import Invalid, Unavailable

__all__ = ["group"]

_ID = "vault-sidecar"
_FILES = ("manifest.json", "main.js", "styles.css")

group = typer.Typer(help="The companion plugin for Obsidian.", no_args_is_help=True)


@group.command()
def install(vault: VaultArgument) -> None:
    """Put the plugin that comes with this version into a vault, and say what to click."""
    root = vault_of(vault)
    if not (root / ".obsidian").is_dir():
        raise Invalid(f"'{root}' is no vault: it has no folder '.obsidian'.", hint="Open it in Obsidian once.")
    shipped = _shipped()
    folder = root / ".obsidian" / "plugins" / _ID
    before = _version_in(folder)
    _write(folder, shipped)
    now = json.loads(shipped["manifest.json"])["version"]
    typer.echo(f"Installed {now} in {folder}" + (f" (before: {before})" if before else ""))
    if _is_enabled(root):
        typer.echo(
            "In Obsidian: Settings > Community plugins > Vault Sidecar: turn it off and on again, or restart Obsidian."
        )
        return
    typer.echo("In Obsidian:")
    typer.echo(
        "  1. Settings > Community plugins. If it says that restricted mode is on, choose 'Turn on community plugins'."
    )
    typer.echo("  2. Installed plugins: click the round arrow (Reload plugins), then turn on 'Vault Sidecar'.")


@group.command()
def status(vault: VaultArgument, as_json: AsJson = False) -> None:
    """Tell the versions of the plugin in a vault, of the one that comes with this version, and of the daemon."""
    told = _versions(vault_of(vault))
    if as_json:
        typer.echo(json.dumps(told))
        return
    typer.echo(
        f"plugin in the vault: {told['installed'] or 'none'}"
        + (", turned on" if told["enabled"] else ", not turned on")
    )
    typer.echo(f"plugin of this version: {told['shipped'] or 'not built in this copy'}")
    typer.echo(
        f"daemon: {told['daemon'] or 'none runs'}"
        + (", does not serve this vault now" if told["daemon"] and not told["served"] else "")
    )
    if told["installed"] and told["shipped"] and told["installed"] != told["shipped"]:
        typer.echo(f"To update it: vault-sidecar plugin install {vault}")


@group.command()
def token(as_json: AsJson = False) -> None:
    """Show port and token of the daemon that runs, to enter by hand where Obsidian may not read its files."""
    run = StateFolder.default().run
    endpoint = read_endpoint(run)
    if endpoint is None or endpoint.port is None:
        raise Unavailable("No daemon runs that the plugin could reach.", hint="Start one: vault-sidecar serve VAULT.")
    file = run / "endpoint.json"
    if as_json:
        typer.echo(json.dumps({"port": endpoint.port, "token": endpoint.token, "file": str(file)}))
        return
    typer.echo(f"port: {endpoint.port}")
    typer.echo(f"token: {endpoint.token}")
    typer.echo(f"The daemon writes both to {file}; the token is new at each of its starts.")


def _versions(root: Path) -> dict[str, Any]:
    endpoint = read_endpoint(StateFolder.default().run)
    try:
        shipped = json.loads(_shipped()["manifest.json"])["version"]
    except Unavailable:
        shipped = None
    return {
        "installed": _version_in(root / ".obsidian" / "plugins" / _ID),
        "enabled": _is_enabled(root),
        "shipped": shipped,
        "command": __version__,
        "daemon": endpoint.version if endpoint else None,
        "served": endpoint is not None and vault_key(root) in endpoint.vaults,
    }


def _shipped() -> Mapping[str, bytes]:
    folder = resources.files("sidecar") / "obsidian_plugin"
    try:
        return {name: (folder / name).read_bytes() for name in _FILES}
    except FileNotFoundError as error:
        raise Unavailable(
            "The plugin is not built in this copy of Vault Sidecar.",
            hint="Install a released version, or build it: make plugin.",
        ) from error


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace the plugin's own files, the manifest last; its settings beside them stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(files, key=_FILES.index, reverse=True):
        temporary = folder / f".{name}.new"
        temporary.write_bytes(files[name])
        temporary.replace(folder / name)


def _version_in(folder: Path) -> str | None:
    """Return the version of the plugin in a folder; ``None`` when there is none that can be read."""
    try:
        return str(json.loads((folder / "manifest.json").read_text("utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_enabled(root: Path) -> bool:
    try:
        return _ID in json.loads((root / ".obsidian" / "community-plugins.json").read_text("utf-8"))
    except (OSError, ValueError, TypeError):
        return False
