"""``tautline account`` and ``tautline token`` on the store itself."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from service.access.authenticator import Authenticator
from service.access.secret import server_key
from service.cli.accounts import account as account_commands
from service.cli.accounts import token as token_commands
from studies.store import Store, open_existing

PASSWORD = "a good pass phrase"  # noqa: S105 - of accounts that live for one test


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """The commands in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TAUTLINE_SECRET_FILE", str(tmp_path / "server.key"))

    def run(command, *arguments, given=None, error=None):
        app = {"account": account_commands, "token": token_commands}[command]
        result = CliRunner().invoke(app, list(arguments), input=given, catch_exceptions=True)
        if error is not None:
            assert error in str(result.exception), result.output
        else:
            assert result.exit_code == 0, result.output + repr(result.exception)
        return result

    return run


def rows(shell, command):
    return json.loads(shell(command, "list", "--format", "json").stdout)


def test_accounts_from_the_first_to_the_last(shell):
    shell("account", "add", "anna", "--role", "admin", given=PASSWORD + "\n")
    shell("account", "add", "bert", "--no-password")
    with open_existing("tautline.db") as store:
        kept = store.accounts.find("anna").password
        assert kept is not None
        assert kept.startswith("$argon2id$")
        assert store.accounts.find("bert").password is None
    assert [(row["account"], row["role"], row["password"], row["disabled"]) for row in rows(shell, "account")] == [
        ("anna", "admin", True, False), ("bert", "editor", False, False),
    ]  # fmt: skip
    shell("account", "role", "bert", "viewer")
    shell("account", "password", "bert", given=PASSWORD + "\n")
    shell("account", "disable", "bert")
    assert [tuple(row.values())[1:] for row in rows(shell, "account")][1][0] == "viewer"
    assert rows(shell, "account")[1]["password"]
    assert rows(shell, "account")[1]["disabled"]
    shell("account", "enable", "bert")
    assert not rows(shell, "account")[1]["disabled"]


def test_what_cannot_be_is_reported(shell):
    shell("account", "list", error="there is no store at")
    shell("account", "add", "Anna", error="is not an account name")
    shell("account", "add", "anna", given="short\n", error="must have 10 to 1024")
    shell("account", "add", "anna", "--role", "admin", given=PASSWORD + "\n")
    shell("account", "add", "anna", given=PASSWORD + "\n", error="account named 'anna'")
    shell("account", "role", "anna", "viewer", error="only admin")
    shell("account", "disable", "anna", error="only admin")
    shell("account", "password", "nobody", error="unknown account 'nobody'")
    shell("token", "revoke", "0000", error="no token '0000'")
    shell("token", "create", "x", error="is missing: this store has accounts")
    shell("token", "create", "x", "--account", "nobody", error="unknown account 'nobody'")


def test_a_token_works_and_is_shown_once(shell, tmp_path):
    shell("account", "add", "anna", "--role", "admin", "--no-password")
    made = shell("token", "create", "notebook", "--account", "anna", "--scope", "read", "--days", "2")
    text = made.stdout.strip()
    with open_existing("tautline.db") as store:
        authenticator = Authenticator(store, server_key(tmp_path / "server.key"), accounts=True)
        authentication = authenticator.authenticate(text, "token")
        assert (authentication.identity.account, authentication.identity.scope) == ("anna", "read")
    (row,) = rows(shell, "token")
    assert (row["account"], row["for"], row["scope"], row["revoked"]) == ("anna", "notebook", "read", None)
    assert text not in json.dumps(row)
    shell("token", "revoke", row["id"])
    assert rows(shell, "token")[0]["revoked"] is not None


def test_a_token_without_accounts(shell, tmp_path):
    Store("tautline.db").close()
    text = shell("token", "create", "script").stdout.strip()
    with open_existing("tautline.db") as store:
        authenticator = Authenticator(store, server_key(tmp_path / "server.key"), accounts=False)
        assert authenticator.authenticate(text, "token").identity.account == ""


def test_the_commands_are_there_and_load_nothing_heavy():
    code = "import sys, service.cli; sys.exit(bool({'fastapi', 'sqlalchemy', 'argon2'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
