"""The content security policies of the pages: strict but where plotly.js draws, and none is violated."""

import pytest

from dashboards.pages import PLOT_PAGES
from service.web.middleware.browser_security import STRICT
from service.web.page_responses import PLOT_POLICY
from tests.service.pages.conftest import alone

pytestmark = pytest.mark.browser

PAGES = {
    "/": "studies",
    "/new?from=robots": "new",
    "/studies/robots": "run",
    "/studies/robots/review": "review",
    "/studies/robots/review#view=2d": "review",
    "/studies/robots/review#view=matrix": "review",
    "/studies/robots/review#view=lines": "review",
    "/studies/halves/review#view=2d&colour=x1&size=x2&cloud=1": "review",
    "/studies/robots/analyse": "review",
    "/studies/robots/decide": "review",
    "/compare": "compare",
    "/compare?of=robots": "compare",
    "/account": "account",
    "/studies/nowhere": "problem",
}
WATCH = """window.violations = [];
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
  violations.push([effectiveDirective, blockedURI, sourceFile, lineNumber].join(" ")));"""
FIGURES = {"2d": "Front as drawn", "lines": "Parallel coordinates"}
OPEN = "document.querySelectorAll('details').forEach(part => { part.open = true; })"


@pytest.mark.parametrize(("path", "name"), PAGES.items())
def test_a_page_keeps_the_policy_that_it_is_sent_with(visitor, server, path, name):
    visitor.page.add_init_script(WATCH)
    sent = visitor.page.goto(server.address + path).headers["content-security-policy"]
    assert sent == (PLOT_POLICY if name in PLOT_PAGES else STRICT)
    if name != "problem":
        visitor.page.locator("#content:not([aria-busy])").wait_for()
        visitor.settle()
        visitor.page.evaluate(OPEN)
        visitor.settle()
    assert visitor.page.evaluate("violations") == []
    assert visitor.page.evaluate("'Plotly' in window") is False or name in PLOT_PAGES


def test_pictures_are_saved_under_the_strict_policy(review):
    for view, figure in FIGURES.items():
        page = review("halves", f"#view={view}").page
        page.evaluate(WATCH)
        with page.expect_download() as download:
            page.locator("#links summary").click()
            page.locator("#links").locator("li", has_text=figure).get_by_role("button", name="PNG").click()
        assert download.value.path().stat().st_size > 1000
        assert page.evaluate("violations") == []


def test_a_violation_would_be_noticed(visitor, server):
    visitor.page.add_init_script(WATCH)
    visitor.page.goto(f"{server.address}/account")
    visitor.page.evaluate("document.body.setAttribute('style', 'color: red')")
    assert visitor.page.evaluate("violations.length") == 1


def test_the_login_page_keeps_the_strict_policy(browser, server):
    with alone(browser, server.address) as stranger:
        stranger.page.add_init_script(WATCH)
        answer = stranger.page.goto(server.address)
        assert answer.headers["content-security-policy"] == STRICT
        assert stranger.page.evaluate("violations") == []
