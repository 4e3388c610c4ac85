"""Fronts of the studies on pages of ``docs/gallery``, drawn again by ``python -m docs.robot_fronts``.

Each page has one study. Its picture shows the front of every layout, the robot of the file and the design
that the rule ``knee`` puts first; its description holds all of them as numbers.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import numpy as np

import tautline
from docs.code_blocks import code_blocks
from models import Evaluation
from studies.decision.decision import Ranking
from studies.problem.layout import initial_points
from studies.problem.problem import Problem, check

HERE = Path(__file__).resolve().parent / "gallery"
RULE = "knee"
WIDTH, HEIGHT = 480.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 16.0, 16.0, 48.0
COLOURS = ("#4477aa", "#ee6677")  # of layouts; seen by the colour-blind, on light and dark pages
TEXT = "#808080"


class Shown(NamedTuple):
    """A design of a picture: its key, layout, variables and objectives in SI units."""

    key: str
    layout: str
    variables: Mapping[str, Any]
    objectives: Mapping[str, float]


class Picture(NamedTuple):
    """Designs of the front, that of the file if it is feasible, and the chosen one."""

    front: tuple[Shown, ...]
    file: Shown | None
    chosen: Shown


def study_text(page: Path) -> str:
    """The study file of a page."""
    (block,) = code_blocks(page, "toml")
    return block.text


def problems_of(page: Path) -> Mapping[str, Problem]:
    """The checked study of a page, a problem for each layout."""
    return check(tautline.parse_study(study_text(page)))


def searched(page: Path) -> Picture:
    """Carry out the study of a page."""
    problems = problems_of(page)
    study = tautline.parse_study(study_text(page))
    with TemporaryDirectory() as folder:
        store = str(Path(folder) / "tautline.db")
        tautline.run(study, store=store, workers=2)
        with tautline.open_existing(store) as opened:
            every = shown_designs(tautline.rank_designs(opened, study.name, "judgement"))
            best = shown_designs(tautline.rank_designs(opened, study.name, RULE))[0]
    layout, problem = next(iter(problems.items()))
    given = study.search.initial or [{}]
    return Picture(every, evaluated(layout, problem, given[0]), best)


def shown_designs(ranking: Ranking) -> tuple[Shown, ...]:
    """The designs of a ranking."""
    pairs = zip(ranking.candidates, ranking.designs, strict=True)
    return tuple(Shown(each.key, each.layout, dict(own.variables), each.objectives) for each, own in pairs)


def evaluated(layout: str, problem: Problem, variables: Mapping[str, Any]) -> Shown | None:
    """A design of given variables, evaluated now; None where it is infeasible."""
    (point,) = initial_points(problem.model, problem.space, [variables], ("initial",))
    (task,) = problem.tasks(point[None])
    outcome = problem.model.evaluate(
        problem.model.parameters.model_validate(task.parameters), problem.cost_class
    )
    if not isinstance(outcome, Evaluation):
        return None
    known = problem.goal_metrics(outcome.metrics, task.parameters, point)
    own = {goal.metric: float(known[goal.metric] or 0.0) for goal in problem.objectives}
    return Shown(task.key, layout, problem.space.named_values(point), own)


# ---------------------------------------------------------------- the picture


def svg(picture: Picture, page: Path) -> str:
    """The picture as SVG, with its designs as JSON in its description."""
    names = list(picture.chosen.objectives)
    units = units_of(page)
    every = [*picture.front, *([picture.file] if picture.file else []), picture.chosen]
    values = np.array([[design.objectives[name] for name in names] for design in every])
    ticks = [nice_ticks(float(column.min()), float(column.max())) for column in values.T]
    look = f'font-family="sans-serif" font-size="12" fill="{TEXT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" {look}>',
        f"<title>Front of {escape(page.stem)}: {escape(' and '.join(names))}</title>",
        f"<desc>{escape(json.dumps(numbers(picture), indent=0))}</desc>",
        *axes(names, units, ticks),
        *marks(picture, names, ticks),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def units_of(page: Path) -> dict[str, str]:
    """Units of the objectives of a page's study."""
    problem = next(iter(problems_of(page).values()))
    return {goal.metric: goal.unit for goal in problem.objectives}


