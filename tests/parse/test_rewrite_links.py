import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.errors import Refused
from sidecar.model.note import LinkKind
from sidecar.model.path import VaultPath as P
from sidecar.parse.frontmatter import read_properties
from sidecar.parse.note import links_in, parse_note
from sidecar.parse.rewrite_links import Rewrite, rewrite_links
from sidecar.parse.text import decode

NOTE = P("S.md")


def rewritten(text: str, linkpath: str = "Sub/New", was: str = "Old.md", now: str = "Sub/New.md") -> str:
    """Rewrite every link of a note to Old."""
    links = [link for link in parse_note(NOTE, text).links if link.linkpath.lower().removesuffix(".md") == "old"]
    markdown = linkpath if linkpath.endswith(".png") else f"{linkpath}.md"
    return rewrite_links(
        text, [Rewrite(link, linkpath if link.raw.endswith("]]") else markdown, P(was), P(now)) for link in links]
    )


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        ("B1", "a [[Old]] b", "a [[Sub/New]] b"),
        ("B1", "[[Old#H1#H2|shown]]", "[[Sub/New#H1#H2|shown]]"),
        ("B1", "[[old.md]] [[OLD]]", "[[Sub/New]] [[Sub/New]]"),
        ("B2", "| [[Old\\|al]] | [[Old#H\\|a\\|b]] |", "| [[Sub/New\\|al]] | [[Sub/New#H\\|a\\|b]] |"),
        ("B3", "![[Old|100]] ![[Old|cap|10x20]]", "![[Sub/New|100]] ![[Sub/New|cap|10x20]]"),
        ("B5", "[[Old|a]b]]", "[[Sub/New|a]b]]"),
        ("B6", "[[Nested [[Old]] x]]", "[[Nested [[Sub/New]] x]]"),
        ("B10", "[y](Old.md) [y](<Old.md>)", "[y](Sub/New.md) [y](<Sub/New.md>)"),
        ("B12", '[a](Old.md "Old") [a]( Old.md )', '[a](Sub/New.md "Old") [a]( Sub/New.md )'),
        ("B13", "[x](Old.md#Heading%20two)", "[x](Sub/New.md#Heading%20two)"),
        ("B13", "[x](Old%2Emd%23H) ![](Old.md#p=3)", "[x](Sub/New.md%23H) ![](Sub/New.md#p=3)"),
        ("B15", "[[ Old ]] [[ Old #H| a ]] [[Old|]]", "[[ Sub/New ]] [[ Sub/New #H| a ]] [[Sub/New|]]"),
        ("B17", "%% [[Old]] %%", "%% [[Sub/New]] %%"),
        ("B18", "`[[Old]]` [[Old]]\n\n```\n[[Old]]\n```\n", "`[[Old]]` [[Sub/New]]\n\n```\n[[Old]]\n```\n"),
        ("B19", "$[[Old]]$ <!-- [[Old]] --> [[Old]]", "$[[Old]]$ <!-- [[Old]] --> [[Sub/New]]"),
        ("B20", "[x][id]\n\n[id]: Old.md\n", "[x][id]\n\n[id]: Old.md\n"),
        ("M2", "[![pic](Old.md)](Old.md)", "[![pic](Sub/New.md)](Sub/New.md)"),
        ("M3", "[[Old|Old]] [[Old|old]] [[Old| Old ]]", "[[Sub/New|New]] [[Sub/New|old]] [[Sub/New| New ]]"),
        ("M3", "[[Old|Old.md]] [Old](Old.md)", "[[Sub/New|New.md]] [New](Sub/New.md)"),
        ("M3", "[Old is](Old.md) [](Old.md)", "[Old is](Sub/New.md) [](Sub/New.md)"),
        ("M4", "[[#H]] [x](#H) [[Old#H]]", "[[#H]] [x](#H) [[Sub/New#H]]"),
    ],
)
def test_only_path_and_old_name_change(rule: str, text: str, expected: str) -> None:
    assert rewritten(text) == expected, rule


@pytest.mark.parametrize(
    ("rule", "block", "expected"),
    [
        ("B21", 'up: "[[Old]]"', 'up: "[[Sub/New]]"'),
        ("B21", "up: '[[Old#H|Old]]' # why", "up: '[[Sub/New#H|New]]' # why"),
        ("B21", 'rel: ["[[Other]]", "[[old|x]]"]', 'rel: ["[[Other]]", "[[Sub/New|x]]"]'),
        ("B21", 'rel:\n  - "[[Old]]"\n  - " [[Old]] "', 'rel:\n  - "[[Sub/New]]"\n  - " [[Sub/New]] "'),
        ("B21", "a:\n  b:\n    - '[md](Old.md)'", "a:\n  b:\n    - '[md](Sub/New.md)'"),
        ("B21", "up: >-\n  [[Old]]", "up: >-\n  [[Sub/New]]"),
        ("B21", 'a: &x "[[Old]]"\nb: *x', 'a: &x "[[Sub/New]]"\nb: *x'),
        ("B21", "up: [[Old]]", "up: [[Old]]"),
        ("B21", 'up: "see [[Old]]"', 'up: "see [[Old]]"'),
        ("B21", 'up: "[[\\u004fld]]"', 'up: "[[Sub/New]]"'),
    ],
)
def test_links_in_properties_keep_their_quotes(rule: str, block: str, expected: str) -> None:
    assert rewritten(f"---\n{block}\nz: 1\n---\n") == f"---\n{expected}\nz: 1\n---\n", rule


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("up: '[[Old]]'", "up: '[[It''s]]'"),
        ('up: "[[Old]]"', 'up: "[[It\'s]]"'),
        ("up: ['[[Old]]', '[[x]]']", "up: ['[[It''s]]', '[[x]]']"),
    ],
)
def test_a_name_with_quotes_is_escaped_as_its_yaml_asks(block: str, expected: str) -> None:
    assert rewritten(f"---\n{block}\n---\n", "It's", now="It's.md") == f"---\n{expected}\n---\n"


