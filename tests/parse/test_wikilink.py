import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.model.note import LinkKind
from sidecar.parse.note import links_in
from sidecar.parse.wikilink import target_of_whole, wikilink_target

WIKI, EMBED, MARKDOWN, MARKDOWN_EMBED = LinkKind.WIKILINK, LinkKind.EMBED, LinkKind.MARKDOWN, LinkKind.MARKDOWN_EMBED
Row = tuple[LinkKind, str, str, str | None]
"""Kind, linkpath, subpath, display."""

RULES: list[tuple[str, str, list[Row]]] = [
    ("B1", "[[A/b c#H1#H2|alias]]", [(WIKI, "A/b c", "#H1#H2", "alias")]),
    ("B1", "[[a|b|c]]", [(WIKI, "a", "", "b|c")]),
    ("B1", "[[A\u00a0b\u202fc]]", [(WIKI, "A b c", "", None)]),
    ("B2", "| x |\n|---|\n| [[note\\|alias]] |", [(WIKI, "note", "", "alias")]),
    ("B2", "| x |\n|---|\n| ![[i.png#p\\|a\\|100]] |", [(EMBED, "i.png", "#p", "a|100")]),
    ("B3", "![[img.png|100x145]] ![[img.png|100]]", [(EMBED, "img.png", "", "100x145"), (EMBED, "img.png", "", "100")]),
    ("B3", "![250](http://x.y/i.png) ![alt|100x145](i.png)", [(MARKDOWN_EMBED, "i.png", "", "alt|100x145")]),
    ("B4", "![[doc.pdf#page=3]]", [(EMBED, "doc.pdf", "#page=3", None)]),
    ("B4", "![[doc.pdf#height=400]] ![[x.base#View]]", [(EMBED, "doc.pdf", "#height=400", None), (EMBED, "x.base", "#View", None)]),
    ("B5", "[[Sq]uare]]", [(WIKI, "Sq]uare", "", None)]),
    ("B6", "[[Nested [[Inner]] x]]", [(WIKI, "Inner", "", None)]),
    ("B6", "[[[x]]]", [(WIKI, "x", "", None)]),
    ("B7", "[[Multi\nLine]] [[Multi\r\nLine]]", []),
    ("B8", "[[https://example.com]]", [(WIKI, "https://example.com", "", None)]),
    ("B9", "[[#H]] [[#^id]] [x](#H)", [(WIKI, "", "#H", None), (WIKI, "", "#^id", None), (MARKDOWN, "", "#H", "x")]),
    ("B10", "[y](My%20Note.md) [y](<My Note.md>)", [(MARKDOWN, "My Note.md", "", "y"), (MARKDOWN, "My Note.md", "", "y")]),
    ("B10", "[y](caf%C3%A9.md) [y](100%.md) [y](a%FF.md)", [(MARKDOWN, "café.md", "", "y"), (MARKDOWN, "100%.md", "", "y"), (MARKDOWN, "a%FF.md", "", "y")]),
    ("B10", "[y](a_(b).md) [y](a\\_b.md)", [(MARKDOWN, "a_(b).md", "", "y"), (MARKDOWN, "a_b.md", "", "y")]),
    ("B11", "[w](Sub/My Note.md)", []),
    ("B12", "[a](b.md \"title\") [a](c.md 'x') [a](d.md (x))", [(MARKDOWN, "b.md", "", "a"), (MARKDOWN, "c.md", "", "a"), (MARKDOWN, "d.md", "", "a")]),
    ("B13", "[x](note.md#Heading%20two) [x](/Folder/Note.md)", [(MARKDOWN, "note.md", "#Heading two", "x"), (MARKDOWN, "/Folder/Note.md", "", "x")]),
    ("B14", "[x](http://a.b) [x](mailto:a@b) [x](obsidian://open?vault=v) [x](<file:///a b>)", []),
    ("B15", "[[ ]] [[]] [[|a]] [[#]] [x]() [x](<>)", []),
    ("B15", "[[ a #b |c]] [[a|]]", [(WIKI, "a", "#b", "c"), (WIKI, "a", "", None)]),
    ("B16", "> [!note] [[a]]\n> - [[b]]\n\n1. [[c]]\n\n[^1]: [[d]]\n\n    [[e]]\n", [(WIKI, c, "", None) for c in "abcde"]),
    ("B16", "# See [[a]]\n\n[[b]]\n===\n\n| t |\n|---|\n| [[c]] |", [(WIKI, c, "", None) for c in "abc"]),
    ("B17", "%%[[a]]%%\n\n%%\n[[b]]\n%%\n", [(WIKI, "a", "", None), (WIKI, "b", "", None)]),
    ("B18", "```\n[[a]]\n```\n\n    [[b]]\n\n`[[c]]` ``[[d]] ` ``", []),
    ("B18", "` [[a]] `` [[b]]", [(WIKI, "a", "", None), (WIKI, "b", "", None)]),
    ("B18", "`a\n[[x]]`", []),
    ("B19", "$[[a]]$ $$[[b]]$$ <!-- [[c]] --> <a href='[[d]]'>\n\n<div>\n[[e]]\n</div>\n\n$$\n[[f]]\n$$\n", []),
    ("B19", "$5 [[a]] $6 and <span>[[b]]</span> x$$ [[c]]", [(WIKI, c, "", None) for c in "abc"]),
    ("B20", '[x][id] and [id]\n\n[id]: dest.md "[[no]]"\n[Source]: [[a]]\n', [(WIKI, "a", "", None)]),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "text", "expected"), RULES)
