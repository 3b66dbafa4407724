"""Replace text literally, in the body or the properties of a note, as often as was meant (case C04)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sidecar.errors import Invalid, NotFound, Refused
from sidecar.model.note import Json
from sidecar.parse.frontmatter import block_of, read_properties
from sidecar.parse.text import SourceText

__all__ = ["Replacement", "Scope", "check_same_block", "find_replace"]

Scope = Literal["body", "frontmatter", "all"]

_LINE_BREAK = re.compile(r"\r?\n")
_SHOWN = 80
_MAX_LINES = 20


@dataclass(frozen=True, slots=True)
class Replacement:
    """The edited text, how often it was replaced where, and how often left alone outside the scope."""

    text: str
    body: int
    frontmatter: int
    skipped: int


def find_replace(source: SourceText, find: str, replace: str, *, expected: int | None, scope: Scope) -> Replacement:
    """Replace ``find`` where the scope says; a line feed in it fits any line break (cases C04, C11).

    Exactly ``expected`` places must hold it, one when ``None``. Properties are read again afterwards.

    Raises:
        NotFound: when the text is nowhere in the note.
        Refused: when it stands only outside the scope, or the properties would be read differently.
        Invalid: when it is found another number of times; ``data`` has ``found``, ``expected`` and ``lines``.

    """
    wanted = 1 if expected is None else expected
    if not find or wanted < 1:
        raise Invalid("There must be a text to find, and at least one place.", hint="Give the text as it stands.")
    text = source.text
    block = block_of(text)
    pattern = _pattern(find)
    in_body = list(pattern.finditer(text, block.end if block else 0))
    in_front = list(pattern.finditer(text, block.yaml_start, block.yaml_end)) if block else []
    body = in_body if scope != "frontmatter" else []
    front = in_front if scope != "body" else []
    hits = [*front, *body]
    if not hits:
        raise _nowhere(text, find, [*in_front, *in_body], scope, wanted)
    if len(hits) != wanted:
        lines = _lines(text, hits)
        raise Invalid(
            f"'{_short(find)}' is there {_times(len(hits))}, not {_times(wanted)} (line {_listed(lines)}).",
            hint="Give more of the text around it, or set expected_replacements to how many places are meant.",
            data={"found": len(hits), "expected": wanted, "lines": lines},
        )
    edited = _replaced(text, hits, source.in_style(replace))
    if front:
        _check_properties(text, edited, len(edited) - len(_replaced(text, front, source.in_style(replace))))
    else:
        check_same_block(text, edited)
    return Replacement(edited, len(body), len(front), len(in_body) + len(in_front) - len(hits))


def check_same_block(before: str, after: str) -> str:
    """Return the edited text if its properties are those of the note.

    Raises:
        Refused: when text of the body would become properties, or properties body.

    """
    old, new = block_of(before), block_of(after)
    if (before[: old.yaml_end] if old else None) != (after[: new.yaml_end] if new else None):
        raise Refused(
            "With this text the first lines of the note would be read as properties.",
            hint="Give properties as metadata, and begin the text with something else than '---'.",
        )
    return after


def _pattern(find: str) -> re.Pattern[str]:
    lines = _LINE_BREAK.split(find)
    # A lone carriage return must not tear a line break apart.
    return re.compile(r"\r?\n".join(re.escape(line).replace("\\\r", "\\\r(?!\\n)") for line in lines))


def _replaced(text: str, hits: Sequence[re.Match[str]], replace: str) -> str:
    parts, at = [], 0
    for hit in hits:
        parts += [text[at : hit.start()], replace]
        at = hit.end()
    return "".join([*parts, text[at:]])


def _check_properties(before: str, after: str, moved: int) -> None:
    old, new = read_properties(before), read_properties(after)
    if old.problem:
        return
    if new.problem:
        raise Refused(
            f"The properties could no longer be read: {new.problem.message} (line {new.problem.line}).",
            hint="Nothing was changed. Put quotes around the value in the replacement.",
            data={"line": new.problem.line},
        )
    if _shape(old.values) != _shape(new.values) or len(after) - new.body_start != len(before) - old.body_start + moved:
        raise Refused(
            "The properties would be read differently: names, lists or empty values would change.",
            hint="Nothing was changed. Set the property instead.",
        )


def _shape(value: Json) -> object:
    if isinstance(value, dict):
        return [(name, _shape(item)) for name, item in value.items()]
    if isinstance(value, list):
        return [_shape(item) for item in value]
    return value is None


def _nowhere(text: str, find: str, outside: Sequence[re.Match[str]], scope: Scope, wanted: int) -> NotFound | Refused:
    data = {"found": 0, "expected": wanted, "lines": _lines(text, outside)}
    if outside:
        where, other = ("properties", "frontmatter") if scope == "body" else ("body", "body")
        return Refused(
            f"'{_short(find)}' stands only in the {where} (line {_listed(_lines(text, outside))}), "
            f"outside the scope '{scope}'.",
            hint=f"Use the scope '{other}' or 'all' to change it there.",
            data=data,
        )
    alike = _alike(text, find)
    return NotFound(
        f"'{_short(find)}' is not in the note.",
        hint="These lines differ from it only in case or spaces."
        if alike
        else "Read the note and copy the text from it.",
        candidates=alike,
        data=data,
    )


def _alike(text: str, find: str) -> list[str]:
    """List lines that hold the first line of the text but for case and white space."""
    wanted = next((plain for line in find.split("\n") if (plain := _plain(line))), "")
    lines = enumerate(text.split("\n"), 1) if wanted else ()
    return [f"{line.strip()[:_SHOWN]} (line {number})" for number, line in lines if wanted in _plain(line)][:5]


def _plain(line: str) -> str:
    return " ".join(line.lower().split())


def _lines(text: str, hits: Sequence[re.Match[str]]) -> list[int]:
    return [text.count("\n", 0, hit.start()) + 1 for hit in hits[:_MAX_LINES]]


def _listed(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines))


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
