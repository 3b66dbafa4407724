"""The command ``vault-sidecar``: one module a command."""

import typer

from sidecar import __version__
from sidecar.cli import (
    call,
    canvas,
    demo,
    doctor,
    history,
    index,
    install,
    mcp,
    memories,
    plugin,
    project,
    search,
    serve,
    status,
    stop,
    token,
    tools,
    undo,
)

__all__ = ["app"]

app = typer.Typer(
    name="vault-sidecar",
    help="Lets AI agents search, read and write an Obsidian vault.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"auto_envvar_prefix": "VAULT_SIDECAR"},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _root(
    _version_wanted: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, show_envvar=False, help="Print the version."
    ),
) -> None:
    pass


for _module in (mcp, serve, stop, token, index, search, status, call, tools, history, undo, doctor, install, demo):
    app.command(_module.__name__.rpartition(".")[2])(_module.run)
app.add_typer(project.group, name="project")
app.add_typer(canvas.group, name="canvas")
app.add_typer(memories.group, name="memories")
app.add_typer(plugin.group, name="plugin")
