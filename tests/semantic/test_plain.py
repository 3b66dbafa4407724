import pytest

from sidecar.semantic.plain import plain, says_something


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two words", "Two words"),
        ("See [[Projects/Tank|the tank]] and [[Areas/Compost]].", "See the tank and Compost."),
        ("![[Tank#First flush]] stays", "Tank First flush stays"),
        ("A [link](https://example.org/a_(b)) here", "A link here"),
        ("![alt text](<my picture.png>)", "alt text"),
        ("Read https://example.org/a?b=c now", "Read now"),
        ("**bold** _slanted_ ~~gone~~ ==lit== `code`", "bold slanted gone lit code"),
        ("snake_case_word stays, 2 * 3 too", "snake_case_word stays, 2 3 too"),
        ("- [ ] Call the plumber ^task-1", "Call the plumber"),
        ("> - [x] done in a quote", "done in a quote"),
        ("3. third", "third"),
        ("> [!warning]- Hot water", "Hot water"),
        ("A claim.[^1]", "A claim."),
        ("<b>loud</b> and <br/> more", "loud and more"),
        ("| Bed | For |", "Bed For"),
        ("| --- | :-: | a - b", "a b"),
        ("%% aside %%", "aside"),
        ("#garden/water tag", "garden/water tag"),
        ("data " + "QUJD" * 30 + " end", "data end"),
        ("data:image/png;base64,AAAA end", "end"),
        ("well-known -- twice", "well-known twice"),
        ("落ち葉を集める。", "落ち葉を集める。"),
        ("", ""),
    ],
)
def test_marks_go_and_words_stay(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("word", True), ("2026-11-24", False), ("1 2 3", False), ("葉", True), ("✅ !", False), ("", False)],
)
def test_only_letters_say_something(text: str, expected: bool) -> None:
    assert says_something(text) is expected
