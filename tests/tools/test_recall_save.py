import os
import re
from pathlib import Path
from typing import Any

import pytest

from sidecar.config import AccessSettings, MemorySettings, Settings, StateFolder
from tests.conftest import Served
from tests.tools.memories import INDEX, NESTED, save, text, with_samples

FACT: dict[str, Any] = {
    "name": "renewal-window",
    "description": "Opens: 60 days",
    "type": "project",
    "body": "See [[pricing]].\n",
}


def test_a_memory_is_a_note_with_a_line_in_the_index(served: Served) -> None:
    made = served.ok("recall_save", **FACT)
    assert re.fullmatch(
        r'---\nname: renewal-window\ndescription: "Opens: 60 days"\nmetadata:\n  node_type: memory\n  type: project\n'
        r"  modified: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\n---\n\nSee \[\[pricing\]\]\.\n",
        served.read("Memory/renewal-window.md"),
    )
    assert served.read("Memory/MEMORY.md") == "- [Renewal window](renewal-window.md) — Opens: 60 days\n"
    memory = made["memory"]
    assert (made["status"], memory["name"], memory["type"], memory["links"]) == (
        "created", "renewal-window", "project", ["pricing"]
    )  # fmt: skip
    assert memory["sha256"] == served.ok("read_note", identifier="Memory/renewal-window.md")["checksum"]
    assert served.found("renewal") == ["Memory/renewal-window.md", "Memory/MEMORY.md"]


def test_one_undo_takes_note_and_line_away(served: Served) -> None:
    served.write("Memory/MEMORY.md", INDEX)
    made = save(served, "a")
    served.ok("undo", change=made["change"])
    assert not (served.root / "Memory/a.md").exists()
    assert served.read("Memory/MEMORY.md") == INDEX


def test_a_taken_name_is_a_conflict_and_nothing_is_written(served: Served) -> None:
    first = served.ok("recall_save", **FACT)
    before = served.hash()
    reply = served.call("recall_save", **{**FACT, "body": "other"})
    assert not reply.is_error
    assert reply.blocks[0].startswith("conflict: ")
    assert "See [[pricing]]." in reply.blocks
    clash = served.ok("recall_save", **{**FACT, "name": "renewal-window", "body": "other"})
    assert (clash["status"], clash["change"]) == ("conflict", None)
    assert clash["memory"]["sha256"] == first["memory"]["sha256"]
    assert clash["memory"]["body"] == "See [[pricing]]."
    assert served.hash() == before


def test_overwriting_keeps_what_is_not_said(served: Served) -> None:
    with_samples(served)
    done = served.ok(
        "recall_save", name="no-attribution", description="New words", type="user", body="Anew.", overwrite=True
    )
    assert done["status"] == "updated"
    now = served.read("Memory/no-attribution.md")
    expected = NESTED.replace('"Commits: never add a co-author"', "New words").replace("type: feedback", "type: user")
    head, _, _ = expected.partition("\n---\n\n")
    assert (
        re.sub(r"modified: .*", "modified: T", now) == re.sub(r"modified: .*", "modified: T", head) + "\n---\n\nAnew.\n"
    )
    assert served.read("Memory/MEMORY.md") == INDEX, "the hook was written by hand"


def test_a_hook_that_was_the_description_follows_it(served: Served) -> None:
    with_samples(served)
    served.ok("recall_save", name="feedback_testing", description="small", type="feedback", body="x", overwrite=True)
    assert served.read("Memory/MEMORY.md") == INDEX.replace("how tests are liked", "small")
    assert served.read("Memory/feedback_testing.md").startswith(
        "---\nname: Testing advice\ndescription: small\ntype: feedback\n"
    )


def test_a_name_in_other_case_is_a_conflict_too(served: Served) -> None:
    served.write("Memory/Renewal-Window.md", "mine")
    assert served.ok("recall_save", **FACT)["status"] == "conflict"


def test_memories_that_are_alike_are_named(served: Served) -> None:
    save(served, "renewals", "When renewals open for customers")
    save(served, "lunch", "Where the team eats")
    made = save(served, "renewal-opening", "When renewals open")
    assert [one["name"] for one in made["similar"]] == ["renewals"]
    assert "- renewals (" in text(
        served, "recall_save", name="renewal-time", description="When renewals open", type="project", body="x"
    )


