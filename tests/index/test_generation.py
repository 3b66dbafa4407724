import pytest

from sidecar.index.generation import Generation, Part, SegmentRecord
from sidecar.model.path import VaultPath


def part(name: str, *paths: str, deleted: frozenset[int] = frozenset()) -> Part:
    return Part.of(SegmentRecord(name, len(paths), {}, deleted), map(VaultPath, paths))


def of_sizes(*sizes: int) -> Generation:
    return Generation(1, tuple(part(f"s{n}", *(f"{n}-{i}" for i in range(size))) for n, size in enumerate(sizes)))


def told(generation: Generation) -> list[tuple[str, list[str]]]:
    return [(part.id, sorted(part.held())) for part in generation.parts]


def test_deleted_files_are_not_held() -> None:
    generation = Generation(1, (part("x", "a", "b", "c", deleted=frozenset({1})), part("y", "b", "d")))
    assert sorted(generation.paths()) == ["a", "b", "c", "d"]
    assert [part.live for part in generation.parts] == [2, 2]


def test_of_a_file_put_twice_the_later_counts() -> None:
    twice = part("x", "a", "b", "a", deleted=frozenset({0}))
    assert twice.numbers == {"a": 2, "b": 1}
    assert sorted(twice.held()) == ["a", "b"]


def test_the_next_generation_keeps_what_it_knows() -> None:
    first = Generation(1, (part("x", "a", "b"), part("y", "c")))
    second = first.next({VaultPath("a"), VaultPath("nowhere")}, part("z", "a", "d"))
    assert (second.number, told(second)) == (2, [("x", ["b"]), ("y", ["c"]), ("z", ["a", "d"])])
    assert second.parts[1] is first.parts[1]
    assert told(first) == [("x", ["a", "b"]), ("y", ["c"])]
    third = second.next({VaultPath("b"), VaultPath("c")})
    assert told(third) == [("z", ["a", "d"])]


def test_a_merged_part_takes_the_place_of_others() -> None:
    first = Generation(1, (part("x", "a"), part("y", "b"), part("z", "c")))
    assert told(first.next(fresh=part("m", "a", "b"), merged=first.parts[:2])) == [("z", ["c"]), ("m", ["a", "b"])]


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
    assert [part.live for part in of_sizes(*sizes).mergeable()] == merged
