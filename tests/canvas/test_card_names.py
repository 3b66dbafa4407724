from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.canvas.card_names import CardNames, keys_of
from sidecar.canvas.codec import loads
from sidecar.canvas.model import fields_of, node_of
from sidecar.errors import Ambiguous, NotFound

VAULTS = Path(__file__).parents[1] / "vaults"

CARDS: dict[str, dict[str, Any]] = {
    "f": {"id": "f", "type": "file", "file": "Läden/Plan.md", "subpath": "#Ziele"},
    "c": {"id": "c", "type": "file", "file": "Boards/Plan.canvas"},
    "t": {"id": "t", "type": "text", "text": "## Read **the** [[Book|big book]]\n- first\n- load_all()"},
    "u": {"id": "u", "type": "text", "text": "- [ ] Read more"},
    "l": {"id": "l", "type": "link", "url": "https://example.com/a_b"},
    "g": {"id": "g", "type": "group", "label": "Inbox"},
    "p": {"id": "p", "type": "portal"},
}


def names_of(cards: Mapping[str, Mapping[str, Any]], **titles: str) -> CardNames:
    names = CardNames(titles)
    for key, card in cards.items():
        names.add(key, card)
    return names


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("f", "f"),
        ("Läden/Plan.md", "f"),
        ("läden/plan", "f"),
        ("La\u0308den/Plan", "f"),
        ("Plan", "f"),
        ("[[Plan]]", "f"),
        ("Plan#Ziele", "f"),
        ("Plan.canvas", "c"),
        ("Read the big book", "t"),
        ("read   THE [[Book|big book]]", "t"),
        ("Read the", "t"),
        ("## Read **the**", "t"),
        ("Read the big book first load_all()", "t"),
        ("Read more", "u"),
        ("https://example.com/a_b", "l"),
        ("inbox", "g"),
        ("p", "p"),
    ],
)
def test_a_card_is_found_by_what_people_call_it(name: str, key: str) -> None:
    assert names_of(CARDS).find(name) == key


@pytest.mark.parametrize("name", ["Read", "read"])
def test_several_cards_with_a_name_are_all_told(name: str) -> None:
    with pytest.raises(Ambiguous) as caught:
        names_of(CARDS).find(name)
    assert caught.value.candidates == ("t (text: Read the big book)", "u (text: Read more)")


@pytest.mark.parametrize(("name", "near"), [("Inbocks", ("g (group: Inbox)",)), ("", ()), ("##", ()), ("Zebra", ())])
def test_a_name_that_no_card_has_is_an_error_with_near_ones(name: str, near: tuple[str, ...]) -> None:
    with pytest.raises(NotFound) as caught:
        names_of(CARDS).find(name)
    assert caught.value.candidates == near


def test_titles_are_names_too() -> None:
    names = names_of(CARDS, **{"Läden/Plan.md": "The great plan"})
    assert names.find("the great plan") == names.find("Plan") == "f"
    assert names.shown("f") == "The great plan"


def test_a_forgotten_card_has_no_name_any_more() -> None:
    names = names_of(CARDS)
    names.forget("t")
    assert names.find("Read") == "u"
    for name in ("t", "Read the big book"):
        with pytest.raises(NotFound):
            names.find(name)


def test_cards_are_shown_by_readable_names_that_find_them() -> None:
    names = names_of(CARDS)
    assert {key: names.shown(key) for key in CARDS} == {
        "f": "Plan", "c": "Plan.canvas", "t": "Read the big book", "u": "Read more",
        "l": "https://example.com/a_b", "g": "Inbox", "p": "p",
    }  # fmt: skip
    long = names_of({"a": {"id": "a", "type": "text", "text": "word " * 50}})
    assert long.shown("a") == "word " * 11 + "word"


PARTS = st.fixed_dictionaries(
    {"id": st.sampled_from(["a", "b", "c", "1", "Plan", ""]), "type": st.sampled_from(["text", "file", "link", "group", "x"])},
    optional={
        "text": st.sampled_from(["Plan", "Plan b", "# Plan\nmore", "- a", "*", ""]) | st.text(max_size=90),
        "file": st.sampled_from(["Plan.md", "A/Plan.md", "Plan.canvas", ""]),
        "subpath": st.sampled_from(["#H", "", "#I"]),
        "label": st.sampled_from(["Plan", "L", ""]),
        "url": st.just("https://example.com"),
    },
)  # fmt: skip


@given(st.lists(PARTS, max_size=8))
def test_law_what_a_card_is_shown_as_finds_it(parts: list[Any]) -> None:
    nodes = [node_of(part) for part in parts]
    keys = keys_of(nodes)
    assert len(set(keys)) == len(keys)
    cards = dict(zip(keys, (fields_of(node) for node in nodes), strict=True))
    names = names_of(cards)
    shared = [str(card["id"]) for card in cards.values()]
    for key, card in cards.items():
        shown = names.shown(key)
        if shown not in (card["id"], key) or (shown and shared.count(shown) == 1):
            assert names.find(shown) == key


def test_on_real_canvases_every_card_is_found_by_its_shown_name() -> None:
    for file in sorted(VAULTS.rglob("*.canvas")):
        nodes = loads(file.read_text(encoding="utf-8")).nodes
        names = names_of({str(fields_of(node)["id"]): fields_of(node) for node in nodes})
        for node in nodes:
            key = str(fields_of(node)["id"])
            assert names.find(names.shown(key)) == key


def test_keys_are_ids_or_places() -> None:
    parts: list[Any] = [{"id": "a"}, 5, {"id": "a"}, {"id": "nodes[1]"}, {"id": 7}]
    nodes = [node_of(part) for part in parts]
    assert keys_of(nodes) == ["a", "nodes[1]'", "nodes[2]", "nodes[1]", "nodes[4]"]