@pytest.mark.parametrize("name", ["../x", ".hidden", "CON", "con", "a/b", "", "n" * 300, "MEMORY", "Über"])
def test_hostile_names_are_refused(served: Served, name: str) -> None:
    served.fails("recall_save", "invalid", **{**FACT, "name": name})


def test_a_description_is_needed_and_an_unknown_type_is_none(served: Served) -> None:
    served.fails("recall_save", "invalid", **{**FACT, "description": " \n"})
    error = served.fails("recall_save", "invalid", **{**FACT, "type": "opinion"})
    assert "'user', 'feedback', 'project' or 'reference'" in error["message"]


@pytest.mark.parametrize("tool", ["recall_write", "recall_remember", "recall_store", "recall_add", "recall_create"])
def test_other_servers_names_are_understood(served: Served, tool: str) -> None:
    assert served.ok(tool, **FACT)["status"] == "created"


def test_names_of_parameters_that_others_use(served: Served) -> None:
    said: dict[str, Any] = {
        "slug": "a",
        "summary": "d",
        "kind": "user",
        "content": "b",
        "response_format": "markdown",
        "project": "Vault",
    }
    assert served.call("recall_save", **said).blocks[0].startswith("created: a")


def test_the_flat_form_is_an_option(tmp_path: Path) -> None:
    (tmp_path / "Vault").mkdir()
    settings = Settings(memories=MemorySettings(folder="Claude/facts", frontmatter="flat"))
    served = Served(tmp_path / "Vault", StateFolder(tmp_path / "state"), settings)
    try:
        served.ok("recall_save", **FACT)
        written = served.read("Claude/facts/renewal-window.md")
        assert written.startswith(
            '---\nname: renewal-window\ndescription: "Opens: 60 days"\ntype: project\nmodified: 2'
        )
        assert served.ok("recall_get", name="renewal-window")["type"] == "project"
        assert (served.root / "Claude/facts/MEMORY.md").exists()
    finally:
        served.close()


def test_an_index_that_is_getting_long_is_told(served: Served) -> None:
    served.write("Memory/MEMORY.md", "".join(f"- [N {n}](n{n}.md) — x\n" for n in range(139)))
    made = save(served, "last-one")
    assert (made["index"]["lines"], "200 lines" in made["index"]["warning"]) == (140, True)
    assert "Warning: Memory/MEMORY.md has 141 lines" in text(
        served, "recall_save", name="b", description="d", type="user", body="x"
    )


def test_rules_keep_agents_from_index_and_folder(tmp_path: Path) -> None:
    (tmp_path / "Vault").mkdir()
    settings = Settings(
        access=AccessSettings(read_only=("Memory/MEMORY.md", "Memory/kept.md"), deny=("Memory/secret.md",))
    )
    served = Served(tmp_path / "Vault", StateFolder(tmp_path / "state"), settings)
    served.write("Memory/MEMORY.md", INDEX)
    served.write("Memory/secret.md", "x")
    served.write("Memory/kept.md", "x")
    try:
        made = save(served, "a")
        assert (made["status"], "user's rules" in made["index"]["warning"]) == ("created", True)
        assert served.read("Memory/MEMORY.md") == INDEX
        served.fails("recall_save", "refused", **{**FACT, "name": "secret"})
        served.fails("recall_save", "refused", **{**FACT, "name": "kept", "overwrite": True})
    finally:
        served.close()


def test_links_to_another_file_of_this_name_are_not_taken_away(served: Served) -> None:
    served.write("Work/pricing.md", "prices")
    served.write("Memory/other.md", "[[pricing]]")
    made = save(served, "pricing")
    assert served.read("Memory/other.md") == "[[Work/pricing]]"
    assert made["relinked"] == ["Memory/other.md"]


def test_line_breaks_and_a_missing_last_one_of_the_index_stay(served: Served) -> None:
    served.write("Memory/MEMORY.md", "\ufeff- [A](a.md) — x\r\ntext")
    save(served, "b", "y")
    assert served.read("Memory/MEMORY.md") == "\ufeff- [A](a.md) — x\r\ntext\r\n- [B](b.md) — y"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_nothing_is_written_through_a_link(served: Served, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (served.root / "Memory").symlink_to(tmp_path / "outside")
    assert served.call("recall_save", **FACT).is_error
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_memory_with_a_broken_block_is_not_overwritten(served: Served) -> None:
    served.write("Memory/renewal-window.md", "---\nname: [\n---\nold")
    served.fails("recall_save", "refused", **FACT, overwrite=True)
