"""Fronts and robots of the gallery, drawn again by ``make gallery``: all of them, or those that are named.

The picture of a front shows every layout, the robot of the file if the study begins with one, and the
design that the rule ``knee`` puts first; its description holds all of them as numbers. The picture of the
robot shows that design. Pictures are written to ``build/gallery``; ``--update`` also replaces those of the
sources in which more than rounding has changed, as the search of another processor may.
"""

from __future__ import annotations

import json
import math
import re
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import tautline
from docs.code_blocks import ROOT
from docs.example_pictures import moving_svg
from docs.gallery_entries import HERE, Entry, definition_of, entries, problems_of
from docs.renewal import Renewal
from models import Evaluation
from models.scene import Scene
from studies.decision.decision import Ranking
from studies.problem.layout import initial_points
from studies.problem.problem import Problem
from studies.records import Task

RULE = "knee"
WIDTH, HEIGHT = 480.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 16.0, 16.0, 48.0
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44")  # of layouts; seen by the colour-blind, light and dark
TEXT = "#808080"
DIGITS = 10
"""Significant digits of numbers that a picture holds."""
ROUNDING = 1e-6
"""Relative difference that another machine may make in the designs of a picture."""
LINE = 0.25
"""Difference that it may make in the places of lines, which have one decimal."""
_NUMBER = re.compile(r"(?<![#\w])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


class Shown(NamedTuple):
    """A design of a picture: its key, layout, variables and objectives in SI units."""

    key: str
    layout: str
    variables: Mapping[str, Any]
    objectives: Mapping[str, float]


class Picture(NamedTuple):
    """Designs of the front, that of the file if there is one and it is feasible, and the chosen one."""

    front: tuple[Shown, ...]
    file: Shown | None
    chosen: Shown


def searched(entry: Entry) -> Picture:
    """Carry out the study of an entry."""
    problems, study = problems_of(entry), definition_of(entry)
    with TemporaryDirectory() as folder:
        store = str(Path(folder) / "tautline.db")
        tautline.run(study, store=store, workers=2)
        with tautline.open_existing(store) as opened:
            every = shown_designs(tautline.rank_designs(opened, study.name, "judgement"))
            best = shown_designs(tautline.rank_designs(opened, study.name, RULE))[0]
    layout, problem = next(iter(problems.items()))
    given = study.search.initial
    return Picture(every, evaluated(layout, problem, given[0]) if given else None, best)


def shown_designs(ranking: Ranking) -> tuple[Shown, ...]:
    """The designs of a ranking."""
    pairs = zip(ranking.candidates, ranking.designs, strict=True)
    return tuple(Shown(each.key, each.layout, dict(own.variables), each.objectives) for each, own in pairs)


def evaluated(layout: str, problem: Problem, variables: Mapping[str, Any]) -> Shown | None:
    """A design of given variables, evaluated now without its tolerances; None where it is infeasible."""
    task, point = _task(problem, variables)
    outcome = problem.model.evaluate(
        problem.model.parameters.model_validate(task.parameters), problem.cost_class
    )
    if not isinstance(outcome, Evaluation):
        return None
    known = problem.goal_metrics(outcome.metrics, task.parameters, point)
    own = {goal.metric: known.get(goal.metric) for goal in problem.objectives}
    objectives = {name: float(value) for name, value in own.items() if value is not None}
    return Shown(task.key, layout, problem.space.named_values(point), objectives)


def scene_of(problem: Problem, variables: Mapping[str, Any]) -> Scene:
    """The robot of a design in space."""
    task, _ = _task(problem, variables)
    return problem.model.scene(problem.model.parameters.model_validate(task.parameters))


def _task(problem: Problem, variables: Mapping[str, Any]) -> tuple[Task, Any]:
    """The evaluation of a design, and its point (d,) of the unit cube."""
    (point,) = initial_points(problem.model, problem.space, [variables], ("initial",))
    (task,) = problem.tasks(point[None])
    return task, point


# ---------------------------------------------------------------- the picture


def svg(picture: Picture, entry: Entry) -> str:
    """The front as SVG: a panel for each further objective over the first.

    The description holds the designs.
    """
    names = list(picture.chosen.objectives)
    units = units_of(entry)
    every = [*picture.front, *([picture.file] if picture.file else []), picture.chosen]
    ticks = {name: nice_ticks([design.objectives[name] for design in every]) for name in names}
    look = f'font-family="sans-serif" font-size="12" fill="{TEXT}"'
    height = HEIGHT * (len(names) - 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" role="img" {look}>',
        f"<title>Front of {escape(entry.name)}: {escape(' and '.join(names))}</title>",
        f"<desc>{escape(json.dumps(numbers(picture), indent=0))}</desc>",
    ]
    for row, name in enumerate(names[1:]):
        pair = (names[0], name)
        lines += [
            f'<g transform="translate(0 {row * HEIGHT:g})">',
            *axes(pair, units, ticks),
            *marks(picture, pair, ticks),
            "</g>",
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def units_of(entry: Entry) -> dict[str, str]:
    """Units of the objectives of an entry's study."""
    problem = next(iter(problems_of(entry).values()))
    return {goal.metric: goal.unit for goal in problem.objectives}


def numbers(picture: Picture) -> dict[str, Any]:
    """The designs of a picture."""

    def record(design: Shown) -> dict[str, Any]:
        return {
            "key": design.key[:10],
            "layout": design.layout,
            "variables": {name: _rounded(value) for name, value in design.variables.items()},
            "objectives": {name: _rounded(value) for name, value in design.objectives.items()},
        }

    return {
        "front": [record(design) for design in picture.front],
        "file": record(picture.file) if picture.file else None,
        "chosen": record(picture.chosen),
    }


def picture_of(held: Mapping[str, Any]) -> Picture:
    """The picture whose designs are :func:`numbers`."""
    file = held["file"]
    return Picture(
        tuple(Shown(**design) for design in held["front"]),
        Shown(**file) if file else None,
        Shown(**held["chosen"]),
    )


def _rounded(value: Any) -> Any:
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def nice_ticks(values: Sequence[float]) -> list[float]:
    """Three to seven round numbers around ``values``, which rounding of the values does not change."""
    lower, upper = min(values), max(values)
    extent = upper - lower or abs(upper) or 1.0
    power = 10.0 ** math.floor(math.log10(extent / 3) + ROUNDING)
    step = next(power * factor for factor in (1, 2, 5, 10) if extent / (power * factor) <= 5 + ROUNDING)
    first, last = math.floor(lower / step + ROUNDING), math.ceil(upper / step - ROUNDING)
    return [float(f"{step * number:.6g}") for number in range(first, last + 1)]


def place(value: float, ticks: list[float], axis: int) -> float:
    """The coordinate of a value along the axis 0 (right) or 1 (up) of a picture."""
    share = (value - ticks[0]) / (ticks[-1] - ticks[0])
    if axis == 0:
        return LEFT + share * (WIDTH - LEFT - RIGHT)
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def axes(names: tuple[str, str], units: Mapping[str, str], ticks: Mapping[str, list[float]]) -> Iterator[str]:
    """Lines, numbers and names of both axes."""
    low, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    yield f'<path fill="none" stroke="{TEXT}" d="M{LEFT} {TOP}V{low}H{right}"/>'
    for tick in ticks[names[0]]:
        x = place(tick, ticks[names[0]], 0)
        yield f'<text x="{x:.1f}" y="{low + 16}" text-anchor="middle">{tick:g}</text>'
    for tick in ticks[names[1]]:
        y = place(tick, ticks[names[1]], 1)
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>'
    labels = [
        f"{name}, {units[name].replace('**', '^')}" if units[name] not in ("", "1") else name
        for name in names
    ]
    yield f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(labels[0])}</text>'
    middle = (TOP + low) / 2
    yield (
        f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">'
        f"{escape(labels[1])}</text>"
    )


def marks(picture: Picture, names: tuple[str, str], ticks: Mapping[str, list[float]]) -> Iterator[str]:
    """Points of the front, one colour for each layout, the robot of the file and the chosen design."""

    def at(design: Shown) -> tuple[float, float]:
        x, y = (place(design.objectives[name], ticks[name], axis) for axis, name in enumerate(names))
        return x, y

    layouts = sorted({design.layout for design in picture.front})
    if len(layouts) > 1:
        parts = (
            f'<tspan fill="{COLOURS[number % len(COLOURS)]}" dx="10">{layout}</tspan>'
            for number, layout in enumerate(layouts)
        )
        yield f'<text x="{WIDTH - RIGHT}" y="{TOP - 4}" text-anchor="end">{"".join(parts)}</text>'
    for number, layout in enumerate(layouts):
        colour = COLOURS[number % len(COLOURS)]
        for design in picture.front:
            if design.layout == layout:
                x, y = at(design)
                yield f'<circle fill="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>'
    named = [(picture.chosen, "chosen"), *([(picture.file, "as in the file")] if picture.file else [])]
    for design, text in named:
        x, y = at(design)
        beside, anchor = (8, "start") if x < WIDTH / 2 else (-8, "end")
        yield f'<circle fill="none" stroke="{TEXT}" stroke-width="2" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
        yield f'<text x="{x + beside:.1f}" y="{y - 8:.1f}" text-anchor="{anchor}">{text}</text>'


def same(one: str, other: str) -> bool:
    """True if two pictures differ by rounding at most, in their designs and in their lines."""
    (designs, _, lines), (others, _, their_lines) = (each.rpartition("</desc>") for each in (one, other))
    return _close(designs, others, ROUNDING) and _close(lines, their_lines, 0.0, LINE)


def _close(one: str, other: str, relative: float, absolute: float = 0.0) -> bool:
    if _NUMBER.sub("", one) != _NUMBER.sub("", other):
        return False
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=relative, abs_tol=absolute) for a, b in pairs)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the pictures of all entries, or of those that are named."""
    known = {entry.name: entry for entry in entries()}
    parser = ArgumentParser(prog="make gallery", description=__doc__)
    parser.add_argument("names", nargs="*", help="entries to draw; all where none is named")
    parser.add_argument("--update", action="store_true", help="replace stored pictures that differ")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(known):
        parser.error(f"no entry {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    renewal = Renewal(HERE, ROOT / "build" / "gallery", _difference, given.update)
    for name in given.names or known:
        entry = known[name]
        picture = searched(entry)
        problem = problems_of(entry)[picture.chosen.layout]
        renewal.put(entry.front, svg(picture, entry).encode())
        renewal.put(entry.picture, moving_svg(scene_of(problem, picture.chosen.variables)).encode())
        print(name, picture.chosen, picture.file, len(picture.front), flush=True)
    print(renewal)


def _difference(stored: bytes, drawn: bytes) -> float:
    return 0.0 if same(stored.decode(), drawn.decode()) else math.inf


if __name__ == "__main__":
    main()
