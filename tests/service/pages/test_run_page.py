"""A study's page: what it shows while runs go on agrees with the store; pause, resume, stop, branch."""

import threading
from contextlib import contextmanager, nullcontext

import pytest
from playwright.sync_api import expect

from dashboards.script_bundle import linked
from dashboards.templating import static_text
from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.run.launch import resume_study
from studies.store import Store
from tests.dashboards.conftest import LAYOUTS
from tests.service.pages.conftest import PHONE, Held, Here, alone, offline

pytestmark = pytest.mark.browser

SEEN = "box => box.data.filter(trace => trace.visible ?? true).map(trace => trace.name)"
ORDER = """([one, other]) => Boolean(document.querySelector(one)
  .compareDocumentPosition(document.querySelector(other)) & Node.DOCUMENT_POSITION_FOLLOWING)"""
POINTS = "box => box.data.map(trace => (trace.x ?? []).filter(value => value !== null).length)"


@pytest.fixture
def store(folder):
    with Store(str(folder / "tautline.db")) as opened:
        yield opened


class Stepwise(Here):
    """Evaluates a generation of a run whenever it may."""

    def __init__(self):
        self.may, self.asked = threading.Semaphore(0), threading.Semaphore(0)

    def evaluate(self, *asked, **said):
        self.asked.release()
        assert self.may.acquire(timeout=100)
        super().evaluate(*asked)


@contextmanager
def worked_on(folder, name, executor=None):
    """Somebody works on a study meanwhile, on an executor or in this process."""

    def work():
        with Store(str(folder / "tautline.db")) as store:
            resume_study(store, name, lambda: nullcontext(executor or Here()))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join(60)
    assert not thread.is_alive()


def stored(store, name, generations, *, launch=True):
    text = LAYOUTS.replace('"halves"', f'"{name}"').replace("generations = 5", f"generations = {generations}")
    StoreServices(Context(store=store)).studies.create(parse_study(text), launch=launch)
    return name


@pytest.mark.parametrize(
    "settings",
    [pytest.param({}, marks=pytest.mark.soak), {"color_scheme": "dark", "viewport": PHONE}],
    ids=["wide", "phone"],
)
def test_a_finished_study_shows_what_the_store_holds(visit, store, settings):
    visitor = visit("/studies/halves", **settings)
    page, local = visitor.page, StoreServices(Context(store=store))
    runs, front = local.runs.list("halves").items, local.fronts.list("halves").items
    assert page.locator("h1").inner_text() == "halves"
    assert page.locator(".head .state").inner_text().split()[-1] == "done"
    assert page.locator(".totals dd").first.inner_text().split("\n") == ["240", "of 240 planned"]
    assert page.locator("#content progress").is_hidden()
    assert page.evaluate(ORDER, [".plots", ".totals"]), "what was found stands first"
    ways = page.get_by_role("navigation", name="Results").get_by_role("link")
    assert [way.get_attribute("href") for way in ways.all()] == [
        "/studies/halves/review", "/compare?of=halves", "/studies/halves/decide",
    ]  # fmt: skip
    feasible = sum(run.feasible for run in runs)
    assert page.locator(".totals dd").nth(1).inner_text().split("\n")[0] == str(feasible)
    assert page.locator("tr[data-run]").count() == 0, "what is done stands in one line per layout"
    sums = page.locator("tr[data-layout]")
    assert [text.split(",")[0] for text in sums.all_inner_texts()] == ["left", "right"]
    sums.get_by_role("button").first.press("Enter")
    assert page.locator("tr[data-run]").count() == len([run for run in runs if run.layout == "left"]) == 2
    expect(sums.get_by_role("button").first).to_be_focused()  # lines are drawn anew as counts arrive
    page.locator("[data-figure='front-1'][data-drawn]").wait_for()
    drawn = page.locator("[data-figure='front-1']").evaluate(POINTS)
    assert drawn == [sum(design.layout == layout for design in front) for layout in ("left", "right")]
    history = page.locator("[data-figure=history][data-drawn]")
    history.wait_for()
    lines = [run.generations for run in runs]
    assert history.evaluate(POINTS)[: len(lines)] == lines
    assert history.evaluate(SEEN) == ["left", "left", "right", "right"], "the area and the median of each"
    assert [text.strip() for text in history.locator("[aria-pressed]").all_inner_texts()] == ["left", "right"]
    page.get_by_role("checkbox", name="each seed").check()
    assert len(history.evaluate(SEEN)) == len(lines) + 1 + 4
    page.get_by_text("break a constraint").wait_for()
    visitor.assert_accessible()


