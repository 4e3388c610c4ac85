"""``tautline account`` and ``tautline token`` with ``--server``: told to a server as to its store."""

import io
import json
from types import SimpleNamespace

import pytest

from service.access.passwords import hash_password, password_matches
from service.settings import Settings
from tests.service.client.conftest import ADDRESS

THERE = ("--server", ADDRESS)
HERE = ("--store", "tautline.db")
PASSWORD, OTHER = "a good pass phrase", "another pass phrase"
PEOPLE = {"adam": "admin", "edda": "editor", "vera": "viewer"}


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.setenv("TAUTLINE_SECRET_FILE", str(tmp_path / "server.key"))
    return Settings(secret_file=tmp_path / "server.key", accounts=True)


@pytest.fixture
def lab(server, tautline, monkeypatch):
    """People of every role, and the command line as one of them, by a token of a scope."""
    for name, role in PEOPLE.items():
        server.store.accounts.add(name, role, hash_password(PASSWORD) if name == "adam" else None)

    def run(*words, by="adam", scope="admin", given=""):
        monkeypatch.setenv("TAUTLINE_TOKEN", tokens[by, scope])
        monkeypatch.setattr("sys.stdin", io.StringIO(given))
        return tautline(*words)

    authenticator = server.app.state.authenticator
    tokens = {
        (name, scope): authenticator.issue("token", name, f"{name} {scope}", scope, 3600.0)[0]
        for name in PEOPLE for scope in ("admin", "run")
    }  # fmt: skip
    return SimpleNamespace(run=run, store=server.store, tokens=tokens)


def password_of(lab, name):
    return lab.store.accounts.find(name).password


@pytest.mark.parametrize("kind", ["table", "csv", "json"])
def test_lists_are_printed_alike(lab, kind):
    lab.run("account", "disable", "vera", *THERE)  # by a token, whose last use is in the list from now on
    for words in (
        ("account", "list"), ("token", "list"), ("token", "list", "--account", "edda"),
        ("token", "list", "--account", "nobody"), ("token", "list", "--account", "No"),
    ):  # fmt: skip
        here, there = (lab.run(*words, "--format", kind, *where) for where in (HERE, THERE))
        assert (there.code, there.out, there.err) == (here.code, here.out, here.err), words
        assert here.code == (2 if words[-1] in {"nobody", "No"} else 0)
    shown = lab.run("account", "list", "--format", kind, *THERE).out
    if kind == "json":
        rows = {row["account"]: (row["password"], row["disabled"]) for row in json.loads(shown)}
        assert rows == {"adam": (True, False), "edda": (False, False), "vera": (False, True)}
    else:
        assert ("True" in shown) == (kind == "csv")
        assert ("yes" in shown) == (kind == "table")


def test_a_life_of_accounts_goes_alike(lab):
    steps = [
        ("account add nina --role viewer", PASSWORD), ("account add nina", PASSWORD), ("account add otto --no-password", ""),
        ("account add Nina", PASSWORD), ("account add ../x", PASSWORD), ("account add nils", "short"),
        ("account add nils", "x" * 2000), ("account add nils", ""), ("account role nina editor", ""),
        ("account role nobody editor", ""), ("account role .. editor", ""), ("account password nina", OTHER),
        ("account password nina", "short"), ("account password nobody", OTHER), ("account disable nina", ""),
        ("account enable nina", ""), ("account enable nobody", ""), ("account disable adam", ""),
        ("account role adam viewer", ""), ("token revoke 0000000000000000", ""), ("token revoke ../accounts", ""),
        ("token create x --account nobody", ""), ("token create x --account X", ""),
    ]  # fmt: skip
    for line, given in steps:
        there = lab.run(*line.split(), *THERE, given=given + "\n")
        here = lab.run(
            *line.replace("nina", "anna").replace("otto", "olaf").split(), *HERE, given=given + "\n"
        )
        told = here.err.replace("anna", "nina").replace("olaf", "otto")
        known = there.err.split(" (known:")[0].replace(f" {' '.join(THERE)}", "")
        assert (there.code, there.out, known) == (here.code, here.out, told.split(" (known:")[0]), line
        assert given == "" or given not in there.err, "no password is told again"
    assert lab.store.accounts.find("nina").role == "editor"
    assert password_matches(OTHER, password_of(lab, "nina"))
    assert password_of(lab, "otto") is None
    assert {record.name for record in lab.store.accounts.all()} == {*PEOPLE, "nina", "otto", "anna", "olaf"}


