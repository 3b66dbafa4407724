from pathlib import Path

import pytest

from sidecar.config import Settings, StateFolder, WriteSettings
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
    assert (made["file_path"], made["alias"]) == ("a-b- c-.md", "a/b: c?")
    assert served.read("a-b- c-.md") == '---\naliases:\n  - "a/b: c?"\n---\nx'
    assert served.ok("read_note", identifier="a/b: c?")["file_path"] == "a-b- c-.md"
    again = served.call("write_note", title="a/b: c?", directory="x", content="x").blocks[0]
    assert "\nalias: a/b: c? (no file can have that name)\n" in again
    assert "alias" not in served.ok("write_note", title="plain.md", directory="", content="x")


def test_an_existing_note_is_refused_and_then_overwritten_on_request(served: Served) -> None:
    served.write("Old.md", "---\nkeep: me # why\nstatus: old\n---\nBody\r\n".replace("\r", ""))
    error = served.fails("write_note", "refused", title="Old", directory="", content="new")
    assert (error["action"], error["code"]) == ("conflict", "NOTE_ALREADY_EXISTS")
    assert (error["title"], error["permalink"], error["file_path"]) == ("Old", "old", "Old.md")
    assert error["checksum"] == served.ok("read_note", identifier="Old")["checksum"]
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


@pytest.mark.parametrize("tags", [["a", "b c"], "a, b c", '["a", "b c"]', ["#a", " #b c "], "#a,b c"])
def test_tags_in_every_form(served: Served, tags: object) -> None:
    served.ok("write_note", title="T", directory="/", content="x\n", tags=tags)
    assert served.read("T.md") == "---\ntags:\n  - a\n  - b c\n---\nx\n"


@pytest.mark.parametrize("tags", [None, "", [], "[]"])
def test_no_tags(served: Served, tags: object) -> None:
    served.ok("write_note", title="T", directory="/", content="x\n", tags=tags)
    assert served.read("T.md") == "x\n"


@pytest.mark.parametrize("metadata", [{"a": {"b?": "c"}, "n": 1}, '{"a": {"b?": "c"}, "n": 1}'])
def test_metadata_as_object_or_as_json_text(served: Served, metadata: object) -> None:
    served.ok("write_note", title="M", directory="/", content="x\n", metadata=metadata)
    assert served.read("M.md") == "---\na:\n  b?: c\nn: 1\n---\nx\n"


def test_tags_of_content_metadata_and_parameter_are_joined(served: Served) -> None:
    content = "---\ntags: [one]\naliases: First\n---\nx\n"
    served.ok(
        "write_note",
        title="J",
        directory="/",
        content=content,
        tags="three",
        metadata={"tags": "two, one", "Aliases": "Second"},
    )
    read = served.ok("read_note", identifier="J")["frontmatter"]
    assert read == {"tags": ["one", "two", "three"], "aliases": ["First", "Second"]}


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({}, {}),
        ({"note_type": "note"}, {}),
        ({"note_type": "Note"}, {}),
        ({"note_type": None}, {}),
        ({"note_type": "My Type"}, {"type": "My Type"}),
        ({"metadata": {"type": "person"}}, {"type": "person"}),
        ({"metadata": {"type": "person"}, "note_type": "schema"}, {"type": "schema"}),
    ],
)
def test_the_type_is_written_as_given_and_only_when_it_says_something(
    served: Served, given: dict[str, object], written: dict[str, object]
) -> None:
    served.ok("write_note", title="T", directory="/", content="x", **given)
    assert served.ok("read_note", identifier="T")["frontmatter"] == written


def test_a_type_in_the_content_yields_to_the_parameter_only(served: Served) -> None:
    content = "---\ntype: guide\n---\nx\n"
    served.ok("write_note", title="T", directory="/", content=content)
    assert served.read("T.md") == content
    served.ok("write_note", title="T", directory="/", content=content, note_type="spec", overwrite=True)
    assert served.read("T.md") == "---\ntype: spec\n---\nx\n"


@pytest.mark.parametrize("directory", ["", "/", "./", "//"])
def test_the_root_has_many_names(served: Served, directory: str) -> None:
    assert served.ok("write_note", title="R", directory=directory, content="x")["file_path"] == "R.md"


