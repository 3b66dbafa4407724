import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sidecar.parse.frontmatter import block_of
from sidecar.parse.near_runs import near_runs
from sidecar.parse.scanner import scan


def places(text: str, word: str = "Apollo") -> list[tuple[int, int]]:
    found, at = [], text.find(word)
    while at >= 0:
        found.append((at, at + len(word)))
        at = text.find(word, at + 1)
    return found


def holding(runs: list[tuple[int, int, bool]], place: tuple[int, int]) -> list[tuple[int, int, bool]]:
    return [run for run in runs if run[0] <= place[0] and place[1] <= run[1]]


def is_the_same(text: str) -> bool:
    """Compare with a scan of the whole text; tell whether there was anything to compare."""
    block = block_of(text)
    start = block.end if block else 0
    spans = [span for span in places(text) if span[0] >= start]
    near = near_runs(text, start, spans)
    if near is None:
        return False
    assert near == sorted(near)
    # Half a line break at the end of a run says nothing.
    every = [(run.start, run.end - text.endswith("\r", 0, run.end), run.table) for run in scan(text, start).runs]
    some = [(run.start, run.end - text.endswith("\r", 0, run.end), run.table) for run in near]
    for place in spans:
        assert holding(some, place) == holding(every, place), place
    return True


@pytest.mark.parametrize(
    "text",
    [
        "Apollo",
        "one\n\nApollo and\nApollo\n\nthree",
        "---\na: Apollo\n---\n\nApollo",
        "- one\n\n  Apollo\n\n    Apollo\n\nApollo",
        "> a\n> Apollo\n\n> Apollo\nlazy Apollo",
        "1. a\n\n\n   Apollo\n\n      code Apollo",
        "a | b\n--|--\nApollo | c\n\nApollo",
        "```\nx\n\ny\n```\n\nApollo",
        "```py\nx\n\n```py\n\n```\n\nApollo",
        "a\n\n    Apollo\n\nApollo",
        "[^1]: note\n\n    Apollo\n\nApollo",
        "<div>\nApollo\n\nApollo</div>\n\nApollo",
        "Apollo\n===\n\nApollo\n---\n",
        "a\r\n\r\nApollo\r\nb\r\n\r\n- Apollo\r\n",
        "- Apollo\r\n\r\nApollo\r\n\r\n\n\nApollo",
        "a\n \nApollo\n\t\nApollo",
        "\n\n\n\nApollo",
    ],
)
def test_runs_are_those_of_a_scan_of_the_whole_text(text: str) -> None:
    assert is_the_same(text)


@pytest.mark.parametrize(
    "text",
    [
        "%%\nx\n\nApollo\n%%",
        "$$\nx\n\nApollo\n$$",
        "~~~\nx\n\nApollo\n~~~",
        "<!--\nx\n\nApollo\n-->",
        "<PRE>\nx\n\nApollo\n</PRE>",
        "```\nx\n\nApollo\n```",
        "- ```\n  x\n\n  Apollo\n  ```\n\nApollo",
        "````\n```\n\nApollo\n````",
        "<div>\n```\n</div>\n\nApollo",
        "Apollo\n\n" * 9,
    ],
)
def test_where_something_may_be_open_over_empty_lines_nothing_is_told(text: str) -> None:
    assert near_runs(text, 0, places(text)) is None


def test_only_the_paragraphs_of_the_places_are_read() -> None:
    text = "- one\n\nelsewhere\n\n" * 1000 + "Apollo\n\n" + "elsewhere\n\n" * 1000
    runs = near_runs(text, 0, places(text))
    assert runs is not None
    assert [text[run.start : run.end] for run in runs] == ["Apollo"]


PIECES = st.sampled_from(
    ["Apollo", "x", "\n", "\n\n", "\r\n\r\n", "\n \n", "- ", "  ", "    ", "\t", "> ", "1. ", "```", "```\n", "```py\n", "\n```\n", "`", "````", "~~~", "|", "--|--", "\n|--|\n", "#", "# ", "---\n", "===\n", "<div>\n", "<pre>", "</pre>", "<b>", "%%", "$$", "[^1]: ", "***\n", "\\"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=1500, deadline=None)
@example("Apollo\n\n  Apollo\n\n  Apollo")
def test_law_runs_are_those_of_a_scan_of_the_whole_text(text: str) -> None:
    is_the_same(text)


@given(st.lists(PIECES.filter(lambda piece: piece not in {"~~~", "%%", "$$", "<pre>"}), max_size=30).map("".join))
@settings(max_examples=1500, deadline=None)
def test_law_fences_and_containers_before_a_place_do_not_mislead(text: str) -> None:
    is_the_same(f"{text}\n\nApollo\n\nb")
