"""Style sheets: six sizes of type, and an accent that no layout has."""

import colorsys
import re
from importlib.resources import files

from dashboards.palette import ACCENT, COLOURS, LIFTED
from dashboards.templating import static_text

SHEETS = sorted(
    str(path.relative_to(str(files("dashboards") / "static")))
    for path in (files("dashboards") / "static").rglob("*.css")  # type: ignore[attr-defined]
)
PAPER = "sheet.css"
"""The sheet for paper has points and millimetres."""


def variable(name):
    return re.search(rf"--{name}: ([^;]+);", static_text("core/base.css"))[1]


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def hue(colour):
    return 360 * colorsys.rgb_to_hsv(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))[0]


def test_pages_and_reports_have_six_sizes_of_type():
    sizes = set()
    for name in SHEETS:
        if name == PAPER:
            continue
        screen = static_text(name).split("@media print")[0]
        sizes |= set(re.findall(r"font-size: ([^;}]+)", screen))
    names = {f"var(--{name})" for name in ("tiny", "small", "text", "lead", "title", "head")}
    assert sizes - {"inherit", "0.72em", "0.875em"} == names, "em: raised powers and code"


def test_the_accent_is_legible_and_no_layout_has_its_hue():
    for accent, paper, layouts in zip(
        re.findall("#[0-9a-f]{6}", variable("accent")),
        re.findall("#[0-9a-f]{6}", variable("paper")),
        (COLOURS, [LIFTED.get(colour, colour) for colour in COLOURS]),
        strict=True,
    ):
        low, high = sorted((luminance(accent), luminance(paper)))
        assert (high + 0.05) / (low + 0.05) > 7
        apart = [abs((hue(accent) - hue(colour) + 180) % 360 - 180) for colour in layouts]
        assert min(apart) > 30


def test_figures_have_the_accent_of_the_pages():
    assert re.findall("#[0-9a-f]{6}", variable("accent")) == [ACCENT.lower(), LIFTED[ACCENT].lower()]