def test_a_token_is_made_used_listed_and_revoked(lab, monkeypatch):
    made = lab.run("token", "create", "robot", "--account", "edda", "--scope", "read", "--days", "2", *THERE)
    assert made.code == 0
    assert made.out.startswith("tl_")
    assert "valid until" in made.err, "sooner than asked for: no token outlives the one by which it was made"
    record = next(item for item in lab.store.tokens.of("edda") if item.name == "robot")
    assert record.scope == "read"
    assert record.expires is not None
    assert record.expires - record.created <= 3600.0
    lab.tokens["edda", "robot"] = made.out.strip()
    assert lab.run("study", "list", *THERE, by="edda", scope="robot").code == 0
    assert lab.run("token", "revoke", record.id, *THERE).err == f"token {record.id} is refused from now on\n"
    refused = lab.run("study", "list", *THERE, by="edda", scope="robot")
    assert (refused.code, "no longer valid" in refused.err) == (1, True)


def test_others_manage_their_own_tokens(lab):
    made = lab.run("token", "create", "mine", *THERE, by="edda")
    assert made.code == 0
    rows = json.loads(lab.run("token", "list", "--format", "json", *THERE, by="edda").out)
    assert {row["account"] for row in rows} == {"edda"}
    number = next(row["id"] for row in rows if row["for"] == "mine")
    assert lab.run("token", "revoke", number, *THERE, by="vera").code == 2
    assert lab.run("token", "revoke", number, *THERE, by="edda").code == 0
    assert lab.run("token", "create", "x", *HERE).err.startswith(
        "error: --account: is missing: this store has accounts"
    )


@pytest.mark.parametrize(("by", "scope"), [("edda", "admin"), ("vera", "admin"), ("adam", "run")])
def test_those_who_are_no_admins_are_refused(lab, by, scope):
    before = lab.store.accounts.all()
    for line in (
        "account list", "account add nina", "account role vera admin", "account disable adam", "account enable vera",
        "token list --account adam", "token create x --account adam",
    ):  # fmt: skip
        refused = lab.run(*line.split(), *THERE, by=by, scope=scope, given=PASSWORD + "\n")
        assert (refused.code, refused.out) == (1, ""), line
        assert "only an admin may" in refused.err or "a token of this scope" in refused.err, refused.err
        assert "Traceback" not in refused.err
    assert lab.store.accounts.all() == before


def test_ones_own_password_needs_the_current_one(lab):
    wrong = lab.run("account", "password", "adam", *THERE, given=f"{OTHER}\n{OTHER}\n")
    assert (wrong.code, wrong.err) == (2, "error: current: is not your current password\n")
    right = lab.run("account", "password", "adam", *THERE, given=f"{PASSWORD}\n{OTHER}\n")
    assert (right.code, right.err) == (0, "the password of 'adam' was set\n")
    assert password_matches(OTHER, password_of(lab, "adam"))
    first = lab.run("account", "password", "edda", *THERE, by="edda", given=f"{OTHER}\n")
    assert (first.code, "from an admin" in first.err) == (1, True)
    other = lab.run("account", "password", "adam", *THERE, by="edda", given=f"{PASSWORD}\n{OTHER}\n")
    assert (other.code, "unknown account 'adam'" in other.err) == (2, True)


def test_what_is_no_text_is_no_password(lab, monkeypatch):
    broken = lab.run("account", "add", "nina", *THERE, given="a pass phrase \udcff\n")
    assert (broken.code, "not UTF-8 text" in broken.err) == (2, True)
    assert "nina" not in {record.name for record in lab.store.accounts.all()}


def test_a_store_and_its_key_have_no_place_beside_a_server(lab):
    for line in ("account add nina", "account list", "account role edda viewer", "account password edda",
                 "account disable edda", "account enable edda", "token create x", "token list", "token revoke 00"):  # fmt: skip
        refused = lab.run(*line.split(), *HERE, *THERE, given=PASSWORD + "\n")
        assert (refused.code, "one of --store and --server" in refused.err) == (2, True), line
    refused = lab.run("token", "create", "x", "--secret-file", "server.key", *THERE)
    assert (refused.code, refused.err) == (
        2, "error: --secret-file: has no effect with --server: a server makes tokens with its own key\n",
    )  # fmt: skip
    assert lab.store.accounts.find("edda").role == "editor"
