"""Which files agents may read and write: the user's rules in gitignore grammar, and ``private: true`` in a note."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from pathspec import GitIgnoreSpec

from sidecar.errors import Invalid, Unavailable
from sidecar.model.path import VaultPath

__all__ = ["RULES_FILE", "Access", "AccessRules"]

RULES_FILE = ".mcpignore"


class Access(StrEnum):
    """What agents may do with a file."""

    OPEN = "open"
    READ_ONLY = "read only"
    DENIED = "denied"


def _no_patterns() -> GitIgnoreSpec:
    return GitIgnoreSpec([])


@dataclass(frozen=True, slots=True)
class AccessRules:
    """Patterns of denied and of read-only files. They ignore case, as Obsidian's paths do (R14)."""

    deny: GitIgnoreSpec = field(default_factory=_no_patterns)
    read_only: GitIgnoreSpec = field(default_factory=_no_patterns)

    @classmethod
    def load(cls, root: Path, deny: Sequence[str] = (), read_only: Sequence[str] = ()) -> "AccessRules":
        """Compile the given patterns together with those in ``.mcpignore`` at the vault's root, which deny.

        Raises:
            Invalid: for a malformed pattern or rules file, rather than dropping a rule in silence.
            Unavailable: when the rules file cannot be read.

        """
        return cls(_compile([*deny, *_read_patterns(root / RULES_FILE)]), _compile(read_only))

    def access(self, path: VaultPath, properties: Mapping[str, object]) -> Access:
        """Say what agents may do with a file; ``private: true`` among its properties denies it too (C27)."""
        key = path.key
        if self.deny.match_file(key) or any(
            value is True and name.lower() == "private" for name, value in properties.items()
        ):
            return Access.DENIED
        return Access.READ_ONLY if self.read_only.match_file(key) else Access.OPEN


def _read_patterns(rules: Path) -> list[str]:
    try:
        return rules.read_text("utf-8-sig").splitlines()
    except FileNotFoundError:
        return []
    except UnicodeDecodeError as error:
        raise Invalid(f"'{RULES_FILE}' is not UTF-8 text.", hint="Save it as UTF-8.") from error
    except OSError as error:
        raise Unavailable(f"'{RULES_FILE}' cannot be read: {error.strerror}.") from error


def _compile(patterns: Iterable[str]) -> GitIgnoreSpec:
    lines = [unicodedata.normalize("NFC", pattern).lower() for pattern in patterns]
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError as error:
            raise Invalid(f"The access rule '{line}' is no valid pattern: {error}.") from error
    return GitIgnoreSpec.from_lines(lines)
