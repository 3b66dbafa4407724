"""The entry point of ``vault-sidecar`` and of ``python -m sidecar``."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; an error is one or two lines on stderr and exit code 1."""
    from sidecar.cli.main import app  # noqa: PLC0415 - kept out of the import of this module
    from sidecar.errors import SidecarError  # noqa: PLC0415

    try:
        app()
    except SidecarError as error:
        lines = [f"vault-sidecar: {error.message}", *(f"  - {c}" for c in error.candidates)]
        if error.hint:
            lines.append(f"  {error.hint}")
        sys.exit("\n".join(lines))


if __name__ == "__main__":
    main()
