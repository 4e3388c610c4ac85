"""The map of winners on the compare page: drawn, said, chosen, and begun from the page."""

import json
import re
from contextlib import nullcontext

import pytest

from service.app.context import Context
from service.app.services import StoreServices
from studies.run.questions import sweep
from studies.store import Store
from tests.service.pages.conftest import PHONE, Here

pytestmark = pytest.mark.browser
OVER = {"wrench_set": ["gravity", "box"], "f_min": [0, 2]}


@pytest.fixture(scope="module")
def swept(folder):
    """A sweep of the robots, computed before anybody looks."""
    with Store(str(folder / "tautline.db")) as store:
        found = sweep(store, "robots", OVER, lambda: nullcontext(Here()))
        yield StoreServices(Context(store=store)).sweeps.map("robots", found.id)
        for each in store.sweeps.of("robots"):
            store.sweeps.remove("robots", each.id)


SECTION = "section[aria-labelledby=sweeps]"


def section(visitor):
    return visitor.page.locator(SECTION)


def opened(visit, swept, **settings):
    visitor = visit("/compare?of=robots#evidence=sweeps", **settings)
    section(visitor).locator("[data-figure=sweep][data-drawn]").wait_for()
    visitor.settle()
    return visitor


def test_the_map_is_drawn_and_said_for_each_criterion(visit, swept):
    visitor = opened(visit, swept)
    part, first, second = section(visitor), *swept.criteria[:2]
    assert part.locator("figcaption").inner_text() == " ".join(first.sentences)
    assert swept.note in part.inner_text()
    cells = part.locator("[data-figure=sweep]").evaluate("box => box.data[0].text.flat().length")
    assert cells == len(swept.conditions)
    part.get_by_label("Criterion").select_option(second.name)
    visitor.page.wait_for_function(
        "text => document.querySelector('section[aria-labelledby=sweeps] figcaption').textContent === text",
        arg=" ".join(second.sentences),
    )
    visitor.settle()
    assert f"criterion={second.name.replace(' ', '+')}" in visitor.page.url
    part.get_by_text("4 conditions, each with all criteria").click()
    rows = part.locator("table tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.firstChild?.textContent ?? ''))"
    )
    assert rows == [[cell.text for cell in row] for row in swept.table.rows]
    visitor.assert_accessible(SECTION)


@pytest.mark.soak
def test_on_a_phone_in_the_dark_nothing_lies_sideways(visit, swept):
    visitor = opened(visit, swept, viewport=PHONE, color_scheme="dark")
    visitor.assert_accessible(SECTION)


@pytest.mark.usefixtures("at_work")
def test_a_sweep_is_begun_from_the_page_and_a_wrong_one_is_explained(visit, swept):
    visitor = opened(visit, swept)
    part = section(visitor)
    part.get_by_text("Ask under other conditions").click()
    assert "can never show a difference" in part.locator("#sweep-seeds").inner_text()
    parameter = part.get_by_label("Add a condition")
    parameter.locator("option[value=f_min]").wait_for(state="attached")
    offered = parameter.locator("option").evaluate_all("all => all.map(one => one.value)")
    assert "f_min" in offered
    assert not {"beta1", "attachments", "frame_radius"} & set(offered), "what varies, and geometry"
    assert part.get_by_role("button", name="Begin").is_disabled()
    parameter.select_option("f_min")
    force = part.locator("[data-condition=f_min]")
    force.get_by_label("From").fill("-1")
    force.get_by_label("to", exact=True).fill("2")
    force.get_by_label("values").fill("2")
    part.get_by_role("button", name="Begin").click()
    fault = part.locator(".fault")
    fault.wait_for()
    assert fault.inner_text().startswith("F min: "), fault.inner_text()
    visitor.complaints.clear()  # the browser reports the refusal, too
    force.get_by_label("From").fill("0")
    parameter.select_option("wrench_set")
    for box in part.locator("[data-condition=wrench_set] input").all():
        box.set_checked(json.loads(box.input_value()) in OVER["wrench_set"])
    told = part.locator("#sweep-count").inner_text()
    found = re.fullmatch(
        r"4 conditions \(2 . 2\), (\d+) designs on the fronts each, at most (\d+) evaluations\.", told
    )
    assert found, told
    assert int(found[2]) == 4 * int(found[1]) > 0
    visitor.assert_accessible(f"{SECTION} form")
    part.get_by_role("button", name="Begin").click()  # the same again: everything is in the store
    visitor.page.wait_for_function("() => location.hash.includes('sweep=robots')")
    part.locator("[data-figure=sweep][data-drawn]").wait_for()
    assert fault.is_hidden()


def test_a_study_without_sweeps_says_what_one_is(visit):
    visitor = visit("/compare?of=halves#evidence=sweeps")
    section(visitor).get_by_text("A sweep evaluates the designs").wait_for()
    assert section(visitor).locator("figure").is_hidden()
