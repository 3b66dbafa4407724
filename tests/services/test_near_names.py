"""The names that may have been meant: chosen quickly, and the same that comparing each of them gives."""

import random
from difflib import SequenceMatcher

import pytest

from sidecar.model.path import VaultPath
from sidecar.services.caller import Audience
from sidecar.services.lookup import near_names
from sidecar.services.views import View
from tests.conftest import Served

WORDS = ("anchor", "basil", "cellar", "delta", "ember", "fjord", "garden", "harbour", "island", "jungle", "kettle")


def _view(vault: Served) -> View:
    return vault.open().services.search._views.newest(Audience.AGENT)


def _likeness(view: View, name: str) -> dict[VaultPath, float]:
    """Compare a name with all names of all files."""
    wanted, found = name.lower(), {}
    for named in view.names():
        spellings = (named.path.basename, named.path.without_md, named.title, *named.aliases)
        lowered = [text.lower() for text in spellings]
        found[named.path] = max(
            1.0 if wanted in text else SequenceMatcher(None, wanted, text).ratio() for text in lowered
        )
    return found


def _misspelt(name: str, chance: random.Random) -> str:
    place = chance.randrange(len(name))
    return name[:place] + chance.choice(("", "x", "zu")) + name[place + 1 :]


@pytest.fixture
def library(served: Served) -> Served:
    chance = random.Random(3)  # noqa: S311 - the same vault each time
    for number in range(400):
        first, second, third = chance.choices(WORDS, k=3)
        alias = f"---\naliases: [{second} of {first}]\n---\n" if number % 3 == 0 else ""
        served.write(f"{third.title()}/{first.title()} {second} {number:03}.md", f"{alias}text\n")
    return served


def test_the_best_is_always_found(library: Served) -> None:
    view, chance = _view(library), random.Random(4)  # noqa: S311 - and the same mistakes
    for named in chance.sample(view.names(), 40):
        said = _misspelt(chance.choice((named.title, named.path, *named.aliases)), chance)
        every = _likeness(view, said)
        best = sorted(every.values(), reverse=True)[:5]
        found = [every[path] for path in map(VaultPath, near_names(view, said))]
        assert found == sorted(found, reverse=True)
        assert found[0] == best[0] >= 0.5, said
        assert sum(found) >= sum(best) - 0.3, said


@pytest.mark.parametrize(
    ("said", "near"),
    [
        ("Gardn plans", ["Garden plans.md"]),
        ("garden", ["Garden plans.md"]),
        ("Old/Boat hose", ["Old/Boat house.md"]),
        ("Le Jardn", ["Garden plans.md"]),
        ("KÜCHENPLÄNE", ["Küche.md"]),
        ("qqq", []),
        ("", []),
    ],
)
def test_path_title_and_alias_count(served: Served, said: str, near: list[str]) -> None:
    served.write("Garden plans.md", "---\naliases: [Le Jardin]\n---\n")
    served.write("Old/Boat house.md", "x")
    served.write("Küche.md", "---\ntitle: Küchenplan\n---\n")
    assert list(near_names(_view(served), said)) == near


def test_names_follow_the_vault(served: Served) -> None:
    served.write("Harbour.md", "x")
    assert near_names(_view(served), "harbor") == ("Harbour.md",)
    served.ok("move_note", identifier="Harbour", destination_path="Docks.md")
    assert near_names(_view(served), "harbor") == ()
    served.write("Docks.md", "---\naliases: [Haven]\n---\n")
    served.reindex()
    assert near_names(_view(served), "havn") == ("Docks.md",)
    served.ok("delete_note", identifier="Docks")
    assert near_names(_view(served), "havn") == ()


def test_what_agents_may_not_see_takes_no_place(guarded: Served) -> None:
    for number in range(200):
        guarded.write(f"Secret/Harbour {number:03}.md", "x")
    guarded.write("Harbourmaster.md", "x")
    assert near_names(_view(guarded), "harbour") == ("Harbourmaster.md",)
