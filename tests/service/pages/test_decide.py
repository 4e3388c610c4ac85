"""Deciding: the ranking follows weights, levels and ranges; decisions are kept."""

import pytest

from service.app.context import Context
from service.app.services import StoreServices
from service.resources.decisions import DecisionRequest, PreferencesRequest
from studies.store import Store
from tests.service.pages.conftest import PHONE

pytestmark = pytest.mark.browser
BASELINES = """table => [...table.querySelector("tbody tr").children].map(cell => {
  const place = cell.querySelector("button, .value") ?? cell;
  const mark = document.createElement("span");
  mark.style.cssText = "display: inline-block; width: 0; height: 0";
  place.prepend(mark);
  const { bottom } = mark.getBoundingClientRect();
  mark.remove();
  return bottom;
})"""
FIRST = "document.querySelector('.ranking tbody tr')?.dataset.key"


@pytest.fixture
def local(folder):
    with Store(str(folder / "tautline.db")) as store:
        yield StoreServices(Context(store=store))


@pytest.fixture
def undecided(local):
    """The halves, without the decisions of other tests."""
    store = local.decisions._store
    with store._engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM decision")
    return "halves"


@pytest.fixture
def decide(visit, undecided):
    """Opens the decision on the halves and waits for its ranking."""

    def go(state="", **settings):
        visitor = visit(f"/studies/{undecided}/decide{state}", robots=False, **settings)
        visitor.page.locator(".ranking, .decide [role=status]").first.wait_for()
        visitor.page.locator(".decisions h3").wait_for()
        return visitor

    return go


def best(local, **wanted):
    return local.decisions.rank("halves", PreferencesRequest(**wanted)).candidates[0].key


def test_the_ranking_follows_the_weights_and_a_link_keeps_them(decide, local):
    visitor = decide()
    page = visitor.page
    page.wait_for_function(f"key => {FIRST} === key", arg=best(local))
    page.locator("[data-weight=f1]").fill("10")
    page.locator("[data-weight=f2]").fill("0.5")
    wanted = best(local, weights={"f1": 10, "f2": 0.5})
    page.wait_for_function(f"key => {FIRST} === key", arg=wanted)
    again = decide("#" + page.evaluate("location.hash.slice(1)"))
    again.page.wait_for_function(f"key => {FIRST} === key", arg=wanted)
    assert again.page.locator("[data-weight=f1]").input_value() == "10"
    visitor.assert_sound()


def test_the_page_begins_with_a_design_that_can_be_decided_on(visit, local):
    visitor = visit("/studies/robots/decide", robots=False)
    visitor.page.locator("#chosen-design", has_text="of the ranking").wait_for()
    key = visitor.page.evaluate("new URLSearchParams(location.hash.slice(1)).get('key')")
    assert key in {one.key for one in local.decisions.rank("robots", PreferencesRequest()).candidates}


@pytest.mark.parametrize(
    ("window", "part"), [({"width": 1440, "height": 900}, ".box:has(> .ranking)"), (PHONE, ".heading nav")]
)
def test_neither_the_ranking_nor_the_tabs_are_cut_off(visit, window, part):
    visitor = visit("/studies/robots/decide", robots=False, viewport=window)
    visitor.page.locator(".ranking tbody tr").first.wait_for()
    assert visitor.page.locator(part).evaluate("one => one.scrollWidth - one.clientWidth") == 0


def test_front_and_robot_are_large_and_stand_beside_the_ranking(visit):
    page = visit("/studies/robots/decide", viewport={"width": 1440, "height": 900}).page
    page.locator(".ranking tbody tr").first.wait_for()
    page.locator(".inspector .plot[data-key]").wait_for()
    front = page.locator("#front canvas").bounding_box()
    robot = page.locator(".inspector canvas").bounding_box()
    assert front["width"] >= 480
    assert front["height"] >= 380
    assert min(robot["width"], robot["height"]) >= 300
    row = page.locator(".ranking tbody tr").first.bounding_box()
    assert max(each["y"] + each["height"] for each in (front, robot, row)) <= 900


