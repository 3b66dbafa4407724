"""Programs of others play a session with our server; where they are not to be had, the reason is told."""

import pytest

from bench.clients.programs import PROGRAMS, let_loose
from bench.clients.workshop import NotToBeHad, Workshop

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_asked_of_us_works(name: str) -> None:
    try:
        workshop = Workshop.given(may_fetch=False)
    except NotToBeHad as reason:
        pytest.skip(str(reason))
    outcome = let_loose(name, workshop)
    if outcome.not_run:
        pytest.skip(outcome.not_run)
    assert outcome.failed == [], outcome.checks
    assert outcome.versions
