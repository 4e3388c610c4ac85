"""The list of studies: what it shows agrees with the store, and what it does can be undone."""

import re
import time
import zipfile
from contextlib import nullcontext

import pytest

from service.app.context import Context
from service.app.services import StoreServices
from service.resources.decisions import DecisionRequest
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store
from tests.dashboards.conftest import LAYOUTS
from tests.service.pages.conftest import PHONE, Held, Here, offline

pytestmark = pytest.mark.browser

ROW = "tr[data-study='{}']"


@pytest.fixture
def store(folder):
    with Store(str(folder / "tautline.db")) as opened:
        yield opened


def stored(store, name):
    """A study that waits as a draft."""
    StoreServices(Context(store=store)).studies.create(
        parse_study(LAYOUTS.replace('"halves"', f'"{name}"')), launch=False
    )
    return name


def names(page):
    return page.locator("tr[data-study]").evaluate_all("rows => rows.map(row => row.dataset.study)")


def gone(store, name, seconds=60):
    """True if a study leaves the store within so many seconds."""
    deadline = time.monotonic() + seconds
    while name in [study.name for study in store.studies()]:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def number(text):
    return float(re.search(r"[-\d.]+", text.replace("\N{MINUS SIGN}", "-"))[0])


@pytest.mark.parametrize(
    "settings",
    [{}, pytest.param({"color_scheme": "dark", "viewport": PHONE}, marks=pytest.mark.soak)],
    ids=["wide", "phone"],
)
def test_each_study_is_shown_with_what_it_found(visit, store, settings):
    visitor = visit("/", **settings)
    page = visitor.page
    assert set(names(page)) >= {"robots", "halves", "shapes"}
    assert "<img src=x" in page.locator(ROW.format("shapes")).inner_text()
    assert page.evaluate("window.hostile") is None
    row = page.locator(ROW.format("halves"))
    local = StoreServices(Context(store=store))
    front = local.fronts.list("halves").items
    mark = row.locator("[data-state]")
    assert mark.inner_text() == "done"
    drawn = mark.evaluate("mark => getComputedStyle(mark, '::before').maskImage")
    assert drawn.startswith("url("), "a state has an icon"
    assert "240 of 240" in row.locator(".progress").inner_text()
    assert row.locator("progress").evaluate("bar => bar.value") == 1
    lines = row.locator(".values li").all_inner_texts()
    for line, metric in zip(lines, ("f1", "f2"), strict=True):
        best = min(front, key=lambda design: design.metrics[metric])
        assert line.startswith(metric)
        assert line.endswith(best.layout)
        assert number(line.partition("↓")[2]) == pytest.approx(best.metrics[metric], rel=1e-3)
    if "viewport" not in settings:
        assert row.locator("svg.spark").get_attribute("aria-label").startswith("hypervolume: ")
    visitor.assert_accessible()


WORDS = {
    **dict.fromkeys(("queued", "running", "pausing", "paused", "cancelling"), "no feasible design yet"),
    **dict.fromkeys(("done", "cancelled", "failed", "diverged"), "no feasible design"),
}


def test_a_study_without_a_feasible_design_says_whether_one_may_come(visitor):
    """The answer of the server is that of a study with designs, changed in its state alone."""

    def answer(route):
        told = route.fetch().json()
        (one,) = [item for item in told["items"] if item["name"] == "halves"]
        none = {"feasible": 0, "best": [{**best, "value": None} for best in one["best"]]}
        items = [{**one, **none, "name": state, "state": state} for state in WORDS]
        route.fulfill(json={**told, "items": items})

    visitor.page.route(re.compile(r"/api/v1/overview\?"), answer)
    visitor.goto("/")
    found = {
        state: visitor.page.locator(ROW.format(state)).locator(".values").inner_text() for state in WORDS
    }
    assert found == WORDS


