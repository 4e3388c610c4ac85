"""Pictures of the robots of ``examples/``, drawn again by ``python -m docs.example_pictures``.

Each shows the first layout of an example in the middle of its ranges, as the page that makes a study draws
it, without the workspace; a motion at its end, with its beginning behind it. Lines keep the colours of
figures, which stand out on light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from dashboards.figures.scene import scene_figure
from models.scene import Scene
from service.examples import FOLDER
from studies.definition.study_file import read_study
from studies.problem.problem import check

FloatArray = NDArray[np.float64]
PICTURES = Path(__file__).parents[1] / "dashboards/static/pages/new/pictures/examples"
SIDE = 120.0
"""Width and height of a picture, in its own units."""
MARGIN = 4.0
STROKE = 0.4
"""Units of a picture per pixel of a figure's line."""
FAINT = 0.45
"""Opacity of a motion's beginning."""
NEAR = 0.6
"""Points of a line that are nearer to the last one are left out."""
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120" fill="none" stroke-linecap="round" '
    'stroke-linejoin="round">'
)


def main() -> None:
    """Draw the pictures of all examples, and delete all others."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for stale in PICTURES.glob("*.svg"):
        stale.unlink()
    for study in sorted(FOLDER.glob("*.toml")):
        (PICTURES / f"{study.stem}.svg").write_text(example_picture(study), encoding="utf-8")


def example_picture(study: Path) -> str:
    """The robot of a study file as SVG."""
    problem = next(iter(check(read_study(study)).values()))
    design = problem.model.resolve(problem.preset, {**problem.settings, **problem.space.middle()})
    return svg(problem.model.scene(design))


def svg(scene: Scene) -> str:
    """The robot of a scene as SVG: seen by the camera of its figure, without perspective, and fitted."""
    begin = [replace(scene, shapes=moment.lines, moments=()) for moment in scene.moments[:1]]
    figures = [scene_figure(each) for each in (*begin, scene)]
    view = _directions(figures[-1]["layout"]["scene"])
    shown = [
        (trace, FAINT if figure is not figures[-1] else 1.0)
        for figure in figures
        for trace in figure["data"]
        if "meta" not in trace
    ]
    seen = [np.array([trace[axis] for axis in "xyz"], dtype=np.float64).T @ view for trace, _ in shown]
    drawn = np.concatenate(seen)
    lower, upper = np.nanmin(drawn, axis=0), np.nanmax(drawn, axis=0)
    scale = (SIDE - 2 * MARGIN) / max(upper - lower)
    middle = (lower + upper) / 2
    marks = [
        mark
        for (trace, opacity), points in zip(shown, seen, strict=True)
        for mark in _marks(trace, SIDE / 2 + (points - middle) * scale, opacity)
    ]
    return "\n".join([HEAD, *marks, "</svg>", ""])


def _directions(scene: Mapping[str, Any]) -> FloatArray:
    """The columns (3, 2) by which points of a scene become places in a picture, right and down."""
    camera = scene["camera"]
    eye, up = (np.array([camera[name][axis] for axis in "xyz"], dtype=np.float64) for name in ("eye", "up"))
    sight = -eye / np.linalg.norm(eye)
    right = np.cross(sight, up)
    right /= np.linalg.norm(right)
    ends = [scene[f"{axis}axis"]["range"] for axis in "xyz"]
    turned = np.array([[1.0 if first < last else -1.0] for first, last in ends])
    return turned * np.column_stack([right, np.cross(sight, right)])


def _marks(trace: Mapping[str, Any], points: FloatArray, opacity: float) -> Iterator[str]:
    """The elements of a trace at ``points`` (n, 2) of the picture; gaps between its lines are NaN."""
    if trace["type"] == "mesh3d":
        outline = points[ConvexHull(points).vertices]
        yield f'<path fill="{trace["color"]}" fill-opacity="0.35" d="{_path(outline)}Z"/>'
    elif "lines" in trace["mode"]:
        line = trace["line"]
        gaps = np.flatnonzero(np.isnan(points[:, 0]))
        parts = [part[~np.isnan(part[:, 0])] for part in np.split(points, gaps)]
        path = "".join(_path(_thinned(part)) for part in parts if len(part) > 1)
        look = f'stroke="{line["color"]}" stroke-width="{line["width"] * STROKE:.2g}"'
        look += ' stroke-dasharray="3 3"' if line.get("dash") else ""
        look += f' stroke-opacity="{opacity}"' if opacity < 1.0 else ""
        yield f'<path {look} d="{path}"/>'
    else:
        colour = trace["marker"]["color"]
        for x, y in points.tolist():
            yield f'<circle fill="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="2"/>'


def _thinned(points: FloatArray) -> FloatArray:
    """A line without points that cannot be told from the one before; its ends stay."""
    kept = [points[0]]
    kept += [point for point in points[1:-1] if np.linalg.norm(point - kept[-1]) > NEAR]
    return np.array([*kept, points[-1]])


def _path(points: FloatArray) -> str:
    places = [f"{x:.1f} {y:.1f}" for x, y in points.tolist()]
    return f"M{places[0]}L{' '.join(places[1:])}"


if __name__ == "__main__":
    main()
