from sidecar.services.release_notes import Release, newest_releases

CHANGELOG = """\
# Changelog

## [Unreleased]

## [1.1.0] - 2026-05-01

### Added

- two

## 1.0.0

- one
## [0.9]
- old
"""


def test_sections_that_say_something_newest_first() -> None:
    assert newest_releases(CHANGELOG, 2) == (
        Release("1.1.0", "2026-05-01", "### Added\n\n- two"),
        Release("1.0.0", None, "- one"),
    )
    assert [release.version for release in newest_releases(CHANGELOG, 9)] == ["1.1.0", "1.0.0", "0.9"]
    assert newest_releases("", 3) == ()
