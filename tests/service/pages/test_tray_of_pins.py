"""The tray of pinned designs at the lower edge of Review covers no control that has the focus."""

import pytest

from tests.service.pages.conftest import PHONE

pytestmark = pytest.mark.browser

UNDER = """() => {
  const [focused, tray] = [document.activeElement, document.querySelector(".pins")];
  if (focused === document.body) return "end";
  if (tray.contains(focused)) return "within";
  const { top, bottom } = focused.getBoundingClientRect();
  const edge = tray.getBoundingClientRect().top;
  return bottom <= edge + 1 || bottom - top > edge ? "free" : `${focused.outerHTML.slice(0, 120)} ${bottom} ${edge}`;
}"""
"""Place of what has the focus: free of the tray, within it, or the element that lies under it."""


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
def test_no_control_with_the_focus_lies_under_the_tray(review, local, size, key):
    one, other = local.fronts.list("halves").items[:2]
    pinned = f"{one.layout}:{one.key},{other.layout}:{other.key}"
    visitor = review("halves", f"#pins={pinned}&view=2d", viewport=size)
    page = visitor.page
    page.locator(".pins[data-pins='2'] table").first.wait_for()
    page.evaluate("document.activeElement.blur()")
    places = []
    while len(places) < 200 and (not places or places[-1] != "end"):
        page.keyboard.press(key)
        page.wait_for_function("() => new Promise(done => requestAnimationFrame(() => done(true)))")
        place = page.evaluate(UNDER)
        if place not in ("free", "within", "end"):  # the page scrolls smoothly
            page.wait_for_timeout(700)
            place = page.evaluate(UNDER)
        places.append(place)
    assert places.count("free") > 30
    assert "within" in places
    assert set(places) <= {"free", "within", "end"}
