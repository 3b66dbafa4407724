import base64

from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.index.analysis import tokens
from sidecar.model.path import VaultPath
from sidecar.parse.searchable import searchable_text

PATH = VaultPath("a.md")
DATA = base64.b64encode(bytes(range(256)) * 60).decode()


def _wrapped(width: int, newline: str = "\n") -> str:
    return newline.join(DATA[at : at + width] for at in range(0, len(DATA), width))


def test_embedded_data_gives_no_words() -> None:
    for data in (DATA, _wrapped(76), _wrapped(64, "\r\n"), f"![](data:image/png;base64,{DATA})"):
        text = f"before\n\n{data}\nafter"
        assert tokens(searchable_text(PATH, text)) == ["before", "after"]
        assert len(searchable_text(PATH, text)) == len(text)
        assert searchable_text(PATH, text).count("\n") == text.count("\n")


def test_long_words_of_a_long_note_stay() -> None:
    text = "https://example.org/a/b\nDonaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamten\n" * 200
    assert searchable_text(PATH, text) == text


@settings(deadline=None)
@given(st.text(st.sampled_from("ab/+=`-\U0001f510% \r\n"), max_size=200), st.sampled_from(["a.md", "a.excalidraw.md"]))
def test_no_line_ever_moves(text: str, name: str) -> None:
    found = searchable_text(VaultPath(name), text)
    assert [len(line) for line in found.split("\n")] == [len(line) for line in text.split("\n")]
    assert all(new in (old, " ") for new, old in zip(found, text, strict=True))