def test_a_comment_that_looks_like_the_link_is_left_alone() -> None:
    text = 'up: # not [[Old]]\n  "[[Old]]"'
    assert read_properties(rewritten(f"---\n{text}\n---\n")).values == {"up": "[[Sub/New]]"}


@pytest.mark.parametrize(
    ("written", "path", "expected"),
    [
        ("[x](Old.md)", "My Note (a) [b] 100%.md", "[x](My%20Note%20%28a%29%20%5Bb%5D%20100%25.md)"),
        ("[x](<Old.md>)", "My Note (a) [b] 100%.md", "[x](<My Note (a) [b] 100%25.md>)"),
        ("[x](Old.md)", "日本/é.md", "[x](日本/é.md)"),
        ("[x](<Old.md>)", "a<b>.md", "[x](<a%3Cb%3E.md>)"),
    ],
)
def test_g2_markdown_destinations_are_encoded(written: str, path: str, expected: str) -> None:
    (link,) = links_in(written)
    text = rewrite_links(written, [Rewrite(link, path, P("Old.md"), P(path))])
    assert text == expected
    assert links_in(text)[0].linkpath == path


def test_m3_a_new_name_with_brackets_stays_inside_the_link() -> None:
    (link,) = links_in("[Old](Old.md)")
    text = rewrite_links("[Old](Old.md)", [Rewrite(link, "a[b].md", P("Old.md"), P("a[b].md"))])
    assert text == "[a\\[b\\]](a%5Bb%5D.md)"


def test_b3_the_size_of_an_embed_is_not_its_name() -> None:
    for text, expected in (
        ("![[100.png|100]] [[100.png|100]]", "![[new.png|100]] [[new.png|new]]"),
        ("![100](100.png)", "![100](new.png)"),
    ):
        rewrites = [Rewrite(link, "new.png", P("100.png"), P("new.png")) for link in links_in(text)]
        assert rewrite_links(text, rewrites) == expected


def test_m3_a_file_that_only_changes_its_folder_keeps_what_is_shown() -> None:
    assert rewritten("[[Old|Old]]", "Sub/Old", now="Sub/Old.md") == "[[Sub/Old|Old]]"


def test_y7_bom_and_line_breaks_stay() -> None:
    data = codecs.BOM_UTF8 + b'---\r\nup: "[[Old]]"\r\n---\r\n[[Old]]\n\r\n[[Old]]'
    source = decode(data)
    assert source.encode(rewritten(source.text)) == data.replace(b"[[Old]]", b"[[Sub/New]]")


def test_properties_that_cannot_be_edited_refuse() -> None:
    text = "---\na: &x [*x, '[[Old]]']\nup: &y\n  - '[[O\\\n---\n"
    assert rewritten(text) == text  # it does not parse, so there is no link
    tied = '---\na: {x: &l "[[\\u004fld]]"}\nb: *l\n---\n'
    with pytest.raises(Refused):
        rewritten(tied)


PIECES = st.sampled_from(
    ["[[Old]]", "![[Old#h|x]]", "[a](Old.md)", "![](<Old.md>)", "`[[Old]]`", "text", "\n", "\r\n", " ", "|", "[[x]]", "é😀",
     "\n\n```\n[[Old]]\n```\n\n", "%%", "[", "]]", "(", "$", "\\", "- ", "# ", "[[Old|Old]]"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25).map("".join))
def test_law_all_but_the_links_stays(body: str) -> None:
    before = parse_note(NOTE, body).links
    text = rewritten(body)
    after = parse_note(NOTE, text).links
    assert len(after) == len(before)
    for old, new in zip(before, after, strict=True):
        is_old = old.linkpath.lower().removesuffix(".md") == "old"
        assert new.linkpath.removesuffix(".md") == ("Sub/New" if is_old else old.linkpath.removesuffix(".md"))
        assert (new.kind, new.subpath, new.line) == (old.kind, old.subpath, old.line)
    back = [Rewrite(n, o.linkpath, P("Sub/New.md"), P("Old.md")) for o, n in zip(before, after, strict=True) if o != n]
    assert (
        rewrite_links(text, [r for r in back if r.link.kind is not LinkKind.PROPERTY and r.link.linkpath[:4] == "Sub/"])
        == body
    )
