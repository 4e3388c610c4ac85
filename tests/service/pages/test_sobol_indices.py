"""Review: Sobol indices of a study, asked for by a button, as their panel shows them."""

import re

import pytest

from service.resources.robustness import SensitivityRequest
from tests.service.pages.conftest import PHONE, Held

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("at_work")]


def opened(visitor):
    visitor.page.click("summary:has-text('What the metrics are sensitive to')")
    panel = visitor.page.locator(".sensitivity")
    panel.get_by_label("Rows").select_option("16")
    return panel, panel.get_by_role("button", name="Compute Sobol indices")


def drawn(panel):
    """The bars by name and factor."""
    return panel.locator(".plot").first.evaluate(
        "box => box.data.map(bars => Object.fromEntries(bars.y.map((y, i) => [y, bars.x[i]])))"
    )


def test_indices_are_computed_drawn_and_listed(review, local):
    visitor = review("halves", "#layout=left", view="analyse")
    panel, compute = opened(visitor)
    assert "4 \N{MULTIPLICATION SIGN} 16 = 64 evaluations" in panel.inner_text()
    compute.click()
    panel.locator("[data-metric=f1] .plot[data-drawn]").wait_for()
    found = local.robustness.variables("halves", SensitivityRequest(layout="left", rows=16))
    assert found.done, "the page has stored all evaluations"
    exact = found.indices[0]
    first, total = drawn(panel)
    assert first == pytest.approx({one.factor: one.first for one in exact.factors}, rel=1e-4)
    assert total == pytest.approx({one.factor: one.total for one in exact.factors}, rel=1e-4)
    panel.get_by_label("Metric").select_option("f2")
    panel.locator("[data-metric=f2] .plot[data-drawn]").wait_for()
    panel.get_by_text("As numbers").click()
    assert panel.locator("tbody tr").count() == 2
    visitor.assert_accessible(".sensitivity")


def test_it_can_be_stopped_and_readers_are_told_whom_to_ask(review):
    visitor = review("halves", "#layout=right", view="analyse", viewport=PHONE)
    panel, compute = opened(visitor)
    held = Held(visitor, re.compile("/sensitivity$"))
    compute.click()
    held.wait_for()
    assert compute.is_disabled()
    panel.get_by_role("button", name="Stop").click()
    panel.get_by_text("Stopped; what is evaluated is kept.").wait_for()
    assert compute.is_enabled()

    refused = {"title": "Forbidden", "status": 403, "detail": "you may only read"}
    visitor.page.route("**/sensitivity", lambda route: route.fulfill(status=403, json=refused))
    compute.click()
    panel.get_by_text("Ask somebody with an editor's account").wait_for()
    assert panel.get_by_role("alert").count() == 0
    assert [text for text in visitor.complaints if "403" not in text] == []
    visitor.complaints.clear()
    visitor.assert_accessible(".sensitivity")
