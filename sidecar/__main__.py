"""The entry point of ``vault-sidecar`` and of ``python -m sidecar``."""

import os
import sys
import warnings

__all__ = ["main"]


def main() -> None:
    """Run the command line; an error is one or two lines on stderr and exit code 1."""
    if sys.argv[1:2] == ["mcp"]:
        _be_the_shim(sys.argv[2:])
    # Where a package was installed without compiling, Python says at the first import what it thinks of its source.
    warnings.simplefilter("ignore", SyntaxWarning)
    from sidecar.cli.main import app  # noqa: PLC0415 - kept out of the import of this module
    from sidecar.errors import SidecarError  # noqa: PLC0415

    try:
        app()
    except SidecarError as error:
        lines = [f"vault-sidecar: {error.message}", *(f"  - {c}" for c in error.candidates)]
        if error.hint:
            lines.append(f"  {error.hint}")
        sys.exit("\n".join(lines))


def _be_the_shim(arguments: list[str]) -> None:
    """Start as a shim before anything else is imported; return for what only the command line understands."""
    from sidecar.daemon import shim  # noqa: PLC0415 - for this command only

    if not any(name.startswith("VAULT_SIDECAR_MCP_") for name in os.environ):
        given = shim.options(arguments, os.environ)
        if given is not None:
            sys.exit(shim.run(*given))


if __name__ == "__main__":
    main()
