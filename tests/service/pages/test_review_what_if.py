"""Other values of a design's variables on the review page, evaluated at once beside the stored ones."""

import re

import pytest
from playwright.sync_api import expect

from service.resources.models import DesignEvaluationRequest
from tests.service.pages.conftest import PHONE, Held
from tests.service.pages.reviewing import follows, state_of

pytestmark = pytest.mark.browser

LAPTOP = {"width": 1440, "height": 900}
OUT_OF_SIGHT = """selectors => selectors.filter(one => {
  const seen = document.querySelector(one).getBoundingClientRect();
  return seen.top < 0 || seen.bottom > innerHeight || !seen.height;
})"""
GHOSTS = """document.querySelector(".inspector .plot").data.filter(
  trace => trace.opacity === 0.45 && trace.name === "cables").length"""
CELLS = "([metric]) => [...document.querySelectorAll(`#what-if-result tr[data-metric='${metric}'] td`)].map(cell => cell.innerText)"


def opened(review, local, **settings):
    """The review with the form of a design of the left half."""
    key = next(design.key for design in local.fronts.list("halves").items if design.layout == "left")
    visitor = review("halves", f"#layout=left&key={key}", **settings)
    follows(visitor, key)
    return visitor, key


def test_a_changed_variable_is_evaluated_beside_the_stored_design_and_nothing_is_stored(review, local):
    visitor, key = opened(review, local)
    page = visitor.page
    stored = local.designs.get(key, "halves")
    count = local.evaluations.list("halves").items
    page.get_by_label("x1", exact=True).fill("2")
    page.keyboard.press("Enter")
    page.locator("#what-if-result tr[data-metric='f1']").wait_for()
    expected = local.designs.evaluate(key, "halves", DesignEvaluationRequest(variables={"x1": 2.0}))
    before, now, difference = page.evaluate(CELLS, ["f1"])
    assert before == f"{stored.metrics['f1']:.4g}"
    assert now == f"{expected.metrics['f1']:.4g}"
    better = expected.metrics["f1"] < stored.metrics["f1"]
    assert difference.endswith("better" if better else "worse")
    assert re.search(r"All limits are kept|Limits broken", page.inner_text("#what-if-result"))
    assert page.get_by_label("x1, slider").input_value() == "160"
    assert state_of(visitor)["key"] == key
    assert local.evaluations.list("halves").items == count

    page.get_by_role("button", name="Reset", exact=True).click()
    page.get_by_text("As stored.").wait_for()
    assert page.locator("#what-if-result").inner_text() == ""
    visitor.assert_accessible(".what-if")


def test_what_another_version_stored_is_evaluated_again_before_it_is_compared(visitor, local):
    key = next(design.key for design in local.fronts.list("halves").items if design.layout == "left")

    def older(route):
        design = route.fetch().json()
        metrics = {name: value + 100.0 for name, value in design["metrics"].items()}
        route.fulfill(json={**design, "metrics": metrics, "remark": "Version 0 evaluated it."})

    visitor.page.route(re.compile(rf"/designs/{key}(\?|$)"), older)
    visitor.goto(f"/studies/halves/review#layout=left&key={key}")
    follows(visitor, key)
    page = visitor.page
    assert page.locator(".details .notice").inner_text() == "Version 0 evaluated it."
    page.get_by_label("x1", exact=True).fill("2")
    page.keyboard.press("Enter")
    page.locator("#what-if-result tr[data-metric='f1']").wait_for()
    before, now, _ = page.evaluate(CELLS, ["f1"])
    again = local.designs.evaluate(key, "halves", DesignEvaluationRequest(variables={}))
    expected = local.designs.evaluate(key, "halves", DesignEvaluationRequest(variables={"x1": 2.0}))
    assert (before, now) == (f"{again.metrics['f1']:.4g}", f"{expected.metrics['f1']:.4g}")
    assert "Both columns are computed by version 1" in page.inner_text("#what-if-result")
    page.get_by_label("x1", exact=True).fill("1")
    page.keyboard.press("Enter")
    page.locator("#what-if-result[data-shown='{\"x1\":1}']").wait_for()
    asked = [url for url in visitor.requests if url.endswith(f"{key}/evaluate")]
    assert len(asked) == 3, "the stored design is evaluated once"
    visitor.assert_sound()


def test_a_slider_asks_once_it_rests_older_answers_are_dropped_and_wrong_values_are_told(review, local):
    visitor, _ = opened(review, local, viewport=PHONE)
    page = visitor.page
    held = Held(visitor, re.compile("/evaluate$"))
    slider = page.get_by_label("x1, slider")
    slider.fill("40")
    held.wait_for()
    for value in ("80", "120", "160"):
        slider.fill(value)
    held.wait_for(2)
    held.let_through()
    page.wait_for_selector("#what-if-result[data-shown]")
    assert page.get_attribute("#what-if-result", "data-shown") == '{"x1":2}'
    assert len([url for url in visitor.requests if url.endswith("/evaluate")]) == 2
    assert page.get_by_label("x1", exact=True).input_value() == "2"
    visitor.page.unroute_all()

    page.get_by_label("x1", exact=True).fill("9")
    page.keyboard.press("Enter")
    page.locator("#what-if-result .fault").wait_for()
    assert "outside the range from 0 to 2.5" in page.inner_text("#what-if-result .fault")
    page.get_by_label("x1", exact=True).fill("a lot")
    page.keyboard.press("Enter")
    assert page.get_by_label("x1", exact=True).get_attribute("aria-invalid") == "true"
    told = page.inner_text("#what-if-result")
    assert "\u201ca lot\u201d is no number" in told
    assert "outside the range" not in told, "the message on the value before is gone"
    page.get_by_label("x1", exact=True).fill("2")
    page.keyboard.press("Enter")
    page.wait_for_selector("#what-if-result[data-shown]")
    assert "no number" not in page.inner_text("#what-if-result")
    assert [text for text in visitor.complaints if "422" not in text] == []


