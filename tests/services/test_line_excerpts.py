import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.services.excerpts import Excerpt
from sidecar.services.line_excerpts import lines_around
from tests.conftest import Served

TEXT = "\n".join(f"line {n}" for n in range(1, 21))


@pytest.mark.parametrize(
    ("line", "count", "room", "shown"),
    [
        (10, 0, 1000, [10]),
        (10, 2, 1000, [8, 9, 10, 11, 12]),
        (1, 2, 1000, [1, 2, 3]),
        (20, 1, 1000, [19, 20]),
        (10, 10, 31, [9, 10, 11]),
        (10, 10, 0, [10]),
        (99, 1, 1000, [19, 20]),
    ],
)
def test_lines_stand_around_the_match(line: int, count: int, room: int, shown: list[int]) -> None:
    found = lines_around(Excerpt("x", line, "H"), TEXT, count, room)
    assert found.text.split("\n") == [f"{n}: line {n}" for n in shown]
    assert (found.line, found.heading) == (line, "H")


def test_a_canvas_has_no_lines() -> None:
    excerpt = Excerpt("card", None, None)
    assert lines_around(excerpt, "{}", 3, 100) is excerpt


@given(
    st.lists(st.text(max_size=300), min_size=1, max_size=30),
    st.integers(1, 30),
    st.integers(0, 10),
    st.integers(0, 900),
)
def test_lines_never_take_more_room_than_one_line_needs(lines: list[str], line: int, count: int, room: int) -> None:
    text = "\n".join(one.replace("\n", " ") for one in lines)
    found = lines_around(Excerpt("x", line, None), text, count, room).text
    assert sum(map(len, found.split("\n"))) <= max(room, 250)


def test_context_lines_of_a_search(served: Served) -> None:
    served.write("N.md", "---\na: b\n---\n# One\nfirst\nthe needle is here\nlast\n\nend\n")
    (hit,) = served.ok("search_notes", query="needle", context_lines=1)["results"]
    assert (hit["content"], hit["line"], hit["heading"]) == ("5: first\n6: the needle is here\n7: last", 6, "One")
    text = served.call("search_notes", query="needle", context_lines=1).blocks[0]
    assert "\n5: first\n6: the needle is here\n7: last\n" in text
    served.fails("search_notes", "invalid", query="needle", context_lines=11)