@pytest.mark.parametrize(
    "width", [390, *(pytest.param(width, marks=pytest.mark.soak) for width in (768, 1000, 1440))]
)
def test_nothing_of_a_study_lies_beyond_the_edge(visit, width):
    visitor = visit("/", viewport={"width": width, "height": 900})
    box = visitor.page.locator(".box:has(table.studies)")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    assert visitor.page.get_by_role("link", name="Review halves").is_visible()
    assert visitor.page.get_by_role("button", name="Study").is_visible()
    visitor.assert_sound()


def test_what_a_study_offers_stands_in_one_row_beside_it(visit):
    page = visit("/", viewport={"width": 1024, "height": 768}).page
    acts = page.locator(ROW.format("halves")).locator(".acts > :visible")
    assert len({round(act.bounding_box()["y"] + act.bounding_box()["height"] / 2) for act in acts.all()}) == 1
    assert acts.count() == 3
    assert page.locator(".box:has(table.studies)").evaluate("box => box.scrollWidth - box.clientWidth") == 0


def test_drafts_are_folded_on_a_phone(visit, store):
    name = stored(store, "half-written")
    visitor = visit("/", viewport=PHONE)
    page = visitor.page
    row, fold = (
        page.locator(ROW.format(name)),
        page.get_by_role("button", name=re.compile(r"^Drafts \(\d+\)$")),
    )
    fold.wait_for()
    assert row.is_hidden()
    assert fold.get_attribute("aria-expanded") == "false"
    fold.click()
    assert row.is_visible()
    visitor.assert_accessible("#content")
    fold.click()
    assert row.is_hidden()
    page.get_by_label("State", exact=True).select_option("draft")
    row.wait_for()
    assert fold.is_hidden()
    page.get_by_label("State", exact=True).select_option("")
    page.set_viewport_size({"width": 1024, "height": 768})
    assert row.is_visible()
    assert fold.is_hidden()
    page.goto("about:blank")
    store.delete_study(name)


def test_the_list_is_searched_and_sorted_and_the_address_tells_how(visit):
    visitor = visit("/")
    page = visitor.page
    page.get_by_label("Search").fill("bnh")
    page.locator("tr[data-study]").nth(1).wait_for(state="detached")
    assert names(page) == ["halves"]
    page.get_by_label("Search").fill("Cable robot")
    page.locator(ROW.format("robots")).wait_for()
    assert "halves" not in names(page), "titles of models are searched"
    assert page.locator(ROW.format("robots")).get_by_title("hybrid-cable-robot").inner_text() == "Cable robot"
    page.get_by_label("Search").fill("two constraints")
    page.locator(ROW.format("halves")).wait_for()
    assert names(page) == ["halves"], "those of packages, too"
    page.get_by_label("Search").fill("no such thing")
    page.get_by_text("No study here matches").wait_for()
    page.get_by_role("button", name="Show all").click()
    page.get_by_role("button", name="Study").click()
    assert names(page) == sorted(names(page))
    page.get_by_role("button", name="Study").press("Enter")
    assert names(page) == sorted(names(page), reverse=True)
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("Study")
    page.reload()
    page.locator("tr[data-study]").first.wait_for()
    assert names(page) == sorted(names(page), reverse=True)
    visitor.assert_sound()


def test_a_link_keeps_the_filters_of_the_list(visit):
    page = visit("/").page
    every = names(page)
    choice = page.get_by_label("Model", exact=True)
    assert "Cable robot" in choice.locator("option").all_inner_texts()
    choice.select_option(label="Test problem BNH: two constraints")
    assert names(page) == ["halves"]
    page.reload()
    page.locator("tr[data-study]").first.wait_for()
    assert names(page) == ["halves"]
    page.evaluate("location.hash = 'model=bnh&tag=nobody'")
    page.get_by_text("No study here passes the filters").wait_for()
    page.get_by_role("button", name="Clear the filters").click()
    assert names(page) == every


