"""Tokens that an admin makes for somebody else: nobody gets more by them than they have."""

from datetime import datetime

import pytest

from tests.service.web.conftest import ADDRESS
from tests.service.web.test_identity import ME, told

TOKENS = "/api/v1/tokens"


def test_an_admin_makes_a_token_that_is_the_others_in_every_way(lab):
    admin = lab.as_("adam")
    answer = admin.post(TOKENS, json={"name": "robot", "account": "otto", "scope": "admin"})
    assert answer.status_code == 201
    made = answer.json()
    assert made["account"] == "otto"
    bearer = lab.client(made["token"])
    assert bearer.get(ME).json() == {"account": "otto", "role": "editor", "scope": "admin"}
    told(bearer.get("/api/v1/accounts"), 403, "forbidden")
    assert [item["id"] for item in bearer.get(TOKENS).json()["items"]] == [made["id"]]
    assert made["id"] not in admin.get(TOKENS).text
    assert bearer.delete(answer.headers["location"]).status_code == 204
    told(bearer.get(ME), 401, "identity")


@pytest.mark.parametrize("scope", ["read", "run"])
def test_it_is_as_narrow_as_asked_for(lab, scope):
    made = lab.as_("adam").post(TOKENS, json={"name": "x", "account": "vera", "scope": scope}).json()
    bearer = lab.client(made["token"])
    assert bearer.get(ME).json() == {"account": "vera", "role": "viewer", "scope": scope}
    told(bearer.post(TOKENS, json={"name": "wider", "scope": "admin"}), 403, "forbidden")


@pytest.mark.parametrize("account", ["adam", "vera", "nobody"])
def test_others_make_none_for_anybody_else_and_learn_nothing(lab, account):
    before = len(lab.store.tokens.of(account))
    edda = lab.as_("edda")
    refused = told(edda.post(TOKENS, json={"name": "x", "account": account}), 403, "forbidden")
    assert refused["detail"] == "only an admin may make a token for another account"
    assert edda.post(TOKENS, json={"name": "x", "account": "edda"}).status_code == 201
    assert len(lab.store.tokens.of(account)) == before


@pytest.mark.parametrize("scope", ["read", "run"])
def test_a_narrow_token_of_an_admin_makes_none_at_all(lab, scope):
    client = lab.as_("adam", scope)
    for account in ("adam", "vera", "nobody"):
        told(client.post(TOKENS, json={"name": "x", "account": account}), 403, "forbidden")
    told(client.get(TOKENS, params={"everybody": True}), 403, "forbidden")


def test_it_ends_with_the_token_by_which_it_was_made(lab):
    ends = lab.store.tokens.now() + 3600.0
    for days in (None, 30):
        made = lab.as_("adam").post(TOKENS, json={"name": "x", "account": "vera", "days": days}).json()
        assert datetime.fromisoformat(made["expires"]).timestamp() <= ends + 60.0
    session, _ = lab.app.state.authenticator.issue("session", "adam", "browser", "admin", 3600.0)
    person = lab.client(headers={"Origin": ADDRESS}, cookies={"tautline-8000": session})
    made = person.post(TOKENS, json={"name": "x", "account": "vera", "days": 30}).json()
    assert datetime.fromisoformat(made["expires"]).timestamp() == pytest.approx(
        lab.store.tokens.now() + 30 * 86400, abs=60.0
    )


def test_there_is_none_for_accounts_that_are_not_there_or_let_nobody_in(lab):
    admin = lab.as_("adam")
    absent = told(admin.post(TOKENS, json={"name": "x", "account": "ottto"}), 404, "absent")
    assert "did you mean 'otto'?" in absent["detail"]
    lab.store.accounts.set_disabled("otto", disabled=True)
    refused = told(admin.post(TOKENS, json={"name": "x", "account": "otto"}), 409, "state")
    assert "enable the account first" in refused["detail"]
    assert lab.store.tokens.of("otto") == []
    lab.store.accounts.set_disabled("otto", disabled=False)
    assert admin.post(TOKENS, json={"name": "x", "account": "otto"}).status_code == 201


def test_admins_see_everybodys_tokens_and_others_their_own(lab):
    made = {name: lab.token(name).split("_")[1] for name in ("vera", "edda", "adam")}
    admin = lab.as_("adam")
    listed = {
        item["id"]: item["account"] for item in admin.get(TOKENS, params={"everybody": True}).json()["items"]
    }
    assert {token: name for name, token in made.items()}.items() <= listed.items()
    assert "tl_" not in admin.get(TOKENS, params={"everybody": True}).text
    assert {item["account"] for item in admin.get(TOKENS).json()["items"]} == {"adam"}
    edda = lab.as_("edda")
    told(edda.get(TOKENS, params={"everybody": True}), 403, "forbidden")
    assert {item["account"] for item in edda.get(TOKENS, params={"everybody": False}).json()["items"]} == {
        "edda"
    }
    told(admin.get(TOKENS, params={"account": "nobody"}), 404, "absent")
    told(admin.get(TOKENS, params={"account": "vera", "everybody": True}), 422, "input")


def test_one_person_alone_may_make_one_for_an_account_that_is_there(server):
    browser = server.browser()
    told(browser.post(TOKENS, json={"name": "x", "account": "ada"}), 404, "absent")
    server.store.accounts.add("ada", "viewer")
    made = browser.post(TOKENS, json={"name": "x", "account": "ada"}).json()
    assert server.client(made["token"]).get(ME).json() == {"account": "ada", "role": "viewer", "scope": "run"}
    assert browser.post(TOKENS, json={"name": "x"}).json()["account"] == "", "as before"
