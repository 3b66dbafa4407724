from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.analysis import fold
from sidecar.index.document import Document
from sidecar.model.path import VaultPath
from sidecar.model.search import Place

PLACES = (Place.LINE, Place.BLOCK, Place.SECTION, Place.TASK, Place.TASK_TODO, Place.CONTENT)
marks = st.sampled_from(
    ["# ", "- ", "- [ ] ", "- [x] ", "```", "\n", "\n\n", "\n \n", "\n\u00a0\n", "ab ", "ba", "áb", "<b>", "a < b", "%%", "$$", "\r\n", "  ", "\n## ", "===", "---\n"]
)  # fmt: skip


texts = st.lists(marks, max_size=20).map("".join)


@given(
    texts,
    st.one_of(st.none(), texts),
    st.sampled_from(["", "---\nab\n---\n"]),
    st.sampled_from(PLACES),
    st.lists(st.sampled_from(["ab", "ba", "b", "x"]), min_size=1, max_size=2, unique=True),
)
def test_places_with_letters_are_those_of_all_that_hold_them(
    text: str, card: str | None, head: str, place: Place, anchors: list[str]
) -> None:
    parts = [(len(head), len(head) + len(text))]
    text = head + text
    if card is not None:
        text += "\n\n"
        parts.append((len(text), len(text) + len(card)))
        text += card
    document = Document(VaultPath("a.md"), text, parts)
    every = document.spans(place)
    found = list(document.spans_with(place, anchors))
    assert found == [span for span in every if span in set(found)]
    for start, end in every:
        if all(anchor in fold(text[start:end]) for anchor in anchors):
            assert (start, end) in found
