"""Review: which variables matter, and the leaders evaluated again, as their panels show them."""

import re

import pytest

from service.resources.models import DesignEvaluationRequest
from tests.service.pages.conftest import PHONE, Held

pytestmark = pytest.mark.browser
OBJECTIVES = {"workspace_volume": "maximize", "F2": "minimize", "F3": "minimize"}


def figure(visitor, label):
    return visitor.page.get_by_role("group", name=label, exact=True)


def test_importance_and_slices_come_from_the_stored_designs(review, local):
    visitor = review("halves", "#layout=left", view="analyse")
    page = visitor.page
    bars, part = figure(visitor, "Importance of variables"), figure(visitor, "Slice")
    bars.locator(".plot[data-drawn]").wait_for()
    found = local.importances.get("halves", "left", ["f1"]).metrics[0]
    assert f"{found.designs} designs" in bars.inner_text()
    drawn = bars.locator(".plot").evaluate(
        "box => Object.fromEntries(box.data[1].y.map((y, i) => [y, box.data[1].x[i]]))"
    )
    assert drawn == pytest.approx({one.variable: one.correlation for one in found.variables}, rel=1e-4)

    part.locator(".plot[data-slice='f1 x1'][data-drawn]").wait_for()
    assert str(found.designs) in part.locator("figcaption").inner_text()
    part.get_by_label("and").select_option("x2")
    part.locator(".plot[data-slice='f1 x1 x2']").wait_for()
    page.locator(".importance").get_by_label("Metric").select_option("f2")
    page.locator("[data-metric='f2']").wait_for()
    part.locator(".plot[data-slice='f2 x1 x2']").wait_for()
    bars.get_by_text("As numbers").click()
    visitor.settle()
    visitor.assert_accessible(".importance")


def ranks(values, sense):
    """1 for the best; equal values share a rank."""
    signed = [value if sense == "minimize" else -value for value in values]
    return [1 + sum(other < value for other in signed) for value in signed]


def test_leaders_are_evaluated_again_on_a_finer_grid_and_changes_of_order_are_said(review, local):
    visitor = review("robots", view="analyse")
    page = visitor.page
    before = local.evaluations.list("robots").items
    page.click("summary:has-text('Evaluate the leaders again')")
    panel = page.locator(".leaders")
    panel.get_by_label("Parameter").wait_for()
    assert panel.get_by_label("Parameter").input_value() == "cells"
    assert panel.get_by_label("New value").input_value() == "12", "twice as many as stored"
    panel.get_by_role("button", name="Evaluate the leaders again").click()
    panel.locator("table").wait_for()
    assert local.evaluations.list("robots").items == before, "nothing is stored"

    places = list(dict.fromkeys((pick.layout, pick.key) for pick in local.fronts.picks("robots").items))
    rows = panel.locator("tbody tr")
    assert [
        tuple(row)
        for row in rows.evaluate_all("all => all.map(row => [row.dataset.layout, row.dataset.key])")
    ] == places
    request = DesignEvaluationRequest(settings={"cells": 12})
    stored = [local.designs.get(key, "robots").metrics for _, key in places]
    now = [local.designs.evaluate(key, "robots", request).metrics for _, key in places]
    moved = False
    for column, (metric, sense) in enumerate(OBJECTIVES.items()):
        old, new = (ranks([metrics[metric] for metrics in each], sense) for each in (stored, now))
        cells = rows.evaluate_all("(all, n) => all.map(row => row.cells[n].innerText)", 4 * column + 4)
        assert cells == [str(a) if a == b else f"{a} \u2192 {b}" for a, b in zip(old, new, strict=True)]
        moved |= old != new
        called = {"F2": "stiffness F2", "F3": "sensitivity F3"}.get(metric, metric.replace("_", " "))
        assert (f"order by {called} changes" in panel.inner_text()) == (old != new)
    assert ("order stays the same" in panel.inner_text()) != moved
    visitor.assert_accessible(".leaders")


def test_a_leader_that_breaks_a_limit_on_the_finer_grid_is_named_and_has_no_rank(visit, local):
    first = local.fronts.picks("robots").items[0]
    visitor = visit()
    page = visitor.page

    def limited(route):
        answer = route.fetch()
        limit = {"metric": "interference_margin", "lower": 0.002, "upper": None}
        route.fulfill(response=answer, json={**answer.json(), "constraints": [limit]})

    page.route(re.compile("/quantities$"), limited)

    def broken(route):
        answer = route.fetch()
        body = answer.json()
        body["metrics"]["interference_margin"] = 0.001 if first.key in route.request.url else 0.003
        route.fulfill(response=answer, json=body)

    page.route(re.compile("/evaluate$"), broken)
    visitor.goto("/studies/robots/analyse")
    page.click("summary:has-text('Evaluate the leaders again')")
    panel = page.locator(".leaders")
    panel.get_by_label("New value").wait_for()
    panel.get_by_role("button", name="Evaluate the leaders again").click()
    panel.locator("table").wait_for()
    told = (
        f"{first.key[:10]} of {first.layout} breaks a limit now and has no rank: interference margin is 1 mm"
    )
    assert told in panel.locator("p.bad").inner_text()
    cells = panel.locator(f"tbody tr[data-key='{first.key}']").first.locator("td").all_inner_texts()
    assert all(cells[place].endswith("none") for place in (3, 7, 11)), "unranked in every objective"
    others = panel.locator(f"tbody tr:not([data-key='{first.key}'])").first.locator("td").all_inner_texts()
    assert not others[3].endswith("none")


def test_leaders_can_be_stopped_and_faulty_settings_are_said(review, local):
    visitor = review("robots", view="analyse", viewport=PHONE)
    page = visitor.page
    page.click("summary:has-text('Evaluate the leaders again')")
    panel = page.locator(".leaders")
    again = panel.get_by_role("button", name="Evaluate the leaders again")
    panel.get_by_label("New value").fill("-3")
    again.click()
    panel.get_by_role("alert").wait_for()
    assert "cells" in panel.get_by_role("alert").inner_text()
    assert [text for text in visitor.complaints if "422" not in text] == []
    visitor.complaints.clear()

    panel.get_by_label("New value").fill("6")
    held = Held(visitor, re.compile("/evaluate$"))
    again.click()
    held.wait_for()
    assert panel.locator("progress").count() == 1
    panel.get_by_role("button", name="Stop").click()
    panel.get_by_text("Stopped").wait_for()
    assert again.is_enabled()
    visitor.assert_accessible(".leaders")
