"""Claude Code, MCP clients, a plain editor and Obsidian's own tools share one folder of memories."""

from tests.conftest import Served
from tests.tools.memories import INDEX, NESTED, save, with_samples


def test_what_each_writes_all_others_read(served: Served) -> None:
    with_samples(served)  # Claude Code
    save(served, "by-client", "written through a tool", "zebra from a client, see [[no-attribution]]")
    served.write("Memory/by-editor.md", "Zebra from an editor, see [[by-client]].\n")
    served.write("Daily.md", "- [[by-client]] today\n")
    served.reindex()
    assert [m["name"] for m in served.ok("recall_list")["memories"]] == [
        "by-client", "by-editor", "feedback_testing", "no-attribution"
    ]  # fmt: skip
    assert {r["name"] for r in served.ok("recall_search", query="zebra")["results"]} == {"by-client", "by-editor"}
    links = served.ok("recall_links", name="by-client", include_notes=True)
    assert (links["outbound"], links["inbound"], links["inbound_notes"]) == (
        ["no-attribution"],
        ["by-editor"],
        ["Daily.md"],
    )
    assert served.ok("read_note", identifier="by-client")["content"].strip().startswith("zebra")
    assert "Memory/by-client.md" in served.found("zebra client")
    # Claude Code's files are as it left them, and its index has one line more.
    assert served.read("Memory/no-attribution.md") == NESTED
    assert served.read("Memory/MEMORY.md") == f"{INDEX}- [By client](by-client.md) — written through a tool\n"


def test_what_other_tools_do_to_a_memory_counts(served: Served) -> None:
    with_samples(served)
    served.ok("edit_note", identifier="Memory/no-attribution.md", operation="append", content="zebra")
    assert [r["name"] for r in served.ok("recall_search", query="zebra")["results"]] == ["no-attribution"]
    served.ok("move_note", identifier="Memory/no-attribution.md", destination_path="Memory/commits.md")
    assert served.ok("recall_get", name="commits")["type"] == "feedback"
    assert "(commits.md)" in served.read("Memory/MEMORY.md"), "a link of the index follows like any other"
    assert "[[commits]]" in served.read("Memory/feedback_testing.md")


def test_claude_code_writes_beside_a_client(served: Served) -> None:
    with_samples(served)
    served.open()
    # It rewrites a memory and the index while nobody looks; the next change is planned on what is there.
    served.write("Memory/no-attribution.md", NESTED.replace("asked twice", "asked thrice"))
    served.write("Memory/MEMORY.md", INDEX + "- [New](new.md) — by Claude Code\n")
    save(served, "mine")
    assert served.read("Memory/MEMORY.md") == INDEX + "- [New](new.md) — by Claude Code\n- [Mine](mine.md) — about it\n"
    assert "asked thrice" in served.ok("recall_get", name="no-attribution")["body"]
