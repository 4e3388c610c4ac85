"""The picture of the total orientation in docs/models, drawn again by ``python -m docs.orientation_map``."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from dashboards.palette import ramp_colour
from models.hybrid_cable_robot import MODEL, total_orientation

PICTURE = Path(__file__).parent / "images" / "total-orientation.svg"
PRESETS = ("constrained", "suspended")
SETTINGS = {"wrench_set": "gravity", "weight_moment": "ignored"}
REACH, CELLS = 0.5, 25
"""Half the side [m] of the drawn square in the plane y = 0, and its cells along a side."""
GREATEST = 36.0
"""Degrees at the upper end of the colours."""
SIDE, GAP, TOP, LEFT = 240.0, 60.0, 24.0, 44.0
TEXT = "#808080"


def main() -> None:
    """Draw the picture."""
    PICTURE.write_text(svg(), encoding="utf-8")


def places() -> np.ndarray:
    """Coordinates of the middles of the cells along a side [m]."""
    return (np.arange(CELLS) + 0.5) * 2.0 * REACH / CELLS - REACH


def angle(preset: str, x: float, z: float) -> float:
    """Total orientation [deg] at a position of the plane y = 0, whole tenths."""
    return round(math.degrees(total_orientation(MODEL.resolve(preset, SETTINGS), [x, 0.0, z])), 1)


def svg() -> str:
    """Both presets side by side; each cell names its angle in its data."""
    width, height = LEFT + 2 * SIDE + GAP + 70.0, TOP + SIDE + 44.0
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" font-size="15" fill="{TEXT}" text-anchor="middle" '
        'shape-rendering="crispEdges">'
    )
    lines = [head]
    for number, preset in enumerate(PRESETS):
        lines += _panel(preset, LEFT + number * (SIDE + GAP))
    lines += _bar(LEFT + 2 * SIDE + GAP + 16.0)
    return "\n".join([*lines, "</svg>", ""])


def _panel(preset: str, left: float) -> list[str]:
    size = SIDE / CELLS
    lines = [f'<text x="{left + SIDE / 2:g}" y="14">{preset}</text>']
    for column, x in enumerate(places()):
        for row, z in enumerate(places()[::-1]):
            found = angle(preset, float(x), float(z))
            if found > 0.0:
                lines.append(
                    f'<rect x="{left + column * size:g}" y="{TOP + row * size:g}" width="{size:g}" '
                    f'height="{size:g}" fill="{ramp_colour(min(found / GREATEST, 1.0))}" '
                    f'data-angle="{preset} {x:.4f} {z:.4f} {found:.1f}"/>'
                )
    lines.append(
        f'<rect x="{left:g}" y="{TOP:g}" width="{SIDE:g}" height="{SIDE:g}" fill="none" stroke="{TEXT}"/>'
    )
    for share in (0.0, 0.5, 1.0):
        value = REACH * (2.0 * share - 1.0)
        lines.append(f'<text x="{left + share * SIDE:g}" y="{TOP + SIDE + 17:g}">{value:.2g}</text>')
        down = TOP + (1 - share) * SIDE + 4
        lines.append(f'<text x="{left - 5:g}" y="{down:g}" text-anchor="end">{value:.2g}</text>')
    lines.append(f'<text x="{left + SIDE / 2:g}" y="{TOP + SIDE + 36:g}">x [m], z upwards [m]</text>')
    return lines


def _bar(left: float) -> list[str]:
    steps = 30
    size = SIDE / steps
    blocks = [
        f'<rect x="{left:g}" y="{TOP + SIDE - (k + 1) * size:g}" width="12" height="{size + 0.3:g}" '
        f'fill="{ramp_colour((k + 0.5) / steps)}"/>'
        for k in range(steps)
    ]
    labels = [
        f'<text x="{left + 16:g}" y="{TOP + (1 - share) * SIDE + 4:g}" text-anchor="start">'
        f"{share * GREATEST:.0f}°</text>"
        for share in (0.0, 1 / 3, 2 / 3, 1.0)
    ]
    return [*blocks, *labels]


if __name__ == "__main__":
    main()
