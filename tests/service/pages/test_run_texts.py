"""Texts of a study's page while nothing is there yet, for one design, and for figures without values."""

import threading

import pytest
from playwright.sync_api import expect

from service.app.context import Context
from service.app.services import StoreServices
from service.resources.studies import ExtensionRequest
from studies.definition.study_file import parse_study
from studies.store import Store
from tests.dashboards.conftest import LAYOUTS
from tests.service.pages.conftest import Held, Here
from tests.service.pages.test_run_page import worked_on

pytestmark = pytest.mark.browser

SMALL = """
name = "NAME"
model = "faulty"
parameters = { threshold = THRESHOLD, fault = "infeasible" }
variables.x = { lower = 0.2, upper = 1 }
variables.y = { lower = 0, upper = 1 }
objectives = { f1 = "minimize", f2 = "minimize" }
search = { algorithm = "sobol", evaluations = DESIGNS, population = 4 }
"""


@pytest.fixture
def store(folder):
    with Store(str(folder / "tautline.db")) as opened:
        yield opened


def small(store, folder, name, designs, threshold):
    text = SMALL.replace("NAME", name).replace("DESIGNS", str(designs)).replace("THRESHOLD", str(threshold))
    StoreServices(Context(store=store)).studies.create(parse_study(text))
    with worked_on(folder, name):
        pass
    return name


WAITS = "waiting for workers: the scheduler has none now"


class Starting(Here):
    """Has no worker until it is let go."""

    def __init__(self):
        self.go = threading.Event()

    def evaluate(self, *asked, say):
        self.say = say
        assert self.go.wait(240)
        super().evaluate(*asked)


def test_while_no_worker_is_there_it_says_that_workers_start(visit, store, folder):
    text = LAYOUTS.replace('"halves"', '"starting"').replace(
        "seeds = [1, 2]", "seeds = [77]"
    )  # no known designs
    name, machines = StoreServices(Context(store=store)).studies.create(parse_study(text)).name, Starting()
    with worked_on(folder, name, executor=machines):
        try:
            page = visit(f"/studies/{name}").page
            starting = page.get_by_text("Starting workers: each loads the back-end")
            starting.wait_for()
            assert page.locator(".numbers").inner_text().startswith("0 %, 0 of 120 designs")
            assert page.locator(".plots").is_hidden()
            machines.say(WAITS)
            reason = page.locator(".notice", has_text="Waiting for workers: the scheduler has none now.")
            reason.wait_for()
            assert page.locator("table.runs tbody .note").all_inner_texts() == [WAITS]
            machines.say("")
            reason.wait_for(state="hidden")
            starting.wait_for()
        finally:
            machines.go.set()
        starting.wait_for(state="hidden")
    page.locator(".totals", has_text="120of 120 planned").wait_for()
    assert starting.is_hidden()
    store.delete_study(name)


def test_one_design_is_no_plural(visit, store, folder):
    name = small(store, folder, "single", 1, 2)
    visitor = visit(f"/studies/{name}")
    assert visitor.page.locator(".totals dd").first.inner_text().split("\n") == ["1", "of 1 planned"]
    visitor.assert_sound()
    store.delete_study(name)


def test_figures_without_a_feasible_design_say_so_and_expect_one_only_while_it_runs(visit, store, folder):
    name = small(store, folder, "none-feasible", 8, 0)
    visitor = visit(f"/studies/{name}")
    places = visitor.page.locator(".plots .place")
    expect(places).to_have_text(["No design is feasible."] * 2)
    visitor.assert_sound()
    small(store, folder, "longer", 8, 0)
    StoreServices(Context(store=store)).studies.extend("longer", ExtensionRequest(evaluations=16))
    visitor.goto("/studies/longer")
    expect(places).to_have_text(["No design is feasible yet."] * 2)
    store.stop_study("longer")
    for made in (name, "longer"):
        store.delete_study(made)


def test_while_a_figure_is_fetched_its_place_does_not_say_that_nothing_is_feasible(visitor):
    held = Held(visitor, "**/studies/halves/figures/front-1")
    visitor.goto("/studies/halves")
    held.wait_for()
    texts = visitor.page.locator(".plots .place").all_inner_texts()
    assert "Drawing\u2026" in texts
    assert not any("feasible" in text for text in texts)
    held.let_through()
    visitor.page.locator("[data-figure=history][data-drawn]").wait_for()
    visitor.page.locator("[data-figure='front-1'][data-drawn]").wait_for()
    assert "Drawing" not in visitor.page.locator(".plots").inner_text()
