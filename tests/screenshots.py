"""``make screenshots``: pictures of the demo's report and of the pages, for the documentation and for a look.

Wide and phone, light and dark; of the report each screen by itself. The documentation has the wide,
light ones, of the report the screen that shows the robots. The figures of papers become pictures of the documentation,
on no background, so that they stand on light and dark pages.

All of them are written to ``build/screenshots``. Of each picture of the documentation the difference from the stored
one is printed; ``--update`` replaces those that differ visibly.
"""

import base64
import io
import math
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import numpy as np
import plotly
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page, sync_playwright

from docs.paper_figures import FIGURES, picture
from docs.renewal import Renewal
from tests.dashboards.conftest import path_of_chromium
from tests.page_pictures import take_pages

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "screenshots"
PICTURES = ROOT / "docs" / "images"
OF_THE_SITE = {
    "report.png": "wide-light-robots.png",
    **{f"{page}.png": f"{page}-wide-light.png" for page in ("studies", "new", "run", "review", "compare")},
    "phone.png": "review-phone-dark.png",
}
MOST_HEIGHT = {"phone.png": 1688, "compare.png": 1680}
"""Pixels that the site shows of a picture; others keep one and a half screens, and Compare down to its front."""
SIZES = {"wide": (1280, 1400), "phone": (390, 844)}
SQUARE = 8
"""Side [pixels] of the squares in which pictures are compared."""
VISIBLE = 1.5
"""Mean difference of the pixels of a square, of 255 levels, from which on two pictures differ visibly. Two runs on one
machine make 0, and other last digits of colours 1; a full stop makes 2 to 5, a mark moved by a quarter of a pixel 5, and
another letter 19."""
OPTIONS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--enable-unsafe-swiftshader",
]


def main() -> None:
    parser = ArgumentParser(prog="make screenshots", description=__doc__)
    parser.add_argument("--update", action="store_true", help="replace stored pictures that differ visibly")
    renewal = Renewal(PICTURES, FOLDER / "images", difference, parser.parse_args().update, VISIBLE)
    chromium = path_of_chromium()
    if chromium is None:
        raise SystemExit("no chromium on this machine; install it or name one in CHROMIUM")
    shutil.rmtree(FOLDER, ignore_errors=True)
    demo = FOLDER / "demo"
    subprocess.run([Path(sys.executable).parent / "tautline", "demo", "--folder", demo], check=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=OPTIONS)
        report_pictures(browser, demo / "report.html")
        take_pages(browser, demo, FOLDER)
        for picture, taken in OF_THE_SITE.items():
            most = MOST_HEIGHT.get(picture, 1400)
            renew(renewal, PICTURES / picture, shortened(FOLDER / taken, most))
        paper_pictures(browser, renewal)
        browser.close()
    print(renewal)


def renew(renewal: Renewal, path: Path, content: bytes) -> None:
    """Take a new picture of the documentation, and print its difference."""
    print(f"{path.relative_to(PICTURES).as_posix():40} {renewal.put(path, content):8.3g}", flush=True)


def report_pictures(browser: Browser, report: Path) -> None:
    """The screens of a report, and the one with the robots."""
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto(report.as_uri())
            page.wait_for_timeout(6000)
            take(page, f"{size}-{scheme}", height)
            take_robots(page, f"{size}-{scheme}")
            page.close()


def shortened(taken: Path, most: int) -> bytes:
    """The upper part of a picture, as PNG."""
    with Image.open(taken) as whole:
        part = whole.convert("RGB").crop((0, 0, whole.width, min(whole.height, most)))
    into = io.BytesIO()
    part.save(into, "PNG", optimize=True)
    return into.getvalue()


def difference(stored: bytes, content: bytes) -> float:
    """Greatest mean difference of two pictures on white in any square, 0 to 255; infinite for other sizes."""
    one, other = _on_white(stored), _on_white(content)
    if one.size != other.size:
        return math.inf
    return float(np.asarray(ImageChops.difference(one, other).reduce(SQUARE)).max())


def _on_white(content: bytes) -> Image.Image:
    drawn = Image.open(io.BytesIO(content)).convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", drawn.size, "white"), drawn).convert("RGB")


def paper_pictures(browser: Browser, renewal: Renewal) -> None:
    """The figures of the validation page, twice as fine as they are shown."""
    page = browser.new_page()
    page.set_content("<div id='plot'></div>")
    page.add_script_tag(path=Path(plotly.__file__).parent / "package_data" / "plotly.min.js")
    for model, figure in ((model, figure) for model, figures in FIGURES.items() for figure in figures):
        drawing = figure.drawing
        size = {"width": 800, "height": 680 if drawing.kind == "tall" else 460, "scale": 2, "format": "webp"}
        data = page.evaluate("([figure, size]) => Plotly.toImage(figure, size)", [drawing.figure, size])
        renew(
            renewal, ROOT / "docs" / picture(model, figure.number), base64.b64decode(data.partition(",")[2])
        )
    page.close()


def take(page: Page, name: str, height: int) -> None:
    """One picture per screen, as a person scrolls."""
    total = page.evaluate("document.documentElement.scrollHeight")
    for number in range(min(-(-total // height), 12)):
        page.evaluate(f"window.scrollTo(0, {number * height})")
        page.wait_for_timeout(1500)
        page.screenshot(path=FOLDER / f"{name}-{number}.png")


def take_robots(page: Page, name: str) -> None:
    """The screen that begins with the robots, wherever it lies."""
    page.evaluate("document.getElementById('designs').scrollIntoView({ behavior: 'instant' })")
    page.wait_for_function("() => !document.querySelector('.view .plot[aria-busy]')")
    page.screenshot(path=FOLDER / f"{name}-robots.png")


if __name__ == "__main__":
    main()
