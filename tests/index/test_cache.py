from array import array

from sidecar.index.cache import Cached, PostingsCache
from sidecar.index.occurrences import Occurrences


def some(files: int, value: bytes | None = None) -> Cached:
    numbers = array("I", range(files))
    return Cached(numbers, None, None if value is None else Occurrences(numbers, (value,) * files))


def test_what_was_not_used_for_longest_is_given_up() -> None:
    one = some(100)
    cache = PostingsCache(limit=3 * one.size)
    for name in "abc":
        cache.keep((name, "body", "x"), one)
    assert cache.get(("a", "body", "x")) is one
    cache.keep(("d", "body", "x"), one)
    assert [name for name in "abcd" if cache.get((name, "body", "x"))] == ["a", "c", "d"]


def test_keeping_it_again_with_places_counts_once() -> None:
    plain, placed = some(100), some(100, b"x" * 10)
    assert placed.size > plain.size
    cache = PostingsCache(limit=placed.size + plain.size)
    cache.keep(("a", "body", "x"), plain)
    cache.keep(("a", "body", "x"), placed)
    cache.keep(("b", "body", "x"), plain)
    assert cache.get(("a", "body", "x")) is placed
    assert cache.get(("b", "body", "x")) is plain


def test_what_is_larger_than_all_is_not_kept() -> None:
    cache = PostingsCache(limit=1000)
    cache.keep(("a", "body", "x"), some(100))
    cache.keep(("b", "body", "x"), some(1000))
    assert cache.get(("b", "body", "x")) is None
    cache.keep(("c", "body", "x"), some(1))
    assert cache.get(("c", "body", "x")) is not None
    cache.clear()
    assert cache.get(("c", "body", "x")) is None