@pytest.mark.parametrize(
    ("title", "path", "aliases"),
    [
        ("Plain title", "Plain title.md", None),
        ("Plain.md", "Plain.md", None),
        ("  Spaced ", "Spaced.md", None),
        ("v1.2", "v1.2.md", None),
        ("C# notes", "C notes.md", ["C# notes"]),
        ("What? [draft]", "What- draft.md", ["What? [draft]"]),
        ("con", "con note.md", ["con"]),
        ("Ends with a dot.", "Ends with a dot.md", ["Ends with a dot."]),
        ("Cafe\u0301", "Caf\u00e9.md", None),
        ("#^[]", None, None),
        ("...", None, None),
    ],
)
def test_f1_what_a_name_cannot_hold_becomes_an_alias(
    served: Served, title: str, path: str | None, aliases: list[str] | None
) -> None:
    if path is None:
        served.fails("write_note", "invalid", title=title, directory="/", content="x")
        return
    assert served.ok("write_note", title=title, directory="/", content="x")["file_path"] == path
    read = served.ok("read_note", identifier=title.strip())
    assert (read["file_path"], read["frontmatter"].get("aliases")) == (path, aliases)


def test_the_setting_decides_when_the_call_does_not(tmp_path: Path) -> None:
    (tmp_path / "Vault").mkdir()
    served = Served(tmp_path / "Vault", StateFolder(tmp_path / "state"), Settings(write=WriteSettings(overwrite=True)))
    try:
        served.write("A.md", "---\nkeep: 1\n---\nold\n")
        assert served.ok("write_note", title="A", directory="/", content="new\n")["action"] == "updated"
        assert served.read("A.md") == "---\nkeep: 1\n---\nnew\n"
        served.fails("write_note", "refused", title="A", directory="/", content="newer\n", overwrite=False)
    finally:
        served.close()


def test_c24_a_note_that_is_gone_is_not_made_again_by_an_old_checksum(served: Served) -> None:
    made = served.ok("write_note", title="G", directory="/", content="x")
    (served.root / "G.md").unlink()
    served.fails("write_note", "stale", title="G", directory="/", content="y", expected_checksum=made["checksum"])


def test_c24_what_changed_since_ones_own_write_is_shown(served: Served) -> None:
    made = served.ok("write_note", title="G", directory="/", content="agent\n")
    served.write("G.md", "agent\nperson\n")
    error = served.fails(
        "write_note", "stale", title="G", directory="/", content="y", expected_checksum=made["checksum"]
    )
    assert "+person" in error["diff"]


def test_m8_a_name_that_another_note_has_takes_no_links_away(served: Served) -> None:
    served.write("Deep/Foo.md", "x")
    served.write("Links.md", "[[Foo]]\n")
    made = served.ok("write_note", title="Foo", directory="/", content="y")
    assert made["relinked"] == ["Links.md"]
    assert served.read("Links.md") == "[[Deep/Foo]]\n"
    (text,) = served.call("write_note", title="Foo", directory="Other", content="y").blocks
    assert text.startswith("# Created: Foo\npath: Other/Foo.md\nchecksum: ")


def test_the_text_of_a_reply(served: Served) -> None:
    content = "- [fact] a #t\n- [fact] b\n- [idea] c\n- knows [[W]]\n- knows [[Nobody]]\n"
    (text,) = served.call("write_note", title="W", directory="D", content=content, tags="x", reason="asked").blocks
    assert text.splitlines()[:6] == [
        "# Created: W",
        "path: D/W.md",
        text.splitlines()[2],
        "tags: #x",
        "observations: fact 2, idea 1",
        "relations: 1 resolved, 1 unresolved",
    ]
    assert "reason" not in text
    shown = served.ok("history", identifier="D/W.md")["changes"][0]
    assert shown["reason"] == "asked"


def test_undo_brings_back_what_was_overwritten(served: Served) -> None:
    served.write("U.md", b"\xef\xbb\xbfold\r\n")
    served.ok("write_note", title="U", directory="/", content="new\n", overwrite=True)
    served.ok("undo")
    assert (served.root / "U.md").read_bytes() == b"\xef\xbb\xbfold\r\n"
