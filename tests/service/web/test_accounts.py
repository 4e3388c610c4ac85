"""Accounts and tokens over REST: who may make, see, change and revoke which."""

from datetime import datetime

import pytest

from tests.service.web.conftest import ADDRESS, PASSWORD
from tests.service.web.test_access import NEW_TOML, STUDY
from tests.service.web.test_identity import ME, told

ACCOUNTS, TOKENS = "/api/v1/accounts", "/api/v1/tokens"
NEW = "another pass phrase"


def can_log_in(lab, name, password):
    return lab.client().post("/login", data={"account": name, "password": password}).status_code == 303


def test_an_admin_makes_and_lists_accounts(lab):
    admin = lab.as_("adam")
    answer = admin.post(ACCOUNTS, json={"name": "nina", "role": "editor", "password": NEW})
    assert answer.status_code == 201
    assert answer.headers["location"] == f"{ACCOUNTS}/nina"
    assert admin.get(answer.headers["location"]).json() == answer.json()
    shown = answer.json()
    assert {key: shown[key] for key in ("name", "role", "disabled", "password")} == {
        "name": "nina", "role": "editor", "disabled": False, "password": True,
    }  # fmt: skip
    assert can_log_in(lab, "nina", NEW)
    listed = admin.get(ACCOUNTS).json()
    assert [item["name"] for item in listed["items"]] == ["adam", "edda", "nina", "otto", "vera"]
    assert listed["next"] is None
    assert "argon2" not in admin.get(ACCOUNTS).text
    told(admin.post(ACCOUNTS, json={"name": "nina", "role": "viewer"}), 409, "name-taken")


@pytest.mark.parametrize("body", [
    {"name": "nina", "role": "king"}, {"name": "", "role": "viewer"}, {"name": "a/b", "role": "viewer"},
    {"name": "../x", "role": "viewer"}, {"name": "Nina", "role": "viewer"}, {"name": "x" * 65, "role": "viewer"},
    {"name": "nina\n", "role": "viewer"}, {"name": "nina", "role": "viewer", "password": "short"},
    {"name": "nina", "role": "viewer", "password": ""}, {"name": "nina", "role": "viewer", "password": "x" * 1025},
    {"name": "nina", "role": "viewer", "password": "x" * 20}, {"name": "nina"},
    {"name": "nina", "role": "viewer", "disabled": True},
])  # fmt: skip
def test_an_account_that_cannot_be_is_refused(lab, body):
    answer = lab.as_("adam").post(ACCOUNTS, json=body)
    assert answer.status_code == 422
    assert str(body.get("password") or "no password") not in answer.text
    assert len(lab.store.accounts.all()) == 4


def test_others_see_their_own_account_and_no_other(lab):
    for name in ("vera", "edda"):
        client = lab.as_(name)
        assert client.get(f"{ACCOUNTS}/{name}").json()["name"] == name
        there = told(client.get(f"{ACCOUNTS}/adam"), 404, "absent")
        absent = told(client.get(f"{ACCOUNTS}/nobody"), 404, "absent")
        assert there["detail"].replace("adam", "") == absent["detail"].replace("nobody", "")
        told(client.get(ACCOUNTS), 403, "forbidden")
        told(client.post(ACCOUNTS, json={"name": "nina", "role": "admin"}), 403, "forbidden")
        told(client.patch(f"{ACCOUNTS}/{name}", json={"role": "admin"}), 403, "forbidden")


def test_a_narrow_token_of_an_admin_administers_nothing(lab):
    for scope in ("read", "run"):
        client = lab.as_("adam", scope)
        told(client.get(ACCOUNTS), 403, "forbidden")
        told(client.get(TOKENS), 403, "forbidden")
        told(client.post(TOKENS, json={"name": "wider", "scope": "admin"}), 403, "forbidden")
        answer = client.put(f"{ACCOUNTS}/adam/password", json={"password": NEW, "current": PASSWORD})
        told(answer, 403, "forbidden")
    assert can_log_in(lab, "adam", PASSWORD)


