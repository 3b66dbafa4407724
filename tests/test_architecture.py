"""The shape of the package: layers, sizes, and where a tool is found."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from sidecar.tools.families import FAMILIES
from sidecar.tools.tool import Tool

ROOT = Path(__file__).parents[1]
SIDECAR = ROOT / "sidecar"
TOOLS = [tool for family in FAMILIES.values() for tool in family]
MODULES = sorted(SIDECAR.rglob("*.py"))


def test_layers_and_doors() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports"))], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_file_name_is_tool_name_is_function_name(tool: Tool) -> None:
    found = list((SIDECAR / "tools").rglob(f"{tool.name}.py"))
    assert len(found) == 1
    functions = [
        node.name for node in ast.walk(ast.parse(found[0].read_text())) if isinstance(node, ast.AsyncFunctionDef)
    ]
    assert functions == [tool.name]
    assert tool.run.__name__ == tool.name


def test_every_file_in_a_family_is_a_listed_tool() -> None:
    names = {tool.name for tool in TOOLS}
    files = {p.stem for folder in (SIDECAR / "tools").iterdir() if folder.is_dir() for p in folder.glob("[a-z]*.py")}
    assert files == names


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_a_tool_file_only_forwards(tool: Tool) -> None:
    tree = ast.parse(next((SIDECAR / "tools").rglob(f"{tool.name}.py")).read_text())
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.If | ast.For | ast.Try | ast.Raise)]


@pytest.mark.parametrize("module", MODULES, ids=lambda p: str(p.relative_to(SIDECAR)))
def test_modules_are_small_and_say_what_they_hold(module: Path) -> None:
    text = module.read_text("utf-8")
    assert len(text.splitlines()) <= 500
    assert ast.get_docstring(ast.parse(text))


def test_nothing_of_this_machine_is_named() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    forbidden = ("/wo" + "rk/", "/ro" + "ot/", "../sha" + "red")
    for name in filter(lambda n: (ROOT / n).is_file(), listed):
        data = (ROOT / name).read_bytes()
        assert not [word for word in forbidden if word.encode() in data], name
