"""Review: a design under tolerances, as its panel shows it."""

import pytest

from studies.store import Store

pytestmark = pytest.mark.browser


@pytest.mark.usefixtures("at_work")
def test_a_design_is_evaluated_under_tolerances_of_ones_own(review, local):
    front = local.fronts.list("halves").items
    visitor = review("halves", f"#layout={front[0].layout}&key={front[0].key}")
    page = visitor.page
    page.click("summary:has-text('Under tolerances')")
    panel = page.locator(".robust")
    panel.get_by_label("Parameter", exact=True).fill("x1")
    panel.get_by_label("Robots").select_option("16")
    panel.get_by_label("Standard deviation or greatest error").fill("0.01")
    panel.get_by_label("Sobol indices").check()
    panel.get_by_text("Evaluate robots").click()
    panel.locator("table").first.wait_for()
    assert "of 16 robots work" in panel.inner_text()
    assert "95 % quantile" in panel.inner_text()
    panel.locator(".plot[data-drawn]").nth(1).wait_for()
    assert sum(panel.locator(".plot").first.evaluate("box => Array.from(box.data[0].y)")) <= 16
    assert list(panel.locator(".plot").nth(1).evaluate("box => Array.from(box.data[0].y)")) == ["x1"]
    panel.get_by_text("Sobol indices", exact=True).last.click()
    bars = panel.get_by_role("group", name="Sobol indices of f1").locator(".plot[data-drawn]")
    bars.wait_for()
    assert bars.evaluate("box => box.data.map(bars => bars.y.join())") == ["x1", "x1"]
    visitor.assert_accessible(".robust")

    panel.get_by_label("Standard deviation or greatest error").fill("-1")
    panel.get_by_text("Evaluate robots").click()
    panel.locator(".fault").wait_for()
    assert panel.locator(".fault").inner_text().count("negative") == 1, "a fault is told once"
    assert [text for text in visitor.complaints if "422" not in text] == []


def test_stop_cancels_the_job(review, local, folder):
    """No runner is there, so that the job waits until somebody stops it."""
    front = local.fronts.list("halves").items
    page = review("halves", f"#layout={front[0].layout}&key={front[0].key}").page
    page.click("summary:has-text('Under tolerances')")
    panel = page.locator(".robust")
    panel.get_by_label("Parameter", exact=True).fill("x1")
    panel.get_by_label("Standard deviation or greatest error").fill("0.02")
    panel.get_by_text("Evaluate robots").click()
    panel.locator("progress").wait_for()
    panel.get_by_role("button", name="Stop").click()
    panel.get_by_text("Stopped; what is evaluated is kept.").wait_for()
    with Store(str(folder / "tautline.db")) as store:
        assert store.jobs.of("halves")[-1].state == "cancelled"
