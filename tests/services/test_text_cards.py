import pytest

from sidecar.services.text_cards import text_cards

CANVAS = """{
 "nodes": [
  {"id": "a", "type": "text", "text": "one"},
  {"id": "b", "type": "file", "file": "x.md", "text": "no"},
  {"id": "c", "type": "group", "label": "no"},
  {"type": "text", "text": "no id"}, 7,
  {"id": "d", "type": "text", "text": "two\\nlines"}
 ]
}"""


@pytest.mark.parametrize(
    ("text", "cards"), [(CANVAS, [("a", "one", 3), ("d", "two\nlines", 7)]), ("{", []), ("", []), ("[]", [])]
)
def test_text_cards(text: str, cards: list[tuple[str, str, int]]) -> None:
    assert [tuple(card) for card in text_cards(text)] == cards
