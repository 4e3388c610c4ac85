"""Favourites, tags and notes of designs on the review page: written, shown in table and front, and as filters."""

import json
import re

import pytest

from service.resources.studies import AnnotationRequest
from tests.service.pages.conftest import PHONE
from tests.service.pages.reviewing import choose, follows, rows, state_of, until

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror='window.hostile = 1'>\nsecond line"


@pytest.fixture(autouse=True)
def nothing_stays(local):
    """Remove the notes, tags and stars of a test before the next one begins."""
    yield
    for study in ("robots", "halves"):
        for one in local.annotations.list(study).items:
            local.annotations.remove(study, one.id)


def written(local, study, kind):
    return [(one.key, one.text) for one in local.annotations.list(study).items if one.kind == kind]


def write(local, study, kind, key, text=""):
    return local.annotations.add(study, AnnotationRequest(kind=kind, key=key, text=text))


def keys_of(local, study):
    return [design.key for design in local.fronts.list(study).items]


def stars(visitor):
    return visitor.page.locator(".marks .favourite").evaluate_all("all => all.map(g => g.dataset.key)")


def row_of(visitor, key):
    return visitor.page.locator(f".designs tr[data-key='{key}']")


def test_stars_are_kept_seen_in_the_front_and_filter_the_page(review, local):
    first, *_ = keys = keys_of(local, "halves")
    visitor = review("halves", f"#view=2d&key={first}")
    page = visitor.page
    follows(visitor, first)
    second = next(key for key in rows(visitor) if key != first)
    favourites = page.get_by_role("button", name="Favourites")
    assert not favourites.is_visible()
    assert page.locator("#tag-filter").is_hidden()

    row_of(visitor, second).get_by_role("button", name="Favourite").click()
    page.locator(f".marks .favourite[data-key='{second}']").wait_for(state="attached")
    assert state_of(visitor)["key"] == first, "the star selects no design"
    page.locator(".details").get_by_role("button", name="Favourite").click()
    page.locator(f".marks .favourite[data-key='{first}']").wait_for(state="attached")
    assert {key for key, _ in written(local, "halves", "favourite")} == {first, second}
    assert "Small star: a favourite of yours." in page.inner_text("#front >> xpath=ancestor::figure")

    favourites.click()
    until(visitor, "favourites", "yes")
    assert sorted(rows(visitor)) == sorted([first, second])
    assert page.locator("#front").get_attribute("data-inside") == "2"
    assert page.inner_text("#in-ranges") == f"2 of {len(keys)} designs shown: favourites."
    assert page.get_by_role("button", name=f"filtered out ({len(keys) - 2})").count() == 1
    visitor.assert_accessible(".details, .annotation-filter, .designs")

    row_of(visitor, second).get_by_role("button", name="Favourite").click()
    row_of(visitor, second).wait_for(state="detached")
    assert (rows(visitor), stars(visitor)) == ([first], [first])
    page.get_by_role("button", name="Show all designs").click()
    until(visitor, "favourites", "")
    assert page.locator("#front").get_attribute("data-inside") == str(len(keys))
    assert written(local, "halves", "favourite") == [(first, "")]


