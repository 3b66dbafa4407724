import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sidecar.errors import Invalid
from sidecar.parse.memory_edit import inserted, numbered, replaced
from sidecar.parse.text import decode

lines = st.lists(
    st.text(st.characters(blacklist_characters="\r\n\0", blacklist_categories=["Cs"]), max_size=8), max_size=8
)


@given(lines=lines, newline=st.sampled_from(["\n", "\r\n"]), ends=st.booleans(), data=st.data())
def test_inserting_leaves_all_other_lines_alone(
    lines: list[str], newline: str, ends: bool, data: st.DataObject
) -> None:
    text = newline.join(lines) + (newline if ends and lines else "")
    assume(not text.startswith("\ufeff"))
    source = decode(text.encode())
    count = numbered(source.text).lines
    at = data.draw(st.integers(0, count))
    after = inserted(source, at, "brand new line")
    old, new = numbered(source.text), numbered(after)
    assert new.lines == count + 1
    told = [line.partition("\t")[2] for line in new.text.split("\n")]
    assert told.pop(at) == "brand new line"
    assert told == ([line.partition("\t")[2] for line in old.text.split("\n")] if count else [])


@given(lines=lines, old=st.text("ab", min_size=1, max_size=3), new=st.text("xy\n", max_size=4))
def test_replacing_changes_the_one_place(lines: list[str], old: str, new: str) -> None:
    text = "\n".join(lines)
    assume(not text.startswith("\ufeff"))
    source = decode(text.encode())
    if text.count(old) != 1:
        with pytest.raises(Invalid, match="No replacement was performed"):
            replaced("/memories/a", source, old, new)
        return
    after, snippet = replaced("/memories/a", source, old, new)
    assert after == text.replace(old, new)
    assert all(line in numbered(after).text.split("\n") for line in snippet.split("\n") if snippet)


@pytest.mark.parametrize(("first", "last"), [(0, 1), (3, 3), (2, 1), (1, 3)])
def test_lines_that_are_not_there(first: int, last: int) -> None:
    with pytest.raises(Invalid):
        numbered("a\nb\n", first, last)
