import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from sidecar.config import StateFolder
from sidecar.daemon.endpoint import Endpoint, Published, free_address, pointer_of, read_endpoint, vault_key
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


ENDPOINT = Endpoint(os.getpid(), "1", "secret", None, 1234, 27125, "i1")


def test_the_endpoint_is_private_and_only_its_owner_takes_it_back(tmp_path: Path) -> None:
    state = StateFolder(tmp_path / "state")
    first = Published(state, ENDPOINT, None)
    assert read_endpoint(state.run) is None
    first.tell({"key": "id"})
    assert read_endpoint(state.run) == replace(ENDPOINT, vaults={"key": "id"})
    if sys.platform != "win32":
        assert (state.run / "endpoint.json").stat().st_mode & 0o777 == 0o600
        assert state.run.stat().st_mode & 0o077 == 0
    Published(state, replace(ENDPOINT, instance_id="i2"), None).withdraw()
    assert read_endpoint(state.run) is not None
    first.withdraw()
    assert read_endpoint(state.run) is None


def test_a_custom_state_folder_is_pointed_to_from_the_default_one(tmp_path: Path) -> None:
    state = StateFolder(tmp_path / "state")
    pointer = pointer_of(state, {"VAULT_SIDECAR_DEFAULT_HOME": str(tmp_path / "default")})
    assert pointer is not None
    assert pointer.parent == tmp_path / "default/run/elsewhere"
    published = Published(state, ENDPOINT, pointer)
    published.tell({})
    assert json.loads(pointer.read_text())["home"] == str(state.root)
    published.withdraw()
    assert not pointer.exists()
    assert pointer_of(state, {"VAULT_SIDECAR_DEFAULT_HOME": str(tmp_path / "x/../state")}) is None
    if sys.platform == "linux":
        environment = {"XDG_DATA_HOME": str(tmp_path), "VAULT_SIDECAR_HOME": str(tmp_path / "own")}
        assert pointer_of(StateFolder(tmp_path / "vault-sidecar"), environment) is None


def test_a_vault_is_known_by_the_hash_of_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert vault_key(tmp_path / "link") == vault_key(tmp_path / "real") != vault_key(tmp_path)


def test_a_damaged_endpoint_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "endpoint.json").write_text('{"pid": 1')
    assert read_endpoint(tmp_path) is None
    (tmp_path / "endpoint.json").write_text('{"other": 1}')
    assert read_endpoint(tmp_path) is None


def test_a_long_path_falls_back_to_loopback(tmp_path: Path) -> None:
    assert free_address(tmp_path / ("x" * 120)) is None
