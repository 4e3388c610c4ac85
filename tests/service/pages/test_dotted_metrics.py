"""Metrics whose names hold a dot, on the pages: ranges, sorting, axes, comparison, and the form of a new study."""

from contextlib import nullcontext

import pytest

from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store
from tests.service.pages.conftest import Here
from tests.service.routes.test_dotted_metrics import DOTTED

pytestmark = pytest.mark.browser

NAME = "capacity_margin.q05"
HEADING = "capacity margin q05"


@pytest.fixture(scope="module")
def front(folder):
    """The front of a stored study with such objectives; the server looks at the same store."""
    with Store(str(folder / "tautline.db")) as store:
        run_study(store, parse_study(DOTTED), lambda: nullcontext(Here()))
        return StoreServices(Context(store=store)).fronts.list("dotted").items


def test_a_dotted_metric_has_ranges_a_column_and_an_axis_in_the_review(visit, front):
    values = sorted(design.metrics[NAME] for design in front)
    assert len(values) >= 2, "a range can leave one out"
    between = sum(values[-2:]) / 2
    visitor = visit(
        f"/studies/dotted/review#view=lines&brush={NAME}:{between:.9g}:&sort=-{NAME}&axes={NAME},workspace_volume"
    )
    page = visitor.page
    page.locator("#in-ranges", has_text=f"1 of {len(values)} designs lie in the range.").wait_for()
    assert page.locator(".box.tall").get_attribute("data-rows") == "1"
    page.get_by_text("Ranges as numbers").click()
    least = page.get_by_label(f"least {HEADING}")
    least.fill("")
    least.press("Tab")
    page.locator("#in-ranges", has_text=f"all {len(values)} designs are shown").wait_for()
    assert "brush" not in page.evaluate("location.hash")
    least.fill(str(values[-1] * 2 + 1))
    least.press("Tab")
    page.locator("#in-ranges", has_text=f"0 of {len(values)} designs").wait_for()
    assert f"brush={NAME}:" in page.evaluate("location.hash")
    page.get_by_role("button", name="Clear all ranges").click()
    assert page.locator(".box.tall th[aria-sort=descending]", has_text=HEADING).count() == 1
    page.click("#mode-2d")
    page.locator("#front[data-drawn]").wait_for()
    visitor.settle()
    assert visitor.complaints == []


def test_dotted_metrics_on_the_other_pages(visit, front):
    assert front
    visitor = visit("/studies/dotted")
    visitor.page.locator("[data-figure='front-1'][data-drawn]").wait_for()
    visitor.assert_sound()
    visitor.goto("/compare?of=dotted,robots&across_conditions=true")
    visitor.page.get_by_text("capacity margin", exact=False).first.wait_for()
    visitor.settle()
    assert visitor.complaints == []
    visitor.goto("/")
    visitor.page.get_by_role("link", name="dotted", exact=True).wait_for()
    assert visitor.complaints == []


def test_the_form_takes_and_changes_dotted_metrics(visit, front):
    assert front
    visitor = visit("/new?from=dotted")
    page = visitor.page
    page.locator("[data-step=goals]").evaluate("step => { step.open = true; }")
    chosen = page.locator(f"[data-goal='{NAME}']")
    chosen.get_by_role("button", name="less").click()
    page.wait_for_function(
        '() => /"?capacity_margin"?.q05"? = "minimize"/.test(document.querySelector(\'.file textarea\').value)'
    )
    chosen.get_by_role("button", name="more").click()
    page.wait_for_function(
        '() => /"?capacity_margin"?.q05"? = "maximize"/.test(document.querySelector(\'.file textarea\').value)'
    )
    assert visitor.complaints == []
