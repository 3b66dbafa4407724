"""A bridge over an empty vault."""

import pytest

from tests.bridge.bridges import Bridge
from tests.conftest import Served


@pytest.fixture
def bridge(served: Served) -> Bridge:
    served.write("A.md", "# A\n\n[[B]] and [[Nowhere]] #x\n")
    served.write("B.md", "one\ntwo\nthree\n")
    return Bridge.over(served)
