"""A real server on a store that holds studies, and people who look at it with a browser."""

import os
import re
import shutil
from contextlib import ExitStack, closing, contextmanager, nullcontext

import pytest

from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.execution.evaluation import evaluate_task
from studies.run.launch import run_study
from studies.store import Store
from tests.dashboards.conftest import LAYOUTS, PATIENCE, SHAPES, chromium, faults_of_access
from tests.dashboards.test_report_browser import ROBOTS
from tests.service.serving import Serving
from tests.service.working import runner_at_work

WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
# Enough frames for what was asked for to begin.
FRAMES = """async () => {
  for (let frame = 0; frame < 10; frame += 1)
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
}"""

BUSY = "status of 429"
"""In the browser's complaint where the server computes something else for the account, which is that of all tests here:
also what a page asked for that was closed. The pages ask again: see ``test_busy_server.py``."""
HURRY = """for (const name of ["setTimeout", "setInterval"]) {
  const wait = window[name];
  window[name] = (work, time) => wait(work, time / 10);
}"""


class Here:
    """Evaluates in this process."""

    workers = 1

    def evaluate(self, tasks, sink, should_stop, limits, **said):
        sink([evaluate_task(task, "here") for task in tasks])


class Visitor:
    """Somebody with a page of their own, with all that it asked for and complained about."""

    def __init__(self, context, address, page=None):
        self.address, self.context = address, context
        self.requests, self.complaints, self.streams = [], [], []
        self.beginning = ""
        self.page = page or context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("response", lambda r: "/api/v1/events" in r.url and self.streams.append(r.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on(
            "console", lambda m: m.type == "error" and BUSY not in m.text and self.complaints.append(m.text)
        )

    def goto(self, path):
        self.streams.clear()
        self.page.goto(self.address + path)
        self.page.locator("#content:not([aria-busy])").wait_for()

    def hurry(self):
        """Let the scripts of its pages wait a tenth of the time; those that are opened from now on."""
        self.page.add_init_script(HURRY)

    def do_without_robots(self):
        """Pictures of robots, which take longer than all the rest of a page, do not come: for who looks elsewhere."""
        self.page.route(re.compile(r"/(designs|models)/[^/]+/figure"), lambda _: None)

    def begin_again(self, state=""):
        """Let the address of a page that lasts say what it said in the beginning, with a further state."""
        self.complaints.clear()  # of a way that was cut while it was another one's turn
        self.page.evaluate("hash => { location.hash = hash; }", self.beginning + state)
        self.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        self.page.evaluate(FRAMES)
        self.page.locator("#offline").wait_for(state="hidden")
        self.settle()

    def settle(self):
        """Wait until every figure is drawn, as on paper, also those that are far from what is seen."""
        self.page.evaluate("void dispatchEvent(new Event('beforeprint'))")
        self.page.wait_for_function("() => !document.querySelector('.plot[aria-busy]')")

    def wait_until_it_follows(self):
        """Wait for the stream of events, on pages that have one: it is opened when they are drawn."""
        while self.page.evaluate("'after' in document.body.dataset") and not self.streams:
            self.page.wait_for_timeout(20)

    @property
    def foreign(self):
        """Requests that left this server."""
        return [url for url in self.requests if not url.startswith((self.address, "data:", "blob:"))]

    def faults_of_access(self, part=None):
        """Faults that axe finds in the page as it stands, or, sooner, in a part of it."""
        return faults_of_access(self.page, part)

    def assert_sound(self):
        """No complaint of the browser, no request elsewhere, nothing sideways."""
        assert self.complaints == []
        assert self.foreign == []
        width = self.page.viewport_size["width"]
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width

    def assert_accessible(self, part=None):
        """Sound, and nothing inaccessible; asked of each page once, and of the parts that a selector names."""
        self.assert_sound()
        assert self.faults_of_access(part) == []


@pytest.fixture(scope="package")
def browser(tmp_path_factory, testrun_uid):
    """A browser for the tests of this folder; it is closed before others need this process's loop.

    A second one fails: the pages, with the server and its studies, are to be handed to one process.
    """
    folder = tmp_path_factory.getbasetemp()
    started = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / f"pages-{testrun_uid}"
    if started.exists():
        pytest.fail("a second browser is started for the pages: see pytest_xdist_make_scheduler")
    started.touch()
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="session")
def finished_studies(tmp_path_factory):
    """Made once: a store of finished studies, robots in two layouts, halves of BNH, and hostile names."""
    path = tmp_path_factory.mktemp("finished") / "tautline.db"
    with Store(str(path)) as store:
        for text in (ROBOTS, LAYOUTS, SHAPES):
            run_study(store, parse_study(text), lambda: nullcontext(Here()))
    return path


@pytest.fixture(scope="package")
def folder(tmp_path_factory, finished_studies):
    """A folder with that store, for the tests of this folder."""
    made = tmp_path_factory.mktemp("pages")
    shutil.copy(finished_studies, made)
    return made


@pytest.fixture(scope="package")
def server(folder):
    """The server on that store, without a runner."""
    with Serving(folder, "--no-runner") as serving:
        yield serving


@pytest.fixture
def at_work(folder):
    """A runner beside that server, for jobs."""
    with Store(str(folder / "tautline.db")) as store, runner_at_work(store, Here()):
        yield


@pytest.fixture(scope="module", autouse=True)
def only_finished_studies(folder):
    """Delete the studies that the tests of one file added, before the next file begins."""
    path = str(folder / "tautline.db")
    with Store(path) as store:
        names = {study.name for study in store.studies()}
    yield
    with Store(path) as store:
        for study in store.studies():
            if study.name not in names:
                store.delete_study(study.name, with_decisions=True)


@contextmanager
def alone(browser, address, **settings):
    """Somebody who shares nothing with anybody: for what is about logging in and out, and about sessions."""
    with closing(browser.new_context(**{"viewport": WIDE, **settings})) as context:
        yield Visitor(context, address)


class Contexts:
    """A context of the browser for all who look with the same settings, logged in.

    A small page of each stays open: the browser's process behind it draws all later pages of that context
    (``--process-per-site``) and need not compile plotly.js again, which takes longer than all the rest.
    Of one test nothing else is left to the next: its pages are closed, the session is what it was, storage
    is empty.
    """

    def __init__(self, browser, address, session):
        self._browser, self._address, self._session = browser, address, session
        self._opened, self._lasting = {}, []

    def visitor(self, viewport=WIDE, color_scheme="light", **settings):
        """With a window and colours, which a page has by itself, and further settings of a context."""
        key = repr(sorted(settings.items()))
        if key not in self._opened:
            self._opened[key] = self._open(settings)
        visitor = Visitor(self._opened[key], self._address, self._page(self._opened[key]))
        visitor.page.set_viewport_size(viewport)
        visitor.page.emulate_media(color_scheme=color_scheme)
        return visitor

    @contextmanager
    def lasting(self, path, **settings):
        """A drawn page that stays for several tests, which change nothing but what its address says."""
        visitor = self.visitor(**settings)
        self._lasting.append(visitor.page)
        try:
            visitor.goto(path)
            visitor.settle()
            visitor.assert_sound()
            visitor.beginning = visitor.page.evaluate("location.hash")
            yield visitor
        finally:
            self._lasting.remove(visitor.page)
            visitor.page.close()

    def clean(self):
        for context in self._opened.values():
            kept, *opened = context.pages
            pages = [page for page in opened if page not in self._lasting]
            for page in pages:
                page.close()
            if pages:
                self._forget(kept)

    def close(self):
        for context in self._opened.values():
            context.close()

    def _open(self, settings):
        context = self._browser.new_context(storage_state=self._session, **settings)
        context.new_page().goto(f"{self._address}/health")
        return context

    def _page(self, context):
        """A new page, opened by the one that stays: in the process of that one, which takes half of the time."""
        with context.expect_page() as opened:
            context.pages[0].evaluate("void window.open('about:blank')")
        return opened.value

    def _forget(self, page):
        page.evaluate("localStorage.clear()")
        own = self._session["cookies"]
        kept = {cookie["name"] for cookie in own}
        for name in {cookie["name"] for cookie in page.context.cookies()} - kept:
            page.context.clear_cookies(name=name)
        page.context.add_cookies(own)  # never a moment without: a page that lasts would ask for a login


@pytest.fixture(scope="package")
def contexts(browser, server):
    """For the visitors of this folder, with the session that the login link opened; the link works once."""
    with alone(browser, server.address) as first:
        first.page.goto(server.link)
        session = first.context.storage_state()
    with closing(Contexts(browser, server.address, session)) as opened:
        yield opened


@pytest.fixture
def visitor(contexts):
    """Somebody who is logged in and has opened nothing yet."""
    yield contexts.visitor()
    contexts.clean()


@pytest.fixture
def visit(contexts):
    """Opens pages of the server for somebody who is logged in."""

    def go(path="/", *, hurried=False, robots=True, **settings):
        visitor = contexts.visitor(**settings)
        if hurried:
            visitor.hurry()
        if not robots:
            visitor.do_without_robots()
        visitor.goto(path)
        return visitor

    yield go
    contexts.clean()


@pytest.fixture(scope="module")
def lasting_reviews(contexts):
    """Reviews that tests of one file share, each opened once."""
    opened = {}
    with ExitStack() as stack:

        def go(study):
            if study not in opened:
                opened[study] = stack.enter_context(contexts.lasting(f"/studies/{study}/review"))
            return opened[study]

        yield go


@pytest.fixture
def shared_review(lasting_reviews):
    """The review of a study, for tests that only look at it, or change nothing but what its address says.

    For each its address says what it said at first, with a further state.
    """

    def go(study, state=""):
        visitor = lasting_reviews(study)
        visitor.begin_again(state)
        return visitor

    return go


@pytest.fixture
def local(folder):
    with Store(str(folder / "tautline.db")) as store:
        yield StoreServices(Context(store=store))


@pytest.fixture
def review(visit):
    """Opens the review of a study, or another view of it, and waits until it is drawn."""

    def go(study, state="", *, view="review", **settings):
        visitor = visit(f"/studies/{study}/{view}{state}", **settings)
        visitor.settle()
        return visitor

    return go


class Held:
    """Answers that are kept back until they are let through: of requests whose address ``wanted`` takes."""

    def __init__(self, visitor, wanted):
        self._page, self._kept = visitor.page, []
        visitor.page.route(wanted, lambda route: self._kept.append((route, route.fetch())))

    def wait_for(self, count=1):
        """Until so many answers have come."""
        while len(self._kept) < count:
            self._page.wait_for_timeout(20)

    def let_through(self):
        """Let through the answers that were kept back by now, and wait for the page's response to them."""
        kept, self._kept = self._kept, []
        for route, answer in kept:
            route.fulfill(response=answer)
        self._page.wait_for_timeout(300)


@contextmanager
def offline(visitor):
    """The way to the server is cut, for all pages that look with the visitor's settings.

    Not while a stream is being opened: Chromium, when it plays that the way is cut, forgets such a one.
    """
    visitor.wait_until_it_follows()
    visitor.context.set_offline(offline=True)
    try:
        yield
    finally:
        visitor.context.set_offline(offline=False)