def test_remarks_on_versions_are_a_notice_of_the_page(visitor):
    def older(route):
        route.fulfill(json={**route.fetch().json(), "remarks": ["Version 1 evaluated it."]})

    visitor.page.route("**/api/v1/studies/robots", older)
    visitor.goto("/studies/robots")
    notice = visitor.page.locator(".head .notice")
    assert notice.inner_text() == "Version 1 evaluated it. Evaluate the leaders again"
    assert notice.get_by_role("link").get_attribute("href") == "/studies/robots/analyse"
    assert visitor.page.get_by_role("link", name="Compare the layouts").count() == (
        1 if visitor.page.locator("tr[data-layout]").count() > 1 else 0
    )
    visitor.assert_accessible(".head")


def test_failures_are_listed_once_by_kind_with_their_designs(visit, store):
    visitor = visit("/studies/shapes")
    page = visitor.page
    kind = page.get_by_text("3 failed: model error")
    kind.wait_for()
    held = Held(visitor, "**/studies/shapes/evaluations?*")
    for _ in range(3):  # opened, closed, opened: asked for twice at once
        kind.click()
    held.wait_for()
    page.wait_for_timeout(500)  # a second answer would have come by now
    held.let_through()
    rows = page.locator("details[open] tbody tr")
    rows.first.wait_for()
    failed = StoreServices(Context(store=store)).evaluations.list("shapes", state="failed").items
    assert rows.count() == len(failed) == 3
    assert "<img src=x onerror=alert(1)>" in rows.first.inner_text()
    link = rows.first.get_by_role("link")
    assert link.inner_text() == failed[0].key[:10]
    assert link.get_attribute("href") == f"/studies/shapes/review#layout=raises&key={failed[0].key}"
    assert f"x {failed[0].variables['x']:.3g}"[:5] in rows.first.inner_text()
    page.get_by_text("Reasons", exact=True).click()
    assert "too far right" in page.locator("table.verdicts").inner_text()
    assert page.evaluate("window.hostile") is None
    visitor.assert_sound()


def test_the_front_stands_in_space_and_versions_and_the_file_are_shown_when_asked_for(visit):
    visitor = visit("/studies/robots")
    page = visitor.page
    figure = page.locator("[data-figure='front-1'][data-drawn]")
    figure.wait_for()
    assert figure.locator(".stage canvas").count() == 1, "as on the other pages"
    assert "ideal point" in figure.locator(".legend").inner_text()
    page.get_by_text("Versions and machines").click()
    page.get_by_text("hybrid-cable-robot version").first.wait_for()
    page.get_by_text("Study file", exact=True).last.click()
    page.get_by_text('name = "robots"').wait_for()
    visitor.assert_sound()


def test_a_study_is_followed_paused_and_resumed(visit, store, folder):
    name, steps = stored(store, "followed", 8), Stepwise()
    visitor = visit(f"/studies/{name}", hurried=True)
    page = visitor.page
    state = page.locator(".head .state")
    page.get_by_text("No runner has been active").wait_for()
    with worked_on(folder, name, steps):
        page.locator(".head [data-state=running]").wait_for()
        steps.may.release(4)  # the first generation of each run
        page.locator(".numbers", has_text="left").wait_for()
        assert page.evaluate(ORDER, ["progress", ".plots"]), "how far it is stands first"
        page.locator("[data-figure='front-1'][data-drawn]").wait_for()
        before = page.locator("[data-figure=history][data-drawn]").evaluate(POINTS)
        steps.may.release(4)
        page.wait_for_function(
            "before => document.querySelector('[data-figure=history]').data.some("
            "(trace, i) => trace.x.length > (before[i] ?? 0))",
            arg=before,
        )
        for _ in range(4 + 4 + 1):  # until the next generation waits: between two a run would pause at once
            assert steps.asked.acquire(timeout=60)
        page.get_by_role("button", name="Pause").press("Enter")
        page.locator(".head [data-state=pausing]").wait_for()
        steps.may.release(4)
        page.locator(".head [data-state=paused]").wait_for()
    assert StoreServices(Context(store=store)).studies.get(name).state == "paused"
    page.get_by_role("button", name="Resume").click()
    page.locator(".head [data-state=queued]").wait_for()
    with offline(visitor):
        page.locator("#offline").wait_for()
        with worked_on(folder, name):
            assert state.inner_text().split()[-1] == "queued", "what is seen stays"
            assert page.locator("tr[data-layout]").count() == 2
    page.locator(".head [data-state=done]").wait_for()
    page.locator(".totals", has_text="384of 384 planned").wait_for()
    page.wait_for_function("() => document.querySelector('[data-figure=history]').data[0].x.at(-1) === 96")
    assert "done" in page.locator("#announcer").inner_text()
    assert [text for text in visitor.complaints if "ERR_INTERNET_DISCONNECTED" not in text] == []
    store.delete_study(name)


