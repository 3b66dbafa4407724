from typing import Any

import pytest

from tests.conftest import Served

DUP = "# A\n\n## Notes\n\nfirst\n\n# B\n\n## Notes\n\nsecond\n"


def test_append_and_prepend(served: Served) -> None:
    served.write("N.md", "---\na: 1\n---\nmiddle\n")
    served.ok("edit_note", identifier="N", operation="append", content="end")
    edited = served.ok("edit_note", identifier="N", operation="prepend", content="start")
    assert served.read("N.md") == "---\na: 1\n---\nstart\nmiddle\nend\n"
    assert edited["fileCreated"] is False
    assert edited["lines"] == {"added": 1, "removed": 0}


def test_a_note_that_is_missing_is_never_created(served: Served) -> None:
    served.write("Meeting.md", "x")
    error = served.fails("edit_note", "not_found", identifier="Meating", operation="append", content="x")
    assert error["candidates"] == ["Meeting.md"]
    assert error["fileCreated"] is False
    assert 'write_note(title="Meating", directory="/", content="x")' in error["next"]
    assert served.ok("write_note", **error["write_note"])["file_path"] == "Meating.md"


@pytest.mark.parametrize(
    ("identifier", "made"),
    [
        ("Plans/New one", "Plans/New one.md"),
        ("memory://Plans/New one", "Plans/New one.md"),
        ("[[New one#H|x]]", "New one.md"),
        ("New one.md", "New one.md"),
    ],
)
def test_the_ready_call_makes_the_note_that_was_meant(served: Served, identifier: str, made: str) -> None:
    error = served.fails("edit_note", "not_found", identifier=identifier, operation="append", content="y" * 3000)
    assert "content" not in error["write_note"]
    assert served.ok("write_note", content="x", **error["write_note"])["file_path"] == made


def test_where_no_note_can_have_the_name_there_is_no_ready_call(served: Served) -> None:
    error = served.fails("edit_note", "not_found", identifier="???", operation="append", content="x")
    assert "write_note" not in error


def test_c01_setting_one_property_adds_one_line(served: Served) -> None:
    text = '---\n# my comment\ndate: 2026-03-16\ntitle: "Quoted: title"\ntags: [a, b]\ntime: 12:30\nzip: 01234\n---\nBody\n'
    served.write("FM.md", text)
    served.ok("edit_note", identifier="FM.md", operation="append", content="", metadata={"status": "active"})
    assert served.read("FM.md") == text.replace("\n---\nBody", "\nstatus: active\n---\nBody")


def test_c02_properties_that_do_not_parse_are_left_alone(served: Served) -> None:
    served.write("Bad.md", '---\na: "unterminated\nkeep: yes\n---\nBody\n')
    error = served.fails(
        "edit_note", "refused", identifier="Bad", operation="append", content="", metadata={"status": "x"}
    )
    assert error["line"] in (2, 3)
    served.fails("edit_note", "refused", identifier="Bad", operation="append", content="", metadata={"a": None})
    served.fails("edit_note", "refused", identifier="Bad", operation="append", content="", metadata={"tags": ["x"]})
    read = served.ok("read_note", identifier="Bad")
    assert read["frontmatter_problem"]["line"] in (2, 3)
    assert read["content"] == "Body\n"


def test_c03_a_json_array_becomes_a_list_and_odd_neighbours_survive(served: Served) -> None:
    served.write("L.md", "---\ntags:\n  - keep\n  - 42\n  - {meta: x}\nother: yes\n---\n")
    served.ok("edit_note", identifier="L", operation="append", content="", metadata={"aliases": ["A", "B"]})
    assert (
        served.read("L.md") == "---\ntags:\n  - keep\n  - 42\n  - {meta: x}\nother: yes\naliases:\n  - A\n  - B\n---\n"
    )


