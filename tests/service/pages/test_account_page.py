"""One's account: tokens that are shown once and revoked, sessions that are ended, accounts for admins."""

import re
import shutil
from contextlib import ExitStack

import httpx
import pytest

from service.access.passwords import hash_password
from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.store import Store
from tests.dashboards.conftest import LAYOUTS
from tests.service.pages.conftest import PHONE, alone
from tests.service.serving import Serving

pytestmark = pytest.mark.browser

PASSWORD = "a good pass phrase"  # noqa: S105 - of accounts that live for these tests


def me(server, token):
    return httpx.get(f"{server.address}/api/v1/me", headers={"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize(
    "settings",
    [pytest.param({}, marks=pytest.mark.soak), {"color_scheme": "dark", "viewport": PHONE}],
    ids=["wide", "phone"],
)
def test_a_token_is_made_shown_once_and_revoked(visit, server, settings):
    visitor = visit("/account", **settings)
    page = visitor.page
    name = f"<b>{'phone' if settings else 'wide'}</b>"
    page.get_by_label("What it is for").fill(name)
    page.get_by_label("What it may do").select_option("read")
    page.get_by_role("button", name="Make a token").click()
    token = page.locator(".secret code").inner_text()
    answer = me(server, token)
    assert (answer.status_code, answer.json()["scope"]) == (200, "read")
    row = page.locator("tr[data-token]", has_text=name)
    row.wait_for()
    assert row.count() == 1
    visitor.assert_accessible()
    row.get_by_role("button").click()
    page.get_by_role("button", name="Revoke", exact=True).click()
    row.wait_for(state="detached")
    assert me(server, token).status_code == 401
    assert page.locator(".secret code").count() == 0
    page.reload()
    page.get_by_text("revoked or expired").wait_for()
    assert token not in page.content()


def test_another_browser_is_logged_out_from_here(visit, server, folder):
    page = visit("/account").page
    with Store(str(folder / "tautline.db")) as store:
        before = page.locator("tr[data-session]").count()
        assert before == len(store.tokens.sessions(""))
    own = page.locator("tr[data-session]", has_text="this one")
    assert own.count() == 1
    assert "Chrome on Linux" in own.inner_text()


@pytest.fixture(scope="module")
def people(tmp_path_factory, folder):
    """A server that asks for accounts."""
    made = tmp_path_factory.mktemp("people")
    shutil.copy(folder / "tautline.db", made)
    with Store(str(made / "tautline.db")) as store:
        for name, role in (("adam", "admin"), ("edda", "editor")):
            store.accounts.add(name, role, hash_password(PASSWORD))
        draft = parse_study(LAYOUTS.replace('"halves"', '"sketch"'))
        StoreServices(Context(store=store)).studies.create(draft, launch=False)
    with Serving(made, "--no-runner", "--accounts", env={"TAUTLINE_LOGINS_PER_MINUTE": "1000"}) as serving:
        yield serving, made


def logged_in(visitor, name):
    answer = visitor.context.request.post(
        f"{visitor.address}/login",
        form={"account": name, "password": PASSWORD},
        headers={"Origin": visitor.address},
        max_redirects=0,
    )
    assert answer.status == 303
    return visitor


@pytest.fixture(scope="module")
def adam(browser, people):
    """The admin; one context for all tests, and at their end the session is as good as before."""
    with alone(browser, people[0].address) as visitor:
        yield logged_in(visitor, "adam")


@pytest.fixture
def log_in(browser, people):
    """Opens the account page for somebody who logs in anew, each in a context of their own."""

    def go(name, **settings):
        visitor = logged_in(opened.enter_context(alone(browser, people[0].address, **settings)), name)
        visitor.goto("/account")
        return visitor

    with ExitStack() as opened:
        yield go


def test_an_admin_manages_accounts(adam, people):
    visitor = adam
    visitor.goto("/account")
    page = visitor.page
    page.get_by_label("Name", exact=True).fill("nina")
    page.locator("form select[name=role]").select_option("viewer")
    page.get_by_role("button", name="Add the account").click()
    row = page.locator("tr[data-account=nina]")
    row.wait_for()
    with Store(str(people[1] / "tautline.db")) as store:
        assert store.accounts.find("nina").role == "viewer"
        with page.expect_response("**/api/v1/accounts"):
            row.get_by_label("Role of nina").select_option("editor")
        assert store.accounts.find("nina").role == "editor"
        row.get_by_role("button", name="Set password: nina").click()
        page.get_by_label("New password").last.fill("another good phrase")
        page.get_by_role("button", name="Set the password").click()
        row.get_by_text("set", exact=True).wait_for()
        row.get_by_role("button", name="Disable: nina").click()
        row.get_by_text("no", exact=True).wait_for()
        assert store.accounts.find("nina").disabled
    visitor.assert_sound()
    page.get_by_label("Name", exact=True).fill("nina")
    page.get_by_role("button", name="Add the account").click()
    page.get_by_text("there is already an account named 'nina'").wait_for()


def test_an_editor_sees_no_accounts_and_ends_another_session(log_in):
    first, second = log_in("edda"), log_in("edda", viewport=PHONE)
    page = first.page
    assert page.get_by_role("heading", name="Accounts").count() == 0
    assert "editor" in page.locator("#content > p").first.inner_text()
    page.reload()
    other = page.locator("tr[data-session]").filter(has_not_text="this one")
    other.first.wait_for()
    assert other.count() == 1
    other.get_by_role("button").click()
    other.wait_for(state="detached")
    assert page.get_by_role("button", name=re.compile("^Log out")).count() == 1
    first.assert_sound()
    second.page.goto(f"{second.address}/new")
    assert second.page.get_by_role("button", name="Log in").is_visible()
    page.get_by_role("button", name="Log out", exact=True).click()
    page.get_by_role("button", name="Log in").wait_for()


def test_a_study_is_shared_from_its_page_and_seen_by_others(adam, log_in):
    adam.complaints.clear()  # a browser also writes down what was refused on purpose
    edda = log_in("edda")
    edda.goto("/")
    assert edda.page.get_by_role("link", name="sketch").count() == 0
    adam.goto("/studies/sketch")
    adam.page.get_by_role("button", name="Share", exact=True).click()
    adam.page.get_by_text("everybody with an account may read it").wait_for()
    adam.page.get_by_role("button", name="Make private").wait_for()
    adam.assert_sound()
    edda.goto("/")
    edda.page.get_by_role("link", name="sketch", exact=True).wait_for()
    edda.goto("/studies/sketch")
    assert edda.page.get_by_role("button", name="Make private").count() == 0
    adam.page.get_by_role("button", name="Make private").click()
    adam.page.get_by_text("only its owner and admins see it").wait_for()
    assert edda.page.goto(f"{edda.address}/studies/sketch").status == 404


def test_a_link_that_needs_a_login_keeps_its_view(browser, people):
    serving, _ = people
    wanted = "/compare?of=halves#of=left&key=none"
    with alone(browser, serving.address) as visitor:
        page = visitor.page
        page.goto(serving.address + wanted)
        for password in ("wrong", PASSWORD):
            page.get_by_label("Account").fill("adam")
            page.get_by_label("Password").fill(password)
            page.get_by_role("button", name="Log in").click()
            if password == "wrong":  # noqa: S105
                page.get_by_role("alert").wait_for()
        page.locator(".answers").wait_for()
        assert page.url == serving.address + wanted


def test_a_login_over_the_page_keeps_what_was_typed(adam, people):
    visitor = adam
    page = visitor.page
    visitor.goto("/new#a=b")
    page.locator("summary", has_text="test problems").click()
    page.get_by_role("button", name="New study: Test problem BNH: two constraints").click()
    page.get_by_label("Name of the study").fill("kept-name")
    page.wait_for_function("() => document.getElementById('file').value.includes('kept-name')")
    with Store(str(people[1] / "tautline.db")) as store:
        for session in store.tokens.sessions("adam"):
            store.tokens.revoke(session.id)
    page.get_by_label("Description").fill("typed after the end")
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    assert "what you typed are kept" in dialog.inner_text()
    assert visitor.faults_of_access("dialog") == []
    for password in ("wrong", PASSWORD):
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Log in").click()
        if password == "wrong":  # noqa: S105
            dialog.get_by_text("is wrong").wait_for()
    dialog.wait_for(state="detached")
    assert page.get_by_label("Name of the study").input_value() == "kept-name"
    page.wait_for_function("() => document.getElementById('file').value.includes('typed after the end')")
    assert page.url.endswith("/new#a=b")
