"""The frame of all pages."""

import math
import re
from contextlib import closing

import pytest

from dashboards.formatting import number, percent, quantity
from dashboards.script_bundle import linked
from dashboards.templating import static_text
from tests.dashboards.test_formatting import NUMBERS, QUANTITIES, STORED
from tests.service.pages.conftest import PHONE, alone

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.soak), "dark"])
def test_a_stranger_learns_how_to_log_in(browser, server, scheme):
    with alone(browser, server.address, viewport=PHONE, color_scheme=scheme) as stranger:
        answer = stranger.page.goto(f"{server.address}/new")
        assert answer.status == 401
        assert "login link" in stranger.page.inner_text("main")
        # The browser itself complains of the status; of nothing else.
        assert [text for text in stranger.complaints if "401" not in text] == []
        assert stranger.foreign == []
        assert stranger.faults_of_access() == []


def test_what_is_not_there_is_reported_as_a_page(visitor, server):
    for path, told in (("/studies/robot", "unknown study 'robot'"), ("/nowhere/<b>", "/nowhere/<b>.")):
        answer = visitor.page.goto(f"{server.address}{path}")
        assert answer.status == 404
        said = visitor.page.inner_text("main")
        assert told in said.replace("\n", " ")
        assert path.split("<")[0] in said
    visitor.page.get_by_role("link", name="all studies").click()
    visitor.page.wait_for_url(f"{server.address}/")


def test_the_theme_is_switched_and_kept(visit, server):
    visitor = visit("/account", color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = visitor.page.evaluate(paper)
    icon = "getComputedStyle(document.getElementById('theme'), '::before').maskImage"
    moon = visitor.page.evaluate(icon)
    visitor.page.get_by_role("button", name="Switch to dark colours").click()
    assert visitor.page.evaluate(paper) != light
    assert visitor.page.evaluate(icon) not in (moon, "none"), "dark pages lead to the sun"
    visitor.page.goto(f"{server.address}/")
    assert visitor.page.evaluate(paper) != light


@pytest.mark.parametrize(
    ("path", "tab"),
    [("/", "Studies"), ("/studies/halves", "Studies"), ("/studies/halves/review", "Studies"),
     ("/new", "New study"), ("/compare?of=halves", "Compare")],
)  # fmt: skip
def test_the_main_bar_says_where_a_page_belongs(visit, path, tab):
    lit = visit(path, robots=False).page.locator("nav.main a[aria-current]")
    assert lit.all_inner_texts() == [tab]


@pytest.mark.parametrize("turn", ["first", "second"])
def test_nothing_of_a_visit_is_left_to_the_next(visit, server, turn):
    visitor = visit("/account", color_scheme="light")
    kept = "[document.documentElement.dataset.theme, Object.keys(localStorage), Object.keys(sessionStorage)]"
    before = visitor.page.evaluate(kept), visitor.context.cookies()
    assert before[0][1:] == [[], []], f"found in the {turn} visit"
    assert [cookie["domain"] for cookie in before[1]] == ["127.0.0.1"]
    assert len(visitor.context.pages) == 2, "the one that stays, and this one"
    visitor.page.get_by_role("button", name="Switch to dark colours").click()
    assert visitor.page.evaluate(kept) != before[0]
    visitor.context.clear_cookies()


VALUES = (
    0.15625,
    -0.15625,
    0.125,
    2.5,
    6.5,
    9999.96,
    1234567.0,
    1.5e-7,
    0.00012345,
    12345.6,
    318.25,
    0.0,
    1e300,
    *(value for value, _ in NUMBERS if not math.isnan(value) and not math.isinf(value)),
)
UNITS = ("1", "m", "rad", "m**3", "N", "1/m**1.5", "Pa")


def test_pages_write_numbers_as_reports_do(browser):
    script = linked(static_text, ["core/parameters.js"])
    modules = dict(re.findall(r"^// core/(\w+)\.js\nconst (module\d+) =", script, re.MULTILINE))
    with closing(browser.new_page()) as page:
        page.add_script_tag(content=script)
        told = page.evaluate(
            f"""([values, units, quantities, stored]) => {{
              const {{ number, percent, quantity }} = {modules["format"]};
              const {{ valueText }} = {modules["parameters"]};
              const all = values.map((value) => [number(value), number(value, 2), percent(Math.min(Math.abs(value) / 50, 10))]);
              const each = units.map((unit) => values.map((value) => quantity(value, unit)));
              const cases = quantities.map(([value, unit]) => quantity(value, unit));
              return [all, each, cases, stored.map(([value, unit]) => valueText(value, unit))];
            }}""",
            [VALUES, UNITS, [case[:2] for case in QUANTITIES], [case[:2] for case in STORED]],
        )
    assert told[0] == [
        [number(value), number(value, 2), percent(min(abs(value) / 50, 10))] for value in VALUES
    ]
    assert told[1] == [[quantity(value, unit) for value in VALUES] for unit in UNITS]
    assert told[2:] == [[shown for *_, shown in QUANTITIES], [shown for *_, shown in STORED]]


def test_values_beside_each_other_have_one_unit_and_long_tooltips_end_with_a_sentence(browser):
    script = linked(static_text, ["core/format.js"])
    (module,) = re.findall(r"^// core/format\.js\nconst (module\d+) =", script, re.MULTILINE)
    with closing(browser.new_page()) as page:
        page.add_script_tag(content=script)
        alike = page.evaluate(f"() => {module}.quantitiesAlike([0.0348, 1.5, null], 'm')")
        told = page.evaluate(f"text => {module}.tooltipText(text)", "One sentence of many. " * 40)
    assert alike == ["0.0348 m", "1.5 m", "\N{EN DASH}"]
    assert told.endswith("many.")
    assert 200 < len(told) <= 400


@pytest.mark.parametrize("path", ["/studies/robots/review", "/studies/robots/decide", "/compare?of=robots"])
def test_nothing_lies_beyond_the_edge_at_1024(visit, path):
    visit(path, robots=False, viewport={"width": 1024, "height": 768}).assert_sound()