def test_a_limit_of_what_a_single_robot_does_not_have_is_not_called_broken(review, local):
    visitor, _ = opened(review, local)
    page = visitor.page
    limited = [one.metric for one in local.studies.quantities("halves").constraints]

    def without_the_last(route):
        answer = route.fetch()
        body = answer.json()
        body["metrics"].pop(limited[-1])
        route.fulfill(response=answer, json=body)

    page.route(re.compile("/evaluate$"), without_the_last)
    page.get_by_label("x1", exact=True).fill("2")
    page.keyboard.press("Enter")
    page.wait_for_selector("#what-if-result[data-shown]")
    told = page.inner_text("#what-if-result")
    assert f"{limited[-1].replace('_', ' ')} is not computed here." in told
    assert "has no value" not in told


def test_a_row_has_one_unit_also_in_its_message(review, local):
    key = next(design.key for design in local.fronts.list("robots").items if design.layout == "constrained")
    visitor = review("robots", f"#layout=constrained&key={key}")
    follows(visitor, key)
    page = visitor.page
    row = page.locator(".what-if .variable", has_text="beta1")
    assert "0 to 90\u00b0" in row.inner_text()
    row.get_by_label("azimuth beta1", exact=True).fill("120")
    page.keyboard.press("Enter")
    fault = page.locator("#what-if-result .fault").inner_text()
    assert fault == "azimuth beta1 120\u00b0 lies outside the range from 0 to 90\u00b0."
    assert not [url for url in visitor.requests if url.endswith("/evaluate")]
    row.get_by_label("azimuth beta1, slider").fill("100")
    assert row.get_by_label("azimuth beta1, slider").get_attribute("aria-valuetext") == "45\u00b0"
    page.locator("#what-if-result[data-shown]").wait_for()


def test_row_robot_and_a_changed_number_are_seen_on_a_laptop_without_scrolling(review, local):
    visitor = review("robots", viewport=LAPTOP)
    page = visitor.page
    page.locator(".designs tbody tr:not([aria-current])").first.click()
    key = page.get_attribute(".designs tr[aria-current]", "data-key")
    follows(visitor, key)
    page.get_by_label("azimuth beta1, slider").fill("100")
    page.locator("#what-if-result[data-shown]").wait_for()
    loop = (
        f".designs tr[data-key='{key}']",
        f".inspector .plot[data-key='{key}'] canvas",
        ".what-if input[type=range]",
        "#what-if-result tr[data-metric]",
    )
    assert page.evaluate(OUT_OF_SIGHT, loop) == []
    assert page.evaluate("[scrollY, document.querySelector('.inspector').scrollTop]") == [0, 0]
    page.wait_for_function("() => " + GHOSTS + " === 8")
    assert "As stored in grey" in page.locator(".inspector figcaption").text_content()
    page.get_by_role("button", name="Reset", exact=True).click()
    page.wait_for_function("() => " + GHOSTS + " === 0")


def answered_at_work(page):
    """Let the study be at work and take proposals, the first of which a run has taken; what the page sends."""
    sent = []

    def at_work(route):
        found = route.fetch().json()
        found["items"] = [{**run, "state": "paused"} for run in found["items"]]
        route.fulfill(json=found)

    def proposed(route):
        sent.append(route.request.post_data_json)
        route.fulfill(status=201, json={"id": 7})

    def withdrawn(route):
        sent.append(route.request.method)
        if len(sent) == 2:
            detail = "a run of 'halves' has taken proposal 7"
            route.fulfill(status=409, json={"title": "", "status": 409, "detail": detail})
        else:
            route.fulfill(status=204)

    page.route("**/api/v1/studies/halves/runs*", at_work)
    page.route("**/api/v1/studies/halves/proposals", proposed)
    page.route("**/api/v1/studies/halves/proposals/7", withdrawn)
    return sent


def test_a_changed_design_is_proposed_while_its_study_is_at_work(visitor, local):
    key = next(design.key for design in local.fronts.list("halves").items if design.layout == "left")
    page = visitor.page
    sent = answered_at_work(page)
    visitor.goto(f"/studies/halves/review#layout=left&key={key}")
    follows(visitor, key)
    button = page.get_by_role("button", name="Propose")
    assert button.is_disabled()
    page.get_by_label("x1", exact=True).fill("2")
    page.keyboard.press("Enter")
    button.click()
    page.get_by_text("Proposal 7 is in the search.").wait_for()
    stored = local.designs.get(key, "halves").variables
    asked = {"layout": "left", "design": {**stored, "x1": 2.0}}
    assert sent == [asked]
    visitor.assert_accessible(".what-if")
    page.get_by_role("button", name="Withdraw").click()
    page.get_by_text("has taken proposal 7").wait_for()
    page.get_by_label("x1", exact=True).fill("1.5")
    page.keyboard.press("Enter")
    button.click()
    page.get_by_role("button", name="Withdraw").click()
    page.get_by_text("Proposal 7 is withdrawn.").wait_for()
    assert sent[1::2] == ["DELETE", "DELETE"]
    expect(button).to_be_focused()


def test_an_ended_study_takes_no_proposal(review, local):
    visitor, _ = opened(review, local)
    assert visitor.page.get_by_role("button", name="Propose").count() == 0
