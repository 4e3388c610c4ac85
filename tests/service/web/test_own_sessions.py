"""The browsers that are logged in to one's account: listed, named, and logged out from another one."""

import pytest

from service.access.sessions import UNKNOWN, browser_name
from tests.service.web.conftest import ADDRESS
from tests.service.web.test_identity import ME, told
from tests.service.web.test_sessions import PASSWORD, log_in

SESSIONS = "/api/v1/sessions"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
)
EDGE = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0"
OPERA = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0.0.0 Safari/537.36 OPR/120.0"


def browser(lab, account, agent=FIREFOX):
    headers = {"Origin": ADDRESS, "User-Agent": agent}
    client, answer = log_in(lab, account, PASSWORD, headers=headers)
    assert answer.status_code == 303
    return client


def test_one_sees_ones_own_sessions_and_ends_them(lab):
    first, second = browser(lab, "edda"), browser(lab, "edda", SAFARI)
    browser(lab, "adam")
    items = first.get(SESSIONS).json()["items"]
    assert [(item["name"], item["current"]) for item in items] == [
        ("Safari on iOS", False), ("Firefox on Linux", True),
    ]  # fmt: skip
    assert all(item["expires"] > item["created"] for item in items)
    assert first.delete(f"{SESSIONS}/{items[0]['id']}").status_code == 204
    told(second.get(ME), 401, "identity")
    assert first.get(ME).json()["account"] == "edda"
    assert [item["id"] for item in first.get(SESSIONS).json()["items"]] == [items[1]["id"]]
    assert first.delete(f"{SESSIONS}/{items[1]['id']}").status_code == 204
    told(first.get(ME), 401, "identity")


def test_nobody_ends_or_sees_the_session_of_another(lab):
    edda, adam = browser(lab, "edda"), browser(lab, "adam")
    own = edda.get(SESSIONS).json()["items"][0]["id"]
    assert own not in adam.get(SESSIONS).text
    there = told(adam.delete(f"{SESSIONS}/{own}"), 404, "absent")
    absent = told(adam.delete(f"{SESSIONS}/0000000000000000"), 404, "absent")
    assert there["detail"].replace(own, "") == absent["detail"].replace("0000000000000000", "")
    assert edda.get(ME).status_code == 200
    token = lab.as_("edda").post("/api/v1/tokens", json={"name": "x"}).json()
    assert edda.delete(f"{SESSIONS}/{token['id']}").status_code == 404, "a token is no session"


def test_a_token_of_a_narrow_scope_manages_no_sessions(lab):
    told(lab.as_("edda", "run").get(SESSIONS), 403, "forbidden")
    told(lab.as_("edda", "run").delete(f"{SESSIONS}/x"), 403, "forbidden")
    assert lab.as_("edda").get(SESSIONS).json()["items"] == []


@pytest.mark.parametrize(
    ("agent", "name"),
    [(FIREFOX, "Firefox on Linux"), (SAFARI, "Safari on iOS"), (EDGE, "Edge on Windows"), (OPERA, "Opera on macOS"),
     ("", UNKNOWN), ("<script>Firefox", UNKNOWN), ("Firefox/1 <b>", "Firefox"), ("x" * 100_000, UNKNOWN)],
)  # fmt: skip
def test_a_browser_is_named_by_what_is_known_of_it(agent, name):
    assert browser_name(agent) == name