def test_a_deleted_study_can_be_taken_back_until_it_is_gone(visit, store):
    name = stored(store, "doomed")
    page = visit("/").page
    page.get_by_role("button", name=f"Delete {name}").click()
    page.locator(ROW.format(name)).wait_for(state="detached")
    assert page.evaluate("document.activeElement.textContent") == "Undo"
    page.keyboard.press("Enter")
    assert name in names(page)
    assert store.study(name).name == name
    page.get_by_role("button", name=f"Delete {name}").click()
    page.locator(ROW.format(name)).wait_for(state="detached")
    page.goto("about:blank")  # leaving the page settles it
    assert gone(store, name)


def test_a_study_with_decisions_is_deleted_only_by_somebody_who_was_told_of_them(visit, store):
    name = "decided"
    run_study(store, parse_study(LAYOUTS.replace('"halves"', '"decided"')), lambda: nullcontext(Here()))
    services = StoreServices(Context(store=store))
    design = services.fronts.list(name).items[0]
    chosen = DecisionRequest(layout=design.layout, key=design.key, reason="the stiffest")
    services.decisions.add(name, chosen)
    visitor = visit("/", hurried=True)
    page = visitor.page
    page.get_by_role("button", name=f"Delete {name}").click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    assert f"{name} holds 1 decision: a record that is lost with it" in dialog.inner_text()
    visitor.assert_accessible("dialog")
    dialog.get_by_role("button", name="Cancel").click()
    assert name in names(page)
    page.get_by_role("button", name=f"Delete {name}").click()
    dialog.get_by_role("button", name="Delete with 1 decision").click()
    page.get_by_text(f"Deleted {name}.").wait_for(state="detached")
    assert gone(store, name)
    visitor.assert_sound()


def test_a_list_that_is_empty_because_all_studies_are_archived_says_so(visit, store):
    current = [study.name for study in store.studies() if not study.archived]
    for name in current:
        store.edit_study(name, {"archived": True})
    try:
        page = visit("/").page
        page.get_by_text("All studies are archived.").wait_for()
        page.get_by_role("button", name="Show the archive").click()
        page.locator(ROW.format(current[0])).wait_for()
    finally:
        for name in current:
            store.edit_study(name, {"archived": False})


def test_a_deleted_study_goes_when_it_can_no_longer_be_taken_back(visit, store):
    name = stored(store, "doomed-as-well")
    page = visit("/", hurried=True).page
    page.get_by_role("button", name=f"Delete {name}").click()
    page.get_by_text(f"Deleted {name}.").wait_for(state="detached")
    assert gone(store, name)
    assert name not in names(page)


def test_archived_studies_have_a_list_of_their_own(visit, store):
    name = stored(store, "kept")
    page = visit("/").page
    page.get_by_role("button", name=f"Archive {name}").click()
    page.get_by_text(f"Archived {name}.").wait_for()
    assert store.study(name).archived
    assert name not in names(page)
    page.get_by_role("button", name="Archive", exact=True).click()
    page.locator(ROW.format(name)).wait_for()
    assert names(page) == [name]
    page.get_by_role("button", name=f"Restore {name}").click()
    page.get_by_text(f"{name} is current again.").wait_for()
    page.get_by_text("Nothing is archived.").wait_for()
    assert not store.study(name).archived
    store.delete_study(name)


def test_a_ticked_study_is_exported_as_a_table_and_two_are_compared(visit):
    page = visit("/").page
    page.get_by_label("Tick halves").check()
    page.get_by_text("1 study ticked:").wait_for()
    with page.expect_download() as table:
        page.get_by_role("link", name="Export").click()
    assert table.value.suggested_filename == "halves-all.csv"
    page.get_by_label("Tick robots").check()
    assert (
        page.get_by_role("link", name="Compare 2 studies").get_attribute("href")
        == "/compare?of=halves,robots"
    )


