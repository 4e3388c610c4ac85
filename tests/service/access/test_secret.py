"""The server's key: made once, for its owner alone."""

import stat
import threading

import pytest

from errors import InputError
from service.access import secret
from service.access.secret import default_secret_file, server_key


def test_a_key_is_made_once_and_only_its_owner_reads_it(tmp_path):
    file = tmp_path / "deep" / "server.key"
    key = server_key(file)
    assert len(key) == 32
    assert server_key(file) == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["server.key"]
    assert server_key(tmp_path / "other.key") != key


def test_many_at_once_agree_on_a_key(tmp_path):
    keys = []
    threads = [threading.Thread(target=lambda: keys.append(server_key(tmp_path / "k"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8
    assert len(set(keys)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["k"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_may_read_is_refused(tmp_path, mode):
    file = tmp_path / "k"
    server_key(file)
    file.chmod(mode)
    with pytest.raises(InputError, match="chmod 600"):
        server_key(file)


@pytest.mark.parametrize("content", [b"", b"00", b"x" * 64, b"\xff" * 64, b"0" * 66, b"0" * 10_000])
def test_what_is_no_key_is_refused_and_left_alone(tmp_path, content):
    file = tmp_path / "k"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(InputError, match="does not hold a key"):
        server_key(file)
    assert file.read_bytes() == content


def test_a_folder_is_no_key(tmp_path):
    with pytest.raises(InputError, match="cannot be used"):
        server_key(tmp_path)


def test_it_lies_beside_the_users_data(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_secret_file() == tmp_path / "tautline" / "server.key"
    assert server_key() == server_key(tmp_path / "tautline" / "server.key")


def test_a_server_without_accounts_does_without_a_file_where_it_can_make_none(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setattr(secret, "user_data_path", lambda *_, **__: blocked / "below")
    key = secret.server_key_or_passing(None)
    assert len(key) == secret.BYTES
    assert key != secret.server_key_or_passing(None)
    with pytest.raises(InputError, match="cannot be used"):
        secret.server_key_or_passing(blocked / "below" / "named.key")
    with pytest.raises(InputError, match="cannot be used"):
        secret.server_key(None)
