"""Importances of variables, in a report."""

import json
import re
from html import unescape

from dashboards.content.front.importances import importance_sections
from dashboards.report import render
from studies.results.variable_importance import variable_importances


def test_each_objective_of_each_layout_has_its_bars(store, report_data, halves):
    found = report_data(halves)
    sections = importance_sections(found.importances, found.model.parameters)
    assert [section.layout for section in sections] == ["left", "right"]
    text = render(found, 0.0)
    for place, section in enumerate(sections, 1):
        exact = variable_importances(store, "halves", section.layout, ["f1", "f2"]).metrics
        for number, (plot, metric) in enumerate(zip(section.plots, exact, strict=True), 1):
            drawn = json.loads(re.search(rf'id="data-importance-{place}-{number}">(.*?)</script>', text)[1])
            bars = dict(zip(drawn["data"][0]["y"], drawn["data"][0]["x"], strict=True))
            first = max(metric.variables, key=lambda one: one.importance)
            assert max(bars, key=bars.get) == first.variable
            way = "rises" if first.correlation > 0 else "falls"
            assert f"Most important is {first.variable}" in plot.caption
            assert abs(first.correlation) < 0.1 or way in plot.caption
            assert plot.caption in unescape(text)


def test_too_few_designs_are_said(report_data, bnh_study):
    text = bnh_study.replace("generations = ", "generations = 1 #")
    found = report_data(text)
    (section,) = importance_sections(found.importances, found.model.parameters)
    assert section.plots == []
    assert all("at least 30 are needed" in remark for remark in section.remarks)
    assert section.remarks[0] in unescape(render(found, 0.0))