def test_several_studies_are_tagged_archived_and_deleted_at_once(visit, store):
    own = [stored(store, name) for name in ("first-of-two", "second-of-two")]
    visitor = visit("/")
    page = visitor.page

    def tick():
        for name in own:
            page.get_by_label(f"Tick {name}").check()
        page.get_by_text("2 studies ticked:").wait_for()

    bar = page.get_by_role("group", name="Studies that are ticked")
    tick()
    bar.get_by_role("button", name="Tag").click()
    page.get_by_role("textbox", name="Tag").fill("for the paper")
    visitor.assert_accessible("dialog")
    page.keyboard.press("Enter")
    for name in own:
        page.locator(ROW.format(name)).get_by_role("button", name="for the paper", exact=True).wait_for()
    assert [[each.text for each in store.annotations.of(name)] for name in own] == [["for the paper"]] * 2
    page.locator(ROW.format(own[0])).get_by_role("button", name="for the paper", exact=True).click()
    page.wait_for_function("() => document.querySelectorAll('tr[data-study]').length === 2")
    with page.expect_download() as tables:
        bar.get_by_role("link", name="Export").click()
    assert re.fullmatch(r"tautline-studies-20\d\d-\d\d-\d\d\.zip", tables.value.suggested_filename)
    with zipfile.ZipFile(tables.value.path()) as archive:
        assert sorted(archive.namelist()) == [f"{name}-all.csv" for name in own]
    bar.get_by_role("button", name="Archive").click()
    page.get_by_text("Archived 2 studies.").wait_for()
    assert all(store.study(name).archived for name in own)
    page.get_by_role("button", name="Undo").click()
    page.locator(ROW.format(own[1])).wait_for()
    tick()
    bar.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_text("Deleted 2 studies.").wait_for()
    page.goto("about:blank")
    assert all(gone(store, name) for name in own)


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.soak), "dark"])
def test_a_tag_is_removed_from_one_or_from_all_that_are_ticked(visit, store, scheme):
    own = [stored(store, f"{name}-{scheme}") for name in ("first-tagged", "second-tagged")]
    for name in own:
        store.annotations.add(name, "tag", "thesis")
        store.annotations.add(name, "note", "thesis")
    store.annotations.add(own[0], "tag", "draft")
    visitor = visit("/", viewport=PHONE, color_scheme=scheme)
    page = visitor.page

    def tags():
        return [[one.text for one in store.annotations.of(name) if one.kind == "tag"] for name in own]

    page.get_by_role("button", name=re.compile(r"^Drafts")).click()
    row = page.locator(ROW.format(own[0]))
    row.get_by_role("button", name="Remove the tag draft").click()
    row.get_by_role("button", name="draft", exact=True).wait_for(state="detached")
    assert tags() == [["thesis"], ["thesis"]]
    page.get_by_role("button", name="Undo").click()
    row.get_by_role("button", name="draft", exact=True).wait_for()
    assert tags() == [["thesis", "draft"], ["thesis"]]
    for name in own:
        page.get_by_label(f"Tick {name}").check()
    page.get_by_role("button", name="Remove a tag").click()
    dialog = page.get_by_role("dialog")
    assert dialog.locator("option").all_inner_texts() == ["draft", "thesis"]
    dialog.locator("select").select_option("thesis")
    visitor.assert_accessible("dialog")
    dialog.get_by_role("button", name="Remove the tag").click()
    page.get_by_text("Removed the tag thesis of 2 studies.").wait_for()
    assert tags() == [["draft"], []]
    assert all([one.kind for one in store.annotations.of(name)].count("note") == 1 for name in own)
    visitor.assert_accessible()


def test_studies_are_chosen_on_a_phone(visit):
    visitor = visit("/", viewport=PHONE)
    page = visitor.page
    for name in ("halves", "robots"):
        box = page.get_by_label(f"Tick {name}")
        place = box.bounding_box()
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= PHONE["width"]
        box.check()
        assert box.is_checked()
    visitor.assert_sound()
    page.get_by_role("link", name="Compare 2 studies").click()
    page.wait_for_url("**/compare?of=halves,robots")


