"""Tokens: random enough, and nothing that is kept of one makes another."""

import re
from dataclasses import replace

import pytest

from errors import InputError
from service.access import passwords
from service.access.passwords import hash_password, password_matches
from service.access.tokens import matches, new_token, public_id, state_of
from service.logs import redacted
from service.resources.access import check_account_name

KEY = bytes(range(32))


def new(**changes):
    given = {
        "kind": "token",
        "account": "anna",
        "name": "nb",
        "scope": "run",
        "now": 100.0,
        "seconds": 60.0,
        **changes,
    }
    return new_token(KEY, **given)


def test_a_token_holds_256_random_bits_that_are_kept_nowhere():
    made = [new() for _ in range(50)]
    assert len({text for text, _ in made}) == len({record.id for _, record in made}) == 50
    for text, record in made:
        form = re.fullmatch(r"tl_([0-9a-f]{16})_([A-Za-z0-9_-]{43})", text)
        assert form is not None
        assert public_id(text) == form[1] == record.id
        assert form[2] not in repr(record) + record.digest
        assert re.fullmatch(r"[0-9a-f]{64}", record.digest)


def test_only_the_token_under_the_key_matches():
    (text, record), (other, _) = new(), new()
    assert matches(KEY, text, record)
    assert not matches(KEY, other, record)
    assert not matches(bytes(32), text, record), "who changes the store, without the key, makes no token"
    assert not matches(KEY, text, replace(record, digest=text))


@pytest.mark.parametrize("text", ["", "tl_", "tl_0123456789abcdef_", "x" * 64, "tl_0123456789ABCDEF_" + "a" * 43,
                                  "tl_0123456789abcdef_" + "a" * 44, "tl_0123456789abcdef_" + "\u00e4" * 43,
                                  "tl_0123456789abcdef_" + "a" * 43 + "\n"])  # fmt: skip
def test_other_texts_are_no_tokens(text):
    assert public_id(text) is None


def test_a_token_is_good_until_it_is_not():
    _, record = new()
    assert [state_of(record, now) for now in (0.0, 159.9, 160.0)] == ["valid", "valid", "expired"]
    assert state_of(replace(record, revoked=150.0), 151.0) == "revoked"
    assert state_of(replace(record, used=150.0), 151.0) == "used"
    assert state_of(new(seconds=None)[1], 1e12) == "valid"


def test_the_log_hides_tokens():
    text, record = new()
    shown = redacted(f"GET /login?token={text}")
    assert text.split("_", 2)[2] not in shown
    shown = redacted(f"refused {text}")
    assert record.id in shown
    assert text.split("_", 2)[2] not in shown


def test_passwords_are_kept_as_argon2id_and_checked(own_hasher, monkeypatch):
    monkeypatch.setattr(passwords, "_hasher", own_hasher)
    kept = hash_password("a good pass phrase")
    assert kept.startswith("$argon2id$")
    assert "$m=65536," in kept, "a guess takes 64 MiB"
    assert password_matches("a good pass phrase", kept)
    assert not password_matches("a good pass phrase ", kept)
    assert not password_matches("a good pass phrase", None)
    assert not password_matches("of an account that is not there", None)
    assert not password_matches("x", "no hash at all")


@pytest.mark.parametrize("password", ["", "short", "x" * 1025, "aaaaaaaaaaaa"])
def test_what_is_no_password_is_refused_without_repeating_it(password):
    with pytest.raises(InputError) as caught:
        hash_password(password)
    assert caught.value.place == ("password",)
    assert not password or f"'{password}'" not in str(caught.value)


@pytest.mark.parametrize("name", ["a", "anna", "0", "a.b-c_d", "x" * 64])
def test_names_of_accounts_are_plain(name):
    check_account_name(name)


@pytest.mark.parametrize("name", ["", ".", "-a", "Anna", "a b", "a/b", "a\n", "\u00e4", "x" * 65, "a\0"])
def test_other_names_are_refused(name):
    with pytest.raises(InputError):
        check_account_name(name)
