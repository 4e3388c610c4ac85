"""Identities by each way to log in; nobody else gets anywhere."""

import re
import time

import pytest
from sqlalchemy import text as sql

from errors import StoreFullError
from service.web.identity import PUBLIC
from tests.service.web.conftest import ADDRESS, PASSWORD

ME = "/api/v1/me"


def told(answer, status, name):
    assert answer.status_code == status, answer.text
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["type"] == f"urn:tautline:problem:{name}"
    assert problem["status"] == status
    assert problem["request_id"] == answer.headers["x-request-id"]
    return problem


@pytest.mark.parametrize(
    "path",
    [
        ME,
        "/api/v1/openapi.json",
        "/docs",
        "/nothing",
        "/api/v1/%2e%2e/login",
        "/x//",
        "/health/",
        "/login/",
        "/Login",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "TRACE", "PROPFIND"])
def test_without_identity_there_is_nothing_not_even_a_404(server, path, method):
    answer = server.client().request(method, path)
    told(answer, 401, "identity")
    assert answer.headers["www-authenticate"] == 'Bearer realm="tautline"'


def test_what_is_public_is_short_and_says_little(server):
    assert {"/", "/health", "/ready", "/login"} == PUBLIC
    answer = server.client().get("/")
    assert answer.status_code == 200
    assert "login link" in answer.text


def test_a_token_lets_in_until_it_is_revoked(lab):
    token = lab.token("edda", "run")
    assert lab.client(token).get(ME).json() == {"account": "edda", "role": "editor", "scope": "run"}
    assert lab.client(headers={"Authorization": f"bEARER  {token}"}).get(ME).status_code == 200
    lab.store.tokens.revoke(token.split("_")[1])
    told(lab.client(token).get(ME), 401, "identity")


def test_an_expired_token_is_refused(lab):
    token = lab.token("edda", seconds=0.0)
    told(lab.client(token).get(ME), 401, "identity")


def test_a_disabled_account_is_refused_at_once_and_let_in_again(lab):
    client = lab.as_("edda")
    assert client.get(ME).status_code == 200
    lab.store.accounts.set_disabled("edda", disabled=True)
    told(client.get(ME), 401, "identity")
    lab.store.accounts.set_disabled("edda", disabled=False)
    lab.store.accounts.set_role("edda", "viewer")
    assert client.get(ME).json()["role"] == "viewer"


def test_a_token_of_an_account_that_is_gone_is_refused(lab):
    client = lab.as_("edda")
    assert client.get(ME).status_code == 200
    with lab.store._engine.begin() as connection:
        connection.execute(sql("DELETE FROM account WHERE name = 'edda'"))
    told(client.get(ME), 401, "identity")


def test_what_was_given_out_without_accounts_is_worth_nothing_with_them(lab):
    told(lab.as_("").get(ME), 401, "identity")


@pytest.mark.parametrize("change", [
    lambda token: token[:-1] + ("a" if token[-1] != "a" else "b"),
    lambda token: token + "a",
    lambda token: token.upper(),
    lambda token: token.rsplit("_", 1)[0],
    lambda token: token.split("_", 2)[2],
    lambda token: "tl_" + "0" * 16 + "_" + token.split("_", 2)[2],
    lambda token: "x",
    lambda token: "\u00e4" * 40,
    lambda token: token + " " + token,
    lambda token: "' OR 1=1 --",
])  # fmt: skip
def test_nothing_but_the_token_is_the_token(lab, change):
    token = lab.token("adam")
    header = f"Bearer {change(token)}".encode()
    told(lab.client(headers={"Authorization": header}).get(ME), 401, "identity")


@pytest.mark.parametrize("header", ["Basic YWRhbTpwdw==", "Bearer", "", "Token tl_x"])
def test_other_schemes_are_refused(lab, header):
    told(lab.client(headers={"Authorization": header}).get(ME), 401, "identity")


def test_two_tokens_are_refused(lab):
    headers = [
        ("Authorization", f"Bearer {lab.token('adam')}"),
        ("Authorization", f"Bearer {lab.token('vera')}"),
    ]
    told(lab.client(headers=headers).get(ME), 401, "identity")


