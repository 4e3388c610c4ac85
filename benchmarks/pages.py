"""Time until the pages show something useful, and until a selection is drawn, in a headless Chromium.

A real server and a store with a study of 2 000 designs, all on the fronts of two layouts. Each page is
opened by a browser that knows none of its files; the least of a few times counts, as others use the machine.

First useful paint is the frame in which the page shows what people come for. Of the review that is the
table, the axes, the parallel coordinates, the ranges, and all points of the front on a canvas; of Compare
the verdict and its tables; of the others their lists. Nothing of it is drawn by plotly.js. A study of 24 000
designs, 6 800 of them on the front, shows what a large one takes: its cloud, and all figures of Compare.
Times are taken inside the page, from asking for it on: those of Playwright would have its own waiting in
them.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page

from benchmarks.large_study import DESIGNS as LARGE
from benchmarks.large_study import ON_FRONT, store_large_study
from benchmarks.timing import Figure
from studies.definition.study_file import parse_study
from studies.run.launch import run_study
from studies.store import Store
from tests.dashboards.conftest import chromium, path_of_chromium
from tests.service.pages.conftest import Here
from tests.service.serving import Serving

DESIGNS = 2000
OPENED = 5
SELECTED = 30
STUDY = f"""
name = "sphere"
description = "Every design is on a front."
model = "dtlz2"
seeds = [1]
[layouts.one.variables]
"x.0" = {{ lower = 0, upper = 0.6 }}
"x.1" = {{ lower = 0, upper = 1 }}
[layouts.two.variables]
"x.0" = {{ lower = 0.4, upper = 1 }}
"x.1" = {{ lower = 0, upper = 1 }}
[objectives]
f1 = "minimize"
f2 = "minimize"
f3 = "minimize"
[search]
algorithm = "lhs"
population = {DESIGNS // 2}
evaluations = {DESIGNS // 2}
"""
PAGES = {
    "studies": "/",
    "run": "/studies/sphere",
    "review": "/studies/sphere/review",
    "compare": "/compare?of=sphere",
}
# Notes when the page's content is on the screen: the task after the frame that follows its end of being busy.
WATCH = """
addEventListener('DOMContentLoaded', () => {
  const content = document.getElementById('content');
  const note = () => {
    if (!content.hasAttribute('aria-busy') && !window.useful)
      requestAnimationFrame(() => setTimeout(() => (window.useful = performance.now())));
  };
  new MutationObserver(note).observe(content, { attributes: true });
  note();
});
"""
# Moments to wait for, in ms after asking for the page.
USEFUL = "() => window.useful"
FRONT = "() => performance.getEntriesByName('front')[0]?.startTime"
CLOUD = "() => performance.getEntriesByName('cloud')[0]?.startTime"
DRAWN = """() => {
  const plots = [...document.querySelectorAll('.plot')];
  return plots.length && plots.every((plot) => !plot.hasAttribute('aria-busy')) ? performance.now() : null;
}"""
LOOKED = 100
PATIENCE = 120_000
# Selects the designs by their address, as a link does, and waits until the frame is painted that shows it:
# table, parallel coordinates and front. In ms.
SELECT = """async (designs) => {
  const taken = [];
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const shows = (key) => document.querySelector('tr[aria-current]')?.dataset.key === key
    && document.querySelector('.parallel').dataset.selected === key;
  for (const [layout, key] of designs) {
    await painted();
    const begin = performance.now();
    location.hash = new URLSearchParams({ layout, key });
    do await painted(); while (!shows(key));
    taken.push(performance.now() - begin);
    await new Promise((done) => setTimeout(done, 100));
  }
  return taken;
}"""


def figures() -> list[Figure]:
    if not path_of_chromium():
        return []
    with served() as (server, designs), chromium() as browser:
        state = logged_in(browser, server.link)
        rows: list[Figure] = []
        for name, path in PAGES.items():
            seconds = opened(browser, state, server.address + path, USEFUL)
            rows.append((f"{name} page: first useful paint, {DESIGNS} designs", seconds, "s"))
        seconds = opened(browser, state, server.address + PAGES["review"], FRONT)
        rows.append((f"review page: front in space drawn, {DESIGNS} designs", seconds, "s"))
        for what, path, moment in (
            (f"review page: cloud of {LARGE} designs drawn", "/studies/large/review#cloud=1", CLOUD),
            (f"compare page: all figures drawn, {ON_FRONT} on the fronts", "/compare?of=large", DRAWN),
        ):
            rows.append((what, opened(browser, state, server.address + path, moment), "s"))
        taken = selection_times(browser, state, server.address, designs)
    what = f"selection of one of {DESIGNS} designs, until painted"
    return [
        *rows,
        (f"{what}, median", median(taken), "ms"),
        (f"{what}, worst of {SELECTED}", max(taken), "ms"),
    ]


@contextmanager
def served() -> Iterator[tuple[Serving, list[tuple[str, str]]]]:
    """A server whose store holds the study, and layouts and keys of its designs."""
    with tempfile.TemporaryDirectory() as folder:
        with Store(str(Path(folder) / "tautline.db")) as store:
            study = run_study(store, parse_study(STUDY), lambda: nullcontext(Here()))
            designs = [
                (run.layout, member.evaluation.key) for run in study.runs for member in store.front(run)
            ]
            store_large_study(store)
        with Serving(Path(folder), "--no-runner") as server:
            yield server, designs


def logged_in(browser: Browser, link: str) -> object:
    """Storage of a browser with the session that the link opens."""
    context = browser.new_context()
    context.new_page().goto(link)
    state = context.storage_state()
    context.close()
    return state


def opened(browser: Browser, state: object, address: str, moment: str) -> float:
    """Seconds from asking for a page until ``moment`` has a value; the least of a few fresh browsers."""
    return min(_opened(browser, state, address, moment) for _ in range(OPENED))


def _opened(browser: Browser, state: object, address: str, moment: str) -> float:
    context = browser.new_context(storage_state=state, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address, wait_until="commit")
    found = page.wait_for_function(moment, polling=LOOKED, timeout=PATIENCE).json_value()
    context.close()
    return found / 1000


def selection_times(
    browser: Browser, state: object, address: str, designs: list[tuple[str, str]]
) -> list[float]:
    """Milliseconds that selections take on the review page, once it is drawn."""
    context = browser.new_context(storage_state=state, viewport={"width": 1280, "height": 900})
    page: Page = context.new_page()
    page.goto(f"{address}/studies/sphere/review")
    page.wait_for_function("() => document.getElementById('front')?.dataset.drawn")
    page.wait_for_function("() => !document.querySelector('.parallel[aria-busy]')")
    chosen = designs[:: DESIGNS // SELECTED][:SELECTED]
    taken = page.evaluate(SELECT, chosen)
    context.close()
    return taken


def main() -> None:
    """Prints the figures of the pages alone."""
    for what, figure, unit in figures():
        print(f"{what:60} {figure:10.4g} {unit}")


if __name__ == "__main__":
    main()
