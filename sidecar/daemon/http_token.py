"""The lasting secret that opens ``/mcp`` over HTTP, in ``run/http-token``."""

import secrets
from pathlib import Path

from sidecar.daemon.private_file import replace_private

__all__ = ["HttpToken"]

_BYTES = 32


class HttpToken:
    """Reads the file again whenever it changed, so that a new token counts in a running daemon at once."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: tuple[tuple[int, int], str] | None = None

    def show(self) -> str:
        """Return the token, made when there is none yet."""
        return self._read() or self.rotate()

    def rotate(self) -> str:
        """Put a new token in the place of the old one, which opens nothing from now on."""
        token = secrets.token_urlsafe(_BYTES)
        replace_private(self._file, f"{token}\n")
        return token

    def opens(self, given: str) -> bool:
        """Tell whether this is the token; takes the same time whatever was given."""
        token = self._read()
        return bool(token) and secrets.compare_digest(given.encode(), token.encode())

    def _read(self) -> str:
        try:
            stat = self._file.stat()
            stamp = (stat.st_mtime_ns, stat.st_ino)
            if self._known is None or self._known[0] != stamp:
                self._known = (stamp, self._file.read_text("ascii").strip())
        except (FileNotFoundError, UnicodeDecodeError):
            return ""
        return self._known[1]
