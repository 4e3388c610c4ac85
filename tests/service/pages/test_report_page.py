"""The report opened on the server: the same file, which draws its figures and reaches nothing."""

import pytest

from dashboards.report import report_policy

pytestmark = pytest.mark.browser


def test_a_report_draws_its_figures_under_the_policy_that_it_is_sent_with(visitor, server):
    answer = visitor.page.goto(f"{server.address}/studies/halves/report")
    sent = answer.headers["content-security-policy"]
    assert sent == f"{report_policy()}; frame-ancestors 'none'"
    assert "content-disposition" not in answer.headers
    visitor.page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    plots = visitor.page.locator(".plot")
    for number in range(plots.count()):
        plots.nth(number).scroll_into_view_if_needed()
        visitor.page.wait_for_function(
            "number => document.querySelectorAll('.plot')[number].dataset.drawn", arg=number
        )
    points = plots.first.evaluate("box => box.data.map(trace => trace.x.length)")
    assert len(points) == 2
    assert min(points) > 0
    assert visitor.page.get_by_role("heading", name="Verdict").is_visible()
    visitor.assert_accessible(".back")  # the rest is the file, of which its own tests ask this
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("link", name="All designs as CSV").click()
    assert download.value.path().read_text(encoding="utf-8").count("\n") > 1
    visitor.page.get_by_role("link", name="Back to the study halves").click()
    visitor.page.wait_for_url(f"{server.address}/studies/halves")


def test_a_report_cannot_ask_in_the_name_of_who_reads_it(visitor, server):
    visitor.page.goto(f"{server.address}/studies/shapes/report")
    assert visitor.page.evaluate("window.hostile") is None
    with visitor.page.expect_console_message(lambda m: "connect-src" in m.text or "default-src" in m.text):
        asked = visitor.page.evaluate("fetch('/api/v1/me').then(() => 'answered', () => 'refused')")
    assert asked == "refused"


def test_a_report_is_saved_as_a_file(visitor, server):
    visitor.page.goto(f"{server.address}/account")
    with visitor.page.expect_download() as download:
        visitor.page.evaluate("location.assign('/api/v1/studies/halves/report')")
    assert download.value.suggested_filename == "halves.html"
    text = download.value.path().read_text(encoding="utf-8")
    assert "<title>halves: study report</title>" in text
    assert "Back to the study" not in text
