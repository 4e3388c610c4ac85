"""All pages at three sizes, in both colours, with the keyboard, and on paper."""

import pytest
from playwright.sync_api import expect

from tests.service.pages.conftest import PHONE

pytestmark = pytest.mark.browser

SIZES = ({"width": 1440, "height": 900}, {"width": 1024, "height": 768}, PHONE)
PAGES = (
    "/",
    "/new",
    "/new?from=halves",
    "/studies/halves",
    "/studies/halves/review",
    "/studies/halves/analyse",
    "/studies/halves/decide",
    "/compare",
    "/compare?of=halves",
    "/account",
)
SCROLLED = """() => [...document.querySelectorAll("main .box:not(.varying > *):has(> table)")].filter(box => box.clientWidth)
  .filter(box => box.scrollWidth > box.clientWidth + 1).map(box => box.ariaLabel)"""
"""Names of tables of which a part lies beyond the edge of their box; layouts of a new study stand side by side."""

WHOLE_TIP = """text => {
  const box = document.querySelector("[role=tooltip]:not([hidden])");
  if (!box || box.textContent !== text) return false;
  const { left, right, top, bottom } = box.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  return left >= 0 && top >= 0 && right <= clientWidth && bottom <= clientHeight
    && box.scrollHeight <= box.clientHeight && bottom - top < clientHeight / 4;
}"""
"""The shown tooltip has this text, all of it is in sight, and it covers less than a quarter of the window."""

CONTROLS = """() => [...document.querySelectorAll("button, input, nav, form")]
  .filter(control => !control.closest(".legend, .fold") && !control.matches(".fold, .sort") && control.checkVisibility())
  .map(control => control.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_accessible_at_every_size_in_both_colours(visit, path):
    visitor = visit(path, robots=False)
    visitor.page.wait_for_function("() => !document.querySelector('.importance [aria-busy=true]')")
    for size in SIZES:
        visitor.page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            visitor.page.emulate_media(color_scheme=scheme)
            assert visitor.faults_of_access() == [], f"{size['width']}, {scheme}"
        visitor.assert_sound()
        assert visitor.page.evaluate(SCROLLED) == [], size["width"]


@pytest.mark.parametrize("view", ["review", "decide"])
def test_a_study_is_reviewed_without_scrolling_the_page(visit, view):
    visitor = visit(f"/studies/halves/{view}", robots=False, viewport=SIZES[0])
    visitor.page.locator("[aria-label='Selected design'] .pin, .ranking tbody tr").first.wait_for()
    assert visitor.page.evaluate("document.documentElement.scrollHeight") <= SIZES[0]["height"]


def test_the_menu_of_a_phone_is_opened_and_closed_by_keyboard_and_pointer(visit):
    page = visit("/account", viewport=PHONE).page
    menu, fold = page.locator("#menu"), page.get_by_role("button", name="Menu")
    assert not menu.is_visible()
    fold.focus()
    page.keyboard.press("Enter")
    assert menu.is_visible()
    assert fold.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Escape")
    assert not menu.is_visible()
    expect(fold).to_be_focused()
    fold.click()
    fold.click()
    assert not menu.is_visible()
    assert fold.get_attribute("aria-expanded") == "false"


def test_descriptions_are_short_and_never_cut_off(visit):
    page = visit("/compare?of=halves", viewport=PHONE, robots=False).page
    names = page.locator("main .tipped:visible")
    assert names.count() > 3
    for name in names.all()[:8]:
        name.evaluate("name => name.focus({ focusVisible: true })")
        page.wait_for_function(WHOLE_TIP, arg=name.get_attribute("title"))


@pytest.mark.parametrize("path", ["/", "/studies/halves/review", "/compare?of=halves"])
def test_paper_shows_no_controls(visit, path):
    page = visit(path, robots=False).page
    assert page.evaluate(CONTROLS) != []
    page.emulate_media(media="print")
    assert page.evaluate(CONTROLS) == []
