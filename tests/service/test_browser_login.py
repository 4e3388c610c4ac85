"""The forms of the start page, as a browser sends them."""

import pytest

from service.access.passwords import hash_password
from studies.store import Store
from tests.dashboards.conftest import chromium

pytestmark = [pytest.mark.browser, pytest.mark.soak]
PASSWORD = "a good pass phrase"  # noqa: S105 - of an account that lives for one test


def test_a_browser_logs_in_and_out(serve, tmp_path):
    with Store(str(tmp_path / "tautline.db")) as store:
        store.accounts.add("ada", "admin", hash_password(PASSWORD))
    address = serve("--no-runner", "--accounts").address
    with chromium() as browser:
        page = browser.new_page()
        page.goto(address)
        page.get_by_label("Account").fill("ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("link", name="ada").click()
        page.get_by_role("button", name="Log out", exact=True).click()
        page.get_by_label("Password").wait_for()
