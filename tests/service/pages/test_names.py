"""Names of metrics and variables say what they mean, to the mouse and to the keyboard; powers of units are raised."""

import re

import pytest

from models.parameter_names import words
from models.registry import load

pytestmark = pytest.mark.browser

UNDESCRIBED = r"""names => {
  const known = new RegExp(names);
  const main = document.querySelector("main");
  const described = start => {
    for (let node = start; node !== main; node = node.parentElement) {
      if (node.title || node.querySelector(":scope > title")?.textContent) return true;
      if (node.matches("label") && node.querySelector("[title]")) return true;
      if (node.matches(".field") && node.querySelector(".hint")) return true;
      if (node.matches("tr, .item, .line"))
        return Boolean(node.querySelector(".hint, .note, .long, [title]")?.textContent.trim());
    }
    return false;
  };
  const texts = [...main.querySelectorAll("*")].filter(element =>
    !element.closest("script, pre, code, textarea, datalist, title, sup, .plot")
    && [...element.childNodes].some(node => node.nodeType === 3)
    && known.test(element.textContent.trim()));
  return [texts.length, texts.filter(text => !described(text)).map(text => text.outerHTML.slice(0, 200))];
}"""
"""Number of elements of a page that are a name, and those of them without a meaning; but for figures."""

UNRAISED = r"""() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode())
    if (/\^-?\d/.test(texts.currentNode.data)
        && !texts.currentNode.parentElement.closest("script, style, pre, code, textarea"))
      found.push(texts.currentNode.data.slice(0, 200));
  return found;
}"""
"""Texts of a page in which a power is not raised."""


CODED = """codes => {
  const known = new Set(codes);
  return [...document.querySelectorAll("main *")].filter(element =>
    !element.closest("script, style, pre, code, textarea, datalist, title")
    && [...element.childNodes].some(node => node.nodeType === 3 && known.has(node.data.trim())))
    .map(element => element.outerHTML.slice(0, 200));
}"""
"""Elements of a page whose text is a name of study files."""


@pytest.fixture(scope="module")
def codes():
    """Names of parameters, metrics and options of cable robots that are no words."""
    model = load("hybrid-cable-robot")
    record = model.parameters
    names = [*record.model_fields, *(metric.name for metric in model.metrics)]
    options = [option for names in record.option_names.values() for option in names]
    return [
        name
        for name in [*names, *options]
        if not re.fullmatch("[a-z]+", name) and words(name) != name  # F2 and beta1 are the paper's symbols
    ] + [option for option in options if not re.fullmatch("[a-z]+", option)]


@pytest.fixture
def pattern(local):
    """Pattern of the robots' metrics and variables on a page, with or without a unit."""
    found = local.studies.quantities("robots")
    metrics = [name for metric in found.metrics for name in (metric.metric, metric.label)]
    names = {*metrics, *(one.path for layout in found.layouts for one in layout.variables)}
    names |= {re.sub("[_.]", " ", name) for name in names}
    return f"^(best |median )?({'|'.join(map(re.escape, sorted(names)))})( \\[.*\\])?(, stored)?$"


def check(visitor, pattern, at_least):
    """Wait for so many names; each of them is described."""
    enough = f"([pattern, least]) => ({UNDESCRIBED})(pattern)[0] >= least"
    visitor.page.wait_for_function(enough, arg=[pattern, at_least])
    _, silent = visitor.page.evaluate(UNDESCRIBED, pattern)
    assert not silent, "\n".join(silent)
    assert visitor.page.evaluate(UNRAISED) == []


@pytest.mark.parametrize(
    ("path", "at_least"),
    [("/", 3), ("/new?from=robots", 0), ("/studies/robots", 0), ("/compare?of=robots", 20)],
)
def test_names_are_described_and_none_is_that_of_a_file(visit, pattern, codes, path, at_least):
    visitor = visit(path)
    visitor.settle()
    visitor.page.evaluate("document.querySelectorAll('main details').forEach(each => each.open = true)")
    check(visitor, pattern, at_least)
    assert visitor.page.evaluate(CODED, codes) == []


def test_names_of_the_review_are_described_to_the_keyboard_too(review, pattern, codes, local):
    one, other = [pick for pick in local.fronts.picks("robots").items if pick.kind == "knee"]
    pins = f"{one.layout}:{one.key},{other.layout}:{other.key}"
    visitor = review("robots", f"#layout={one.layout}&key={one.key}&pins={pins}")
    page = visitor.page
    page.evaluate("document.querySelectorAll('main details').forEach(each => each.open = true)")
    page.get_by_text("Metrics of pinned designs").wait_for()
    check(visitor, pattern, 60)
    assert page.evaluate(CODED, codes) == []


def test_names_of_the_other_views_are_described_to_the_keyboard_too(review, pattern, codes):
    visitor = review("robots", view="analyse")
    visitor.page.locator(".importance table").wait_for(state="attached")
    check(visitor, pattern, 2)
    assert visitor.page.evaluate(CODED, codes) == []
    visitor = review("robots", view="decide")
    page = visitor.page
    page.locator(".ranking").wait_for()
    check(visitor, pattern, 5)
    assert page.evaluate(CODED, codes) == []
    name = page.locator(".ranking .tipped", has_text="F2")
    name.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    tip = page.get_by_role("tooltip")
    assert tip.inner_text() == name.get_attribute("title")
    assert "less is better" in tip.inner_text()
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")
    visitor.assert_accessible(".ranking")
