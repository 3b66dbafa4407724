import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.errors import Invalid, SidecarError
from sidecar.parse.memory_file import (
    MemoryForm,
    MemoryType,
    check_name,
    new_memory,
    read_memory,
    time_text,
    with_body,
    with_properties,
)
from sidecar.parse.text import decode

NESTED = """\
---
name: dotfiles
description: "~/.config is a link # really"
metadata:\x20
  node_type: memory
  # by hand
  type: project
  originSessionId: d885c59c-2a0a-4084-b1ac-2799bf01d591
  modified: 2026-08-15T19:07:18.393Z
aliases: [Dots]
---

The fact. **Why:** so.
"""
OLDER = """\
---
name: Testing advice
description: how to test  # mine
type: feedback
originSessionId: 7
---
Body right here.
"""
WITHOUT = "Only text.\n"
TIME = "2026-12-01T08:00:00.000Z"


def lines_changed(before: str, after: str) -> list[tuple[str, str]]:
    old, new = before.split("\n"), after.split("\n")
    assert len(old) == len(new)
    return [(a, b) for a, b in zip(old, new, strict=True) if a != b]


def test_both_generations_are_read() -> None:
    nested, older, bare = read_memory(NESTED), read_memory(OLDER), read_memory(WITHOUT)
    assert (nested.name, nested.type, nested.modified) == ("dotfiles", "project", "2026-08-15T19:07:18.393Z")
    assert (nested.description, nested.aliases) == ("~/.config is a link # really", ("Dots",))
    assert (older.name, older.type, older.modified) == ("Testing advice", "feedback", None)
    assert (nested.body, older.body, bare.body) == ("The fact. **Why:** so.", "Body right here.", "Only text.")
    assert (bare.name, bare.description, bare.type) == (None, "", None)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [NESTED, OLDER])
def test_an_edit_touches_only_its_own_lines(text: str, newline: str) -> None:
    source = decode(text.replace("\n", newline).encode())
    described = with_properties(source, form=MemoryForm.NESTED, description="new one")
    assert [new.partition("  #")[0].strip() for _, new in lines_changed(source.text, described)] == [
        "description: new one"
    ]
    typed = with_properties(source, form=MemoryForm.NESTED, kind=MemoryType.USER)
    changed = lines_changed(source.text, typed)
    assert [new.strip() for _, new in changed] == ["type: user"]
    assert read_memory(typed).type == "user"


def test_the_time_is_kept_where_the_generation_keeps_it() -> None:
    nested = with_properties(decode(NESTED.encode()), form=MemoryForm.FLAT, modified=TIME)
    assert [new for _, new in lines_changed(NESTED, nested)] == [f"  modified: {TIME}"]
    older = with_properties(decode(OLDER.encode()), form=MemoryForm.NESTED, modified=TIME)
    assert older == OLDER.replace("originSessionId: 7\n", f"originSessionId: 7\nmodified: {TIME}\n")
    assert with_properties(decode(WITHOUT.encode()), form=MemoryForm.NESTED, modified=TIME) == WITHOUT


def test_metadata_on_one_line_is_edited_too() -> None:
    text = "---\nmetadata: {type: user, x: 1}\n---\nb\n"
    edited = with_properties(decode(text.encode()), form=MemoryForm.NESTED, kind=MemoryType.PROJECT)
    assert read_memory(edited).type == "project"
    assert "x: 1" in edited


def test_metadata_that_is_no_mapping_is_left_alone() -> None:
    text = "---\nmetadata: mine\n---\nb\n"
    edited = with_properties(decode(text.encode()), form=MemoryForm.NESTED, kind=MemoryType.PROJECT)
    assert edited == "---\nmetadata: mine\ntype: project\n---\nb\n"


