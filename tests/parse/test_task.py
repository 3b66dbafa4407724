import pytest

from sidecar.model.note import Task
from sidecar.parse.scanner import scan
from sidecar.parse.task import tasks_of


def _tasks(text: str) -> tuple[Task, ...]:
    return tasks_of(text, scan(text).items)


MARKS: list[tuple[str, list[tuple[str, str]]]] = [
    ("- [ ] a\n* [x] b\n+ [/] c\n1. [-] d\n1) [?] e", [(" ", "a"), ("x", "b"), ("/", "c"), ("-", "d"), ("?", "e")]),
    ("- [ ] \n- [x]\n- [X]\ta  \r\n", [(" ", ""), ("x", ""), ("X", "a")]),
    ("- [日] a\n- [🔥] b", [("日", "a"), ("🔥", "b")]),
    ("- [] a\n- [xx] a\n- [x]a\n- [x](u)\n- [[x]] a\n- x [ ] a\n-[ ] a\n[ ] a\n- []] a", []),
    ("> [!todo]\n> - [ ] a\n>     - [ ] b", [(" ", "a"), (" ", "b")]),
    ("```\n- [ ] a\n```\n\n    - [ ] b\n\n<!--\n- [ ] c\n-->\n%%\n- [ ] d\n%%\n", []),
    ("- [ ] a %% #b %% ^id", [(" ", "a %% #b %% ^id")]),
]


@pytest.mark.parametrize(("text", "expected"), MARKS)
def test_b25_tasks(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(task.status, task.text) for task in _tasks(text)] == expected


def test_b25_tasks_know_parent_and_heading() -> None:
    text = "- [ ] a\n\n# H\n\n- [ ] b\n  - c\n\n    - [x] d\n- [ ] e\n"
    assert [(t.text, t.line, t.parent, t.heading) for t in _tasks(text)] == [
        ("a", 1, None, None),
        ("b", 5, None, "H"),
        ("d", 8, 6, "H"),
        ("e", 9, None, "H"),
    ]
