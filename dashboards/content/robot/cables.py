"""Numbered lines of a scene for a table: cables with their lengths, tensions and limits."""

from __future__ import annotations

from typing import Literal

import numpy as np

from dashboards.formatting import value_text
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