def numbers(picture: Picture) -> dict[str, Any]:
    """The designs of a picture."""

    def record(design: Shown) -> dict[str, Any]:
        return {
            "key": design.key,
            "layout": design.layout,
            "variables": dict(design.variables),
            "objectives": dict(design.objectives),
        }

    return {
        "front": [record(design) for design in picture.front],
        "file": record(picture.file) if picture.file else None,
        "chosen": record(picture.chosen),
    }


def nice_ticks(lower: float, upper: float) -> list[float]:
    """Three to seven round numbers, the first at or below ``lower`` and the last at or above ``upper``."""
    extent = upper - lower or abs(upper) or 1.0
    power = 10.0 ** math.floor(math.log10(extent / 3))
    step = next(power * factor for factor in (1, 2, 5, 10) if extent / (power * factor) <= 5)
    first, last = math.floor(lower / step), math.ceil(upper / step)
    return [float(f"{step * number:.6g}") for number in range(first, last + 1)]


def place(value: float, ticks: list[float], axis: int) -> float:
    """The coordinate of a value along the axis 0 (right) or 1 (up) of a picture."""
    share = (value - ticks[0]) / (ticks[-1] - ticks[0])
    if axis == 0:
        return LEFT + share * (WIDTH - LEFT - RIGHT)
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def axes(names: list[str], units: Mapping[str, str], ticks: list[list[float]]) -> Iterator[str]:
    """Lines, numbers and names of both axes."""
    low, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    yield f'<path fill="none" stroke="{TEXT}" d="M{LEFT} {TOP}V{low}H{right}"/>'
    for tick in ticks[0]:
        x = place(tick, ticks[0], 0)
        yield f'<text x="{x:.1f}" y="{low + 16}" text-anchor="middle">{tick:g}</text>'
    for tick in ticks[1]:
        y = place(tick, ticks[1], 1)
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>'
    labels = [f"{name}, {units[name].replace('**', '^')}" if units[name] else name for name in names]
    yield f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(labels[0])}</text>'
    middle = (TOP + low) / 2
    yield (
        f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">'
        f"{escape(labels[1])}</text>"
    )


def marks(picture: Picture, names: list[str], ticks: list[list[float]]) -> Iterator[str]:
    """Points of the front, one colour for each layout, the robot of the file and the chosen design."""

    def at(design: Shown) -> tuple[float, float]:
        x, y = (place(design.objectives[name], ticks[axis], axis) for axis, name in enumerate(names))
        return x, y

    layouts = sorted({design.layout for design in picture.front})
    for number, layout in enumerate(layouts):
        colour = COLOURS[number % len(COLOURS)]
        for design in picture.front:
            if design.layout == layout:
                x, y = at(design)
                yield f'<circle fill="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>'
        if len(layouts) > 1:
            y = HEIGHT - BOTTOM - 14 * (number + 1)
            yield f'<text fill="{colour}" x="{WIDTH - RIGHT}" y="{y}" text-anchor="end">{layout}</text>'
    named = [(picture.chosen, "chosen"), *([(picture.file, "as in the file")] if picture.file else [])]
    for design, text in named:
        x, y = at(design)
        beside, anchor = (8, "start") if x < WIDTH / 2 else (-8, "end")
        yield f'<circle fill="none" stroke="{TEXT}" stroke-width="2" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
        yield f'<text x="{x + beside:.1f}" y="{y - 8:.1f}" text-anchor="{anchor}">{text}</text>'


def main(names: list[str]) -> None:
    """Draw the pictures of all pages, or of those that are named."""
    for page in sorted(HERE.glob("*.md")):
        if not names or page.stem in names:
            picture = searched(page)
            page.with_suffix(".svg").write_text(svg(picture, page), encoding="utf-8")
            _name_the_chosen(page, picture.chosen.key)
            print(page.stem, picture.chosen, picture.file, len(picture.front))


def _name_the_chosen(page: Path, key: str) -> None:
    """Name the chosen design in the page's commands; its key changes with each version of the model."""
    text = page.read_text(encoding="utf-8")
    page.write_text(re.sub(r"(study decide \S+ )[0-9a-f]{8}", rf"\g<1>{key[:8]}", text), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
