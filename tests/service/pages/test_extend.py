"""A finished study goes on with a larger budget from its page."""

import pytest

from service.app.context import Context
from service.app.services import StoreServices
from studies.definition.study_file import parse_study
from studies.store import Store
from tests.service.pages.conftest import PHONE
from tests.service.pages.test_run_page import stored, worked_on

pytestmark = pytest.mark.browser

CUBE = """
name = "cube"
model = "bnh"
variables.x1 = { lower = 0, upper = 5 }
variables.x2 = { lower = 0, upper = 3 }
objectives = { f1 = "minimize", f2 = "minimize" }
search = { algorithm = "lhs", evaluations = 6 }
"""


@pytest.fixture
def store(folder):
    with Store(str(folder / "tautline.db")) as opened:
        yield opened


@pytest.mark.parametrize(
    "settings",
    [pytest.param({}, marks=pytest.mark.soak), {"viewport": PHONE, "color_scheme": "dark"}],
    ids=["wide", "phone"],
)
def test_a_finished_study_is_extended_where_its_faults_are_said_at_the_field(visit, store, folder, settings):
    name = stored(store, f"short-{len(settings)}", 2)
    with worked_on(folder, name):
        pass
    visitor = visit(f"/studies/{name}", **settings)
    page = visitor.page
    page.locator(".head [data-state=done]").wait_for()
    page.get_by_role("button", name="Extend", exact=True).click()
    field, go = page.get_by_label("Generations of each run"), page.get_by_role("button", name="Extend it")
    fault = page.locator("#extend-generations-fault")
    assert page.get_by_label("Designs of each run").count() == 0, "it states no such budget"
    assert "It has 2." in page.locator("#extend-generations-hint").inner_text()
    for text, said in (
        ("many", "Write a total as in 55"),
        ("2", "It must be more than the 2 that it has."),
        ("1", "but must be more than the present 2"),
    ):
        field.fill(text)
        go.click()
        page.wait_for_function(
            "said => document.getElementById('extend-generations-fault').textContent.includes(said)", arg=said
        )
        assert fault.is_visible()
        assert page.evaluate("document.activeElement.name") == "generations"
    assert store.study(name).definition["search"]["generations"] == 2
    assert visitor.faults_of_access("dialog") == []
    visitor.complaints.clear()  # the browser's own line of the answer 422
    field.fill("+1")
    go.press("Enter")
    page.locator(".head [data-state=queued]").wait_for()
    assert page.get_by_role("dialog").count() == 0
    assert store.study(name).definition["search"]["generations"] == 3
    with worked_on(folder, name):
        pass
    page.locator(".head [data-state=done]").wait_for()
    page.locator(".totals", has_text="144of 144 planned").wait_for()
    visitor.assert_sound()
    store.delete_study(name)


def test_nothing_written_is_said_and_cancel_changes_nothing(visit, store):
    visitor = visit("/studies/halves")
    page = visitor.page
    page.get_by_role("button", name="Extend", exact=True).click()
    page.get_by_role("button", name="Extend it").click()
    page.get_by_text("Give a larger budget").wait_for()
    page.get_by_role("button", name="Cancel").click()
    assert page.get_by_role("dialog").count() == 0
    assert store.study("halves").state == "done"


def test_a_search_that_cannot_go_on_says_why_beside_its_button(visit, store, folder):
    StoreServices(Context(store=store)).studies.create(parse_study(CUBE))
    with worked_on(folder, "cube"):
        pass
    visitor = visit("/studies/cube")
    button = visitor.page.get_by_role("button", name="Extend", exact=True)
    assert button.is_disabled()
    said = visitor.page.locator(f"#{button.get_attribute('aria-describedby')}")
    assert said.is_visible()
    assert "lhs draws other designs when their number changes" in said.inner_text()
    visitor.assert_sound()
    store.delete_study("cube")
