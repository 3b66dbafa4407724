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
    assert edited["detail"] == "replaced text; body: 1, frontmatter: 0 (1 skipped)"


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


@pytest.mark.parametrize(("operation", "needs"), [("find_replace", "find_text"), ("replace_section", "section")])
def test_operations_say_what_they_need(served: Served, operation: str, needs: str) -> None:
    served.write("N.md", "x")
    assert needs in served.fails("edit_note", "invalid", identifier="N", operation=operation, content="x")["message"]


def test_an_unknown_operation_lists_the_known_ones(served: Served) -> None:
    served.write("N.md", "x")
    message = served.fails("edit_note", "invalid", identifier="N", operation="frobnicate", content="x")["message"]
    assert "replace_section" in message


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
