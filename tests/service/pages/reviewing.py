"""State of the review page's address and parts, and a way to select a design."""


def state_of(visitor):
    """State in the address now; the browser tells others of it a while later."""
    told = visitor.page.evaluate("location.hash.slice(1)")
    return dict(part.split("=", 1) for part in told.split("&") if part)


def until(visitor, name, value):
    visitor.page.wait_for_function(
        "([name, value]) => (new URLSearchParams(location.hash.slice(1)).get(name) ?? '') === value",
        arg=[name, value],
    )


def rows(visitor):
    return visitor.page.locator(".designs tbody tr").evaluate_all("all => all.map(row => row.dataset.key)")


def follows(visitor, key):
    """Wait until table, figure, details and robot all show a design."""
    visitor.page.wait_for_selector(f".designs tr[data-key='{key}'][aria-current='true']")
    if visitor.page.locator(".parallel").is_visible():
        visitor.page.wait_for_selector(f".parallel[data-selected='{key}']")
    else:
        visitor.page.wait_for_selector(f".marks .selected[data-key='{key}']", state="attached")
    visitor.page.wait_for_selector(f".details[data-key='{key}']:not([aria-busy])")
    visitor.page.wait_for_selector(f".space .plot[data-key='{key}']", state="attached")


def all_rows(visitor):
    """The rows of all parts of the table."""
    before, after = (
        visitor.page.get_by_role("button", name=name, exact=True) for name in ("Previous", "Next")
    )
    while before.count() and before.is_enabled():
        before.click()
    found = rows(visitor)
    while after.count() and after.is_enabled():
        after.click()
        found += rows(visitor)
    return found


CHOOSE = """key => {
  const state = new URLSearchParams(location.hash.slice(1));
  state.delete('layout');
  state.set('key', key);
  location.hash = state;
}"""


def choose(visitor, key):
    """Select a design by the address, as a link does, without scrolling the page."""
    visitor.page.evaluate(CHOOSE, key)
    follows(visitor, key)
