from pathlib import Path

from whoosh.formats import Positions

from sidecar.index.pool import Pool
from sidecar.index.postings import LENGTHS, TermInfo, decode
from sidecar.index.segment_file import SegmentReader
from tests.index.builders import note


def test_a_segment_holds_words_with_places_stems_with_counts_and_lengths(tmp_path: Path) -> None:
    pool = Pool()
    assert pool.add(note("a.md", "Running runs, running far", title="Run")) == 0
    assert pool.add(note("b.md", "", title="b")) == 1
    assert pool.add(note("c.md", "a run " + "far " * 100, title="c")) == 2
    pool.write(tmp_path, "MAIN_x")
    assert [file.name for file in tmp_path.iterdir()] == ["MAIN_x.seg"]
    reader = SegmentReader(tmp_path, "MAIN_x")

    def held(field: str, term: str) -> dict[int, tuple[float, list[int]]]:
        at = reader.terms.find(field, term.encode())
        assert at is not None
        found = decode(reader.postings(TermInfo.read(reader.terms.data, at)), places=True)
        counts = found.counts or [1.0] * len(found.numbers)
        return {
            number: (count, Positions().decode_positions(value))
            for number, count, value in zip(found.numbers, counts, found.values, strict=True)
        }

    assert held("body", "running") == {0: (2, [0, 2])}
    assert held("body", "far") == {0: (1, [3]), 2: (100, list(range(2, 102)))}
    assert held("body", "run") == {2: (1, [1])}
    assert held("body", "\x01run") == {0: (3, [])}
    assert held("title", "run") == {0: (1, [0])}
    assert [LENGTHS[byte] for byte in reader.lengths("body", 3)] == [4, 0, 106]
    assert pool.totals["body"] == 106
    assert reader.paths(3) == ("a.md", "b.md", "c.md")
    reader.close()


def test_a_pool_knows_about_how_large_it_is() -> None:
    pool = Pool()
    assert pool.size == 0
    sizes = []
    for n in range(3):
        pool.add(note(f"{n}.md", " ".join(f"word{i}" for i in range(100))))
        sizes.append(pool.size)
    assert 20_000 < sizes[0] < 60_000
    assert sizes[1] - sizes[0] == sizes[2] - sizes[1] < sizes[0]