def test_c04_replacing_text_leaves_the_properties_alone(served: Served) -> None:
    served.write("Q.md", "---\ntopic: Q3 Planning\n---\nWe discuss Q3 Planning.\n")
    edited = served.ok(
        "edit_note", identifier="Q", operation="find_replace", content="Q3: Planning", find_text="Q3 Planning"
    )
    assert served.read("Q.md") == "---\ntopic: Q3 Planning\n---\nWe discuss Q3: Planning.\n"
    assert edited["detail"] == "replaced 1 occurrence; body: 1, frontmatter: 0 (1 skipped)"


@pytest.mark.parametrize(
    ("find", "given", "detail"),
    [
        ("body", {}, "replaced 1 occurrence in the body"),
        ("two", {"expected_replacements": 2}, "replaced 2 occurrences in the body"),
        ("only", {"scope": "all"}, "replaced 1 occurrence in the properties"),
        (
            "both",
            {"scope": "all", "expected_replacements": 2},
            "replaced 2 occurrences; body: 1, frontmatter: 1",
        ),
    ],
)
def test_a_replacement_says_where_it_was_made(served: Served, find: str, given: dict[str, Any], detail: str) -> None:
    served.write("Q.md", "---\na: only both\n---\nbody two two both\n")
    done = served.ok("edit_note", identifier="Q", operation="find_replace", content="x", find_text=find, **given)
    assert done["detail"] == detail


@pytest.mark.parametrize(
    ("content", "metadata", "detail"),
    [
        ("", {"a": 1, "b": None, "c": [1]}, "set a, c; removed b"),
        ("x", {"a": 1}, "added 1 line at the end of the note; set a"),
        ("x", {}, "added 1 line at the end of the note"),
    ],
)
def test_properties_that_are_set_besides_are_named(
    served: Served, content: str, metadata: dict[str, Any], detail: str
) -> None:
    served.write("P.md", "---\nb: 2\n---\nBody\n")
    done = served.ok("edit_note", identifier="P", operation="append", content=content, metadata=metadata)
    assert done["detail"] == detail


def test_c04_a_replacement_that_breaks_the_properties_is_refused(served: Served) -> None:
    served.write("Q.md", "---\ntopic: Q3 Planning\n---\nBody\n")
    served.fails(
        "edit_note",
        "refused",
        identifier="Q",
        operation="find_replace",
        content="Q3: Planning",
        find_text="Q3 Planning",
        scope="all",
    )


def test_c06_duplicate_headings(served: Served) -> None:
    served.write("Dup.md", DUP)
    error = served.fails(
        "edit_note", "ambiguous", identifier="Dup", operation="replace_section", section="Notes", content="REPL"
    )
    assert list(error["candidates"]) == ["A › Notes (line 3)", "B › Notes (line 9)"]
    served.ok("edit_note", identifier="Dup", operation="replace_section", section="B/Notes", content="REPL")
    assert served.read("Dup.md") == DUP.replace("second", "REPL")


@pytest.mark.parametrize("section", [["B", "Notes"], '["B", "Notes"]', "B › Notes"])
def test_c06_a_path_of_headings_may_be_a_list(served: Served, section: Any) -> None:
    served.write("Dup.md", DUP)
    served.ok("edit_note", identifier="Dup", operation="replace_section", section=section, content="REPL")
    assert served.read("Dup.md") == DUP.replace("second", "REPL")
    assert served.ok("read_note", identifier="Dup", section=section)["start_line"] == 9


def test_c06_appending_under_a_heading_that_is_not_there_is_refused(served: Served) -> None:
    served.write("Dup.md", DUP)
    served.fails("edit_note", "not_found", identifier="Dup", operation="append", section="Nope", content="x")


def test_replacing_a_section_that_is_nowhere_adds_it_and_says_so(served: Served) -> None:
    served.write("Plan.md", "# Plan\n\nText\n")
    edited = served.ok(
        "edit_note", identifier="Plan", operation="replace_section", section="## Future Work", content="TBD"
    )
    assert edited["section_created"] is True
    assert served.read("Plan.md").startswith("# Plan\n\nText\n")
    assert "## Future Work\n\nTBD" in served.read("Plan.md")
    text = served.call(
        "edit_note", identifier="Plan", operation="replace_section", section="## Zebra", content="x"
    ).blocks[0]
    assert text.startswith("section_created: true")


