"""Parallel coordinates of the review: scales, better ends, and ranges that are dragged."""

import numpy as np
import pytest

from tests.service.pages.conftest import PHONE
from tests.service.pages.reviewing import all_rows, follows, state_of, until

pytestmark = pytest.mark.browser

# Places of the axes: at both sides 46 pixels, 48 above and 34 below.
AXIS = """([name, share]) => {
  const box = document.querySelector('.parallel');
  box.scrollIntoView({ block: 'center', behavior: 'instant' });
  const group = [...box.querySelectorAll('svg > g:first-child > g')].find(
    (one) => one.querySelector('.name').textContent === name);
  const line = group.querySelector('line');
  const { left, top } = box.getBoundingClientRect();
  const at = (letter) => Number(line.getAttribute(`${letter}1`))
    + share * (Number(line.getAttribute(`${letter}2`)) - Number(line.getAttribute(`${letter}1`)));
  return [left + at('x'), top + at('y')];
}"""


def place(page, axis, share):
    return page.evaluate(AXIS, [axis, share])


def drag(page, axis, start, end):
    """Drag along an axis, between shares of it."""
    page.mouse.move(*place(page, axis, start))
    page.mouse.down()
    page.mouse.move(*place(page, axis, end), steps=4)
    page.mouse.up()


def range_of(visitor, column):
    """The range of a column in the address, as two numbers."""
    found = [part.split(":") for part in state_of(visitor)["brush"].split(",")]
    (ends,) = [ends for name, *ends in found if name == column]
    return [float(end) for end in ends]


def shift(page):
    """Wait until the address holds another range than it did."""
    before = page.evaluate("location.hash")
    return lambda: page.wait_for_function("before => location.hash !== before", arg=before)


def test_a_range_is_moved_by_its_middle_and_resized_by_its_ends(shared_review, local):
    front = local.fronts.list("halves").items
    values = np.array([design.metrics["f1"] for design in front])
    low, high = values.min(), values.max()
    visitor = shared_review("halves", "&view=lines")
    page = visitor.page
    at = lambda share: low + share * (high - low)  # noqa: E731
    near = 0.02 * (high - low)

    drag(page, "f1", 0.2, 0.5)
    page.wait_for_function("() => location.hash.includes('brush=f1')")
    assert range_of(visitor, "f1") == pytest.approx([at(0.2), at(0.5)], abs=near)

    changed = shift(page)
    drag(page, "f1", 0.35, 0.55)
    changed()
    assert range_of(visitor, "f1") == pytest.approx([at(0.4), at(0.7)], abs=near)

    changed = shift(page)
    drag(page, "f1", 0.7, 0.9)
    changed()
    assert range_of(visitor, "f1") == pytest.approx([at(0.4), at(0.9)], abs=near)

    changed = shift(page)
    drag(page, "f1", 0.4, 0.1)
    changed()
    ends = range_of(visitor, "f1")
    assert ends == pytest.approx([at(0.1), at(0.9)], abs=near)
    inside = [design.key for design in front if ends[0] <= design.metrics["f1"] <= ends[1]]
    assert sorted(all_rows(visitor)) == sorted(inside)
    shown = page.locator(".parallel .bound").all_text_contents()
    assert [float(text.split()[0]) for text in shown] == pytest.approx(ends, rel=1e-3)

    page.mouse.click(*place(page, "f1", 0.5))
    until(visitor, "brush", "")
    assert page.locator(".parallel .bound").count() == 0
    visitor.assert_sound()


def test_better_ends_are_marked_and_a_design_that_is_several_picks_has_one_button(shared_review, local):
    visitor = shared_review("robots", "&view=lines")
    marked = visitor.page.locator(".parallel svg > g:first-child > g").evaluate_all(
        "all => all.map(g => [g.querySelector('.name').textContent, g.querySelector('.better')?.dataset.better])"
    )
    assert {name: end for name, end in marked if end} == {
        "workspace volume": "greatest",
        "stiffness F2": "least",
        "sensitivity F3": "least",
    }, "at objectives"
    assert {"azimuth beta1", "azimuth beta2"} <= {name for name, end in marked if not end}, "not at variables"
    for layout in ("constrained", "suspended"):
        picks = [pick for pick in local.fronts.picks("robots").items if pick.layout == layout]
        buttons = visitor.page.get_by_role("group", name=f"Designs of {layout}").get_by_role("button")
        assert buttons.count() == len({pick.key for pick in picks})
        told = " ".join(buttons.all_inner_texts()).lower()
        assert told.count("best") == len({pick.key for pick in picks if pick.kind == "best"})
        assert told.count("knee") == told.count("closest to ideal") == 1
        for name in ("workspace volume", "f2", "f3"):
            assert name in told


def test_a_bounded_metric_is_better_away_from_its_bound(shared_review):
    ends = (
        shared_review("halves", "&view=lines")
        .page.locator(".parallel svg > g:first-child > g")
        .evaluate_all(
            "all => all.map(g => [g.querySelector('.name').textContent, g.querySelector('.better')?.dataset.better])"
        )
    )
    assert dict(ends)["c1"] == "greatest", "at least 0 is asked for"


def test_each_layout_is_drawn_on_its_own_scale_on_demand(review, shared_review, local):
    front = local.fronts.list("robots").items
    visitor = shared_review("robots", "&view=lines")
    page = visitor.page
    canvas = page.locator(".parallel canvas").first
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    page.get_by_label("Each layout on its own scale").check()
    until(visitor, "scale", "layout")
    assert canvas.evaluate("canvas => canvas.toDataURL()") != before
    for layout in ("constrained", "suspended"):
        own = [design for design in front if design.layout == layout]
        page.get_by_role("group", name=f"Designs of {layout}").get_by_role("button").first.click()
        page.get_by_text(f"on the scale of {layout}").wait_for()
        (ends,) = page.locator(".parallel svg > g:first-child > g", has_text="F3").evaluate_all(
            "all => all.map(g => [...g.querySelectorAll('text')].slice(1).map(t => parseFloat(t.textContent)))"
        )
        values = [design.metrics["F3"] for design in own]
        if max(values) > min(values):
            assert sorted(ends) == pytest.approx([min(values), max(values)], rel=1e-3)
    again = review("robots", page.evaluate("location.hash"))
    assert again.page.get_by_label("Each layout on its own scale").is_checked()
    follows(again, state_of(again)["key"])
    again.assert_accessible("figure:has(.parallel)")


def test_a_range_is_dragged_on_lying_axes_of_a_phone(review):
    visitor = review("robots", "#view=lines", viewport=PHONE)
    page = visitor.page
    drag(page, "stiffness F2 [1/m¹·⁵]", 0.3, 0.7)
    page.wait_for_function("() => location.hash.includes('brush=F2')")
    low, high = range_of(visitor, "F2")
    assert low < high
    visitor.assert_sound()
