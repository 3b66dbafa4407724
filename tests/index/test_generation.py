from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from sidecar.index.generation import Generation, Part
from sidecar.model.path import VaultPath


@dataclass
class Record:
    name: str
    count: int
    deleted: set[int] = field(default_factory=set)

    def segment_id(self) -> str:
        return self.name

    def doc_count_all(self) -> int:
        return self.count

    def deleted_count(self) -> int:
        return len(self.deleted)

    def deleted_docs(self) -> Iterator[int]:
        return iter(self.deleted)


def paths(*names: str) -> tuple[VaultPath, ...]:
    return tuple(VaultPath(name) for name in names)


def of_sizes(*sizes: int) -> Generation:
    parts = (Part.of(Record(f"s{n}", size), paths(*(f"{n}-{i}" for i in range(size)))) for n, size in enumerate(sizes))
    return Generation(1, tuple(parts))


def test_numbers_count_on_from_segment_to_segment_and_skip_what_is_deleted() -> None:
    generation = Generation(
        1,
        (
            Part.of(Record("x", 3, {1}), paths("a", "b", "c")),
            Part.of(Record("y", 2), paths("b", "d")),
        ),
    )
    assert sorted(generation.paths()) == ["a", "b", "c", "d"]
    assert list(generation.numbers_of({*paths("b", "c", "nowhere")})) == [2, 3]


def test_the_next_generation_keeps_what_it_knows() -> None:
    first = Generation(1, (Part.of(Record("x", 2), paths("a", "b")), Part.of(Record("y", 1), paths("c"))))
    second = first.next(2, [Record("x", 2, {0}), Record("z", 2)], paths("a", "d"))
    assert [(part.id, part.paths, set(part.live)) for part in second.parts] == [
        ("x", paths("a", "b"), {1}),
        ("z", paths("a", "d"), {0, 1}),
    ]
    assert list(first.parts[0].live) == [0, 1]


@pytest.mark.parametrize(
    ("sizes", "merged"),
    [
        ([], []),
        ([1] * 8, []),
        ([1000] * 20, []),
        ([1] * 9, [1] * 9),
        ([400, *[1] * 9], [1] * 9),
        ([499] * 9, [499, 499]),
        ([1, 1, 3, 10, 11, 300, 301, 302, 303], [1, 1, 3, 10, 11]),
        ([1000, *[1] * 8, 2], [*[1] * 8, 2]),
    ],
)
def test_small_segments_are_merged_when_they_are_many(sizes: list[int], merged: list[int]) -> None:
    assert [len(part.live) for part in of_sizes(*sizes).mergeable()] == merged
