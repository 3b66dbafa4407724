import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.parse.scanner import headings_of, scan

HEADINGS: list[tuple[str, list[tuple[int, str, int]]]] = [
    ("# A\n## B\n", [(1, "A", 1), (2, "B", 2)]),
    ("###### six\n####### seven\n#none\n", [(6, "six", 1)]),
    ("   # three spaces\n\n    # four\n", [(1, "three spaces", 1)]),
    ("#\n##  \n### ###\n", [(1, "", 1), (2, "", 2), (3, "", 3)]),
    ("# A #\n# B ##  \n# C#\n# D \\#\n", [(1, "A", 1), (1, "B", 2), (1, "C#", 3), (1, "D \\#", 4)]),
    ("#\ttab\n", [(1, "tab", 1)]),
    ("text\n# interrupts\ntext\n", [(1, "interrupts", 2)]),
    ("One\n===\n\nTwo\n---\n", [(1, "One", 1), (2, "Two", 4)]),
    ("two\n lines \n---\n", [(2, "two lines", 1)]),
    ("\n---\n\n- a\n---\n> b\n---\n", []),
    ("| a | b |\n|---|---|\n| c | d |\n---\n", []),
    ("---\ntitle: x\n# comment\n---\n# A\n", [(1, "A", 5)]),
    ("---\nnever closed\n# A\n", [(1, "A", 3)]),
    ("> # quoted\n- # listed\n\n# A\n", [(1, "A", 4)]),
    ("```\n# code\n```\n# A\n", [(1, "A", 4)]),
    ("~~~ python\n# code\n```\n# code\n~~~\n# A\n", [(1, "A", 6)]),
    ("```\n# code\n~~~\n``\n# code\n``````  \n# A\n", [(1, "A", 7)]),
    ("- item\n\n  ```\n# A\n", [(1, "A", 4)]),
    ("- ```\n  # code\n  ```\n\n# A\n", [(1, "A", 5)]),
    ("> ```\n> # code\n# A\n", [(1, "A", 3)]),
    ("``` not ` a fence\n# A\n", [(1, "A", 2)]),
    ("```\n# to the end\n", []),
    ("text\n\n    # indented code\n\n# A\n", [(1, "A", 5)]),
    ("$$\n# math\n$$\n# A\n", [(1, "A", 4)]),
    ("$$ never closed\n# A\n", [(1, "A", 2)]),
    ("<!--\n# hidden\n\n# hidden\n-->\n# A\n", [(1, "A", 6)]),
    ("<div>\n# html\n\n# A\n</div>\n", [(1, "A", 4)]),
    ("<pre>\n\n# html\n</pre>\n# A\n", [(1, "A", 5)]),
    ("<span>\n# html\n\n# A\n", [(1, "A", 4)]),
    ("text\n<span>\n# A\n", [(1, "A", 3)]),
    ("- item\n<span>\n# A\n", [(1, "A", 3)]),
    ("<script>x</script>\n# A\n", [(1, "A", 2)]),
    ("%%\n# hidden\n%%\n# A\n", [(1, "A", 4)]),
    ("%% one line %%\n# A\n", [(1, "A", 2)]),
    ("%%%%\n# A\n%%%%\n", [(1, "A", 2)]),
    ("%% never closed\n# A\n", [(1, "A", 2)]),
    ("%%\n- a\nend %%\n# A\n", [(1, "A", 4)]),
    ("%%\n```\n%%\n```\n%%\n# A\n", [(1, "A", 6)]),
    ("# See [[Other]] #tag\n", [(1, "See [[Other]] #tag", 1)]),
    ("# \u2028 日本語\n", [(1, "日本語", 1)]),
]


@pytest.mark.parametrize(("text", "expected"), HEADINGS)
def test_headings(text: str, expected: list[tuple[int, str, int]]) -> None:
    assert [(h.level, h.text, h.line) for h in headings_of(text)] == expected


def test_c08_lines_in_fences_are_no_headings() -> None:
    for closer in ("```", "````"):
        text = f"# A\n\n   ```bash\n# Hidden\necho hi\n   {closer}\n\n# B\n\nb\n"
        assert [h.text for h in headings_of(text)] == ["A", "B"]


def test_headings_know_their_lines_with_windows_line_breaks() -> None:
    text = "---\r\na: 1\r\n---\r\n# A\r\n\r\nSet\r\next\r\n===\r\nlast\r\n# B"
    headings = headings_of(text)
    assert [text[h.start : h.end] for h in headings] == ["# A\r\n", "Set\r\next\r\n===\r\n", "# B"]
    assert [(h.text, h.line) for h in headings] == [("A", 4), ("Set ext", 6), ("B", 10)]