def test_tags_are_set_filtered_by_and_removed(review, local):
    first, second, *_ = keys = keys_of(local, "halves")
    write(local, "halves", "tag", second, "stiff")
    write(local, "halves", "tag", "", "of the study itself")
    visitor = review("halves", f"#view=2d&key={first}", viewport=PHONE, color_scheme="dark")
    page = visitor.page
    follows(visitor, first)
    assert page.locator("#known-tags option").evaluate_all("all => all.map(o => o.value)") == ["stiff"]
    field = page.get_by_label("New tag")
    field.fill("one, two")
    field.press("Enter")
    page.locator(".annotations .field-fault", has_text="without commas").wait_for()
    visitor.complaints.clear()  # the browser reports a refusal
    assert field.input_value() == "one, two"
    field.fill(" for <b>Ada</b> ")
    field.press("Enter")
    page.locator(".details .tag", has_text="for <b>Ada</b>").wait_for()
    assert page.locator(".annotations .field-fault").is_hidden()
    assert row_of(visitor, first).locator(".tag").inner_text() == "for <b>Ada</b>"
    assert (first, "for <b>Ada</b>") in written(local, "halves", "tag")

    choice = page.locator("#tag-filter")
    assert choice.locator("option").all_inner_texts() == ["any", "for <b>Ada</b>", "stiff"]
    choice.select_option("stiff")
    until(visitor, "tag", "stiff")
    assert rows(visitor) == [second]
    page.evaluate("location.hash += '&brush=f1:0:'")
    page.locator(
        "#in-ranges", has_text=f"1 of {len(keys)} designs shown: tagged \u201cstiff\u201d, in the range"
    ).wait_for()
    page.reload()
    row_of(visitor, second).wait_for()
    assert rows(visitor) == [second]
    assert page.locator("#tag-filter").input_value() == "stiff"
    visitor.assert_accessible(".details, .annotation-filter, .designs")

    page.locator("#tag-filter").select_option("")
    page.get_by_role("button", name="Remove the tag for <b>Ada</b>").click()
    page.locator(".details .tag").wait_for(state="detached")
    assert written(local, "halves", "tag") == [(second, "stiff"), ("", "of the study itself")]


def test_notes_have_a_time_are_changed_and_deleted_and_drafts_stay_with_their_design(review, local):
    first, second, *_ = keys_of(local, "halves")
    visitor = review("halves", f"#view=2d&key={first}")
    page = visitor.page
    follows(visitor, first)
    page.click("summary:has-text('Write a note')")
    page.get_by_label("New note").fill("begun")
    choose(visitor, second)
    assert page.get_by_label("New note").input_value() == ""
    choose(visitor, first)
    assert page.get_by_label("New note").input_value() == "begun"
    page.get_by_label("New note").fill(HOSTILE)
    page.get_by_role("button", name="Keep the note").click()
    note = page.locator(".notes li")
    note.wait_for()
    assert note.locator("p").inner_text() == HOSTILE
    assert page.evaluate("window.hostile") is None
    assert re.search(r"\b20\d\d\b.*\d:\d\d", note.inner_text())
    assert "1 note" in row_of(visitor, first).inner_text()
    assert written(local, "halves", "note") == [(first, HOSTILE)]
    visitor.assert_accessible(".annotations")

    note.get_by_role("button", name="Change").click()
    page.get_by_label("Note", exact=True).fill("Drawn for the meeting.")
    visitor.assert_accessible(".annotations")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".notes p", has_text="Drawn for the meeting.").wait_for()
    assert "changed" in note.inner_text()
    note.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    note.wait_for(state="detached")
    assert written(local, "halves", "note") == []


def test_a_favourite_that_is_not_on_the_front_is_found(review, local):
    known = set(keys_of(local, "halves"))
    other = next(one.key for one in local.evaluations.list("halves").items if one.key not in known)
    write(local, "halves", "favourite", other)
    visitor = review("halves", "#view=2d&favourites=yes")
    page = visitor.page
    assert rows(visitor) == []
    page.locator(".annotation-filter").get_by_role("button", name=other[:8]).click()
    page.locator(f".details[data-key='{other}']:not([aria-busy])").wait_for()
    assert page.locator(".details .star").get_attribute("aria-pressed") == "true"
    visitor.assert_sound()


def test_who_may_not_write_reads_only_and_sees_the_authors(visitor, local):
    first = keys_of(local, "halves")[0]
    write(local, "halves", "tag", first, "stiff")
    write(local, "halves", "note", first, "Look at this.")

    def as_viewer(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "role": "viewer"})

    def of_somebody(route):
        answer = route.fetch()
        items = [{**one, "author": "ada", "mine": False} for one in answer.json()["items"]]
        route.fulfill(response=answer, body=json.dumps({**answer.json(), "items": items}))

    page = visitor.page
    page.route("**/api/v1/me", as_viewer)
    page.route("**/annotations", of_somebody)
    visitor.goto(f"/studies/halves/review#view=2d&key={first}")
    follows(visitor, first)
    assert page.locator(".notes li").inner_text().split("\n")[-1].startswith("ada, ")
    assert page.locator(".details .tag").inner_text() == "stiff"
    assert page.locator(".annotations button:visible, .star").count() == 0
    visitor.assert_accessible(".annotations")
