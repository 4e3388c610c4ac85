"""Results from elsewhere are imported on the page of studies, and all pages of their study name the source."""

import pytest

pytestmark = pytest.mark.browser

TABLE = "x,y,f1,f2,sag [mm]\n0.1,0.2,1,2,3\n0.2,0.3,2,1,4\n"
NOTE = "imported from N.N. 2019, not evaluated here"


def fill(page, table):
    page.get_by_role("button", name="Import results").click()
    page.get_by_label("Table (CSV)").set_input_files(
        {"name": "theirs.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    page.get_by_label("Source").fill("N.N. 2019")
    page.get_by_label("Name of the study").fill("theirs")
    page.get_by_label("Model of the parameters").select_option("faulty")
    page.get_by_label("Columns to minimise").fill("f1, f2, sag")
    page.get_by_role("button", name="Import", exact=True).click()


def test_a_table_is_imported_after_its_fault_was_shown(visitor):
    visitor.goto("/")
    page = visitor.page
    fill(page, TABLE.replace("0.3", "much"))
    fault = page.locator("dialog .fault")
    fault.wait_for()
    assert "theirs.csv, line 3, column 'y': 'much' is not a finite number" in fault.inner_text()
    page.get_by_label("Table (CSV)").set_input_files(
        {"name": "theirs.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}
    )
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_url("**/studies/theirs")
    for address in ("", "/review", "/decide"):
        visitor.goto(f"/studies/theirs{address}")
        assert page.locator(".heading .imported").inner_text() == NOTE
    visitor.goto("/studies/theirs/review")
    page.locator(".notice", has_text="The metrics of this design are imported from N.N. 2019").wait_for()
    visitor.goto("/")
    row = page.locator("tr[data-study='theirs']")
    assert row.locator(".tag.from").inner_text() == "imported from N.N. 2019"