def test_c07_headings_by_level_raw_and_rendered_text(served: Served) -> None:
    text = '## 💡 | <span style="color:#C2B6C4">Tasks:</span>\n\n- a\n\n### People\n\n- b\n'
    served.write("H.md", text)
    served.ok("edit_note", identifier="H", operation="append", section="### People", content="- c")
    assert served.read("H.md") == text.replace("- b\n", "- b\n- c\n")
    served.write("H.md", text)
    for section in ("💡 | Tasks:", '💡 | <span style="color:#C2B6C4">Tasks:</span>'):
        served.ok("edit_note", identifier="H", operation="prepend", section=section, content="- z")
    assert served.read("H.md").count("- z\n") == 2


@pytest.mark.parametrize("closer", ["   ```", "   ````"])
def test_c08_hashes_in_code_are_not_headings(served: Served, closer: str) -> None:
    served.write("Fence.md", f"# A\n\n   ```bash\n# Hidden\necho hi\n{closer}\n\n# B\n\nb\n")
    served.ok("edit_note", identifier="Fence", operation="replace_section", section="A", content="new")
    assert served.read("Fence.md") == "# A\n\nnew\n\n# B\n\nb\n"


def test_c11_a_note_with_crlf_keeps_crlf(served: Served) -> None:
    served.write("CR.md", "# T\r\n\r\nline one\r\n\r\n## Log\r\n\r\n- a\r\n")
    served.ok("edit_note", identifier="CR", operation="append", content="new line\nsecond")
    served.ok("edit_note", identifier="CR", operation="append", section="Log", content="- b", metadata={"x": 1})
    served.ok(
        "edit_note", identifier="CR", operation="find_replace", find_text="line one\n\n## Log", content="LINE\n\n## Log"
    )
    text = served.read("CR.md")
    assert text.count("\n") == text.count("\r\n")
    assert text.startswith("---\r\nx: 1\r\n---\r\n# T\r\n\r\nLINE\r\n\r\n## Log\r\n")
    assert text.endswith("\r\n")


def test_c24_an_edit_of_an_old_version_is_refused(served: Served) -> None:
    served.write("S.md", "one\n")
    old = served.ok("read_note", identifier="S")["checksum"]
    served.write("S.md", "two\n")
    error = served.fails("edit_note", "stale", identifier="S", operation="append", content="x", expected_checksum=old)
    assert "-one" in error["diff"]


def test_an_edit_counts_replacements(served: Served) -> None:
    served.write("R.md", "x x\nx\n")
    error = served.fails("edit_note", "invalid", identifier="R", operation="find_replace", find_text="x", content="y")
    assert error["found"] == 3
    served.ok(
        "edit_note", identifier="R", operation="find_replace", find_text="x", content="y", expected_replacements=3
    )
    assert served.read("R.md") == "y y\ny\n"


@pytest.mark.parametrize(
    ("operation", "needs"),
    [
        ("find_replace", "find_text"),
        ("replace_section", "section"),
        ("insert_before_section", "section"),
        ("insert_after_section", "section"),
    ],
)
def test_operations_say_what_they_need(served: Served, operation: str, needs: str) -> None:
    served.write("N.md", "x")
    for empty in ({}, {needs: ""}):
        error = served.fails("edit_note", "invalid", identifier="N", operation=operation, content="x", **empty)
        assert needs in error["message"]
        assert error["missing"] == needs


def test_an_unknown_operation_lists_the_known_ones(served: Served) -> None:
    served.write("N.md", "x")
    message = served.fails("edit_note", "invalid", identifier="N", operation="frobnicate", content="x")["message"]
    for operation in (
        "append",
        "prepend",
        "find_replace",
        "replace_section",
        "insert_before_section",
        "insert_after_section",
    ):
        assert operation in message


