from pathlib import Path

import pytest
from typer.testing import CliRunner

from sidecar.cli.main import app
from sidecar.errors import Invalid, NotFound

BOARD = '{"nodes":[{"id":"a","type":"text","text":"Alpha","x":0,"y":0,"width":250,"height":60}],"edges":[]}'


@pytest.fixture
def board(tmp_path: Path) -> Path:
    file = tmp_path / "Board.canvas"
    file.write_text(BOARD, "utf-8")
    return file


def test_a_picture_on_standard_output(board: Path) -> None:
    done = CliRunner().invoke(app, ["canvas", "preview", str(board), "--width", "500"])
    assert done.exit_code == 0
    assert done.stdout.startswith("<svg")
    assert 'width="500"' in done.stdout
    assert board.read_text("utf-8") == BOARD


def test_a_picture_in_a_file(board: Path) -> None:
    svg = board.with_name("out.svg")
    done = CliRunner().invoke(app, ["canvas", "preview", str(board), "-o", str(svg)])
    assert "1200 x" in done.stdout
    assert svg.read_text("utf-8").startswith("<svg")
    pytest.importorskip("resvg_py")
    png = board.with_name("out.png")
    CliRunner().invoke(app, ["canvas", "preview", str(board), "-o", str(png)])
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [(["Nowhere.canvas"], NotFound), (["Board.canvas", "-o", "Other.canvas"], Invalid), (["Bad.canvas"], Invalid)],
)
def test_errors(board: Path, arguments: list[str], error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(board.parent)
    board.with_name("Bad.canvas").write_text("[", "utf-8")
    done = CliRunner().invoke(app, ["canvas", "preview", *arguments])
    assert isinstance(done.exception, error)
    assert not board.with_name("Other.canvas").exists()