def test_a_candidate_beyond_those_that_are_listed_can_be_decided_on(decide, local):
    visitor = decide()
    page = visitor.page
    total = len(local.decisions.rank("halves", PreferencesRequest()).candidates)
    last = local.decisions.rank("halves", PreferencesRequest()).candidates[-1]

    def cut(route):
        answer = route.fetch()
        body = answer.json()
        route.fulfill(response=answer, json={**body, "candidates": body["candidates"][:3]})

    page.route("**/ranking", cut)
    page.locator("[data-weight=f1]").fill("5.5")
    page.get_by_text(f"{total} candidates, of which the best 3 can be listed").wait_for()
    page.evaluate(
        "([layout, key]) => { location.hash = new URLSearchParams({ layout, key }); }",
        [last.layout, last.key],
    )
    page.locator("#chosen-design", has_text=f"Selected: design {last.key[:10]}").wait_for()
    page.get_by_label("Why this design").fill("it is robust")
    page.get_by_role("button", name="Record decision").click()
    page.locator(".decisions li.stands").wait_for()
    assert local.decisions.list("halves").items[0].key == last.key
    assert visitor.complaints == []


def test_levels_and_ranges_count_on_a_phone_too(decide, local):
    visitor = decide("#rule=achievement&brush=layout:1:1", viewport=PHONE)
    page = visitor.page
    page.locator("[data-level=f1]").fill("30")
    page.locator("[data-level=f1]").press("Tab")
    wanted = best(local, rule="achievement", aspirations={"f1": 30.0}, layout="right",
                  weights={"f1": 5, "f2": 5})  # fmt: skip
    page.wait_for_function(f"key => {FIRST} === key", arg=wanted)
    assert "The range is a filter" in page.locator(".decide").inner_text()
    visitor.assert_sound()


def test_a_level_that_is_no_number_stops_the_decision_until_it_is_mended(decide, local):
    visitor = decide("#rule=achievement")
    page = visitor.page
    page.locator(".ranking .pick").first.click()
    page.locator("#chosen-design", has_text="number 1 of the ranking").wait_for()
    page.locator("#decision-reason").fill("light")
    record = page.get_by_role("button", name="Record decision")
    assert record.is_enabled()
    level = page.locator("[data-level=f1]")
    level.fill("abc")
    page.get_by_text("\u201cabc\u201d is not a number").wait_for()
    assert level.get_attribute("aria-invalid") == "true"
    assert record.is_disabled()
    assert page.get_by_text("The aspiration level of f1 is not a number.").is_visible()
    page.locator("#decision-reason").press("Enter")
    assert local.decisions.list("halves").items == []
    visitor.assert_accessible(".decide form")
    level.fill("30")
    page.get_by_text("is not a number").first.wait_for(state="hidden")
    assert page.locator(".decide .fault:visible").count() == 0
    wanted = best(local, rule="achievement", aspirations={"f1": 30.0}, weights={"f1": 5, "f2": 5})
    page.wait_for_function(f"key => {FIRST} === key", arg=wanted)
    page.locator(".ranking .pick").first.click()
    page.locator("#chosen-design", has_text="number 1 of the ranking").wait_for()
    record.click()
    page.locator(".decisions li.stands").wait_for()
    (made,) = local.decisions.list("halves").items
    assert made.preferences.aspirations == {"f1": 30.0}


def test_ranges_that_leave_nothing_are_told(decide):
    visitor = decide("#brush=f1:1000:")
    visitor.page.locator(".decide").get_by_text("No design lies in the ranges").wait_for()
    visitor.page.goto(visitor.page.url.split("#")[0] + "#weights=f1:0,f2:0")
    visitor.page.locator(".decide").get_by_text("All weights are 0").wait_for()
    assert "not among the candidates" not in visitor.page.locator(".decide").inner_text()
    assert visitor.page.get_by_role("button", name="Record decision").is_disabled()
    assert visitor.complaints == []


