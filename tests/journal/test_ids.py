from sidecar.journal.ids import next_id

MS = 1_000_000


def test_ids_are_short_and_sort_by_time() -> None:
    early, late = next_id(1_700_000_000_000 * MS, None), next_id(1_700_000_000_001 * MS, None)
    assert len(early) == len(late) == 12
    assert early < late
    assert early.isalnum()
    assert early == early.lower()


def test_ids_of_one_moment_are_in_order_even_when_the_clock_goes_back() -> None:
    last, seen = None, []
    for at in (5000, 5000, 5000, 1, 4999):
        last = next_id(at * MS, last)
        seen.append(last)
    assert seen == sorted(set(seen))


def test_ids_cannot_be_guessed_from_the_time() -> None:
    assert len({next_id(1, None) for _ in range(50)}) > 45


def test_a_carry_reaches_the_next_digit() -> None:
    assert next_id(0, "0000000zzzzz") == "000000100000"
