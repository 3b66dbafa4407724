import json
from pathlib import Path
from typing import Any

import pytest

from sidecar.model.path import VaultPath
from sidecar.parse.note import parse_note

FIXTURES = Path(__file__).parents[1] / "fixtures" / "obsidian" / "tags.json"
ROWS: list[dict[str, Any]] = json.loads(FIXTURES.read_text("utf-8"))


def _tags(text: str) -> list[str]:
    return [tag.name for tag in parse_note(VaultPath("a.md"), text).tags]


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_tags_as_obsidian_reads_them(row: dict[str, Any]) -> None:
    assert _tags(row["text"]) == row["tags"]


def test_c19_what_is_a_tag() -> None:
    text = (
        "(#pa) #ok `#code` [[Note#Head]] https://x.dev/#frag #123 #1a x#no #área/süb\n\n```\n#tu\n```\n"
        "<!-- #hid --> $#m$ [Chat #tf](https://x.y) #tl#tm _#uc_\n<div>\nhello #tp\n</div>\n"
    )
    assert _tags(text) == ["ok", "1a", "área/süb", "tf", "tl", "tm", "uc"]


RULES: list[tuple[str, str, list[str]]] = [
    ("T1", "#a\u00a0b #c\u3000d #e\ufefff #g\x85h #j\x1fk", ["a", "c", "e", "g\x85h", "j\x1fk"]),
    ("T1", "#e\u0301 #€ #a;b #a'b #a&b", ["e\u0301", "€", "a", "a", "a"]),
    ("T2", "#1/2 #1-2 #007 #7a", ["1/2", "1-2", "7a"]),
    ("T3", "==#a== ~~#b~~ ***#c*** *x*#d **x #e**", ["a", "b", "c", "d", "e"]),
    ("T3", "*#a =#b= ~#c~ x* __#e__", ["a", "e"]),
    ("T3", "_#a_b_ x*#d x_y_#e", ["a_b", "e"]),
    ("T3", "#c_ d #_", ["c_", "_"]),
    ("T3", "$x$#a <b>#b</b> <!-- x -->#c <x@y.z>#d ![[e]]#e [f](g)#f", ["a", "b", "c", "d", "e", "f"]),
    ("T3", "a\n>#b\n> >#c", ["b", "c"]),
    ("T3", "a>#b a|#c 50%#d %%%#e", []),
    ("T3", "| a |\n|---|\n|#b|#c|", ["b", "c"]),
    ("T3", "- #a\n- [ ] #b\n\t- #c\n\n# #d\n##e", ["a", "b", "c", "d"]),
    ("T5", "[a](#b) [a](x.md '#b #c') <https://x.y/?#d>", []),
    ("T4", "#a#b #n/#o #1984#x #a#1", ["a", "b", "n/", "o", "a"]),
    ("T5", "[[#a]] ![[b #c]] [d\\ #e]", ["e"]),
    ("T5", "![a #b [c #d]](e.png) #f", ["f"]),
    ("T5", "[a]: b.md '#c #d'\n\n[^a]: #e", ["e"]),
    ("T5", "%%\n#a\n%%\n%% #b %%", ["a", "b"]),
    ("T6", "#A/b #a/B", ["A/b", "a/B"]),
    ("T7", "---\ntags: [work, 42, null, '#x', a b]\n---\n", ["work", "x"]),
    ("T7", "---\nTags: one\ntag: two\n---\n", ["one"]),
    ("T7", "---\ntags: [a\n---\n#b", ["b"]),
    ("T8", "---\ntags: [a, b]\n---\n#b #a #b", ["a", "b", "b", "a", "b"]),
]


@pytest.mark.parametrize(("rule", "text", "expected"), RULES)
def test_t1_to_t8(rule: str, text: str, expected: list[str]) -> None:
    assert _tags(text) == expected, rule


def test_tags_know_their_lines() -> None:
    text = "---\na: b\ntags:\n  - ab\n  - b\n---\n#x\ny\n#z\n"
    found = [(tag.name, tag.line, tag.in_property) for tag in parse_note(VaultPath("a.md"), text).tags]
    assert found == [("ab", 4, True), ("b", 5, True), ("x", 7, False), ("z", 9, False)]
