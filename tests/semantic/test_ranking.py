from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sidecar.model.path import VaultPath
from sidecar.semantic.ranking import nearest
from sidecar.semantic.store import Store
from tests.semantic.builders import DIMENSIONS, WordModel, embedded

WORDS = ("rain", "tank", "soil", "frost", "tea", "")
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join), max_size=3)


def test_each_file_comes_once_with_its_nearest_passage(tmp_path: Path) -> None:
    store = Store(tmp_path, "words", DIMENSIONS)
    store.add([embedded("A.md", "frost", "rain tank", "soil"), embedded("B.md", "rain"), embedded("C.md")])
    found = nearest(store.parts, WordModel().embed_question("rain"), 10, lambda _: True)
    assert [(passage.path, passage.line, passage.heading) for passage in found] == [
        ("B.md", 1, "Heading 1"),
        ("A.md", 2, "Heading 2"),
    ]
    assert found[0].similarity == pytest.approx(1, abs=0.01)
    assert found[0].similarity <= 1


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 5), texts), max_size=12),
    st.sampled_from(["rain", "tank soil", "nothing known"]),
    st.integers(-1, 8),
    st.sets(st.integers(0, 5)),
)
def test_it_is_what_comparing_everything_gives(
    tmp_path_factory: pytest.TempPathFactory,
    files: list[tuple[int, list[str]]],
    question: str,
    limit: int,
    hidden: set[int],
) -> None:
    store, model = Store(tmp_path_factory.mktemp("m"), "words", DIMENSIONS), WordModel()
    last: dict[str, list[str]] = {}
    for number, said in files:
        store.add([embedded(f"{number}.md", *said)])
        last[f"{number}.md"] = said
    store.forget([VaultPath("5.md")])
    last.pop("5.md", None)
    vector = model.embed_question(question)
    expected = {}
    for path, said in last.items():
        kept = embedded(path, *said).vectors
        if said and int(path[0]) not in hidden:
            exact = (kept.codes.astype(np.float64) * kept.scales[:, None].astype(np.float64)) @ vector
            expected[path] = (float(exact.max()), 1 + int(np.argmax(exact > exact.max() - 1e-6)))
    found = nearest(store.parts, vector, limit, lambda path: int(path[0]) not in hidden)
    assert len(found) == min(max(limit, 0), len(expected))
    for passage in found:
        assert passage.similarity == pytest.approx(expected[passage.path][0], abs=1e-5)
    ranked = sorted((similarity for similarity, _ in expected.values()), reverse=True)[: len(found)]
    assert [passage.similarity for passage in found] == pytest.approx(ranked, abs=1e-5)
    keys = [(-passage.similarity, passage.path) for passage in found]
    assert keys == sorted(keys)