@pytest.mark.parametrize(
    ("form", "about"),
    [
        (MemoryForm.NESTED, f"metadata:\n  node_type: memory\n  type: user\n  modified: {TIME}\n"),
        (MemoryForm.FLAT, f"type: user\nmodified: {TIME}\n"),
    ],
)
def test_a_new_memory_has_the_form_that_is_asked_for(form: MemoryForm, about: str) -> None:
    text = new_memory(name="a", description="x\n y", kind=MemoryType.USER, body="\nfact\n\n", modified=TIME, form=form)
    assert text == f"---\nname: a\ndescription: x y\n{about}---\n\nfact\n"


@given(
    description=st.text(min_size=1).filter(lambda text: bool(text.split())),
    body=st.text(st.characters(blacklist_characters="\r\0", blacklist_categories=["Cs"])),
    form=st.sampled_from(MemoryForm),
)
def test_what_was_written_is_read_again(description: str, body: str, form: MemoryForm) -> None:
    text = new_memory(name="a", description=description, kind=MemoryType.FEEDBACK, body=body, modified=TIME, form=form)
    read = read_memory(text)
    assert (read.name, read.type, read.modified, read.problem) == ("a", "feedback", TIME, None)
    assert read.description == " ".join(description.split())
    assert read.body == body.strip("\n")


@given(
    text=st.sampled_from([NESTED, OLDER, WITHOUT]),
    newline=st.sampled_from(["\n", "\r\n"]),
    description=st.one_of(st.none(), st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=30)),
    kind=st.one_of(st.none(), st.sampled_from(MemoryType)),
    form=st.sampled_from(MemoryForm),
)
def test_lines_that_are_not_about_it_stay_byte_for_byte(
    text: str, newline: str, description: str | None, kind: MemoryType | None, form: MemoryForm
) -> None:
    source = decode(text.replace("\n", newline).encode())
    edited = with_properties(source, form=form, description=description, kind=kind, modified=TIME)
    about = re.compile(r"\s*(?:description|type|modified|metadata|node_type):|---")
    kept = [line for line in source.text.split("\n") if not about.match(line)]
    assert [line for line in edited.split("\n") if not about.match(line)] == kept


def test_another_body_keeps_the_block_and_the_line_below_it() -> None:
    assert with_body(decode(NESTED.encode()), "new") == NESTED.replace("The fact. **Why:** so.", "new")
    assert with_body(decode(OLDER.encode()), "new\n") == OLDER.replace("Body right here.", "new")
    assert with_body(decode(WITHOUT.encode()), "new") == "new\n"
    windows = decode(NESTED.replace("\n", "\r\n").encode())
    assert with_body(windows, "a\nb").endswith("---\r\n\r\na\r\nb\r\n")


@pytest.mark.parametrize(
    "text", ["---\n: [\n---\nx", "---\n- a\n---\n", "---\nname: [1]\nmetadata: 3\n---\n", "\ufeff"]
)
def test_hostile_yaml_is_read_as_far_as_it_goes(text: str) -> None:
    read = read_memory(text)
    assert (read.name, read.description, read.type) == (None, "", None)


def test_a_broken_block_is_not_written_into() -> None:
    with pytest.raises(SidecarError):
        with_properties(decode(b"---\nname: [\n---\nx"), form=MemoryForm.NESTED, description="d")


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        ".hidden",
        "con",
        "CON",
        "a/b",
        "",
        " ",
        "x" * 300,
        "MEMORY",
        "memory",
        "A b",
        "ä",
        "-a",
        "a\nb",
        "nul.md",
    ],
)
def test_hostile_names_are_refused(name: str) -> None:
    with pytest.raises(Invalid):
        check_name(name)


@pytest.mark.parametrize("name", ["a", "renewal-window", "feedback_testing", "2026-plan", "x" * 100])
def test_slugs_are_names(name: str) -> None:
    assert check_name(f" {name}.md ") == name


def test_a_near_slug_is_offered() -> None:
    with pytest.raises(Invalid) as caught:
        check_name("Renewal Window!")
    assert "'renewal-window'" in (caught.value.hint or "")


def test_times_have_milliseconds() -> None:
    assert time_text(1_786_820_838_393_999_999) == "2026-08-15T19:07:18.393Z"
