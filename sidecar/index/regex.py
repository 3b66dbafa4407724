"""Regular expressions as JavaScript has them, run with a time limit: the one door to the ``regex`` package."""

import re
import time
from collections.abc import Sequence
from operator import itemgetter

import regex

from sidecar.errors import Invalid
from sidecar.index.literals import LettersCheck, branches_of, letters_check

__all__ = ["OutOfTime", "Patience", "Regex", "compile_regex"]

_LONGEST = 1000
_SHORT = 0.01
_WORD = "A-Za-z0-9_"
_BOUNDARY = f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))"
_PIECE = re.compile(
    r"""
      \\u\{(?P<point>[0-9A-Fa-f]{1,6})\}
    | \\k<(?P<name>[^>]*)>
    | \\c(?P<control>[A-Za-z])
    | \\(?P<property>[pP]\{\^?\w+(?:=\w+)?\})
    | \\(?P<known>u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[1-9]\d?|[fnrtv])
    | \\(?P<escaped>.)
    | (?P<everything>\[\^\])
    | (?P<nothing>\[\])
    | (?P<open>\[\^?)
    | (?P<close>\])
    | (?P<group>\(\?(?!:|=|!|<=|<!|<[^\W\d]\w*>))
    | (?P<brace>\{(?!\d+(?:,\d*)?\}))
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_CLASSES = {
    "d": ("[0-9]", "0-9"),
    "D": ("[^0-9]", r"\x00-/:-\U0010FFFF"),
    "w": (f"[{_WORD}]", _WORD),
    "W": (f"[^{_WORD}]", r"\x00-/:-@\[-\^`\{-\U0010FFFF"),
    "s": (r"[\s\uFEFF]", r"\s\uFEFF"),
    "S": (r"[^\s\uFEFF]", r"\S"),
    "b": (_BOUNDARY, r"\x08"),
    "B": (f"(?!{_BOUNDARY})", "B"),
    "0": (r"\x00", r"\x00"),
}
"""Escapes that mean something else here: outside of ``[ ]``, and inside."""


class OutOfTime(Exception):  # noqa: N818 - it is how a search ends, and no fault
    """The expression took all the time there was."""


class Patience:
    """The seconds that all matching for one search may take together."""

    __slots__ = ("left",)

    def __init__(self, seconds: float) -> None:
        self.left = seconds


class Regex:
    """A compiled expression that knows how long it may run.

    What stands between its outermost ``|`` is looked for one after another: of one branch ``regex`` mostly knows with
    which letters it begins; several together it tries everywhere, which takes 50 times longer.
    """

    __slots__ = ("_branches", "_patience")

    def __init__(
        self, branches: "Sequence[tuple[regex.Pattern[str], LettersCheck | None]]", patience: Patience
    ) -> None:
        """Take the compiled branches, each with what tells of small letters that it cannot match."""
        self._branches = branches
        self._patience = patience

    def span(self, text: str) -> tuple[int, int] | None:
        """Return where it first matches.

        Raises:
            OutOfTime: when the time is up; no other thread is held up for more than a moment.

        """
        if len(self._branches) == 1:
            return self._span(self._branches[0][0], text)
        small = text.lower()
        found = (self._span(branch, text) for branch, may_match in self._branches if not may_match or may_match(small))
        # Of those that begin together the first counts, whichever ends where.
        return min((span for span in found if span), key=itemgetter(0), default=None)

    def _span(self, compiled: "regex.Pattern[str]", text: str) -> tuple[int, int] | None:
        patience = self._patience
        if patience.left <= 0:
            raise OutOfTime
        began = time.perf_counter()
        try:
            found = self._search(compiled, text)
        except TimeoutError:
            patience.left = 0
            raise OutOfTime from None
        patience.left -= time.perf_counter() - began
        return found.span() if found else None

    def _search(self, compiled: "regex.Pattern[str]", text: str) -> "regex.Match[str] | None":
        # To get the interpreter back may take longer than to match, so it is only let go of where that takes long.
        try:
            return compiled.search(text, timeout=min(_SHORT, self._patience.left))
        except TimeoutError:
            return compiled.search(text, timeout=self._patience.left, concurrent=True)


def compile_regex(pattern: str, patience: Patience, *, case: bool = False) -> Regex:
    """Compile an expression; ``^`` and ``$`` stand at lines, and case counts only on demand.

    Raises:
        Invalid: with the position of the fault.

    """
    if len(pattern) > _LONGEST:
        raise Invalid(f"The regular expression is longer than {_LONGEST} characters.", hint="Shorten it.")
    try:
        translated, places = _translated(pattern)
        flags = regex.VERSION0 | regex.MULTILINE | regex.WORD | (0 if case else regex.IGNORECASE)
        compiled = regex.compile(translated, flags)
        branches = branches_of(pattern)
        if len(branches) == 1:
            return Regex([(compiled, None)], patience)
        return Regex([(regex.compile(_translated(one)[0], flags), letters_check(one)) for one in branches], patience)
    except regex.error as error:
        at: int | None = error.pos  # type: ignore[attr-defined]  # the stubs lack both
        reason: str = error.msg  # type: ignore[attr-defined]
        raise _invalid(pattern, reason, None if at is None else places[min(at, len(places) - 1)]) from error
    except (OverflowError, RecursionError, ValueError) as error:
        raise _invalid(pattern, "it is too large", None) from error


def _invalid(pattern: str, reason: str, at: int | None) -> Invalid:
    where = "" if at is None else f" at position {at + 1}"
    return Invalid(
        f"The regular expression /{pattern}/ is not valid{where}: {reason}.",
        hint="Correct it; to search for these characters themselves, put them in quotes.",
        data={"pattern": pattern, **({} if at is None else {"position": at + 1})},
    )


def _translated(pattern: str) -> tuple[str, list[int]]:
    """Return the expression in Python's words, and for each of its characters where in the original it comes from."""
    written: list[str] = []
    places: list[int] = []
    inside = False
    for piece in _PIECE.finditer(pattern):
        kind = piece.lastgroup or "other"
        if kind == "group":
            raise _invalid(pattern, "there is no such group in JavaScript", piece.start())
        text = _piece(kind, piece, inside=inside)
        inside = (inside or kind == "open") and kind != "close" and not (inside and kind in _ENDS_CLASS)
        written.append(text)
        places += [piece.start()] * len(text)
    return "".join(written), [*places, len(pattern)]


_ENDS_CLASS = frozenset({"everything", "nothing"})
"""What looks like an empty class ends the class it stands in."""


def _piece(kind: str, piece: re.Match[str], *, inside: bool) -> str:
    text, said = piece[0], piece[kind]
    match kind:
        case "point":
            text = f"\\U{int(said, 16):08X}"
        case "name":
            text = f"(?P={said})"
        case "control":
            text = f"\\x{ord(said) % 32:02X}"
        case "escaped":
            text = _CLASSES[said][inside] if said in _CLASSES else re.escape(said)
        case "everything":
            text = r"\[\^]" if inside else r"(?s:.)"
        case "nothing":
            text = r"\[]" if inside else "(?!)"
        case "brace":
            text = r"\{"
        case "open" if inside:
            text = r"\[" + text[1:].replace("^", r"\^")
        case "close" if not inside:
            text = r"\]"
        case _:
            pass
    return text