def test_an_admin_changes_roles_and_disables(lab):
    admin, edda = lab.as_("adam"), lab.as_("edda")
    assert admin.patch(f"{ACCOUNTS}/edda", json={"role": "viewer"}).json()["role"] == "viewer"
    assert edda.get(ME).json()["role"] == "viewer"
    assert admin.patch(f"{ACCOUNTS}/edda", json={"disabled": True}).json()["disabled"]
    told(edda.get(ME), 401, "identity")
    assert admin.patch(f"{ACCOUNTS}/edda", json={}).json()["disabled"]
    for field in ("role", "disabled"):
        problem = told(admin.patch(f"{ACCOUNTS}/edda", json={field: None}), 422, "input")
        assert [fault["pointer"] for fault in problem["errors"]] == [f"/{field}"]
    told(admin.patch(f"{ACCOUNTS}/nobody", json={}), 404, "absent")
    told(admin.patch(f"{ACCOUNTS}/adam", json={"role": "viewer"}), 409, "state")
    told(admin.patch(f"{ACCOUNTS}/adam", json={"disabled": True}), 409, "state")


def test_passwords_are_changed_by_who_knows_them_or_by_an_admin(lab):
    edda, admin = lab.as_("edda"), lab.as_("adam")
    own = f"{ACCOUNTS}/edda/password"
    for current in (None, "wrong wrong", ""):
        told(edda.put(own, json={"password": NEW, "current": current}), 422, "input")
    told(edda.put(own, json={"password": "short", "current": PASSWORD}), 422, "input")
    assert edda.put(own, json={"password": NEW, "current": PASSWORD}).status_code == 204
    assert can_log_in(lab, "edda", NEW)
    assert not can_log_in(lab, "edda", PASSWORD)
    assert admin.put(own, json={"password": PASSWORD}).status_code == 204
    assert can_log_in(lab, "edda", PASSWORD)
    told(edda.put(f"{ACCOUNTS}/vera/password", json={"password": NEW, "current": PASSWORD}), 404, "absent")
    told(admin.put(f"{ACCOUNTS}/nobody/password", json={"password": NEW}), 404, "absent")
    told(admin.put(f"{ACCOUNTS}/adam/password", json={"password": NEW}), 422, "input")
    told(lab.as_("otto").put(f"{ACCOUNTS}/otto/password", json={"password": NEW}), 403, "forbidden")


def test_a_token_is_shown_once_and_works_as_far_as_it_says(lab):
    edda = lab.as_("edda")
    answer = edda.post(TOKENS, json={"name": "notebook", "scope": "read", "days": 1})
    assert answer.status_code == 201
    made = answer.json()
    assert answer.headers["location"] == f"{TOKENS}/{made['id']}"
    token = made.pop("token")
    assert lab.client(token).get(ME).json() == {"account": "edda", "role": "editor", "scope": "read"}
    listed = next(item for item in edda.get(TOKENS).json()["items"] if item["id"] == made["id"])
    assert listed.pop("last_used") is not None
    made.pop("last_used")
    assert listed == made
    assert token not in edda.get(TOKENS).text
    assert edda.delete(answer.headers["location"]).status_code == 204
    told(lab.client(token).get(ME), 401, "identity")
    assert edda.delete(answer.headers["location"]).status_code == 204, "revoked is revoked"


def test_tokens_of_others_are_out_of_reach(lab):
    edda, admin = lab.as_("edda"), lab.as_("adam")
    theirs = lab.token("vera")
    public = theirs.split("_")[1]
    there = told(edda.delete(f"{TOKENS}/{public}"), 404, "absent")
    absent = told(edda.delete(f"{TOKENS}/{'0' * 16}"), 404, "absent")
    assert there["detail"].replace(public, "") == absent["detail"].replace("0" * 16, "")
    told(edda.get(TOKENS, params={"account": "vera"}), 403, "forbidden")
    assert lab.client(theirs).get(ME).status_code == 200
    assert [item["id"] for item in admin.get(TOKENS, params={"account": "vera"}).json()["items"]] == [public]
    assert admin.delete(f"{TOKENS}/{public}").status_code == 204
    told(lab.client(theirs).get(ME), 401, "identity")


