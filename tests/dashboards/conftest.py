"""Studies to draw and a browser to look with."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from dashboards.content.report.data import ReportData, read_report_data
from studies.definition.study_file import parse_study
from studies.records import StudyRecord
from studies.run.launch import run_study
from studies.store import Store
from tests import left_out
from tests.conftest import InlineExecutor

# Without the first, scripts that are compiled already would be parsed again while they come. Chromium takes the last
# list alone, so the rest is what Playwright switches off and this browser has.
SWITCHED_OFF = [
    "ScriptStreaming",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "OptimizationHints",
]
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-rasterization",  # which Debian asks for: without a card, text would be drawn as triangles
    "--disable-gpu-compositing",
    "--process-per-site",  # pages of one context share what is compiled
    f"--disable-features={','.join(SWITCHED_OFF)}",
]
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first one that is there is taken; the shell has no windows to manage and takes less processor time."""
WIDE: ViewportSize = {"width": 1280, "height": 900}

PATIENCE = 60_000
"""Milliseconds that a test waits for what it looks at: a browser that draws by software shares two cores with others."""
expect.set_options(timeout=PATIENCE)

# Marks rows of tables that two others before them in their table are like in all but their words and numbers. Most of
# axe's time goes into the contrast of each cell.
MARK_ALIKE = """() => {
  for (const table of document.querySelectorAll("tbody")) {
    const kinds = new Map();
    for (const row of table.rows) {
      const parts = [row, ...row.querySelectorAll("*")].map(part => [
        part.tagName, Boolean(part.textContent.trim()), getComputedStyle(part).color,
        getComputedStyle(part).backgroundColor,
        ...[...part.attributes].map(({ name, value }) => [name, /^(class|role|style|type)$/.test(name) ? value : !value]),
      ]);
      const kind = JSON.stringify(parts), before = kinds.get(kind) ?? 0;
      kinds.set(kind, before + 1);
      row.toggleAttribute("data-alike", before > 1);
    }
  }
}"""

LAYOUTS = """
name = "halves"
description = "Two halves of BNH."
model = "bnh"
seeds = [1, 2]
[layouts.left.variables]
x1 = { lower = 0, upper = 2.5 }
x2 = { lower = 0, upper = 3 }
[layouts.right.variables]
x1 = { lower = 1, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[constraints]
c1 = { lower = 0 }
[search]
population = 12
generations = 5
"""

SHAPES = """
name = "shapes"
description = "</script><script>window.hostile = 1</script><img src=x onerror='window.hostile = 1'>"
model = "faulty"
seeds = [1]
[variables]
x = { lower = 0, upper = 1 }
y = { lower = 0, upper = 1 }
[layouts.sound.parameters]
shape = "round"
[layouts.raises.parameters]
threshold = 0.6
[layouts.never.parameters]
fault = "infeasible"
threshold = 0.0
[layouts.never.variables]
x = { lower = 0.1, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "maximize"
sometimes = "minimize"
[search]
population = 12
generations = 3
[evaluation]
max_failure_share = 1.0
"""


@pytest.fixture
def study(store, inline, make_executor) -> Callable[[str], StudyRecord]:
    """Runs a study file to its end."""
    return lambda text: run_study(store, parse_study(text), inline(make_executor()))


@pytest.fixture
def report_data(store, study) -> Callable[[str], ReportData]:
    """Runs a study file and gathers what a report is made of."""
    return lambda text: read_report_data(store, study(text).name)


def _finished(text: str, folder: Path) -> ReportData:
    with Store(str(folder / "tautline.db")) as store:
        study = run_study(store, parse_study(text), lambda: nullcontext(InlineExecutor()))
        return read_report_data(store, study.name)


@pytest.fixture(scope="session")
def halves_data(tmp_path_factory: pytest.TempPathFactory) -> ReportData:
    """Data of a report of the halves; made once, for all tests that only look at it."""
    return _finished(LAYOUTS, tmp_path_factory.mktemp("halves-data"))


@pytest.fixture(scope="session")
def shapes_data(tmp_path_factory: pytest.TempPathFactory) -> ReportData:
    """Data of a report of the shapes."""
    return _finished(SHAPES, tmp_path_factory.mktemp("shapes-data"))


def path_of_chromium() -> str | None:
    """The one that CHROMIUM names, or the first of :data:`BROWSERS`."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; while it is open, this thread can run no event loop of its own."""
    found = path_of_chromium()
    if not found:
        pytest.skip(left_out.reason("pages", "no chromium", "`apt install chromium`"))
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=CHROMIUM_OPTIONS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For the tests of one file; it is closed before others need this process's loop."""
    with chromium() as opened:
        yield opened


def faults_of_access(page: Page, part: str | None = None) -> list[tuple[str, list[str]]]:
    """Faults that axe finds in a page as it stands, or, sooner, in a part of it."""
    page.evaluate(MARK_ALIKE)
    looked_at = {"include": [part or "html"], "exclude": ["[data-alike]"]}
    found = Axe().run(page, looked_at).response["violations"]
    return [(item["id"], [node["html"][:200] for node in item["nodes"]]) for item in found]


class Visit:
    """A file opened in the browser, with all that it asked for and complained about."""

    def __init__(
        self,
        context: BrowserContext,
        path: Path,
        viewport: ViewportSize | None = None,
        color_scheme: Literal["light", "dark"] = "light",
    ) -> None:
        self.url = path.resolve().as_uri()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.set_viewport_size(viewport or WIDE)
        self.page.emulate_media(color_scheme=color_scheme)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda m: m.type == "error" and self.complaints.append(m.text))
        self.page.goto(self.url)

    def draw_everything(self, figures: str = ".plot") -> None:
        """Unfold all, scroll to each figure, or to those that a selector names, and wait until it is drawn."""
        self.page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        for plot in self.page.locator(figures).all():
            plot.scroll_into_view_if_needed()
            self.page.wait_for_function(
                "plot => Boolean(plot.dataset.drawn) && !plot.hasAttribute('aria-busy')",
                arg=plot.element_handle(),
            )

    @property
    def foreign(self) -> list[str]:
        """Requests other than for the file itself; what stands in the file (data, blobs) is none."""
        return [url for url in self.requests if url != self.url and not url.startswith(("data:", "blob:"))]


@pytest.fixture(scope="module")
def context(browser) -> Iterator[BrowserContext]:
    """For all reports that a file of tests opens; each brings the same plotly.js, compiled once."""
    with closing(browser.new_context()) as opened:
        yield opened


@pytest.fixture
def visit(context) -> Iterator[Callable[..., Visit]]:
    """Opens a report for one test, which finds no colours that another one has chosen."""
    visits: list[Visit] = []

    def opened(path: Path, **settings: object) -> Visit:
        visits.append(Visit(context, path, **settings))
        return visits[-1]

    yield opened
    for item in visits:
        item.page.evaluate("localStorage.clear()")
        item.page.close()


@pytest.fixture
def halves() -> str:
    return LAYOUTS


@pytest.fixture
def shapes() -> str:
    return SHAPES
