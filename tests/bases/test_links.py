import pytest

from sidecar.bases.links import Literal, lines_naming, literals_in, rewrite_literals


def literals(text: str) -> list[Literal]:
    found: list[Literal] = []

    def note(literal: Literal) -> str:
        found.append(literal)
        return literal.text

    assert rewrite_literals(text, note) == text
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('filters: file.inFolder("docs")', [("docs", "inFolder")]),
        ('  - \'file.inFolder("a b") && up == "[[X]]"\'', [("a b", "inFolder"), ("[[X]]", "")]),
        ("  - 'link(''X'') || [''Y'']'", [("X", "link"), ("Y", "")]),
        ('  - "file.path == \\"a/X.md\\""', [("a/X.md", "")]),
        ("formulas:\n  up: if(file.hasLink('X', \"Y\"), 1)", [("X", "hasLink"), ("Y", "")]),
        ('views:\n  - name: "docs"\n    type: table', []),
        ("  displayName: 'X'", []),
    ],
)
def test_m5_texts_of_formulas(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(literal.text, literal.call) for literal in literals(text)] == expected


def test_m5_only_the_text_in_quotes_changes() -> None:
    text = "filters: file.inFolder( 'docs' ) # docs\nx: docs\n"
    assert rewrite_literals(text, lambda _: "new") == "filters: file.inFolder( 'new' ) # docs\nx: docs\n"


@pytest.mark.parametrize("new", ["it's", 'a"b', "a\\b"])
def test_m5_what_would_need_escapes_is_left(new: str) -> None:
    text = "filters: file.inFolder('docs')"
    assert rewrite_literals(text, lambda _: new) == text


def test_lines_that_name_a_word() -> None:
    text = "Target\nx: target!\nTargets\nSub/Target\n[[Target]]\n"
    assert lines_naming(text, ["Target"]) == (1, 2, 5)
    assert lines_naming(text, ["Sub/Target"]) == (4,)
    assert lines_naming(text, []) == ()


def test_texts_of_formulas_come_with_their_places() -> None:
    text = "filters: file.inFolder( 'docs' )\nviews:\n  - name: 'docs'\n    up: if(file.hasLink(\"X\"), 1)\n"
    found = list(literals_in(text))
    assert [literal for literal, _ in found] == literals(text)
    assert all(text.startswith(literal.text, start) for literal, start in found)