def test_a_decision_is_recorded_shown_and_replaced(decide, local):
    visitor = decide()
    page = visitor.page
    page.locator(".ranking .pick").first.click()
    page.locator("#chosen-design", has_text="number 1 of the ranking").wait_for()
    page.locator("#decision-reason").fill("Light and <b>stiff</b>")
    page.get_by_role("button", name="Record decision").click()
    page.locator(".decisions li.stands", has_text="Decision 1").wait_for()
    (made,) = local.decisions.list("halves").items
    assert (made.reason, made.preferences.rule) == ("Light and <b>stiff</b>", "topsis")
    assert made.key == page.evaluate(FIRST)
    assert page.locator(".decisions li b").count() == 0

    page.locator(".ranking .pick").nth(1).click()
    page.locator("#chosen-design", has_text="number 2 of the ranking").wait_for()
    page.locator("#decision-reason").fill("Easier to build")
    page.get_by_role("button", name="Record decision").click()
    page.locator(".decisions li.stands", has_text="Decision 2").wait_for()
    assert page.locator(".decisions li").count() == 2
    assert [one.replaces for one in local.decisions.list("halves").items] == [1, None]
    visitor.assert_accessible(".decide")
    first = page.locator(".decisions li").nth(1)
    with page.expect_download() as sheet:
        first.get_by_role("link", name="Save the sheet of decision 1").click()
    assert sheet.value.suggested_filename == "halves-decision-1.html"
    assert "replaced by decision 2" in sheet.value.path().read_text()
    first.get_by_role("link", name="Decision sheet").click()
    page.get_by_text("Light and <b>stiff</b>").wait_for()
    assert page.get_by_text("Decision 1, replaced by decision 2.").is_visible()
    page.go_back()
    page.locator(".decisions li.stands", has_text="Decision 2").wait_for()


def test_who_has_decided_opens_the_sheet_of_the_decision(decide):
    visitor = decide()
    page = visitor.page
    page.locator(".ranking .pick").first.click()
    page.locator("#chosen-design", has_text="number 1 of the ranking").wait_for()
    page.locator("#decision-reason").fill("Light and stiff")
    page.get_by_role("button", name="Record decision").click()
    recorded = page.locator(".decide .recorded")
    recorded.get_by_text("Decision 1 is recorded").wait_for()
    visitor.assert_accessible(".decide .recorded")
    with page.expect_response("**/decisions/1/sheet") as answer:
        recorded.get_by_role("link", name="Open its decision sheet").click()
    assert answer.value.header_value("Content-Disposition") == 'inline; filename="halves-decision-1.html"'
    assert "script-src" not in answer.value.header_value("Content-Security-Policy")
    page.get_by_role("heading", name="halves").wait_for()
    assert page.get_by_text("Decision 1, which stands.").is_visible()
    colour = page.locator(".paper").evaluate("paper => getComputedStyle(paper).backgroundColor")
    assert colour == "rgb(255, 255, 255)", "its own style is let through"
    visitor.assert_sound()


def test_a_decision_of_somebody_else_is_not_overwritten(decide, local):
    visitor = decide()
    page = visitor.page
    theirs = best(local)
    local.decisions.add("halves", DecisionRequest(key=theirs, reason="first"))
    page.locator("#decision-reason").fill("mine")
    page.locator(".ranking .pick").first.click()
    page.get_by_role("button", name="Record decision").click()
    page.locator(".decide form .fault", has_text="Somebody else decided meanwhile").wait_for()
    page.locator(".decisions li.stands", has_text="first").wait_for()
    assert page.locator("#decision-reason").input_value() == "mine"
    assert len(local.decisions.list("halves").items) == 1
    visitor.complaints.clear()  # the browser reports the refusal


def test_values_have_their_numerical_errors_and_even_leaders_are_named(visit, local):
    visitor = visit("/studies/robots/decide", robots=False)
    page = visitor.page
    page.locator(".ranking").wait_for()
    found = local.decisions.rank("robots", PreferencesRequest())
    design = local.designs.get(found.candidates[0].key, "robots")
    stated = {"workspace_volume", "F2", "F3"}
    assert found.errors[0] == {name: design.metrics[f"{name}_error"] for name in stated}
    assert page.locator(".ranking caption").inner_text().endswith("\u00b1 numerical error")
    notes = page.locator(".ranking tbody tr").first.locator("td .note").all_inner_texts()
    assert len(notes) == len(stated)
    assert any(note == f"\u00b1 {found.errors[0]['F3']:.2g}" for note in notes)
    assert page.get_by_text("does not tell them apart").count() == int(found.even)
    answer = {**found.model_dump(mode="json"), "even": not found.even}
    page.route("**/studies/robots/ranking", lambda route: route.fulfill(json=answer))
    page.reload()
    page.locator(".ranking").wait_for()
    assert page.get_by_text("does not tell them apart").count() == int(not found.even)
    visitor.assert_accessible(".decide")


def test_keys_of_designs_stand_on_the_line_of_their_row(decide, review):
    ranking = decide().page.locator("table.ranking").evaluate(BASELINES)
    assert len(ranking) >= 5
    assert max(ranking) - min(ranking) < 0.6
    designs = review("halves").page.locator("table.designs").evaluate(BASELINES)
    assert max(designs) - min(designs) < 0.6
