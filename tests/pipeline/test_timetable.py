import pytest

from sidecar.pipeline.timetable import Timetable


@pytest.mark.parametrize(
    ("table", "hold_due", "due"),
    [
        (Timetable(ended=100), None, (160, False)),
        (Timetable(ended=100, cpu=0.15), None, (250, False)),
        (Timetable(ended=100, cpu=4), None, (4100, False)),
        (Timetable(ended=100, asked=True), None, (110, True)),
        (Timetable(ended=100, wall=5, asked=True), None, (120, True)),
        (Timetable(ended=100, cpu=4), 155, (155, True)),
        (Timetable(ended=100, cpu=4, retry=115), 155, (115, True)),
        (Timetable(ended=100, cpu=4, retry=90), None, (100, True)),
        (Timetable(ended=100), 155, (155, True)),
        (Timetable(ended=100), 170, (160, False)),
    ],
)
def test_due(table: Timetable, hold_due: float | None, due: tuple[float, bool]) -> None:
    """A thousandth of a processor, and a fifth of the time when asked again and again."""
    assert table.due(110, hold_due) == due


def test_what_is_asked_during_a_comparison_needs_another_one() -> None:
    table = Timetable(asked=True, retry=5)
    table.begin()
    assert (table.asked, table.retry) == (False, None)
    table.asked = True
    table.end(10, cpu=0.1, wall=0.5)
    assert table.due(10, None) == (12, True)


def test_failures_are_retried_later_and_later() -> None:
    table, moments = Timetable(), list[float | None]()
    for _ in range(8):
        table.failed(0)
        moments.append(table.retry)
    assert moments == [5, 10, 20, 40, 80, 160, 300, 300]
    table.succeeded()
    table.failed(0)
    assert table.retry == 5
