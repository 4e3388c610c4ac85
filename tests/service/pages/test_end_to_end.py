"""The whole way of a new user in a browser: log in by a link, launch, watch, review, compare, report, log out."""

import numpy as np
import pytest

from service.app.context import Context
from service.app.services import StoreServices
from studies.store import Store
from tests.service.pages.conftest import alone
from tests.service.serving import Serving

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

LAYOUTS = ["constrained", "suspended"]


@pytest.fixture(scope="module")
def way(browser, tmp_path_factory):
    """Somebody new at a server with a runner and an empty store."""
    folder = tmp_path_factory.mktemp("way")
    with (
        Serving(folder, "--workers", 1) as server,
        alone(browser, server.address, accept_downloads=True) as visitor,
    ):
        visitor.page.goto(server.link)
        yield visitor, folder


def field(page, pointer):
    found = page.locator(f'[data-pointer="{pointer}"]').locator("input, select, textarea").first
    found.evaluate("element => { element.closest('details').open = true; }")
    return found


def launch(page):
    """The robocab study from the form, on fewer cells and with fewer designs than it would be in earnest."""
    page.get_by_role("link", name="New study").first.click()
    page.locator("[data-example=robocab]").click()
    page.locator(".verdict .good").wait_for()
    field(page, "/seeds").fill("1")
    field(page, "/parameters/cells").fill("6")
    field(page, "/parameters/weight_moment").select_option("ignored")  # designs that work on so few cells
    field(page, "/search/population").fill("12")
    field(page, "/search/generations").fill("2")
    page.wait_for_function("() => document.getElementById('file').value.includes('generations = 2')")
    page.locator(".verdict .good").wait_for()
    page.get_by_role("button", name="Launch", exact=True).click()
    page.wait_for_url("**/studies/robocab")


def watch(page):
    """Until it is done; progress was seen on the way."""
    page.locator(".head [data-state=running], .head [data-state=done]").first.wait_for()
    page.locator(".head [data-state=done]").wait_for(timeout=300_000)
    assert page.locator(".totals dd").first.inner_text().split("\n") == ["48", "of 48 planned"]
    page.locator("[data-figure='front-1'][data-drawn]").wait_for()


def follows(page, key):
    """Table, details and robot all show the design."""
    page.wait_for_selector(f".designs tr[data-key='{key}'][aria-current='true']")
    page.wait_for_selector(f".details[data-key='{key}']:not([aria-busy])")
    page.wait_for_selector(f".space .plot[data-key='{key}']", state="attached")


def review(page, local):
    """The knee of the suspended robots, and every view of it, against what is stored."""
    front = local.fronts.list("robocab").items
    page.get_by_role("link", name="Review").first.click()
    page.wait_for_selector("#front[data-drawn]")
    page.wait_for_function("() => !document.querySelector('.plot[aria-busy]')")
    drawn = page.locator("#front").evaluate(
        "box => box.data.filter(t => t.meta && t.meta !== 'evaluations')"
        ".map(t => [t.meta, Array.from(t.x, (x, i) => [x, t.y[i]])])"
    )
    assert [layout for layout, _ in drawn] == LAYOUTS
    for layout, points in drawn:
        stored = [[d.metrics[n] for n in ("workspace_volume", "F2")] for d in front if d.layout == layout]
        np.testing.assert_allclose(sorted(points), sorted(stored), rtol=1e-9)
    assert page.locator(".designs tbody tr").count() == len(front)
    (knee,) = [p for p in local.fronts.picks("robocab").items if (p.layout, p.kind) == ("suspended", "knee")]
    page.get_by_role("group", name="Designs of suspended").get_by_text("Knee").click()
    follows(page, knee.key)
    design = local.designs.get(knee.key)
    assert f"{design.metrics['workspace_volume']:.4g}" in page.inner_text(".details")
    shapes = local.designs.figure(knee.key, "robocab").data
    assert page.locator(".space .plot").last.evaluate("box => box.data.length") == len(shapes)


def test_from_the_login_link_to_the_end_of_the_session(way):
    visitor, folder = way
    page = visitor.page
    page.get_by_role("heading", name="Studies").wait_for()
    launch(page)
    watch(page)
    with Store(str(folder / "tautline.db")) as store:
        local = StoreServices(Context(store=store))
        review(page, local)
        page.goto(f"{visitor.address}/compare?of=robocab#evidence=words")
        verdict = page.locator(".verdict")
        verdict.wait_for()
        said = [text.replace("^", "") for text in local.comparisons.studies(["robocab"]).verdict]
        assert verdict.locator("p").all_inner_texts() == said, "powers are raised"
    page.goto(f"{visitor.address}/studies/robocab")
    with page.expect_download() as download:
        page.locator('a[href*="/report"]').first.evaluate("link => link.setAttribute('download', '')")
        page.locator("a[href*='/report']").first.click()
    report = download.value.path().read_text(encoding="utf-8")
    assert "<title>robocab: study report" in report
    assert visitor.complaints == []
    assert visitor.foreign == []
    cookies = visitor.context.cookies()
    page.goto(f"{visitor.address}/account")
    page.get_by_role("button", name="Log out", exact=True).click()
    page.get_by_role("heading", name="Log in").wait_for()
    visitor.context.add_cookies(cookies)  # whoever kept the cookie has nothing of it
    assert page.goto(f"{visitor.address}/studies/robocab").status == 401
