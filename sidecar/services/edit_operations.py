"""The operations of an edit: each with what it needs becomes work on a note's text, and says what it did."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from sidecar.errors import Invalid
from sidecar.parse import edit
from sidecar.parse.find_replace import Scope, find_replace
from sidecar.parse.text import SourceText

__all__ = ["EditOperation", "EditedText", "Request"]


class EditOperation(StrEnum):
    """What an edit does with its content."""

    APPEND = "append"
    PREPEND = "prepend"
    FIND_REPLACE = "find_replace"
    REPLACE_SECTION = "replace_section"
    INSERT_BEFORE_SECTION = "insert_before_section"
    INSERT_AFTER_SECTION = "insert_after_section"


@dataclass(frozen=True, slots=True)
class EditedText:
    """A note's new text, and what was done to it."""

    text: str
    detail: str
    section_created: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One operation with its content and what else it needs."""

    operation: EditOperation
    content: str
    section: str | None = None
    find_text: str | None = None
    expected_replacements: int | None = None
    scope: Scope = "body"
    replace_subsections: bool = True

    def work(self) -> Callable[[SourceText], EditedText]:
        """Return what the operation does to a note.

        Raises:
            Invalid: when something is missing that the operation needs.

        """
        work, need = _WORK[self.operation]
        if need == "find_text" and not self.find_text:
            raise Invalid("find_replace needs find_text: the text to replace.", data={"missing": "find_text"})
        if need == "section" and not self.section:
            raise Invalid(
                f"{self.operation} needs section: the heading it is about.",
                hint="Give a heading of the note: its text, '## Text' or 'Parent/Child'.",
                data={"missing": "section"},
            )
        return lambda source: work(self, source)


def _append(r: Request, source: SourceText) -> EditedText:
    if not r.section:
        return EditedText(edit.append(source, r.content), f"added {_lines(r)} at the end of the note")
    return EditedText(
        edit.append_to_section(source, r.section, r.content), f"added {_lines(r)} at the end of section '{r.section}'"
    )


def _prepend(r: Request, source: SourceText) -> EditedText:
    if not r.section:
        return EditedText(edit.prepend(source, r.content), f"added {_lines(r)} at the start of the note")
    return EditedText(
        edit.prepend_to_section(source, r.section, r.content),
        f"added {_lines(r)} at the start of section '{r.section}'",
    )


def _find_replace(r: Request, source: SourceText) -> EditedText:
    done = find_replace(source, r.find_text or "", r.content, expected=r.expected_replacements, scope=r.scope)
    count = done.body + done.frontmatter
    times = f"replaced {count} occurrence{'' if count == 1 else 's'}"
    if not done.skipped and not (done.body and done.frontmatter):
        return EditedText(done.text, f"{times} in the {'body' if done.body else 'properties'}")
    skipped = f" ({done.skipped} skipped)" if done.skipped else ""
    return EditedText(done.text, f"{times}; body: {done.body}, frontmatter: {done.frontmatter}{skipped}")


def _replace_section(r: Request, source: SourceText) -> EditedText:
    section = r.section or ""
    done = edit.replace_section(source, section, r.content, subsections=r.replace_subsections)
    if done.created:
        return EditedText(
            done.text, f"the note had no section '{section}'; it was added at the end", section_created=True
        )
    kept = "" if r.replace_subsections else " and kept its subsections"
    return EditedText(done.text, f"replaced the text of section '{section}'{kept}")


def _insert_before(r: Request, source: SourceText) -> EditedText:
    section = r.section or ""
    return EditedText(
        edit.insert_before_section(source, section, r.content), f"added {_lines(r)} before section '{section}'"
    )


def _insert_after(r: Request, source: SourceText) -> EditedText:
    section = r.section or ""
    return EditedText(
        edit.insert_after_heading(source, section, r.content), f"added {_lines(r)} below the heading '{section}'"
    )


def _lines(r: Request) -> str:
    count = len(r.content.splitlines())
    return f"{count} line{'' if count == 1 else 's'}"


_WORK: dict[EditOperation, tuple[Callable[[Request, SourceText], EditedText], str | None]] = {
    EditOperation.APPEND: (_append, None),
    EditOperation.PREPEND: (_prepend, None),
    EditOperation.FIND_REPLACE: (_find_replace, "find_text"),
    EditOperation.REPLACE_SECTION: (_replace_section, "section"),
    EditOperation.INSERT_BEFORE_SECTION: (_insert_before, "section"),
    EditOperation.INSERT_AFTER_SECTION: (_insert_after, "section"),
}
"""Each operation's work, and the parameter it cannot do without."""
