"""After a login one is where one wanted to be, and never on another site."""

import pytest

from service.web.page_responses import next_page
from tests.service.web.conftest import PASSWORD

GOOD = [
    "/", "/new", "/studies/a/review?x=1#layout=a&key=0f", "/compare?of=a,b", "/#search=rob&archived=yes",
    "/studies/a%20b/review#axes=x,y", "/new?from=a",
]  # fmt: skip
HOSTILE = [
    "", "new", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/\\/evil.example",
    "https://evil.example/", "HTTP://evil.example", "javascript:alert(1)", "data:text/html,x", "/\t/evil.example",
    "/\n/evil.example", "\t//evil.example", " //evil.example", "/new\r\nSet-Cookie: a=b", "/new\\..\\x", "/\x00",
    "/ evil", "/\u2028/x", "//[::1", "/logout", "/login?token=x", "/api/v1/me", "/static/x", "/" + "a" * 3000,
    "http:/evil.example", "?x", "#x",
]  # fmt: skip


@pytest.mark.parametrize("page", GOOD)
def test_pages_of_this_server_are_gone_back_to(page):
    assert next_page(page) == page


@pytest.mark.parametrize("page", HOSTILE)
def test_nothing_else_is(page):
    assert next_page(page) == "/"


def test_a_login_leads_to_the_page_that_was_asked_for(lab):
    client = lab.client()
    asked = client.get("/new?from=a&x=%3Cb%3E", headers={"Accept": "text/html"})
    assert asked.status_code == 401
    assert 'name="next" value="/new?from=a&amp;x=%3Cb%3E"' in asked.text
    wrong = {"account": "edda", "password": "x", "next": "/new#layout=a"}
    refused = client.post("/login", data=wrong)
    assert 'name="next" value="/new#layout=a"' in refused.text, "kept after a wrong password"
    answer = client.post("/login", data={**wrong, "password": PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, "/new#layout=a")


@pytest.mark.parametrize("page", ["//evil.example", "https://evil.example", "/\t/evil.example"])
def test_a_login_leads_to_no_other_site(lab, page):
    answer = lab.client().post("/login", data={"account": "edda", "password": PASSWORD, "next": page})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert lab.client().get("/login", params={"next": page}).headers["location"] == "/"
    refused = lab.client().post("/login", data={"account": "edda", "password": "x", "next": page})
    assert 'name="next" value="/"' in refused.text


def test_a_login_link_leads_to_a_page_too_and_a_used_one_says_who_is_logged_in_already(server):
    link = server.app.state.sessions.link_text()
    client = server.client()
    answer = client.get("/login", params={"token": link, "next": "/new"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/new")
    again = client.get("/login", params={"token": link})
    assert again.status_code == 200
    assert "You are already logged in" in again.text
    assert "set-cookie" not in again.headers
    assert server.client().get("/login", params={"token": link}).status_code == 401
