"""Which files agents may read and write: the user's rules in gitignore grammar, and ``private: true`` in a note."""

import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from threading import Lock

from pathspec import GitIgnoreSpec

from sidecar.errors import Invalid, SidecarError, Unavailable
from sidecar.model.path import VaultPath

__all__ = ["RULES_FILE", "Access", "AccessRules", "CurrentRules"]

RULES_FILE = ".mcpignore"
_SETTLED_AFTER = 1.0
"""Seconds for which the rules before a change still hold too: an editor may just be half-way through the file."""
_MOST_REMEMBERED = 200_000


class Access(StrEnum):
    """What agents may do with a file."""

    OPEN = "open"
    ASK = "ask"
    """They may propose changes, and the person decides."""
    READ_ONLY = "read only"
    DENIED = "denied"


_BY_STRICTNESS = (Access.OPEN, Access.ASK, Access.READ_ONLY, Access.DENIED)


def _no_patterns() -> GitIgnoreSpec:
    return GitIgnoreSpec([])


@dataclass(frozen=True, slots=True)
class AccessRules:
    """Patterns of denied and of read-only files, and of those to ask about; of several the strictest counts.

    They ignore case, as Obsidian's paths do (R14).
    """

    deny: GitIgnoreSpec = field(default_factory=_no_patterns)
    read_only: GitIgnoreSpec = field(default_factory=_no_patterns)
    also: "AccessRules | None" = None
    """More rules, of which the stricter counts."""
    ask: GitIgnoreSpec = field(default_factory=_no_patterns)
    _known: dict[VaultPath, Access] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def load(
        cls, root: Path, deny: Sequence[str] = (), read_only: Sequence[str] = (), ask: Sequence[str] = ()
    ) -> "AccessRules":
        """Compile the given patterns together with those in ``.mcpignore`` at the vault's root, which deny.

        Raises:
            Invalid: for a malformed pattern or rules file, rather than dropping a rule in silence.
            Unavailable: when the rules file cannot be read.

        """
        return cls(_compile([*deny, *_read_patterns(root / RULES_FILE)]), _compile(read_only), ask=_compile(ask))

    def access(self, path: VaultPath, properties: Mapping[str, object]) -> Access:
        """Say what agents may do with a file; ``private: true`` among its properties denies it too (C27)."""
        if any(value is True and name.lower() == "private" for name, value in properties.items()):
            return Access.DENIED
        access = self._known.get(path)
        if access is None:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            access = self._known[path] = self._by_patterns(path)
        return access

    def denied_among(self, paths: Iterable[VaultPath]) -> frozenset[VaultPath]:
        """Return those of the paths that the patterns deny."""
        if not self.deny.patterns and self.also is None:
            return frozenset()
        known = self._known.get  # asked for each file of the vault after each change of it
        return frozenset([path for path in paths if (known(path) or self.access(path, {})) is Access.DENIED])

    def denies_folder(self, path: VaultPath) -> bool:
        """Tell whether the patterns deny a folder with all that it holds."""
        return self.deny.match_file(f"{path.key}/") or (self.also is not None and self.also.denies_folder(path))

    def asks_for_folder(self, path: VaultPath) -> bool:
        """Tell whether the patterns want the person asked before a folder comes or goes."""
        return self.ask.match_file(f"{path.key}/") or (self.also is not None and self.also.asks_for_folder(path))

    def _by_patterns(self, path: VaultPath) -> Access:
        key = path.key
        if self.deny.match_file(key):
            return Access.DENIED
        access = (
            Access.READ_ONLY
            if self.read_only.match_file(key)
            else Access.ASK
            if self.ask.match_file(key)
            else Access.OPEN
        )
        other = self.also.access(path, {}) if self.also else Access.OPEN
        return max(access, other, key=_BY_STRICTNESS.index)


class CurrentRules:
    """The rules as they stand now: ``.mcpignore`` is read again when it changed. Callable from any thread.

    After a change the rules before it hold as well for a moment, so that saving the file opens nothing by accident.
    """

    def __init__(
        self,
        root: Path,
        deny: Sequence[str] = (),
        read_only: Sequence[str] = (),
        ask: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Read the rules.

        Raises:
            Invalid: for a malformed pattern or rules file.
            Unavailable: when the rules file cannot be read.

        """
        self._file = root / RULES_FILE
        self._load: Callable[[], AccessRules] = lambda: AccessRules.load(root, deny, read_only, ask)
        self._clock = clock
        self._lock = Lock()
        self._stamp = _stamp(self._file)
        self._rules = self._newest = self._settled = self._load()
        self._until = 0.0
        self._listener: Callable[[], object] | None = None

    def on_change(self, listener: Callable[[], object]) -> None:
        """Have ``listener`` called each time other rules begin to hold, on the thread that noticed."""
        self._listener = listener

    def now(self) -> AccessRules:
        """Return the rules that hold now; as long as nothing changed, the same object.

        Raises:
            Invalid: when the file was changed to something malformed: rather no answer than one rule too few.
            Unavailable: when it cannot be read any more.

        """
        with self._lock:
            before = self._rules
            stamp = _stamp(self._file)
            if stamp != self._stamp:
                self._newest = self._load()
                self._rules = replace(self._newest, also=self._settled, _known={})
                self._stamp, self._until = stamp, self._clock() + _SETTLED_AFTER
            elif self._settled is not self._newest and self._clock() >= self._until:
                self._rules = self._settled = self._newest
            rules = self._rules
        if rules is not before and self._listener:
            self._listener()
        return rules

    def latest(self) -> AccessRules:
        """Return the rules that hold now, or the last ones that could be read."""
        try:
            return self.now()
        except SidecarError:
            return self._rules

    def access(self, path: VaultPath, properties: Mapping[str, object]) -> Access:
        """Say what agents may do with a file, by the latest rules."""
        return self.latest().access(path, properties)


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


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