def test_each_kind_works_only_where_it_belongs(server):
    issue = server.app.state.authenticator.issue
    texts = {kind: issue(kind, "", "x", "admin", 60.0)[0] for kind in ("token", "session", "login")}
    for kind, text in texts.items():
        status = 200 if kind == "token" else 401
        assert server.client(text).get(ME).status_code == status
        status = 200 if kind == "session" else 401
        cookie = {"Cookie": f"tautline-8000={text}"}
        assert server.client(headers=cookie).get(ME).status_code == status
        status = 303 if kind == "login" else 401
        assert server.client().get("/login", params={"token": text}).status_code == status


def test_a_wrong_token_is_refused_even_with_a_good_cookie(server):
    browser = server.browser()
    assert browser.get(ME).status_code == 200
    told(browser.get(ME, headers={"Authorization": "Bearer tl_x"}), 401, "identity")


def test_secrets_are_neither_in_the_database_nor_in_the_log(lab, tmp_path, log):
    client = lab.client()
    client.post("/login", data={"account": "adam", "password": PASSWORD})
    client.post("/login", data={"account": "adam", "password": PASSWORD + "x"})
    texts = [lab.token("adam"), lab.app.state.sessions.link_text(), client.cookies["tautline-8000"]]
    lab.client(texts[0]).get(ME)
    lab.client(texts[0] + "x").get(ME)
    lab.client().get("/login", params={"token": texts[1]})
    client.get(ME, params={"token": texts[2]})
    lab.client(texts[0]).get(f"/api/v1/tokens/{texts[0]}")
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.name.startswith("tautline.db"))
    for text in texts:
        assert text.split("_")[1].encode() in held
        assert text.split("_", 2)[2].encode() not in held
        assert text.split("_", 2)[2] not in log.getvalue()
    assert PASSWORD.encode() not in held
    assert PASSWORD not in log.getvalue()
    deadline = time.monotonic() + 60  # a line is written after its answer was sent
    while log.getvalue().count('"event": "request"') < 7 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert log.getvalue().count('"event": "request"') == 7


def test_last_use_is_noted_and_no_more_than_once_a_minute(lab, monkeypatch):
    token = lab.token("edda")
    began = time.time()
    lab.client(token).get(ME)
    (first,) = lab.store.tokens.of("edda")
    assert first.last_used is not None
    assert first.last_used >= began
    lab.client(token).get(ME)
    assert lab.store.tokens.of("edda") == [first]


def test_a_full_disk_keeps_nobody_out(lab, monkeypatch):
    def full(*_):
        raise StoreFullError("no room")

    monkeypatch.setattr("studies.store.accounts.Tokens.touch", full)
    assert lab.as_("edda").get(ME).status_code == 200


def test_answers_tell_browsers_to_be_strict(server):
    for answer in (server.client().get("/"), server.client().get(ME), server.as_("").get(ME)):
        headers = answer.headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin", "else forms of our own pages come from nowhere"
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers
        assert "access-control-allow-origin" not in headers
        assert "strict-transport-security" not in headers
        assert re.fullmatch("[0-9a-f]{16}", headers["x-request-id"])


def test_pages_need_no_script_and_no_style_in_them(server):
    for page in (server.client().get("/").text, server.browser().get("/").text):
        assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", page)


def test_a_request_id_is_not_believed_from_outside(server):
    answer = server.client(headers={"X-Request-Id": "mine"}).get(ME)
    assert answer.json()["request_id"] != "mine"


def test_behind_tls_cookies_are_for_tls_alone(settings, make_server):
    server = make_server(settings.model_copy(update={"behind_proxy": ["10.0.0.1"]}))
    client = server.client(base_url=ADDRESS.replace("http:", "https:"))
    answer = client.get("/login", params={"token": server.app.state.sessions.link_text()})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-tautline=tl_")
    assert {"Secure", "HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert answer.headers["strict-transport-security"].startswith("max-age=")