@pytest.mark.parametrize("body", [
    {}, {"name": ""}, {"name": "x" * 101}, {"name": "x", "scope": "all"}, {"name": "x", "days": 0},
    {"name": "x", "days": 3651}, {"name": "x", "days": 1e999}, {"name": "x", "account": "Adam"}, {"name": 3},
    {"name": "x", "account": ""},
])  # fmt: skip
def test_a_token_that_cannot_be_is_refused(lab, body):
    import json

    answer = lab.as_("edda").post(
        TOKENS, content=json.dumps(body), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422, answer.text
    assert len(lab.store.tokens.of("edda")) == 1


def test_a_token_may_be_for_ever_but_not_outlive_the_token_that_asked_for_it(lab):
    session, _ = lab.app.state.authenticator.issue("session", "vera", "browser", "admin", 3600.0)
    person = lab.client(headers={"Origin": ADDRESS}, cookies={"tautline-8000": session})
    assert person.post(TOKENS, json={"name": "x", "days": None}).json()["expires"] is None
    client, ends = lab.as_("vera"), lab.store.tokens.now() + 3600.0
    for days in (None, 30):
        made = client.post(TOKENS, json={"name": "x", "days": days}).json()
        assert datetime.fromisoformat(made["expires"]).timestamp() <= ends + 1.0


def test_one_person_alone_has_tokens_and_no_account(server):
    browser = server.browser()
    made = browser.post(TOKENS, json={"name": "x"}).json()
    assert made["account"] == ""
    assert server.client(made["token"]).get(ME).json() == {"account": "", "role": "admin", "scope": "run"}
    assert browser.get(ACCOUNTS).json() == {"items": [], "next": None}
    told(browser.put(f"{ACCOUNTS}/x/password", json={"password": NEW}), 404, "absent")
    assert browser.headers["origin"] == ADDRESS


def test_a_draft_of_somebody_else_is_never_replaced(lab):
    adam, edda = lab.as_("adam"), lab.as_("edda")

    def send(client, name, **query):
        text = STUDY.format(name=name).encode()
        return client.post("/api/v1/studies", content=text, headers=NEW_TOML["headers"], params=query)

    assert send(adam, "hidden").status_code == 201
    answer = send(edda, "new", replaces="hidden")
    assert (answer.status_code, "hidden" in answer.text) == (201, False)
    assert adam.get("/api/v1/studies/hidden").json()["owner"] == "adam"
    adam.patch("/api/v1/studies/hidden", json={"visibility": "shared"})
    assert send(edda, "other", replaces="hidden").status_code == 403
    assert adam.get("/api/v1/studies/hidden").status_code == 200


def test_a_draft_that_an_admin_replaces_stays_its_owners(lab):
    adam, edda = lab.as_("adam"), lab.as_("edda")

    def send(client, name, text="", **query):
        content = (STUDY.format(name=name) + text).encode()
        return client.post("/api/v1/studies", content=content, headers=NEW_TOML["headers"], params=query)

    assert send(edda, "hers").status_code == 201
    edda.patch("/api/v1/studies/hers", json={"visibility": "shared"})
    for name, before in (("hers", "hers"), ("hers-too", "hers")):
        assert send(adam, name, "\n[evaluation]\nseed = 3", replaces=before).status_code == 201
        study = edda.get(f"/api/v1/studies/{name}").json()
        assert (study["owner"], study["visibility"]) == ("edda", "shared")
        assert study["definition"]["evaluation"]["seed"] == 3
    assert edda.post("/api/v1/studies/hers-too/launch").status_code == 202, "it is hers to launch"
