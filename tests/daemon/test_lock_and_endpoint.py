import os
import subprocess
import sys
from pathlib import Path

from sidecar.daemon.endpoint import Endpoint, free_address, read_endpoint, remove_endpoint, write_endpoint
from sidecar.daemon.lock import DaemonLock


def test_only_one_holds_the_lock_and_the_system_frees_it(tmp_path: Path) -> None:
    file = tmp_path / "daemon.lock"
    lock = DaemonLock(file)
    assert lock.acquire()
    assert not DaemonLock(file).acquire()
    lock.release()
    script = "import sys, time; from sidecar.daemon.lock import DaemonLock; from pathlib import Path\n"
    script += "l = DaemonLock(Path(sys.argv[1])); print(l.acquire(), flush=True); time.sleep(60)"
    other = subprocess.Popen([sys.executable, "-c", script, str(file)], stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline().strip() == "True"
    assert not lock.acquire()
    other.kill()
    other.communicate()
    assert lock.acquire()
    lock.release()


def test_the_endpoint_is_private_and_only_its_owner_takes_it_back(tmp_path: Path) -> None:
    endpoint = Endpoint(os.getpid(), "1", "secret", None, 1234)
    write_endpoint(tmp_path, endpoint)
    assert read_endpoint(tmp_path) == endpoint
    if sys.platform != "win32":
        assert (tmp_path / "endpoint.json").stat().st_mode & 0o777 == 0o600
    remove_endpoint(tmp_path, os.getpid() + 1)
    assert read_endpoint(tmp_path) == endpoint
    remove_endpoint(tmp_path, os.getpid())
    assert read_endpoint(tmp_path) is None


def test_a_damaged_endpoint_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "endpoint.json").write_text('{"pid": 1')
    assert read_endpoint(tmp_path) is None
    (tmp_path / "endpoint.json").write_text('{"other": 1}')
    assert read_endpoint(tmp_path) is None


def test_a_long_path_falls_back_to_loopback(tmp_path: Path) -> None:
    assert free_address(tmp_path / ("x" * 120)) is None
