import subprocess
import sys
from pathlib import Path

SCRIPT = """
import logging, sys
from pathlib import Path
from sidecar.daemon.log import log_to
log_to(Path(sys.argv[1]), alone=True)
log = logging.getLogger("sidecar.x")
print("stray"); print("stray", file=sys.stderr, flush=True)
try:
    try:
        int("text of a note")
    except ValueError as error:
        raise KeyError("text of a note") from error
except KeyError:
    log.exception("It failed.")
logging.getLogger("mcp").error("text of a note")
for n in range(30_000):
    log.info("a line of some length, to be rotated away sooner or later: %d", n)
raise RuntimeError("text of a note")
"""


def test_it_rotates_and_quotes_no_notes(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["daemon.log", "daemon.log.1", "daemon.log.2", "daemon.log.3"]
    assert all(file.stat().st_size <= 1_000_000 for file in files)
    whole = "".join(file.read_text() for file in files)
    assert "note" not in whole
    assert "stray" not in whole
    assert "RuntimeError at " in files[0].read_text()


def test_an_error_is_told_by_its_types_and_places(tmp_path: Path) -> None:
    script = SCRIPT.replace("30_000", "1")
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, check=False)
    text = (tmp_path / "daemon.log").read_text()
    assert "It failed.\nKeyError at <string>:" in text
    assert "\nValueError at <string>:" in text
