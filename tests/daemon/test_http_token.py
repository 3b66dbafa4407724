import sys
from pathlib import Path

from sidecar.daemon.http_token import HttpToken


def test_it_lasts_and_only_the_user_can_read_it(tmp_path: Path) -> None:
    token = HttpToken(tmp_path / "http-token").show()
    assert HttpToken(tmp_path / "http-token").show() == token
    assert len(token) > 40
    if sys.platform != "win32":
        assert (tmp_path / "http-token").stat().st_mode & 0o777 == 0o600


def test_a_new_one_counts_at_once_where_the_old_one_was_in_use(tmp_path: Path) -> None:
    running = HttpToken(tmp_path / "http-token")
    old = running.show()
    assert running.opens(old)
    new = HttpToken(tmp_path / "http-token").rotate()
    assert new != old
    assert not running.opens(old)
    assert running.opens(new)


def test_no_token_opens_nothing(tmp_path: Path) -> None:
    token = HttpToken(tmp_path / "http-token")
    assert not token.opens("")
    (tmp_path / "http-token").write_text("\n")
    assert not token.opens("")
    (tmp_path / "http-token").write_text("clé")
    assert not token.opens("clé")
    assert token.show() != "clé"