RUNS: list[tuple[str, list[str]]] = [
    ("one\ntwo\n\nthree", ["one\ntwo", "three"]),
    ("- a\n- b\n  more\nlazy\n\nout", ["a", "b\n  more\nlazy", "out"]),
    ("> a\n> b\nlazy\n>\n> c", ["a\n> b\nlazy", "c"]),
    ("1. a\n2. b\n\ntext\n2. no list\n1. list", ["a", "b", "text\n2. no list", "list"]),
    ("text\n-\n", ["text"]),
    ("-\n  in", ["in"]),
    ("-\n\n      code", []),
    ("text\n* \nmore", ["text\n* \nmore"]),
    ("- a\n\t- b\n\t\t- c\n\n\t\t  more", ["a", "b", "c", "more"]),
    ("-     code\n- \n  text", ["text"]),
    ("[^1]: note\n\n    more\n\nout", ["note", "more", "out"]),
    ("\tfirst line", ["first line"]),
    ("a\n\n\tcode\n\n\tcode\nb", ["a", "b"]),
    ("a\n    not code", ["a\n    not code"]),
    ("a\n***\nb\n_ _ _\nc", ["a", "b", "c"]),
    ("<!-- x --> a", ["<!-- x --> a"]),
    ("<!--\nx\n--> a\nb", [" a\nb"]),
    ("$$\nx\n$$ a", [" a"]),
    ("x $$ y\n$$ a $$ b", ["x $$ y\n$$ a $$ b"]),
    ("%% a\n- b\nc %% d\ne", ["%% a", "b", "c %% d", "e"]),
    ("%%\na\n%%\nb", ["a\n%%", "b"]),
    ("a\r\nb\r\n\r\nc\r\n", ["a\r\nb\r", "c\r"]),
]


@pytest.mark.parametrize(("text", "expected"), RUNS)
def test_runs_of_text(text: str, expected: list[str]) -> None:
    assert [text[run.start : run.end].rstrip("\r") for run in scan(text).runs] == [e.rstrip("\r") for e in expected]


FENCES: list[tuple[str, list[tuple[str, str]]]] = [
    ("a\n```py x\ncode\n```\nb", [("```py x\ncode\n```\n", "py")]),
    ("~~~\n```\n~~~~ \n```", [("~~~\n```\n~~~~ \n", ""), ("```", "")]),
    ("```JSON\r\nx\r\n```\r\n", [("```JSON\r\nx\r\n```\r\n", "json")]),
    ("> ```a\n> x\n\ny", [("> ```a\n> x\n", "a")]),
    ("- ```a\n  x\n- ```b\n  ```\n", [("- ```a\n  x\n", "a"), ("- ```b\n  ```\n", "b")]),
    ("```\nto the end", [("```\nto the end", "")]),
    ("`` no ``\n\n    ```\n", []),
]


@pytest.mark.parametrize(("text", "expected"), FENCES)
def test_fences(text: str, expected: list[tuple[str, str]]) -> None:
    found = scan(text).fences
    assert [(text[fence.start : fence.end], fence.language) for fence in found] == expected
    assert all(fence.start <= fence.inside <= fence.end for fence in found)


def test_b27_a_comment_is_opened_by_exactly_two_percent_signs() -> None:
    assert [h.text for h in headings_of("%%\n# hidden\n%%\n# A\n")] == ["A"]
    assert [h.text for h in headings_of("%%%%\n# A\n%%%%\n# B\n")] == ["A", "B"]
    assert [h.text for h in headings_of("%%%\n# A\n%%%\n")] == ["A"]


def test_items_know_the_item_that_holds_them() -> None:
    text = "- a\n  - b\n    1. c\n- d\n\n> - e\n>   - f\n\n%%\n- hidden\n%%\n"
    found = [(text[i.start : i.end], i.line, i.parent, i.quoted) for i in scan(text).items]
    assert found == [
        ("a", 1, None, False),
        ("b", 2, 1, False),
        ("c", 3, 2, False),
        ("d", 4, None, False),
        ("e", 6, None, True),
        ("f", 7, 6, True),
    ]


MARKDOWN = st.text(st.sampled_from("#`~->*+_=|$%<!/[]()^:1. \t\r\na\\é"), max_size=120)


@settings(deadline=None)
@given(MARKDOWN | st.text(max_size=60))
def test_scanning_never_fails_and_stays_inside_the_text(text: str) -> None:
    found = scan(text)
    assert len(found.starts) == text.count("\n") + 1
    ends = [0]
    for run in found.runs:
        assert ends[-1] <= run.start <= run.end <= len(text)
        ends.append(run.end)
    for heading in found.headings:
        assert heading.start in found.starts
        assert heading.end == len(text) or text[heading.end - 1] == "\n"
    for item in found.items:
        assert item.parent is None or item.parent <= item.line


def _cpu(text: str) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        scan(text)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize(
    "unit", [">", "> ", "- ", "- a\n", ">\n", "\n", "* - ", "$$\n", "%%\n", "<!--\n", "```\n", "a\n=\n", "# #"]
)
@pytest.mark.parametrize("head", ["", "- " * 40 + "\n", "> " * 40 + "x\n"])
def test_scanning_takes_linear_time(unit: str, head: str) -> None:
    once = head + unit * (20_000 // len(unit))
    assert _cpu(once + unit * (20_000 // len(unit))) <= 3 * _cpu(once) + 0.02
