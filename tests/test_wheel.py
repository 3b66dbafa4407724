"""The built wheel, not the checkout: installed into an empty environment, it runs."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_wheel_installs_and_runs_in_an_empty_environment(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    locked = tmp_path / "versions.txt"
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    locked.write_text("\n".join(line.rstrip(" \\") for line in lines if line[:1].isalnum()), encoding="utf-8")
    subprocess.run([*install, "--constraint", str(locked), str(wheel)], check=True, capture_output=True)

    vault = tmp_path / "Vault"
    vault.mkdir()
    (vault / "Note.md").write_text("alpha", encoding="utf-8")
    environment = {**os.environ, "VAULT_SIDECAR_HOME": str(tmp_path / "state")}
    command = python.with_name("vault-sidecar")
    done = subprocess.run(
        [str(command), "search", str(vault), "alpha"],
        env=environment, cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert "Note.md" in done.stdout
    typed = subprocess.run(
        [str(python), "-c", "import sidecar, pathlib; print((pathlib.Path(sidecar.__file__).parent / 'py.typed').exists())"],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert typed.stdout.strip() == "True"
