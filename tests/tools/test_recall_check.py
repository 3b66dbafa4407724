from tests.conftest import Served
from tests.tools.memories import INDEX, save, text, with_samples


def found(served: Served) -> dict[str, str | None]:
    return {f["id"]: f["fix"] for f in served.ok("recall_check")["findings"]}


def test_nothing_wrong(served: Served) -> None:
    save(served, "a")
    assert found(served) == {}
    assert text(served, "recall_check").startswith("0 findings")


def test_everything_that_can_be_wrong_and_its_fix(served: Served) -> None:
    with_samples(served)
    served.write(
        "Memory/dot-files.md",
        "---\nname: dotfiles here\ntype: user\ndescription: d\naliases: [dotfiles-x]\n---\n[[No_Attribution]]\n",
    )
    served.write("Memory/user_likes.md", "# Tea\n\nand more\n")
    served.write("Memory/odd.md", "---\nname: [\n---\nbody")
    served.write(
        "Memory/MEMORY.md", INDEX + "- [Gone](gone.md)\n- [Again](no-attribution.md)\n- [Out](../Elsewhere.md)\n"
    )
    fixes = found(served)
    assert fixes == {
        "bad_frontmatter:odd": None,
        "bad_frontmatter:user_likes:description": "takes its first line",
        "bad_frontmatter:user_likes:type": "makes it user, as its name says",
        "dangling_link:dot-files:No_Attribution": "leads it to 'no-attribution'",
        "dangling_link:no-attribution:dotfiles": None,
        "index_line:gone:3": "takes the line away",
        "index_twice:no-attribution:4": "takes the line away",
        "not_in_index:dot-files": "adds the line",
        "not_in_index:odd": "adds the line",
        "not_in_index:user_likes": "adds the line",
    }
    before = served.hash()
    assert "Fix (index_line:gone:3): takes the line away." in text(served, "recall_check")
    assert served.hash() == before
    done = served.ok("recall_check", fix=["all"])
    assert set(done["fixed"]) == {name for name, fix in fixes.items() if fix}
    assert {f["id"] for f in done["findings"]} == {"bad_frontmatter:odd", "dangling_link:no-attribution:dotfiles"}
    assert served.read("Memory/dot-files.md").endswith("---\n[[no-attribution]]\n")
    assert served.read("Memory/user_likes.md") == (
        "---\ndescription: Tea\nmetadata:\n  node_type: memory\n  type: user\n---\n# Tea\n\nand more\n"
    )
    assert served.read("Memory/MEMORY.md").startswith(INDEX + "- [Out](../Elsewhere.md)\n- [")
    served.ok("undo", change=done["change"])
    assert found(served) == fixes


def test_one_at_a_time(served: Served) -> None:
    served.write("Memory/MEMORY.md", "- [A](a.md)\n- [B](b.md)\n")
    served.ok("recall_check", fix="index_line:a:1")
    assert served.read("Memory/MEMORY.md") == "- [B](b.md)\n"
    error = served.fails("recall_check", "not_found", fix=["index_line:a:1"])
    assert error["candidates"] == ["index_line:b:1"]


def test_near_duplicates_stale_ones_and_a_long_index(served: Served) -> None:
    said = "the renewal window opens sixty days before the contract ends"
    save(served, "one", said, said)
    save(served, "two", said, said)
    save(served, "three", "something else entirely", "lunch")
    old = "---\ndescription: d\nmetadata:\n  type: project\n  modified: 2020-01-01T00:00:00.000Z\n---\n\nx\n"
    served.write("Memory/old.md", old)
    index = served.read("Memory/MEMORY.md") + "- [Old](old.md)\n"
    served.write("Memory/MEMORY.md", index + "text\n" * 140)
    served.reindex()
    assert set(found(served)) == {"near_duplicate:one:two", "stale:old", "index_size"}