NOTIFICATIONS = """
window.shown = [];
window.Notification = class {
  static requestPermission = async () => "granted";
  constructor(title) { window.shown.push(title); }
};
"""


def test_the_browser_notifies_of_the_end_if_asked_to(visitor, store, folder):
    name = stored(store, "long-search", 3)
    page = visitor.page
    page.add_init_script(NOTIFICATIONS)
    visitor.goto(f"/studies/{name}")
    button = page.get_by_role("button", name="Notify me when it ends")
    button.click()
    page.locator(".notification button[aria-pressed=true]").wait_for()
    with worked_on(folder, name):
        page.wait_for_function("() => window.shown.length")
    assert page.evaluate("window.shown") == [f"{name} is done"]
    button.wait_for(state="hidden")
    visitor.assert_accessible()


def test_stopping_asks_first_and_a_branch_searches_again(visit, store):
    name = stored(store, "stopped", 5, launch=False)
    visitor = visit(f"/studies/{name}")
    page = visitor.page
    page.get_by_text("It is a draft").wait_for()
    page.get_by_role("button", name="Launch").click()
    page.locator(".head [data-state=queued]").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Cancel").click()
    assert store.study(name).state == "queued"
    page.get_by_role("button", name="Stop").click()
    visitor.assert_accessible("dialog")
    page.get_by_role("button", name="Stop it").click()
    page.locator(".head [data-state=cancelled]").wait_for()
    page.get_by_role("button", name="Branch").click()
    page.get_by_label("Name").fill("Not A Name")
    page.get_by_role("button", name="Make the branch").click()
    assert page.get_by_role("dialog").is_visible(), "the name is refused where it is typed"
    page.get_by_label("Name").fill("stopped-again")
    page.get_by_label("Launch it now").uncheck()
    page.get_by_role("button", name="Make the branch").click()
    page.wait_for_url("**/studies/stopped-again")
    page.get_by_role("link", name=name, exact=True).wait_for()
    assert store.study("stopped-again").branch_of == name
    for made in (name, "stopped-again"):
        store.delete_study(made)


# The pages' own script, of which one function is called: a request of two seconds, and when each began.
PACES = """text => {
  const throttled = new Function(`${text} return module1.throttled;`)();
  window.began = [];
  window.request = throttled(async () => {
    began.push(performance.now());
    await new Promise((done) => setTimeout(done, 2000));
  });
}"""


def test_own_actions_pass_pacing_and_no_pause_is_long(browser, server):
    with alone(browser, server.address) as visitor:
        page = visitor.page
        page.clock.install()
        page.evaluate(PACES, linked(static_text, ["core/stream.js"]))
        page.evaluate("request()")
        page.clock.run_for(100)
        page.evaluate("void request.now()")
        assert page.evaluate("began.length") == 2, "what somebody does waits for what was asked before"
        page.clock.run_for(2100)
        page.evaluate("request()")
        page.clock.run_for(2000)
        assert page.evaluate("began.length") == 2, "the next one is paced"
        page.clock.run_for(2500)
        assert page.evaluate("began.length") == 3, "three times the two seconds that an answer took"


def test_a_stopped_study_is_seen_stopped_while_an_older_answer_is_under_way(visit, store):
    stored(store, "slow-to-see", 5)
    visitor = visit("/studies/slow-to-see")
    visitor.wait_until_it_follows()
    held = Held(visitor, "**/studies/slow-to-see/progress")
    visitor.page.evaluate("dispatchEvent(new Event('online'))")
    visitor.page.get_by_role("button", name="Stop", exact=True).click()
    visitor.page.get_by_role("button", name="Stop it").click()
    visitor.page.locator(".head .state", has_text="cancelled").wait_for()
    held.let_through()
    assert visitor.page.locator(".head .state").inner_text().strip().endswith("cancelled")
