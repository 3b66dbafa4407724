from sidecar.model.path import VaultPath as P
from sidecar.vault.settling import Settling

Size = tuple[int, int] | None


class Disk:
    def __init__(self, **files: Size) -> None:
        self.files: dict[str, Size] = dict(files)

    def __call__(self, path: P) -> Size:
        return self.files.get(path)


def run(settling: Settling, disk: Disk, start: float, end: float) -> dict[float, frozenset[P] | None]:
    """Collect in steps of 50 ms and return what was due when."""
    found = {}
    for tick in range(round(start * 20), round(end * 20) + 1):
        due = settling.due(tick / 20, disk)
        if due is None or due:
            found[tick / 20] = due
    return found


def test_h4_a_file_is_told_once_it_is_quiet() -> None:
    settling, disk = Settling(0.3), Disk(a=(5, 1))
    settling.add(P("a"), 0)
    assert settling.is_waiting
    assert run(settling, disk, 0, 2) == {0.3: frozenset({P("a")})}
    assert not settling.is_waiting


def test_each_event_starts_the_wait_anew() -> None:
    settling, disk = Settling(0.3), Disk(a=(5, 1), b=(5, 1))
    settling.add(P("a"), 0)
    settling.add(P("b"), 0)
    settling.due(0, disk)
    settling.add(P("a"), 0.2)
    assert run(settling, disk, 0.2, 2) == {0.3: frozenset({P("b")}), 0.5: frozenset({P("a")})}


def test_constant_writing_is_told_after_a_second() -> None:
    settling, disk = Settling(0.3), Disk(a=(5, 1))
    told = []
    for tick in range(45):
        settling.add(P("a"), tick / 20)
        if settling.due(tick / 20, disk):
            told.append(tick / 20)
    assert told == [1.0, 2.1]


def test_h4_size_that_still_changes_is_not_at_rest() -> None:
    settling, disk = Settling(0.3), Disk(a=(5, 1))
    settling.add(P("a"), 0)
    settling.due(0, disk)
    disk.files["a"] = (9, 1)
    assert run(settling, disk, 0.05, 2) == {0.6: frozenset({P("a")})}


def test_h4_empty_file_is_looked_at_twice() -> None:
    settling, disk = Settling(0.3), Disk(a=(0, 1))
    settling.add(P("a"), 0)
    assert run(settling, disk, 0, 2) == {0.6: frozenset({P("a")})}


def test_a_deleted_file_is_at_rest() -> None:
    settling = Settling(0.3)
    settling.add(P("a"), 0)
    assert run(settling, Disk(), 0, 2) == {0.3: frozenset({P("a")})}


def test_everything_swallows_the_single_paths() -> None:
    settling, disk = Settling(0.3), Disk(a=(5, 1))
    settling.add(P("a"), 0)
    settling.everything(0.1)
    assert run(settling, disk, 0, 2) == {0.4: None}


def test_everything_is_told_after_a_second_of_constant_events() -> None:
    settling = Settling(0.3)
    told = []
    for tick in range(25):
        settling.everything(tick / 20)
        if settling.due(tick / 20, Disk()) is None:
            told.append(tick / 20)
    assert told == [1.0]


def test_500_files_are_told_one_by_one_and_501_as_everything() -> None:
    few, many = Settling(0.3), Settling(0.3)
    for number in range(500):
        few.add(P(f"{number}"), 0)
        many.add(P(f"{number}"), 0)
    many.add(P("one more"), 0)
    assert [len(due or ()) for due in run(few, Disk(), 0, 1).values()] == [500]
    assert run(many, Disk(), 0, 1) == {0.3: None}


def test_a_flood_lasts_until_everything_is_told() -> None:
    settling = Settling(0.3)
    for number in range(501):
        settling.add(P(f"{number}"), 0)
    assert settling.is_flooded
    assert run(settling, Disk(), 0, 1) == {0.3: None}
    assert not settling.is_flooded


def test_lost_events_are_a_flood() -> None:
    settling = Settling(0.3)
    settling.events_were_lost(0)
    assert settling.is_flooded
    assert run(settling, Disk(), 0, 1) == {0.3: None}


def test_thousands_of_events_a_second_are_everything() -> None:
    fast, slow = Settling(0.3), Settling(0.3)
    for number in range(5000):
        fast.count_event(number / 10_000)
        slow.count_event(number / 1_000)
    assert fast.is_waiting
    assert not slow.is_waiting
