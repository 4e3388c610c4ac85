"""Pages wait while the server computes something else for the account, and ask again by themselves."""

import re

import pytest
from playwright.sync_api import expect

from tests.service.pages.test_new_page import begin_with

pytestmark = pytest.mark.browser

BUSY = {"title": "Too many requests", "status": 429, "detail": "1 of your computations are already running"}


def busy(page, wanted, times=2):
    """Refuse so many requests as a busy server does, then let them through; addresses of all that came."""
    asked = []

    def answer(route):
        asked.append(route.request.url)
        if len(asked) > times:
            route.continue_()
        else:
            route.fulfill(status=429, content_type="application/problem+json", json=BUSY)

    page.route(wanted, answer)
    return asked


def test_a_picture_of_a_robot_is_asked_for_until_it_comes(visitor):
    visitor.hurry()
    asked = busy(visitor.page, "**/designs/*/figure*", times=8)
    visitor.goto("/studies/robots/review")
    visitor.page.locator(".inspector .plot[data-key]:not([aria-busy])").wait_for()
    assert len(asked) > 8
    visitor.assert_sound()


def test_a_design_is_evaluated_and_saved_once_the_server_is_free(review):
    visitor = review("robots", hurried=True)
    page = visitor.page
    page.click("summary:has-text('Evaluate again')")
    asked = busy(page, re.compile("/reproduce$"))
    page.get_by_role("button", name="Reproduce exactly").click()
    page.get_by_text("Identical").wait_for()
    assert len(asked) == 3
    asked = busy(page, re.compile("/evaluate$"))
    page.get_by_label("New value").fill("6")
    page.get_by_role("button", name="Evaluate with these settings").click()
    page.locator(".again table").wait_for()
    assert len(asked) == 3
    asked = busy(page, re.compile("/export"))
    menu = page.locator(".details .design-file")
    menu.locator("summary").click()
    with page.expect_download():
        menu.get_by_role("button", name="urdf").click()
    assert len(asked) == 3
    visitor.assert_sound()


def test_the_cost_of_a_new_study_is_measured_once_the_server_is_free(visit):
    visitor = begin_with(visit("/new", hurried=True))
    page = visitor.page
    page.locator(".facts .each").first.wait_for()  # measured by itself
    asked = busy(page, "**/models/bnh/evaluate")
    again = page.get_by_role("button", name="Measure again")
    again.click()
    expect(again).to_be_enabled()
    assert len(asked) == 2 + 2, "both layouts"
    assert BUSY["detail"] not in page.locator(".cost").inner_text()
    visitor.assert_sound()
