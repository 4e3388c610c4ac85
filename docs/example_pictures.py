"""Pictures of the robots of ``examples/``, drawn again by ``python -m docs.example_pictures``.

Each shows the first layout of an example in the middle of its ranges, as the page that makes a study draws
it, without the workspace; a motion at its end, with its beginning behind it. Lines keep the colours of
figures, which stand out on light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from dashboards.figures.scene import scene_figure
from models.scene import Line, Moment, Scene
from service.examples import FOLDER
from studies.definition.study_file import read_study
from studies.problem.problem import check

FloatArray = NDArray[np.float64]
Drawn = tuple[Mapping[str, Any], FloatArray]
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
FRAMES = 30
"""Pictures of a motion."""
SECONDS = 4.0
"""Time that a motion takes in a picture."""
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
    *faint, last = _drawn([*begin, scene])
    marks = [mark for frame in faint for mark in _frame(frame, FAINT)]
    return "\n".join([HEAD, *marks, *_frame(last, 1.0), "</svg>", ""])


def moving_svg(scene: Scene) -> str:
    """The robot of a scene as SVG, as high as the robot, that repeats the motion if there is one.

    It stands at its end for people who want less motion.
    """
    drawn = _drawn([_at(scene, moment) for moment in _evenly(scene.moments)] or [scene])
    frames, count = [list(_frame(each, 1.0)) for each in drawn], len(drawn)
    still = [mark for mark in frames[0] if all(mark in frame for frame in frames)]
    moving = [[mark for mark in frame if mark not in still] for frame in frames]
    groups = [
        f'<g class="frame" style="animation-delay:{number * SECONDS / count:.3g}s">{"".join(marks)}</g>'
        for number, marks in enumerate(moving)
    ]
    style = (
        f"<style>.frame{{opacity:0;animation:shown {SECONDS:g}s step-end infinite}}"
        f"@keyframes shown{{0%{{opacity:1}}{100 / count:.4g}%{{opacity:0}}}}"
        "@media(prefers-reduced-motion){.frame{animation:none}.frame:last-of-type{opacity:1}}</style>"
    )
    heights = np.concatenate([points[:, 1] for frame in drawn for _, points in frame])
    top, bottom = np.nanmin(heights) - MARGIN, np.nanmax(heights) + MARGIN
    head = HEAD.replace("0 0 120 120", f"0 {top:.0f} 120 {bottom - top:.0f}")
    return "\n".join([head, *([style, *still, *groups] if count > 1 else still), "</svg>", ""])


def _evenly(moments: Sequence[Moment]) -> list[Moment]:
    """At most :data:`FRAMES` of the moments, the first and the last among them."""
    places = np.linspace(0, len(moments) - 1, min(FRAMES, len(moments))).round()
    return [moments[int(place)] for place in places]


def _at(scene: Scene, moment: Moment) -> Scene:
    """A scene with its moving lines as they are at a moment."""
    lines = {(line.name, line.group): line for line in moment.lines}
    shapes = [
        lines.get((each.name, each.group), each) if isinstance(each, Line) else each for each in scene.shapes
    ]
    return replace(scene, shapes=tuple(shapes), moments=())


def _drawn(scenes: Sequence[Scene]) -> list[list[Drawn]]:
    """The traces of scenes of one robot with their points (n, 2) in the picture, which shows all of them."""
    figures = [scene_figure(each) for each in scenes]
    view = _directions(figures[-1]["layout"]["scene"])
    traces = [[trace for trace in figure["data"] if "meta" not in trace] for figure in figures]
    seen = [
        [np.array([trace[axis] for axis in "xyz"], dtype=np.float64).T @ view for trace in each]
        for each in traces
    ]
    every = np.concatenate([points for each in seen for points in each])
    lower, upper = np.nanmin(every, axis=0), np.nanmax(every, axis=0)
    scale = (SIDE - 2 * MARGIN) / max(upper - lower)
    middle = (lower + upper) / 2
    return [
        [(trace, SIDE / 2 + (points - middle) * scale) for trace, points in zip(each, places, strict=True)]
        for each, places in zip(traces, seen, strict=True)
    ]


def _frame(drawn: Sequence[Drawn], opacity: float) -> Iterator[str]:
    for trace, points in drawn:
        yield from _marks(trace, points, opacity)


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
