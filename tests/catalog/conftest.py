from collections.abc import Iterator
from pathlib import Path

import pytest

from sidecar.catalog.store import Catalog


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    catalog = Catalog(tmp_path / "catalog.sqlite3")
    yield catalog
    catalog.close()
