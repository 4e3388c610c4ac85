"""Browsers: login links that work once, passwords, sessions that end, pages of other sites."""

import pytest

from service.access.sessions import LINK_SECONDS
from tests.service.web.conftest import ADDRESS, PASSWORD
from tests.service.web.test_identity import ME, told


def test_a_login_link_works_once(server):
    link = server.app.state.sessions.link_text()
    client = server.client()
    answer = client.get("/login", params={"token": link})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("tautline-8000=tl_")
    assert {"HttpOnly", "SameSite=strict", "Path=/", "Max-Age=43200"} <= set(cookie.split("; "))
    assert client.get(ME).json() == {"account": "", "role": "admin", "scope": "admin"}
    assert "<title>Studies" in client.get("/").text
    other = server.client()
    again = other.get("/login", params={"token": link})
    assert again.status_code == 401
    assert "no longer valid" in again.text
    told(other.get(ME), 401, "identity")


def test_a_login_link_does_not_wait_for_ever(server):
    text, _ = server.app.state.authenticator.issue("login", "", "x", "admin", 0.0)
    assert server.client().get("/login", params={"token": text}).status_code == 401
    now = server.store.tokens.now()
    public = server.app.state.sessions.link_text().split("_")[1]
    found = server.store.tokens.find(public)
    assert found is not None
    assert found[0].expires == pytest.approx(now + LINK_SECONDS, abs=30.0)


@pytest.mark.parametrize("token", ["", "x", "tl_0_0", "a" * 300])
def test_what_is_no_login_link_opens_nothing(server, token):
    answer = server.client().get("/login", params={"token": token})
    assert answer.status_code in {303, 401, 422}
    assert "set-cookie" not in answer.headers


def test_logging_out_ends_the_session_for_everybody_who_has_it(server):
    browser = server.browser()
    stolen = dict(browser.cookies)
    assert browser.post("/logout").status_code == 303
    assert not browser.cookies
    told(server.client(cookies=stolen).get(ME), 401, "identity")


def log_in(lab, account, password, **options):
    client = lab.client(**options)
    return client, client.post("/login", data={"account": account, "password": password})


