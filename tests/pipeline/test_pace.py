from sidecar.pipeline.pace import CommitPace

NEVER = float("inf")


def test_commits_are_small_beside_agents_and_large_alone() -> None:
    pace = CommitPace()
    assert (pace.allowed(0.0), pace.allowed(29.0), pace.allowed(NEVER)) == (25, 25, 500)


def test_it_learns_how_long_a_file_takes() -> None:
    fast, slow = CommitPace(), CommitPace()
    for _ in range(20):
        fast.measured(100, 0.02)
        slow.measured(100, 5.0)
    assert (fast.allowed(0.0), fast.allowed(NEVER)) == (249, 1000)
    assert (slow.allowed(0.0), slow.allowed(NEVER)) == (16, 20)


def test_small_commits_teach_nothing() -> None:
    pace = CommitPace()
    pace.measured(1, 5.0)
    pace.measured(0, 5.0)
    assert pace.allowed(0.0) == 25