def test_what_is_not_text_is_never_edited(served: Served) -> None:
    served.write("L1.md", b"caf\xe9\n")
    served.fails("edit_note", "refused", identifier="L1", operation="append", content="x")


def test_only_notes_are_edited(served: Served) -> None:
    served.write("C.canvas", "{}")
    served.fails("edit_note", "refused", identifier="C.canvas", operation="append", content="x")


def test_an_ambiguous_name_lists_the_files(served: Served) -> None:
    served.write("a/Note.md", "x")
    served.write("b/Note.md", "y")
    error = served.fails("edit_note", "ambiguous", identifier="Note", operation="append", content="z")
    assert error["candidates"] == ["a/Note.md", "b/Note.md"]


def test_the_new_text_is_found_and_the_old_is_not(served: Served) -> None:
    served.write("N.md", "armadillo\n")
    served.ok("edit_note", identifier="N", operation="find_replace", find_text="armadillo", content="pangolin")
    assert (served.found("armadillo"), served.found("pangolin")) == ([], ["N.md"])


PLAN = "# Plan\n\nIntro\n\n## Steps\n\n- one\n\n### Later\n\n- two\n\n## End\n"


@pytest.mark.parametrize(
    ("operation", "content", "before", "after"),
    [
        ("insert_before_section", "## Why\n\nBecause", "## Steps", "## Why\n\nBecause\n\n## Steps"),
        ("insert_after_section", "- zero", "- one", "- zero\n- one"),
        ("replace_section", "- new", "- one\n\n### Later\n\n- two", "- new"),
        ("append", "- next", "- one", "- one\n- next"),
        ("prepend", "- zero", "- one", "- zero\n- one"),
    ],
)
def test_operations_on_a_section(served: Served, operation: str, content: str, before: str, after: str) -> None:
    served.write("P.md", PLAN)
    edited = served.ok("edit_note", identifier="P", operation=operation, section="## Steps", content=content)
    assert served.read("P.md") == PLAN.replace(before, after)
    assert edited["operation"] == operation
    assert (edited["title"], edited["permalink"], edited["file_path"]) == ("P", "p", "P.md")
    assert edited["fileCreated"] is False
    assert edited["checksum"] == served.ok("read_note", identifier="P")["checksum"]


def test_subsections_are_kept_on_request(served: Served) -> None:
    served.write("P.md", PLAN)
    arguments = {"identifier": "P", "operation": "replace_section", "section": "Steps", "content": "- new"}
    edited = served.ok("edit_note", replace_subsections=False, **arguments)
    assert served.read("P.md") == PLAN.replace("- one", "- new")
    assert "kept its subsections" in edited["detail"]


@pytest.mark.parametrize("operation", ["insert_before_section", "insert_after_section", "append", "prepend"])
def test_c06_only_replace_section_adds_a_missing_section(served: Served, operation: str) -> None:
    served.write("P.md", PLAN)
    error = served.fails("edit_note", "not_found", identifier="P", operation=operation, section="Zebra", content="x")
    assert error["candidates"] == [
        "Plan (line 1)",
        "Plan › Steps (line 5)",
        "Plan › Steps › Later (line 9)",
        "Plan › End (line 13)",
    ]


@pytest.mark.parametrize(("section", "near"), [("Stepps", 5), ("# Steps", 5), ("## Steps #urgent", 5), ("latter", 9)])
def test_a_section_of_nearly_this_name_is_not_added(served: Served, section: str, near: int) -> None:
    served.write("P.md", PLAN)
    error = served.fails(
        "edit_note", "not_found", identifier="P", operation="replace_section", section=section, content="x"
    )
    assert [candidate.rpartition(" ")[2] for candidate in error["candidates"]] == [f"{near})"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("content", alias) for alias in ("new_content", "replacement", "replace_with")),
        *(("section", alias) for alias in ("section_heading", "heading")),
        *(("find_text", alias) for alias in ("find", "old_text", "old_content", "search")),
    ],
)
def test_hidden_aliases(served: Served, name: str, value: str) -> None:
    served.write("P.md", PLAN)
    operation, other = (
        ("find_replace", {"find_text": "Intro"}) if name != "section" else ("replace_section", {"section": "End"})
    )
    arguments = {"content": "NEW", **other}
    arguments[value] = arguments.pop(name)
    served.ok("edit_note", identifier="P", operation=operation, **arguments)
    assert "NEW" in served.read("P.md")


