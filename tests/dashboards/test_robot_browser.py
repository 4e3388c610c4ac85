"""The page of robots before any search, in a browser."""

import pytest

from dashboards.content.robot.robots import robot_view
from dashboards.robot_page import robot_page
from models import load
from tests.dashboards.conftest import Visit

pytestmark = pytest.mark.browser
TRACES = "() => [...document.querySelectorAll('.plot')].map(plot => plot.data.map(trace => trace.name))"


def test_the_page_draws_every_robot_and_loads_nothing(context, tmp_path):
    model = load("hybrid-cable-robot")
    views = [
        robot_view(name, model, model.resolve(name, {"cells": 6})) for name in ("constrained", "suspended")
    ]
    file = tmp_path / "robots.html"
    file.write_text(robot_page("<i>both</i>", "as published", views, 0.0), encoding="utf-8")
    seen = Visit(context, file)
    seen.draw_everything()
    names = seen.page.evaluate(TRACES)
    assert len(names) == 2
    assert all({"cables", "pulleys", "platform"} <= set(found) for found in names)
    assert seen.page.locator("h1").inner_text() == "<i>both</i>"
    assert seen.foreign == []
    assert seen.complaints == []
