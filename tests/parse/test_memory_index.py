import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.parse.memory_index import hook_of, lines_of, size_of, title_of_name, with_line, without_lines

INDEX = """\
# Mine

- [Testing advice](feedback_testing.md) — how I like tests
* [[dotfiles|Dots]] - where they are
- [Sub](work/deploy%20now.md)
- not a link
- [Web](https://example.com) — elsewhere

"""


def test_lines_are_found_whatever_their_form() -> None:
    found = [(line.number, line.name, line.hook) for line in lines_of(INDEX)]
    assert found == [
        (3, "feedback_testing", "how I like tests"),
        (4, "dotfiles", "where they are"),
        (5, "work/deploy now", ""),
    ]


def test_a_new_line_goes_behind_the_last_and_nothing_else_changes() -> None:
    after = with_line(INDEX, "new-one", title="New one", hook="hook", former_hook=None, newline="\n")
    assert after == INDEX.removesuffix("\n") + "- [New one](new-one.md) — hook\n\n"
    assert with_line("", "a", title="A", hook="", former_hook=None, newline="\n") == "- [A](a.md)\n"
    assert (
        with_line("x  \r\n", "a", title="A", hook="h", former_hook=None, newline="\r\n") == "x  \r\n- [A](a.md) — h\r\n"
    )
    assert with_line("- x", "a", title="A", hook="h", former_hook=None, newline="\n") == "- x\n- [A](a.md) — h"


@pytest.mark.parametrize(
    ("former", "hook", "line"),
    [
        ("how I like tests", "new", "- [Testing advice](feedback_testing.md) — new"),
        ("what the description was", "new", "- [Testing advice](feedback_testing.md) — how I like tests"),
        (None, "new", "- [Testing advice](feedback_testing.md) — how I like tests"),
    ],
)
def test_a_hook_written_by_hand_stays(former: str | None, hook: str, line: str) -> None:
    after = with_line(INDEX, "feedback_testing", title="T", hook=hook, former_hook=former, newline="\n")
    assert after == INDEX.replace("- [Testing advice](feedback_testing.md) — how I like tests", line)


@given(
    lines=st.lists(
        st.sampled_from(INDEX.split("\n")) | st.text(st.characters(blacklist_categories=["Cs"]), max_size=20),
        max_size=12,
    ),
    newline=st.sampled_from(["\n", "\r\n"]),
    ends=st.booleans(),
)
def test_adding_and_removing_leaves_every_other_line_alone(lines: list[str], newline: str, ends: bool) -> None:
    text = newline.join(line.replace("\n", "").replace("\r", "") for line in lines) + (newline if ends else "")
    added = with_line(text, "fresh-name", title="Fresh", hook="h", former_hook=None, newline=newline)
    fresh = [line for line in lines_of(added) if line.is_of("fresh-name")]
    assert len(fresh) == 1
    kept = [line for line in added.split("\n") if "fresh-name" not in line]
    assert "".join(kept).rstrip("\r") == "".join(text.split("\n")).rstrip("\r")
    gone = without_lines(added, *fresh)
    assert gone.rstrip("\r\n") == text.rstrip("\r\n") or not text.strip()


def test_several_lines_go_at_once() -> None:
    first, second, _ = lines_of(INDEX)
    assert without_lines(INDEX, second, first) == INDEX.replace(INDEX[first.start : second.end], "")


def test_only_what_is_loaded_counts() -> None:
    size = size_of("---\na: 1\n---\n<!-- long\ncomment -->\n- [A](a.md)\n- [B](b.md)\n")
    assert (size.lines, size.bytes) == (2, len("- [A](a.md)\n- [B](b.md)"))
    assert size_of("").lines == 0


@pytest.mark.parametrize(
    ("lines", "length", "tight", "over"),
    [
        (139, 10, False, False),
        (140, 10, True, False),
        (200, 10, True, False),
        (201, 10, True, True),
        (100, 260, True, True),
    ],
)
def test_the_limits_are_watched(lines: int, length: int, tight: bool, over: bool) -> None:
    size = size_of("\n".join(["x" * length] * lines))
    assert (size.is_tight, size.is_over) == (tight, over)


def test_hooks_are_short_and_titles_for_people() -> None:
    hook = hook_of("word " * 60, "Title", "name")
    assert len(f"- [Title](name.md) — {hook}") <= 150
    assert hook.endswith("word…")
    assert hook_of("short", "Title", "name") == "short"
    assert title_of_name("work/renewal_window-x") == "Renewal window x"
