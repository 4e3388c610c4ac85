"""``make screenshots``: pictures of the demo's report and of the pages, for the documentation and for a look.

Wide and phone, light and dark; of the report each screen by itself. The documentation has the wide,
light ones, of the report the screen that shows the robots. The figures of the continuum robot's paper become pictures
of the documentation, on no background, so that they stand on light and dark pages.

A picture of the documentation is written only where it differs visibly from the one that is there, so that other
moments, times and processors leave a clean checkout clean. ``--all`` writes all of them.
"""

import base64
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import plotly
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from docs.paper_figures import FIGURES, picture
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
VISIBLE = 2.0
"""Mean difference of the pixels of two pictures, of 255 levels, from which on they differ visibly. Measured times of
a busy machine, which move the lines below them on the page of a new study, make 1.7, dates 0.5; smaller changes that
are meant need ``--all``."""
OPTIONS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--enable-unsafe-swiftshader",
]


def main() -> None:
    demo = ROOT / "tautline-demo"
    if not (demo / "report.html").exists():
        tautline = Path(sys.executable).parent / "tautline"
        subprocess.run([tautline, "demo", "--folder", demo], check=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = path_of_chromium()
    if chromium is None:
        raise SystemExit("no chromium on this machine; install it or name one in CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=OPTIONS)
        for size, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                page.goto((demo / "report.html").as_uri())
                page.wait_for_timeout(6000)
                take(page, f"{size}-{scheme}", height)
                take_robots(page, f"{size}-{scheme}")
                page.close()
        take_pages(browser, demo, FOLDER)
        for picture, taken in OF_THE_SITE.items():
            shorten(browser, FOLDER / taken, PICTURES / picture, MOST_HEIGHT.get(picture, 1400))
        paper_pictures(browser)
        browser.close()
    print(f"pictures in {FOLDER}; those of the site that differ visibly renewed")


def shorten(browser: Browser, taken: Path, picture: Path, most: int) -> None:
    """Keep the upper part of a picture for the site, as PNG."""
    page = browser.new_page()
    address = "data:image/png;base64," + base64.b64encode(taken.read_bytes()).decode()
    size = page.evaluate(
        "async (address) => { const i = new Image(); i.src = address; await i.decode(); "
        "document.body.style.margin = 0; document.body.append(i); return [i.naturalWidth, i.naturalHeight]; }",
        address,
    )
    page.set_viewport_size({"width": size[0], "height": min(size[1], most)})
    renew(picture, page.screenshot())
    page.close()


def renew(picture: Path, content: bytes) -> None:
    """Write a picture of the documentation, if it differs visibly from the one that is there."""
    change = difference(picture, content)
    if change > VISIBLE or "--all" in sys.argv:
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(content)
        print(f"{picture.relative_to(ROOT)} is new (mean difference {change:.2g} of 255)")


def difference(picture: Path, content: bytes) -> float:
    """Mean difference of the pixels of two pictures on white, 0 to 255; infinite for other sizes and for none."""
    if not picture.exists():
        return float("inf")
    pixels = [_on_white(picture.read_bytes()), _on_white(content)]
    return float(np.abs(pixels[0] - pixels[1]).mean()) if pixels[0].shape == pixels[1].shape else float("inf")


def _on_white(content: bytes) -> np.ndarray:
    drawn = Image.open(io.BytesIO(content)).convert("RGBA")
    white = Image.new("RGBA", drawn.size, "white")
    return np.asarray(Image.alpha_composite(white, drawn).convert("RGB"), dtype=np.float64)


def paper_pictures(browser: Browser) -> None:
    """The figures of the validation page, twice as fine as they are shown."""
    page = browser.new_page()
    page.set_content("<div id='plot'></div>")
    page.add_script_tag(path=Path(plotly.__file__).parent / "package_data" / "plotly.min.js")
    for model, figure in ((model, figure) for model, figures in FIGURES.items() for figure in figures):
        drawing = figure.drawing
        size = {"width": 800, "height": 680 if drawing.kind == "tall" else 460, "scale": 2, "format": "webp"}
        data = page.evaluate("([figure, size]) => Plotly.toImage(figure, size)", [drawing.figure, size])
        renew(ROOT / "docs" / picture(model, figure.number), base64.b64decode(data.partition(",")[2]))
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
