from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.model.path import VaultPath
from sidecar.parse.mention import NamesSought

PATH = VaultPath("Log.md")


def found(text: str, *own: str, others: tuple[str, ...] = ()) -> list[str]:
    return [text[f.start : f.end] for f in NamesSought(own, others).in_note(PATH, text)]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("To Apollo and apollo and APOLLO.", ["Apollo"], ["Apollo", "apollo", "APOLLO"]),
        ("Apollos, preApollo, Apollo_1, Apollo2", ["Apollo"], []),
        ("Apollo-13 (Apollo), 'Apollo'.", ["Apollo"], ["Apollo", "Apollo", "Apollo"]),
        ("the moon shot and the moon", ["moon", "Moon Shot"], ["moon shot", "moon"]),
        ("Big Data Model Theory", ["Big Data", "Data Model Theory"], ["Data Model Theory"]),
        ("moon\u00a0shot", ["Moon Shot"], ["moon\u00a0shot"]),
        ("moon\nshot", ["Moon Shot"], []),
        ("C++ or C", ["C++"], ["C++"]),
        ("ASP.NET, .NET", [".NET"], [".NET", ".NET"]),
        ("東京タワーへ行く", ["東京"], ["東京"]),
        ("使用Python编程", ["Python"], ["Python"]),
        ("서울은 크다", ["서울"], ["서울"]),
        ("Привет, Мир!", ["мир"], ["Мир"]),
        ("Straße und STRAßE", ["straße"], ["Straße", "STRAßE"]),
        ("İstanbul ve Apollo", ["Apollo"], ["Apollo"]),
        ("Cafe\u0301 at noon", ["Café"], ["Cafe\u0301"]),
        ("Cafe\u0301 at noon", ["Cafe"], []),
        ("# Apollo\n\nUnder Apollo\n===\n", ["Apollo"], ["Apollo", "Apollo"]),
        ("> [!note] Apollo\n> on Apollo", ["Apollo"], ["Apollo", "Apollo"]),
        ("- [ ] ask Apollo\n  1. Apollo", ["Apollo"], ["Apollo", "Apollo"]),
        ("| Apollo |\n|---|\n| *Apollo* |", ["Apollo"], ["Apollo", "Apollo"]),
        ("**Apollo** ==Apollo==", ["Apollo"], ["Apollo", "Apollo"]),
        ("", ["Apollo"], []),
        ("Apollo", [], []),
    ],
)
def test_names_stand_as_whole_words_in_any_case(text: str, names: list[str], expected: list[str]) -> None:
    assert found(text, *names) == expected


@pytest.mark.parametrize(
    "text",
    [
        "`Apollo`", "``a ` Apollo``", "```\nApollo\n```", "~~~md\nApollo\n~~~", "x\n\n    Apollo",
        "[[Apollo]]", "[[Apollo|x]]", "[[x|Apollo]]", "![[Apollo]]", "[Apollo](x.md)", "[x](Apollo.md)", "[x](<a b/Apollo>)",
        "[Apollo][id]", "[id]: Apollo.md", "![Apollo](http://x/y)", "[a [Apollo] b](x)", "[^Apollo]", "[decision Apollo]",
        "http://x/Apollo/y", "see https://Apollo.org", "www.Apollo.org", "mailto:Apollo@x.org", "Apollo@x.org", "<https://x/Apollo>",
        "---\ntitle: Apollo\n---\n", "---\naliases: [Apollo]\n---\nx", "%%Apollo%%", "%%\nApollo\n\nApollo\n%%", "a %% b\n\nApollo\n\nc %% d",
        "<!-- Apollo -->", "<div>\nApollo\n</div>", "a <span title='Apollo'>b</span>", "$Apollo$", "$$\nApollo\n$$", "a $$ Apollo $$ b",
        "#Apollo", "#x/Apollo", "text ^Apollo", "Apollo:: value", "!Apollo", "\\Apollo",
        "```encrypted\nApollo\n```",
    ],
)  # fmt: skip
def test_names_do_not_count_in_code_links_urls_properties_comments_math_and_tags(text: str) -> None:
    assert found(text, "Apollo") == []
    assert found(f"{text}\n\nBehind Apollo", "Apollo") == ["Apollo"]


@pytest.mark.parametrize(
    "text",
    ["a ` b Apollo", "it costs $5, Apollo", "a < b, Apollo > c", "a [ b Apollo", "\\[Apollo\\]", "100 %% Apollo", "%%%% Apollo %%%%", "# 1 Apollo"],
)  # fmt: skip
def test_b27_marks_that_open_nothing_hide_nothing(text: str) -> None:
    assert found(text, "Apollo") == ["Apollo"]


@pytest.mark.parametrize(
    ("text", "others", "expected"),
    [
        ("Project Apollo and Apollo", ("Project Apollo",), 1),
        ("the Apollo Program of Apollo", ("apollo program",), 1),
        ("My Project Apollo Office", ("project apollo",), 0),
        ("MyProject Apollo", ("project apollo",), 1),
        ("Project  Apollo", ("Project Apollo",), 1),
        ("Apollo", ("Apollo",), 1),
    ],
)
def test_where_a_longer_name_of_another_note_stands_the_text_means_that_note(
    text: str, others: tuple[str, ...], expected: int
) -> None:
    assert len(found(text, "Apollo", others=others)) == expected


def test_a_found_name_tells_line_and_table() -> None:
    text = "---\na: 1\n---\n# One\n\nx Apollo\n\n## Two\n\n| Apollo |\n|--|\n"
    assert [(f.line, f.in_table) for f in NamesSought(["Apollo"]).in_note(PATH, text)] == [(6, False), (10, True)]


def test_a_card_has_no_properties() -> None:
    assert [f.line for f in NamesSought(["Apollo"]).in_card("---\nApollo\n---\n`Apollo`")] == [2]


def test_a_written_name_is_told_from_the_others() -> None:
    sought = NamesSought(["Apollo", "Café"])
    assert sought.is_own("APOLLO", "Apollo")
    assert sought.is_own("cafe\u0301", "Café")
    assert not sought.is_own("apollo", "Café")


MARKS = st.sampled_from(["Apollo", "Apollo Program", "`", "``", "[[", "]]", "[", "](", ")", "%%", "$", "$$", "<!--", "-->", "<", ">", "\n", "\n\n", "#", "---\n", "    ", "|", "http://", "::", "^", "\\", " ", "x", "é", "İ", "東"])  # fmt: skip


@given(st.lists(MARKS, max_size=40).map("".join))
def test_law_what_is_found_is_the_name_in_order_and_never_in_a_link(text: str) -> None:
    spots = NamesSought(["Apollo", "Apollo Program"]).in_note(PATH, text)
    assert all(text[s.start : s.end] in {"Apollo", "Apollo Program"} for s in spots)
    assert all(a.end <= b.start for a, b in pairwise(spots))
    assert all(text[max(0, s.start - 2) : s.start] != "[[" for s in spots)
    assert all(s.line == text.count("\n", 0, s.start) + 1 for s in spots)