def test_b1_to_b20_links_in_text(rule: str, text: str, expected: list[Row]) -> None:
    links = links_in(text)
    assert [(link.kind, link.linkpath, link.subpath, link.display) for link in links] == expected, rule
    assert all(text[link.start : link.start + len(link.raw)] == link.raw for link in links)


MORE: list[tuple[str, list[str]]] = [
    ("\\[[a]] [\\[b]] \\![[c]] \\\\[[d]]", ["[[c]]", "[[d]]"]),
    ("[a [[b]] c](d.md)", ["[a [[b]] c](d.md)", "[[b]]"]),
    ("[![a](i.png)](b.md)", ["[![a](i.png)](b.md)", "![a](i.png)"]),
    ("[a [b](c.md) d](e.md) [f](g.md)", ["[b](c.md)", "[f](g.md)"]),
    ("![[a]]![[b]]![c](d)", ["![[a]]", "![[b]]", "![c](d)"]),
    ("[a](b(c.md) [d](e", []),
    ("<https://x.y/[[a]]> <me@x.y>", []),
    ("[x](a.md\n'title') ](b.md) [y] (c.md)", ["[x](a.md\n'title')"]),
    ("[a\n\n](b.md)", []),
    ("`` ` `` [[a]] ` [[b]]", ["[[a]]", "[[b]]"]),
]


@pytest.mark.parametrize(("text", "expected"), MORE)
def test_links_among_other_marks(text: str, expected: list[str]) -> None:
    assert [link.raw for link in links_in(text)] == expected


def test_links_know_line_offset_and_heading() -> None:
    text = "[[a]]\r\n# One [[b]]\r\n\r\nx\r\ny [[c]]\r\n\r\nTwo\r\n---\r\n- [d](d.md)"
    found = [(link.linkpath, link.line, link.heading) for link in links_in(text)]
    assert found == [("a", 1, None), ("b", 2, "One [[b]]"), ("c", 5, "One [[b]]"), ("d.md", 9, "Two")]


WHOLE: list[tuple[str, tuple[str, str, str | None] | None]] = [
    ("[[A]]", ("A", "", None)),
    ("[[A#h|x]]", ("A", "#h", "x")),
    ("[x](A%20b.md)", ("A b.md", "", "x")),
    ("[x [y]](A.md)", None),
    ("[x](<A b.md>)", ("A b.md", "", "x")),
    ("[x](https://a.b)", None),
    ("see [[A]]", None),
    ("[[A]] [[B]]", None),
    ("![[A]]", None),
    ("[[]]", None),
    ("plain", None),
]


@pytest.mark.parametrize(("value", "expected"), WHOLE)
def test_b21_a_value_is_one_whole_link_or_none(value: str, expected: tuple[str, str, str | None] | None) -> None:
    assert target_of_whole(value) == expected


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="[]|#\\\r\n", exclude_categories=["Cs"])), st.text("ab #^"))
def test_b1_path_and_subpath_come_back(path: str, rest: str) -> None:
    target = wikilink_target(f"{path}#{rest}|shown")
    if target is None:
        assert not path.strip()
    else:
        assert target.subpath == f"#{rest}".rstrip()
        assert target.linkpath == path.replace("\u00a0", " ").replace("\u202f", " ").strip()
        assert target.display == "shown"
