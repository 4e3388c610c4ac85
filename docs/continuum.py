"""Sections of the validation page on Hashemi-Pour Moosavi and Ehsani-Seresht (2021)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dashboards.content.continuum_paper import (
    FIGURES,
    IN_THE_PLANE,
    OUT_OF_THE_PLANE,
    Experiment,
    place,
    record,
)
from docs.paper import rows
from models.continuum_statics import Path, equilibrium, follow, stable_path, stable_workspace

PICTURES = "images/continuum-statics"
PAYLOADS = (0.048, 0.050, 0.051, 0.052, 0.055, 0.060)  # [kg]
ARCS = (1, 2, 4, 8)
RAYS = (8, 16, 32, 64)


def sections() -> Iterator[str]:
    """All of them, as lines of Markdown."""
    yield from figures()
    yield from experiments()
    yield from payloads()
    yield from refinement()
    yield from rays()


def picture(number: int) -> str:
    """Where the picture of a figure lies, beside the page."""
    return f"{PICTURES}/figure-{number:02d}.webp"


# ---------------------------------------------------------------- figures


def figures() -> Iterator[str]:
    """The paper's figures made anew, with both statements."""
    yield "### The paper's figures\n"
    yield (
        "Figures 6 to 18 of the paper, drawn from our numbers with the preset `rod-1.5mm`, and what the "
        "paper says of each. *In space*: the robot may leave its plane. Colours go with tension, dashes are "
        "the path of the tip.\n"
    )
    for figure in FIGURES:
        drawn = figure.drawing
        yield f"#### {drawn.title}\n"
        yield f"![{drawn.title}]({picture(figure.number)})\n"
        yield f"{drawn.caption}\n"


# ---------------------------------------------------------------- experiments


def experiments() -> Iterator[str]:
    """Tips under the loads of section 4.2, with both presets."""
    yield "### The experiments of section 4.2\n"
    yield (
        "Weights of 0 to 600 g pull the cables; there is no payload. The paper gives the greatest error of "
        "its model, as a share of the length of 0.48 m: 1.8 % in the plane, 7.11 % out of it (disk 5, cable "
        "2 at 500 g). It prints the measured positions as pictures only, so what can be compared is by how "
        "much the robot bends: the preset `printed` hardly does. Positions are those of the tip.\n"
    )
    for experiment in (IN_THE_PLANE, OUT_OF_THE_PLANE):
        yield from _tips(experiment)


def _tips(experiment: Experiment) -> Iterator[str]:
    robots = {preset: record("no payload", preset) for preset in ("rod-1.5mm", "printed")}
    body = [
        [
            " / ".join(f"{tension:.3f}" for tension in load),
            *(place(equilibrium(robot, np.array(load)).tip) for robot in robots.values()),
        ]
        for load in experiment.tensions
    ]
    yield from rows([f"tensions, {experiment.name} [N]", *robots], body)


# ---------------------------------------------------------------- the payload of 50 g


def payloads() -> Iterator[str]:
    """How the events of cable 1 depend on the payload."""
    yield "### Around 50 g\n"
    yield (
        "Whether there is a fold at exactly 50 g is a matter of 2 to 3 % of payload. Cable 1 is pulled from "
        "0 to 20 N; *events in space* are those of the robot that stays in its plane though it need not, *a "
        "robot jumps* is what happens on its way along stable branches, and *in the plane* it can bend about "
        "x only.\n"
    )
    body: list[list[str]] = []
    for payload in PAYLOADS:
        free = follow(record("no payload", tip_mass=payload))
        taken = stable_path(record("no payload", tip_mass=payload))
        held = follow(record("no payload", tip_mass=payload, planar=True))
        body.append([f"{1e3 * payload:g}", _events(free), _jumps(taken), _events(held), _least(held)])
    head = ["payload [g]", "events in space [N]", "a robot jumps [N]", "events in the plane [N]"]
    yield from rows([*head, "least eigenvalue in the plane"], body, 4)


def _events(path: Path) -> str:
    told = [f"{event.kind} {event.tension:.3f}" for event in path.events]
    return ", ".join(told) or "none"


def _jumps(taken: Path) -> str:
    """The jumps on the way of a robot, with the energy that they set free."""
    jumps = [event.snap for event in taken.events if event.snap is not None]
    told = [f"{jump.tension:.3f} ({1e3 * jump.energy_released:.2g} mJ)" for jump in jumps]
    return ", ".join(told) or "none"


def _least(path: Path) -> str:
    least = int(np.argmin(path.lambda_min))
    return f"{path.lambda_min[least]:.3f} N m at {path.tensions[least]:.2f} N"


# ---------------------------------------------------------------- refinement


def refinement() -> Iterator[str]:
    """What more arcs per gap change."""
    yield "### Arcs per gap\n"
    yield (
        "50 g at the tip, cable 1. `lambda_min` depends on how finely the rod is cut, `mu_min` converges; "
        "both at 5 N.\n"
    )
    body: list[list[str]] = []
    for arcs in ARCS:
        robot = record("50 g", arcs_per_gap=arcs)
        state = equilibrium(robot, np.array([5.0, 0.0, 0.0]))
        events = follow(robot).events
        first = f"{events[0].kind} {events[0].tension:.3f}" if events else "none"
        cells = [str(arcs), place(state.tip), f"{state.lambda_min:.4f}", f"{state.mu_min:.4f}", first]
        body.append(cells)
    yield from rows(["arcs per gap", "tip [m]", "lambda_min [N m]", "mu_min", "first event [N]"], body, 2)


def rays() -> Iterator[str]:
    """What more rays change about the workspace."""
    yield "### Rays of the workspace\n"
    yield "`rays` per sector between neighbouring cables, three sectors, 161 tensions up to 20 N.\n"
    robots: Sequence[str] = ("no payload", "50 g")
    body: list[list[str]] = []
    for count in RAYS:
        cells = [str(count)]
        for robot in robots:
            found = stable_workspace(record(robot, rays=count))
            cells += [f"{found.area:.3f}", f"{found.fraction:.4f}", f"{found.least_mu:.4f}"]
        body.append(cells)
    head = ["rays per sector"]
    for robot in robots:
        head += [f"area [m^2], {robot}", f"stable, {robot}", f"least mu_min, {robot}"]
    yield from rows(head, body)
