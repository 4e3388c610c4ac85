"""``make screenshots``: pictures of the demo's report for the documentation and for a look.

Wide and phone, light and dark, each screen of the page by itself. The picture of the README is
the wide, light one that shows the robots.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "screenshots"
PICTURE = ROOT / "docs" / "images" / "report.png"
SIZES = {"wide": (1280, 1400), "phone": (390, 844)}
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
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
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
                page.close()
        browser.close()
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(FOLDER / "wide-light-2.png", PICTURE)
    print(f"pictures in {FOLDER}; {PICTURE} renewed")


def take(page: Page, name: str, height: int) -> None:
    """One picture per screen, as a person scrolls."""
    total = page.evaluate("document.documentElement.scrollHeight")
    for number in range(min(-(-total // height), 12)):
        page.evaluate(f"window.scrollTo(0, {number * height})")
        page.wait_for_timeout(1500)
        page.screenshot(path=FOLDER / f"{name}-{number}.png")


if __name__ == "__main__":
    main()
