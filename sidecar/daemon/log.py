"""The daemon's log: ``logs/daemon.log``, rotated, without note text and without tokens."""

import logging
import os
import sys
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

__all__ = ["log_to"]

_LARGEST = 1_000_000
_KEPT = 3
_log = logging.getLogger("sidecar")


def log_to(folder: Path, *, alone: bool) -> None:
    """Let this process, which holds the lock, write the log.

    ``alone``: it has no terminal. Its standard error, which whoever started it sent to the same file, is closed, so
    that the file can be rotated; an error that nobody caught is logged instead.
    """
    handler = RotatingFileHandler(folder / "daemon.log", maxBytes=_LARGEST, backupCount=_KEPT, encoding="utf-8")
    handler.setFormatter(_Discreet("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    # Only our own loggers: those of libraries quote what they were given.
    _log.addHandler(handler)
    _log.setLevel(logging.INFO)
    _log.propagate = False
    if alone:
        sys.excepthook = _uncaught
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        os.close(nowhere)


class _Discreet(logging.Formatter):
    """Says of an exception its types and places only: a message may quote a note."""

    def formatException(  # noqa: N802 - logging's name
        self, ei: tuple[type[BaseException] | None, BaseException | None, TracebackType | None]
    ) -> str:
        lines = []
        error = ei[1]
        while error is not None:
            places = [f"{Path(f.filename).name}:{f.lineno}" for f in traceback.extract_tb(error.__traceback__)]
            lines.append(f"{type(error).__name__} at {' '.join(places)}")
            error = error.__cause__ or error.__context__
        return "\n".join(lines)


def _uncaught(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    _log.critical("The daemon failed.", exc_info=(kind, error, at))
