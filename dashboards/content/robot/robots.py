"""The robots of a study before any search: where their cables run, and their parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from markupsafe import Markup

from dashboards.content.tables import Table, table
from dashboards.figures.axes import Figure
from dashboards.figures.scene import (
    Bounds,
    has_extent,
    line_group,
    scene_bounds,
    scene_figure,
    scene_summary,
)
from dashboards.formatting import prose, value_text
from dashboards.templating import script_json
from errors import TautlineError
from models import Model, Parameters
from models.fields import unit_at
from models.parameter_names import option_words
from models.scene import AT_LIMIT, Line, Scene

Limit = Literal["", "least", "greatest"]
LIMIT_WORDS: dict[Limit, str] = {"": "", "least": "at its least", "greatest": "at its greatest"}


def numbered_lines(scene: Scene) -> list[Line]:
    """The numbered lines of a scene, in its order."""
    return [shape for shape in scene.shapes if isinstance(shape, Line) and shape.number]


def line_length(line: Line) -> float:
    """Length [m] along a line."""
    return float(np.linalg.norm(np.diff(line.points, axis=0), axis=1).sum())


def line_value(line: Line) -> float | None:
    """The value of a line; one that differs from a limit by rounding alone is that limit."""
    if line.value is None or line.value_range is None:
        return line.value
    limits = line.value_range.tolist()
    room = AT_LIMIT * (limits[1] - limits[0])
    return next((limit for limit in limits if abs(line.value - limit) <= room), line.value)


def line_limit(line: Line) -> Limit:
    """The limit at which the value of a line stands; a dashed one is at its least."""
    if line.value is None:
        return ""
    if line.dashed:
        return "least"
    if line.value_range is None:
        return ""
    least, greatest = line.value_range.tolist()
    room = AT_LIMIT * (greatest - least)
    if line.value <= least + room:
        return "least"
    return "greatest" if line.value >= greatest - room else ""


def value_words(line: Line) -> str:
    """The value of a line with its unit and its limit; empty without a value."""
    value = line_value(line)
    if value is None:
        return ""
    _, unit = line_quantity(line)
    limit = LIMIT_WORDS[line_limit(line)]
    return ", ".join(text for text in (value_text(value, unit), limit) if text)


def line_quantity(line: Line) -> tuple[str, str]:
    """Name and unit of a value, such as "tension" and "N" of "tension [N]"."""
    name, _, unit = line.value_name.partition(" [")
    return name, unit.removesuffix("]")


MOST_LINES = 24
"""Lines of one group, such as cables, that are listed."""
ROUNDING = 1e-9
"""Share of the greatest coordinate of a line below which another one is the rounding of a turn."""


@dataclass(frozen=True, slots=True)
class RobotLine:
    """A cable or another line of a scene: its ends (m), its length (m), and its value in words."""

    group: str
    name: str
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    length: float
    value: str


@dataclass(frozen=True, slots=True)
class RobotView:
    """A robot in numbers and in space; ``scene`` is None where ``caption`` says why there is none."""

    layout: str
    model: Model
    record: Parameters
    scene: Scene | None
    caption: str

    @property
    def lines(self) -> list[RobotLine]:
        """The lines of each group that has only a few."""
        shapes = () if self.scene is None else self.scene.shapes
        every = [shape for shape in shapes if isinstance(shape, Line)]
        groups = [line_group(line) for line in every]
        return [
            _line(line, group)
            for line, group in zip(every, groups, strict=True)
            if groups.count(group) <= MOST_LINES and len(line.points)
        ]

    @property
    def stated(self) -> dict[str, str]:
        """The parameters that differ from the back-end's defaults, with their units."""
        record = type(self.record)
        values, defaults = self.record.model_dump(mode="json"), record().model_dump(mode="json")
        return {
            name: option_words(record, name, value)
            if isinstance(value, str)
            else value_text(value, unit_at(record, name))
            for name, value in values.items()
            if value != defaults[name]
        }


def robot_view(layout: str, model: Model, record: Parameters) -> RobotView:
    """A robot with its scene."""
    try:
        scene = model.scene(record)
    except (TautlineError, ArithmeticError, ValueError) as error:
        return RobotView(layout, model, record, None, f"No drawing: {type(error).__name__}: {error}")
    return RobotView(layout, model, record, scene, prose(scene.caption))


def _line(line: Line, group: str) -> RobotLine:
    points = np.asarray(line.points, dtype=np.float64)
    points = np.where(np.abs(points) < ROUNDING * np.abs(points).max(), 0.0, points)
    first, last = (tuple(points[end].tolist()) for end in (0, -1))
    return RobotLine(group, line.name, first, last, line_length(line), value_words(line))


@dataclass(frozen=True, slots=True)
class DrawnRobot:
    """A robot as a page shows it."""

    id: str
    layout: str
    caption: str
    summary: str
    figure: Figure | None
    lines: Table
    parameters: Table

    @property
    def json(self) -> Markup:
        """The figure as text that is safe in a script element."""
        return Markup(script_json(self.figure))  # noqa: S704  script_json escapes what could end the element


def drawn_robots(views: Sequence[RobotView]) -> list[DrawnRobot]:
    """Robots for a page, all in one frame, so that one can compare them."""
    scenes = [view.scene for view in views if view.scene is not None and has_extent(view.scene)]
    bounds = scene_bounds(scenes)
    return [_drawn(f"robot-{number}", view, bounds) for number, view in enumerate(views)]


def _drawn(identity: str, view: RobotView, bounds: Bounds) -> DrawnRobot:
    scene = view.scene
    drawn = scene is not None and has_extent(scene)
    caption = view.caption if drawn or scene is None else "There is nothing to draw."
    return DrawnRobot(
        identity,
        view.layout,
        caption,
        scene_summary(scene) if scene is not None else "",
        scene_figure(scene, bounds) if scene is not None and drawn else None,
        _lines_table(view),
        _parameter_table(view.layout, view.stated),
    )


def _lines_table(view: RobotView) -> Table:
    rows = [
        [
            line.name,
            value_text(list(line.start), "m"),
            value_text(list(line.end), "m"),
            value_text(line.length, "m"),
            line.value,
        ]
        for line in view.lines
    ]
    columns = ["line", "from", "to", "length", "tension"]
    if not any(line.value for line in view.lines):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return table(f"Lines of {view.layout}", columns, rows)


def _parameter_table(layout: str, stated: Mapping[str, str]) -> Table:
    title = f"Parameters of {layout} that differ from the defaults of the back-end"
    return table(title, ["parameter", "value"], [[name, text] for name, text in stated.items()])
