"""Pictures of the pages in the browser, from a real server with the demo's study: part of ``make screenshots``."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, Route

from service.app.context import Context
from service.app.services import StoreServices
from service.resources.studies import AnnotationRequest
from studies.definition.study_file import read_study
from studies.store import Store
from tests.service.serving import Serving

EXAMPLES = Path(__file__).parents[1] / "examples"
DRAFTS = ("cogiro.toml", "continuum-workspace.toml")
"""Stored beside the demo's study, so that the list of studies is one."""
SIZES = {"wide": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
SHOWN = """() => !document.querySelector('#content[aria-busy], .plot[aria-busy], .lines[aria-busy]')
  && !/Reading the file|Checking/.test(document.getElementById('main').innerText)"""
PATIENCE = 120_000
MOMENT = re.compile(r'"\d{4}-\d\d-\d\dT\d\d:\d\d[^"]*"')
SECONDS = re.compile(r'("seconds": ?)(?!0(?:\.0)?[,}])[\d.e-]+')
STEADY_MOMENT, STEADY_SEARCH, STEADY_DESIGN = '"2026-01-05T09:30:00+00:00"', "20", "0.02"
"""Stand in pictures for what differs each time: moments, and the times [s] that a search and a design take."""
STEADY_CLOCK = """if (location.pathname === "/new") {
  let looks = 0;
  performance.now = () => 70 * (looks += 1);
}"""
"""Time that the page of a new study measures by itself: 70 ms for each design, from request to answer."""


def take_pages(browser: Browser, demo: Path, folder: Path) -> None:
    """Every page, wide and on a phone, light and dark, as ``<page>-<size>-<scheme>.png``, at full height
    but for a page with a bar at its lower edge."""
    with served(demo) as (server, pages):
        first = browser.new_context()
        first.new_page().goto(server.link)
        session = first.storage_state()
        first.close()
        for size, viewport in SIZES.items():
            for scheme in ("light", "dark"):
                context = browser.new_context(
                    storage_state=session,
                    viewport=viewport,
                    color_scheme=scheme,
                    locale="en-US",
                    timezone_id="UTC",
                )
                context.route("**/api/**", steady)
                context.add_init_script(STEADY_CLOCK)
                for name, path in pages.items():
                    page = context.new_page()
                    page.goto(server.address + path)
                    settle(page)
                    # A bar that stays at the lower edge of a window would stand in the middle of all of a page.
                    whole = not page.locator(".launchbar").count()
                    page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=whole)
                    page.close()
                context.close()


def steady(route: Route) -> None:
    """Pass on a request, and answer with fixed moments and times."""
    if route.request.resource_type == "eventsource":
        route.continue_()
        return
    answer = route.fetch(timeout=PATIENCE)
    if "json" not in answer.headers.get("content-type", ""):
        route.fulfill(response=answer)
        return
    seconds = STEADY_DESIGN if route.request.url.endswith("/evaluate") else STEADY_SEARCH
    text = SECONDS.sub(rf"\g<1>{seconds}", MOMENT.sub(STEADY_MOMENT, answer.text()))
    route.fulfill(response=answer, body=text)


@contextmanager
def served(demo: Path) -> Iterator[tuple[Serving, dict[str, str]]]:
    """A server on a copy of the demo's store, and the pages' addresses."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(demo / "tautline.db", folder)
        with Store(str(Path(folder) / "tautline.db")) as store:
            local = StoreServices(Context(store=store))
            for name in DRAFTS:
                local.studies.create(read_study(EXAMPLES / name), launch=False)
            knee = next(pick for pick in local.fronts.picks("demo").items if pick.kind == "knee")
            written = (
                {"kind": "tag", "text": "thesis"},
                {"kind": "favourite", "key": knee.key},
                {"kind": "tag", "text": "for the prototype", "key": knee.key},
                {"kind": "note", "text": "The upper pulleys are near the door.", "key": knee.key},
            )
            for each in written:
                local.annotations.add("demo", AnnotationRequest.model_validate(each))
        chosen = urlencode({"layout": knee.layout, "key": knee.key})
        with Serving(Path(folder), "--no-runner") as server:
            yield (
                server,
                {
                    "studies": "/",
                    "new": "/new?from=demo",
                    "run": "/studies/demo",
                    "review": f"/studies/demo/review#{chosen}",
                    "compare": "/compare?of=demo",
                    "account": "/account",
                },
            )


def settle(page: Page) -> None:
    """Wait until the page shows its data, its figures are drawn, and nothing is fetched any more."""
    page.wait_for_function("() => document.getElementById('content')", timeout=PATIENCE)
    page.wait_for_function(SHOWN, timeout=PATIENCE)
    page.wait_for_timeout(3000)  # the robot's scene comes after the selection
    page.evaluate("void dispatchEvent(new Event('beforeprint'))")  # figures below the window are drawn, too
    page.wait_for_timeout(500)
    page.wait_for_function(SHOWN, timeout=PATIENCE)
