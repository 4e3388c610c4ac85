import pytest

from errors import InputError
from service.client import credentials
from service.client.credentials import find_token

TOKEN = "tl_abc_0123456789-_xyz"  # noqa: S105 - nobody's


@pytest.fixture
def usual(tmp_path, monkeypatch):
    path = tmp_path / "token"
    monkeypatch.setattr(credentials, "token_file", lambda: path)
    return path


@pytest.fixture
def named(tmp_path):
    path = tmp_path / "mine"
    path.write_text(f"{TOKEN}\n")
    path.chmod(0o600)
    return path


def test_the_variable_goes_before_the_named_file_before_the_usual_one(usual, named):
    usual.write_text("tl_usual")
    usual.chmod(0o600)
    environment = {"TAUTLINE_TOKEN": " tl_variable\n", "TAUTLINE_TOKEN_FILE": str(named)}
    assert find_token(environment) == "tl_variable"
    del environment["TAUTLINE_TOKEN"]
    assert find_token(environment) == TOKEN
    assert find_token({}) == "tl_usual"
    usual.unlink()
    assert find_token({}) is None


def test_the_usual_file_is_among_the_users_settings(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert credentials.token_file() == tmp_path / "tautline" / "token"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_file_that_others_may_read_is_refused(named, mode):
    named.chmod(mode)
    with pytest.raises(InputError, match="chmod 600"):
        find_token({"TAUTLINE_TOKEN_FILE": str(named)})


@pytest.mark.parametrize("content", ["", "two words", "Authorization: x\nEvil: y", "x" * 300, "ümlaut"])
def test_what_is_no_token_is_refused_and_not_repeated(named, content):
    named.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="is not a token") as caught:
        find_token({"TAUTLINE_TOKEN_FILE": str(named)})
    assert not content or content not in str(caught.value)
    if content:
        with pytest.raises(InputError, match="TAUTLINE_TOKEN: is not a token"):
            find_token({"TAUTLINE_TOKEN": content})


def test_a_named_file_that_is_not_there_is_reported(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        find_token({"TAUTLINE_TOKEN_FILE": str(tmp_path / "none")})
