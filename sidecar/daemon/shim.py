"""What an AI client starts: carries MCP between standard input and output and the daemon, and starts one if none runs.

Run as ``python -I -S shim.py``: the standard library only, and of ``sidecar`` only ``carrying``, so that it answers at
once. Python compiles this file at each start, and the parts in ``carrying`` once.
"""

# pathlib would cost a tenth of the time to the first answer:
# ruff: noqa: PTH100, PTH120

import os
import sys

if not __package__:
    # Started as a file and alone: the package is where this file is, and behind the standard library.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from sidecar.daemon.carrying.carrier import Carrier
from sidecar.daemon.carrying.link import PROTOCOL, VERSION, Declined, connect, proof
from sidecar.daemon.carrying.starting import Unreachable
from sidecar.daemon.carrying.wants import Wants, options, state_folder

__all__ = [
    "PROTOCOL",
    "VERSION",
    "Carrier",
    "Declined",
    "Unreachable",
    "Wants",
    "connect",
    "options",
    "proof",
    "run",
    "state_folder",
]


def run(home: str, wants: Wants) -> int:
    """Be the shim for a client; return the exit code."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - exists on Windows only

        msvcrt.setmode(0, os.O_BINARY)
        msvcrt.setmode(1, os.O_BINARY)
    try:
        Carrier(lambda start: connect(home, wants, start=start)).run()
    except Unreachable as error:
        sys.stderr.write(f"vault-sidecar: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def main(arguments: list[str]) -> int:
    """Run with command-line arguments; return the exit code."""
    given = options(arguments, os.environ)
    if given is None:
        sys.stderr.write("usage: shim.py [--vault FOLDER | --project NAME] [--tools FAMILIES] [--home FOLDER]\n")
        return 2
    return run(*given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