def test_what_happens_elsewhere_is_seen_and_a_break_loses_nothing(visit, store):
    visitor = visit("/", hurried=True)
    page = visitor.page
    page.get_by_label("Tick halves").check()
    name = stored(store, "newcomer")
    page.locator(ROW.format(name)).wait_for()
    assert names(page)[0] == name
    with offline(visitor):
        page.locator("#offline").wait_for()
        assert "robots" in names(page)
        StoreServices(Context(store=store)).studies.launch(name)
    page.locator(f"{ROW.format(name)} [data-state=queued]").wait_for()
    page.locator("#offline").wait_for(state="hidden")
    assert page.get_by_label("Tick halves").is_checked()
    assert [text for text in visitor.complaints if "ERR_INTERNET_DISCONNECTED" not in text] == []
    store.stop_study(name)
    page.locator(f"{ROW.format(name)} [data-state=cancelled]").wait_for()
    store.delete_study(name)


def test_a_list_that_was_asked_for_before_something_happened_does_not_undo_it(visit, store):
    name = stored(store, "overtaken")
    visitor = visit("/", hurried=True)
    page = visitor.page
    held = Held(visitor, lambda url: "/api/v1/overview?" in url and "name=" not in url)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    held.wait_for()
    StoreServices(Context(store=store)).studies.launch(name)
    page.wait_for_timeout(1200)  # its event comes; a page that asked at once would have its answer by now
    held.let_through()
    page.locator(f"{ROW.format(name)} [data-state=queued]").wait_for()
    assert visitor.complaints == []
    store.stop_study(name)
    store.delete_study(name)


def test_rows_stay_where_they_are_when_a_box_is_ticked_or_something_is_said(visit, store):
    name = stored(store, "below-all")
    page = visit("/").page
    row = page.locator(ROW.format("halves"))
    before = row.bounding_box()["y"]
    page.get_by_label("Tick halves").check()
    page.get_by_text("1 study ticked:").wait_for()
    assert row.bounding_box()["y"] == before
    page.get_by_label("Tick robots").check()
    page.get_by_role("link", name="Compare 2 studies").wait_for()
    assert row.bounding_box()["y"] == before
    height = page.locator(ROW.format(name)).bounding_box()["height"]
    page.get_by_role("button", name=f"Archive {name}").click()
    page.get_by_text(f"Archived {name}.").wait_for()
    page.locator(ROW.format(name)).wait_for(state="detached")
    assert row.bounding_box()["y"] == pytest.approx(before - height, abs=1)
    store.delete_study(name)


def test_what_is_deleted_or_archived_elsewhere_leaves_the_list_and_its_page(visit, store):
    one, other = stored(store, "elsewhere-one"), stored(store, "elsewhere-two")
    page, own = (visit(path, hurried=True).page for path in ("/", f"/studies/{other}"))
    page.locator(ROW.format(one)).wait_for()
    store.edit_study(one, {"archived": True})
    store.delete_study(other)
    for name in (one, other):
        page.locator(ROW.format(name)).wait_for(state="detached")
    own.get_by_text("This study was deleted.").wait_for()
    store.edit_study(one, {"archived": False})
    page.locator(ROW.format(one)).wait_for()
    store.delete_study(one)


REVEAL = """field => {
  for (let part = field.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
}"""


def test_a_draft_is_edited_in_its_place_and_deleted_from_its_page(visit, store):
    name = stored(store, "sketch")
    visitor = visit("/")
    page = visitor.page
    page.get_by_role("link", name=f"Edit {name}").click()
    page.locator(".verdict .good").wait_for()
    for pointer, text in (("/search/generations", "7"), ("/name", "sketch-two")):
        field = page.locator(f'[data-pointer="{pointer}"] input')
        field.evaluate(REVEAL)
        field.fill(text)
    page.wait_for_function("() => document.getElementById('file').value.includes('sketch-two')")
    page.get_by_role("button", name="Save as draft").click()
    page.wait_for_url("**/studies/sketch-two")
    page.get_by_role("link", name="Edit", exact=True).wait_for()
    assert "sketch" not in [study.name for study in store.studies()]
    study = store.study("sketch-two")
    assert study.definition["search"]["generations"] == 7
    assert study.state == "draft"
    visitor.assert_sound()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete it").click()
    page.get_by_role("heading", name="Studies").wait_for()
    assert gone(store, "sketch-two")