@pytest.mark.parametrize("workspace", ["personal", None])
def test_the_common_arguments_are_accepted(served: Served, workspace: str | None) -> None:
    served.write("P.md", PLAN)
    served.ok("edit_note", identifier="P", operation="append", content="x", project="Vault", workspace=workspace)


def test_metadata_may_be_json_text(served: Served) -> None:
    served.write("P.md", "---\nold: 1\n---\nx\n")
    served.ok("edit_note", identifier="P", operation="append", content="", metadata='{"a": [1], "old": null}')
    assert served.read("P.md") == "---\na:\n  - 1\n---\nx\n"
    for bad in ("[1]", "a: 1", "3"):
        served.fails("edit_note", "invalid", identifier="P", operation="append", content="", metadata=bad)


@pytest.mark.parametrize(
    ("scope", "after"),
    [
        ("body", "---\nt: old\n---\nnew\n"),
        ("frontmatter", "---\nt: new\n---\nold\n"),
    ],
)
def test_c04_the_scope_says_where_to_look(served: Served, scope: str, after: str) -> None:
    served.write("Q.md", "---\nt: old\n---\nold\n")
    arguments = {"identifier": "Q", "operation": "find_replace", "find_text": "old", "content": "new"}
    served.ok("edit_note", scope=scope, **arguments)
    assert served.read("Q.md") == after
    served.write("Q.md", "---\nt: old\n---\nold\n")
    served.ok("edit_note", scope="all", expected_replacements=2, **arguments)
    assert served.read("Q.md") == "---\nt: new\n---\nnew\n"


def test_c04_text_outside_the_scope_only_is_refused_and_says_where(served: Served) -> None:
    served.write("Q.md", "---\nt: needle\n---\nhay\n")
    arguments = {"identifier": "Q", "operation": "find_replace", "find_text": "needle", "content": "x"}
    error = served.fails("edit_note", "refused", **arguments)
    assert "properties (line 2)" in error["message"]
    served.fails("edit_note", "not_found", **{**arguments, "find_text": "nothing like it"})


def test_the_text_of_a_reply(served: Served) -> None:
    served.write("P.md", PLAN)
    (text,) = served.call("edit_note", identifier="P", operation="append", content="x").blocks
    lines = text.splitlines()
    assert lines[:3] == ["# Edited: P", "append: added 1 line at the end of the note (+1 -0 lines)", "path: P.md"]
    assert lines[3].startswith("checksum: ")
    assert "undo" in lines[4]


def test_an_edit_that_changes_nothing_writes_nothing(served: Served) -> None:
    served.write("P.md", PLAN)
    before = served.hash()
    edited = served.ok("edit_note", identifier="P", operation="replace_section", section="End", content="")
    assert (edited["change"], served.hash()) == (None, before)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["", "\r\n"])
def test_c11_bom_line_breaks_and_the_missing_last_one_survive_every_operation(
    served: Served, mark: str, end: str
) -> None:
    text = f"{mark}---\r\na: 1 # c\r\n---\r\n" + PLAN.rstrip().replace("\n", "\r\n") + end
    for operation in ("append", "prepend", "replace_section", "insert_before_section", "insert_after_section"):
        served.write("P.md", text)
        served.ok("edit_note", identifier="P", operation=operation, section="Later", content="x\ny")
        after = served.read("P.md")
        assert after.startswith(f"{mark}---\r\na: 1 # c\r\n---\r\n# Plan\r\n")
        assert after.count("\n") == after.count("\r\n")
        assert after.endswith(f"## End{end}")
        served.call("undo")
        assert served.read("P.md") == text
