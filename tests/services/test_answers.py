from collections.abc import Callable, Sequence

from sidecar.services.answers import Answers
from sidecar.services.caller import Audience
from tests.conftest import Served


def test_rows_are_made_once_for_a_view_and_the_least_used_are_forgotten(served: Served) -> None:
    served.write("A.md", "x")
    views = served.open().services.links._views
    view = views.newest(Audience.AGENT)
    made: list[str] = []

    def find(name: str) -> Callable[[], Sequence[str]]:
        def found() -> Sequence[str]:
            made.append(name)
            return [name]

        return found

    answers = Answers[str]()
    for name in ["a", "b", "a", *"cdefgh", "a", "i", "a", "b"]:
        assert answers.of(view, name, find(name)) == [name]
    assert made == [*"abcdefgh", "i", "b"]
    served.write("A.md", "y")
    served.reindex()
    answers.of(views.newest(Audience.AGENT), "a", find("a again"))
    assert made[-1] == "a again"
