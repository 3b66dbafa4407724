import pytest

from sidecar.model.note import BlockId
from sidecar.parse.scanner import headings_of
from sidecar.parse.subpath import block_of_subpath, heading_of_subpath

NOTE = """\
# What? (v1.0)
## Notes
### Deep
# B
## Notes
### Deep
# See [[Other|shown]] & **more**
## It's a_b-c é
## #
"""


@pytest.mark.parametrize(
    ("subpath", "line"),
    [
        ("#What v1 0", 1),
        ("#What? (v1.0)", 1),
        ("#  what  V1.0 ", 1),
        ("#Notes", 2),
        ("#B#Notes", 5),
        ("#B#Deep", 6),
        ("#Notes#Deep", 3),
        ("#B#Notes#Deep", 6),
        ("#What v1 0#B", None),  # not deeper
        ("#Deep#Notes", None),  # the later one is not deeper
        ("#Notes#B", None),
        ("#See Other shown more", 7),
        ("#See [[Other|shown]] & **more**", 7),
        ("#It's a_b-c É", 8),
        ("#Its a_b-c é", None),
        ("#Nope", None),
        ("#", None),
        ("", None),
        ("##", None),
        ("#^Notes", None),
    ],
)
def test_b23_heading_of_subpath(subpath: str, line: int | None) -> None:
    found = heading_of_subpath(headings_of(NOTE), subpath)
    assert (found.line if found else None) == line


@pytest.mark.parametrize(
    ("subpath", "line"),
    [("#^one", 3), ("#^ONE", 3), ("#Notes#^two", 5), ("#^three", None), ("#one", None), ("#^", None), ("", None)],
)
def test_b22_block_of_subpath(subpath: str, line: int | None) -> None:
    found = block_of_subpath([BlockId("One", 3), BlockId("two", 5), BlockId("two", 9)], subpath)
    assert (found.line if found else None) == line
