"""Files that only the user may read."""

import os
import secrets
from pathlib import Path

__all__ = ["replace_private"]


def replace_private(file: Path, text: str) -> None:
    """Write a file for this user only, in one step: readers see the old text or the new."""
    temporary = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        out.write(text)
    temporary.replace(file)
