import pytest

from tests.conftest import Served


def test_creates_exactly_what_was_given(served: Served) -> None:
    made = served.ok(
        "write_note",
        title="Weekly",
        directory="Meetings",
        content="# Weekly\n\n- [decision] Use SQLite #tech\n- part_of [[Nowhere]]\n",
    )
    assert served.read("Meetings/Weekly.md") == "# Weekly\n\n- [decision] Use SQLite #tech\n- part_of [[Nowhere]]\n"
    assert (made["action"], made["file_path"], made["permalink"]) == (
        "created",
        "Meetings/Weekly.md",
        "meetings/weekly",
    )
    assert made["observations"] == {"decision": 1}
    assert made["relations"] == {"resolved": 0, "unresolved": 1}
    assert len(made["checksum"]) == 64


def test_is_found_when_the_call_returns(served: Served) -> None:
    served.ok("write_note", title="Fresh", directory="/", content="zebra crossing")
    assert served.found("zebra") == ["Fresh.md"]


def test_properties_tags_and_type(served: Served) -> None:
    served.ok(
        "write_note",
        title="P",
        directory="",
        content="Body\n",
        tags="api, design",
        note_type="guide",
        metadata={"version": 1, "due": "2026-12-01"},
    )
    assert (
        served.read("P.md") == "---\nversion: 1\ndue: 2026-12-01\ntype: guide\ntags:\n  - api\n  - design\n---\nBody\n"
    )


def test_type_note_is_not_written(served: Served) -> None:
    served.ok("write_note", title="N", directory="", content="Body", note_type="note")
    assert served.read("N.md") == "Body"


def test_properties_in_the_content_are_kept_and_tags_joined(served: Served) -> None:
    content = '---\n# mine\nstatus: "draft"\ntags: [a]\n---\nText\n'
    served.ok("write_note", title="K", directory="", content=content, tags=["b"], metadata={"status": "done"})
    assert served.read("K.md") == "---\n# mine\nstatus: done\ntags: [a, b]\n---\nText\n"


def test_a_title_that_is_no_file_name_becomes_an_alias(served: Served) -> None:
    made = served.ok("write_note", title="a/b: c?", directory="", content="x")
    assert made["file_path"] == "a-b- c-.md"
    assert served.read("a-b- c-.md") == '---\naliases:\n  - "a/b: c?"\n---\nx'
    assert served.ok("read_note", identifier="a/b: c?")["file_path"] == "a-b- c-.md"


def test_an_existing_note_is_refused_and_then_overwritten_on_request(served: Served) -> None:
    served.write("Old.md", "---\nkeep: me # why\nstatus: old\n---\nBody\r\n".replace("\r", ""))
    error = served.fails("write_note", "refused", title="Old", directory="", content="new")
    assert error["action"] == "conflict"
    served.ok("write_note", title="Old", directory="", content="---\nstatus: new\n---\nNew body\n", overwrite=True)
    assert served.read("Old.md") == "---\nkeep: me # why\nstatus: new\n---\nNew body\n"


def test_overwriting_keeps_bom_and_line_breaks(served: Served) -> None:
    served.write("W.md", b"\xef\xbb\xbf---\r\na: 1\r\n---\r\nold\r\n")
    served.ok("write_note", title="W", directory="", content="one\ntwo\n", metadata={"b": 2}, overwrite=True)
    assert (served.root / "W.md").read_bytes() == b"\xef\xbb\xbf---\r\na: 1\r\nb: 2\r\n---\r\none\r\ntwo\r\n"


def test_the_same_again_changes_nothing(served: Served) -> None:
    served.ok("write_note", title="Same", directory="", content="x\n")
    before = served.hash()
    made = served.ok("write_note", title="Same", directory="", content="x\n", overwrite=True)
    assert (made["action"], made["change"]) == ("unchanged", None)
    assert served.hash() == before


def test_c24_a_stale_write_is_refused_with_a_diff(served: Served) -> None:
    served.write("S.md", "one\n")
    read = served.ok("read_note", identifier="S")
    served.write("S.md", "one\nhuman line\n")
    error = served.fails(
        "write_note", "stale", title="S", directory="", content="agent\n", expected_checksum=read["checksum"]
    )
    assert "+human line" in error["diff"]
    again = served.ok("read_note", identifier="S")
    assert error["checksum"] == again["checksum"]
    served.ok("write_note", title="S", directory="", content="agent\n", expected_checksum=again["checksum"][:16])
    assert served.read("S.md") == "agent\n"


@pytest.mark.parametrize("checksum", ["short", "z" * 64, "abc123"])
def test_what_is_no_checksum_is_invalid(served: Served, checksum: str) -> None:
    served.write("S.md", "one\n")
    served.fails("write_note", "invalid", title="S", directory="", content="x", expected_checksum=checksum)


def test_broken_properties_in_the_content_are_refused_with_the_line(served: Served) -> None:
    error = served.fails("write_note", "invalid", title="B", directory="", content='---\nok: 1\na: "x\n---\nBody')
    assert error["line"] in (3, 4)


def test_f5_a_twin_in_other_case_is_refused(served: Served) -> None:
    served.write("Plan.md", "x")
    served.fails("write_note", "refused", title="plan", directory="", content="y", overwrite=True)


def test_f5_folders_keep_their_spelling(served: Served) -> None:
    served.write("Projects/Apollo/a.md", "x")
    made = served.ok("write_note", title="b", directory="projects/APOLLO/New", content="y")
    assert made["file_path"] == "Projects/Apollo/New/b.md"


@pytest.mark.parametrize("directory", ["../out", "a/../../out", ".obsidian", "a/.hidden"])
def test_paths_are_confined(served: Served, directory: str) -> None:
    served.fails("write_note", "refused", title="x", directory=directory, content="y")


@pytest.mark.parametrize("directory", ["a:b", "con", "x/nul.d", "tail ./x"])
def test_bad_folder_names_are_refused(served: Served, directory: str) -> None:
    served.fails("write_note", "invalid", title="x", directory=directory, content="y")


@pytest.mark.parametrize("alias", ["folder", "dir", "path"])
def test_hidden_aliases_of_directory(served: Served, alias: str) -> None:
    assert served.ok("write_note", title="A", content="x", **{alias: "F"})["file_path"] == "F/A.md"


def test_unknown_and_missing_parameters_are_all_named(served: Served) -> None:
    error = served.fails("write_note", "invalid", title="x", colour="red")
    assert "'content' is missing" in error["message"]
    assert "no parameter 'colour'" in error["message"]