def test_a_password_opens_a_session(lab):
    page = lab.client().get("/").text
    assert 'name="password"' in page
    client, answer = log_in(lab, "edda", PASSWORD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert client.get(ME).json() == {"account": "edda", "role": "editor", "scope": "admin"}
    assert "edda" in client.get("/").text


@pytest.mark.parametrize(("account", "password"), [
    ("edda", PASSWORD + "x"), ("edda", ""), ("nobody", PASSWORD), ("", ""), ("otto", ""), ("otto", PASSWORD),
    ("edda", "x" * 5000), ("' OR 1=1 --", PASSWORD), ("edda\0", PASSWORD),
])  # fmt: skip
def test_a_wrong_password_tells_nothing(lab, account, password):
    client, answer = log_in(lab, account, password)
    assert answer.status_code == 401
    assert "the account or the password is wrong" in answer.text
    assert not client.cookies


def test_a_form_may_be_named_in_any_letters_and_with_parameters(lab):
    headers = {"Content-Type": "Application/X-WWW-Form-URLEncoded ; charset=utf-8"}
    body = f"account=edda&password={PASSWORD.replace(' ', '+')}"
    assert lab.client(headers=headers).post("/login", content=body).status_code == 303
    headers["Content-Type"] = "text/plain"
    assert lab.client(headers=headers).post("/login", content=body).status_code == 401


@pytest.mark.parametrize("body", [b"\xff\xfe", b"account=a&account=b", b"&" * 500, b"{}", b"account=edda"])
def test_a_broken_form_is_no_login(lab, body):
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert lab.client(headers=headers).post("/login", content=body).status_code == 401


def test_a_form_is_short(lab):
    told(lab.client().post("/login", data={"account": "a" * 9000}), 413, "too-large")


def test_a_disabled_account_logs_nobody_in(lab):
    lab.store.accounts.set_disabled("edda", disabled=True)
    assert log_in(lab, "edda", PASSWORD)[1].status_code == 401


def test_a_new_password_ends_sessions_and_keeps_tokens(lab, kept_password):
    client, _ = log_in(lab, "edda", PASSWORD)
    tokened = lab.as_("edda")
    lab.store.accounts.set_password("edda", kept_password)
    told(client.get(ME), 401, "identity")
    assert tokened.get(ME).status_code == 200


def test_guessing_is_slow(settings, make_server):
    lab = make_server(settings.model_copy(update={"accounts": True, "logins_per_minute": 3}))
    statuses = []
    for _ in range(5):
        answer = lab.client().post("/login", data={"account": "edda", "password": "x"})
        statuses.append(answer.status_code)
    assert statuses == [401, 401, 401, 429, 429]
    assert 1 <= int(answer.headers["retry-after"]) <= 20
    told(answer, 429, "limit")
    answer = lab.client().get("/login", params={"token": "tl_x"})
    assert answer.status_code == 429, "links are guessed no faster"
    assert lab.client().get("/login").status_code == 303
    assert lab.client().get("/").status_code == 200


CROSS = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": ADDRESS + "1"},
    {"Origin": ADDRESS.replace("http:", "https:")},
    {"Origin": "http://localhost:8000"},
    {"Origin": "http://127.0.0.1:notaport"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": ADDRESS, "Sec-Fetch-Site": "cross-site"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
]


@pytest.mark.parametrize("headers", CROSS)
def test_a_page_of_another_site_changes_nothing(server, headers):
    cookies = dict(server.browser().cookies)
    client = server.client(cookies=cookies, headers=headers)
    assert client.get(ME).status_code == 200, "what one reads, that page does not see"
    for method, path in (
        ("POST", "/api/v1/tokens"),
        ("DELETE", "/api/v1/tokens/x"),
        ("POST", "/logout"),
        ("POST", "/nothing"),
    ):
        told(client.request(method, path, json={"name": "x"} if "tokens" in path else None), 403, "forbidden")
    assert client.get(ME).status_code == 200
    with_token = server.client(server.token())
    told(with_token.post("/api/v1/tokens", json={"name": "x"}, headers=headers), 403, "forbidden")
    told(
        server.client(headers=headers).post("/login", data={"account": "a", "password": "b"}),
        403,
        "forbidden",
    )


def test_a_cookie_alone_changes_nothing(server):
    client = server.client(cookies=dict(server.browser().cookies))
    told(client.post("/api/v1/tokens", json={"name": "x"}), 403, "forbidden")
    for headers in ({"Origin": ADDRESS}, {"Sec-Fetch-Site": "same-origin"}):
        assert client.post("/api/v1/tokens", json={"name": "x"}, headers=headers).status_code == 201


@pytest.mark.parametrize("host", [
    "evil.example", "127.0.0.1.evil.example", "evil.example:8000", "localhost@evil.example", "127.0.0.2", "",
    "[::2]", "127.0.0.1:x", "[::1", "[::1]x", "127.0.0.1 evil", "0.0.0.1", "localhost,evil.example",
])  # fmt: skip
def test_the_server_answers_to_no_other_name(server, host):
    answer = server.client(server.token()).get(ME, headers={"Host": host})
    assert answer.status_code == 400
    assert answer.json()["title"] == "Bad Request"


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "127.0.0.1", "[::1]:8000", "lab.example", "lab.example.:1"]
)
def test_the_server_answers_to_its_names(settings, make_server, host):
    server = make_server(settings.model_copy(update={"allowed_hosts": ["Lab.example"]}))
    assert server.client(server.token()).get(ME, headers={"Host": host}).status_code == 200


def test_two_host_headers_are_refused(server):
    headers = [("Host", "127.0.0.1"), ("Host", "evil.example"), ("Authorization", f"Bearer {server.token()}")]
    assert server.client(headers=headers).get(ME).status_code == 400


def test_the_address_that_a_connection_came_in_by_is_a_name(server):
    headers = {"Host": "192.0.2.7:8000"}
    assert server.client(server.token()).get(ME, headers=headers).status_code == 400
    client = server.client(server.token(), base_url="http://192.0.2.7:8000")
    assert client.get(ME).status_code == 200
    client = server.client(server.token(), base_url="http://evil.example:8000")
    assert client.get(ME).status_code == 400
