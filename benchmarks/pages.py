"""Times of the pages in a headless Chromium, with 2 000 designs on the fronts and with 11 700 of 20 000.

A real server and a browser that knows none of its files; the least of a few visits counts. Times are taken
inside the page, from asking for it on: those of Playwright would have its own waiting in them.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, StorageState

from benchmarks.large_study import store_large_study
from benchmarks.timing import Figure
from studies.store import Store
from tests.dashboards.conftest import chromium, path_of_chromium
from tests.service.serving import Serving

STUDIES = {"2000": (2_000, 2_000), "20000": (20_000, 11_700)}
"""Designs, and how many of them are on the fronts, of each study."""
PAGES = {
    "Overview": "/studies/{}",
    "Review": "/studies/{}/review",
    "Analyse": "/studies/{}/analyse",
    "Compare": "/compare?of={}",
    "Decide": "/studies/{}/decide",
}
OPENED = 5
SELECTED = 30
PATIENCE = 60_000
VIEWPORT = {"width": 1440, "height": 900}
# Notes when the content is painted, when the last thing happened (an answer, a long task, the end of being
# busy), and the longest task, all in ms.
WATCH = """
window.seen = { content: 0, loaded: 0, longest: 0 };
const happened = (moment) => (seen.loaded = Math.max(seen.loaded, moment));
const watch = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  happened(entry.startTime + entry.duration);
  note(entry);
})).observe({ type, buffered: true });
watch('resource', () => {});
watch('longtask', (task) => (seen.longest = Math.max(seen.longest, task.duration)));
addEventListener('DOMContentLoaded', () => {
  const content = document.getElementById('content');
  const note = () => {
    happened(performance.now());
    if (!content.hasAttribute('aria-busy') && !seen.content)
      requestAnimationFrame(() => setTimeout(() => (seen.content ||= performance.now())));
  };
  new MutationObserver(note).observe(content, { attributeFilter: ['aria-busy'], subtree: true });
  note();
});
"""
QUIET = """() => seen.content && performance.now() - seen.loaded > 600
  && !document.querySelector('#content [aria-busy]') && seen"""
# Clicks on rows of the table, and waits until the frame is painted that shows the row as the current one.
SELECT = """async (count) => {
  const taken = [];
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  for (let number = 1; number <= count; number += 1) {
    const rows = [...document.querySelectorAll('tr[data-key]')].filter((row) => !row.ariaCurrent);
    const row = rows[number % rows.length];
    await painted();
    const begin = performance.now();
    row.click();
    do await painted(); while (document.querySelector('tr[aria-current]')?.dataset.key !== row.dataset.key);
    taken.push(performance.now() - begin);
    await new Promise((done) => setTimeout(done, 100));
  }
  return taken;
}"""


def figures(small: bool = False) -> list[Figure]:
    studies, visits = ({"20": (20, 10)}, 1) if small else (STUDIES, OPENED)
    if not path_of_chromium():
        return []
    with served(studies) as server, chromium() as browser:
        state = logged_in(browser, server.link)
        rows: list[Figure] = []
        for study in studies:
            for name, path in PAGES.items():
                address = server.address + path.format(study)
                rows += opened(browser, state, address, f"{name}, {study} designs", visits)
            rows += selections(browser, state, f"{server.address}/studies/{study}/review", study)
    return rows


@contextmanager
def served(studies: dict[str, tuple[int, int]]) -> Iterator[Serving]:
    """A server whose store holds the studies."""
    with tempfile.TemporaryDirectory() as folder:
        with Store(str(Path(folder) / "tautline.db")) as store:
            for name, (designs, on_front) in studies.items():
                store_large_study(store, name, designs, on_front)
        with Serving(Path(folder), "--no-runner") as server:
            yield server


def logged_in(browser: Browser, link: str) -> StorageState:
    """Storage of a browser with the session that the link opens."""
    context = browser.new_context()
    context.new_page().goto(link)
    state = context.storage_state()
    context.close()
    return state


@contextmanager
def visit(browser: Browser, state: StorageState, address: str) -> Iterator[tuple[Page, dict[str, float]]]:
    """A page in a fresh browser, once nothing happens there any more, and its times [ms]."""
    context = browser.new_context(storage_state=state, viewport=VIEWPORT)
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address, wait_until="commit")
    yield page, page.wait_for_function(QUIET, polling=100, timeout=PATIENCE).json_value()
    context.close()


def opened(browser: Browser, state: StorageState, address: str, what: str, visits: int) -> list[Figure]:
    """Times of a page [ms], each the least of a few visits."""
    seen = []
    for _ in range(visits):
        with visit(browser, state, address) as (_page, times):
            seen.append(times)
    told = {"content": "content shown", "loaded": "all loaded", "longest": "longest task (0: below 50)"}
    return [(f"{what}: {text}", min(each[key] for each in seen), "ms") for key, text in told.items()]


def selections(browser: Browser, state: StorageState, address: str, study: str) -> list[Figure]:
    """Times of selecting rows on the review page [ms]."""
    with visit(browser, state, address) as (page, _times):
        taken = page.evaluate(SELECT, SELECTED)
    what = f"selection of one of {study} designs, until painted"
    return [(f"{what}, median", median(taken), "ms"), (f"{what}, worst of {SELECTED}", max(taken), "ms")]
