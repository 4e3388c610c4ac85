"""The back-end: its table of metrics and its evaluations.

Three cost classes: ``workspace`` tests the cells of the space, ``motion`` follows the trajectory,
``all`` does both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from models.contract import Evaluation, Infeasible, Metric, Model, Outcome
from models.hybrid_cable_robot.bounds.octree import bound_metrics
from models.hybrid_cable_robot.grid import grid_of
from models.hybrid_cable_robot.motion_outcome import motion_outcome
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.presets import PRESETS, SOURCE
from models.hybrid_cable_robot.reference import reference_cases
from models.hybrid_cable_robot.scene import scene
from models.hybrid_cable_robot.shortfall import empty_workspace
from models.hybrid_cable_robot.workspace import tally_of


def _metric(name: str, unit: str, meaning: str, sense: Literal["minimize", "maximize"]) -> Metric:
    return Metric(name, unit, meaning, sense, ("workspace", "all"))


def _motion_metric(name: str, unit: str, meaning: str) -> Metric:
    return Metric(name, unit, meaning, "minimize", ("motion", "all"))


METRICS = (
    _metric(
        "workspace_volume",
        "m**3",
        "volume of the cells that pass every test at every orientation",
        "maximize",
    ),
    Metric(
        "workspace_volume_lower",
        "m**3",
        "volume proved to lie inside the workspace, to blocks of the side bounds_block; with bounds = true",
        "maximize",
        ("workspace", "all"),
        absent=0.0,
    ),
    Metric(
        "workspace_volume_upper",
        "m**3",
        "volume not proved to lie outside the workspace, to blocks of the side bounds_block; with "
        "bounds = true",
        "maximize",
        ("workspace", "all"),
        absent=0.0,
    ),
    _metric("F1", "1/m**3", "inverse of the workspace volume, the paper's first objective", "minimize"),
    _metric(
        "F2",
        "1/m**1.5",
        "the paper's stiffness objective: 1 / sqrt(integral of (1 / cond K)^2 over the index domain)",
        "minimize",
    ),
    _metric(
        "F3",
        "1/m**1.5",
        "the paper's sensitivity objective: 1 / sqrt(integral of (1 / cond J)^2 over the index domain)",
        "minimize",
    ),
    _metric(
        "stiffness_index",
        "1",
        "root mean square over the index domain of the inverse condition number of the scaled stiffness "
        "matrix K; 1 is equally stiff in every direction",
        "maximize",
    ),
    _metric(
        "dexterity_index",
        "1",
        "root mean square over the index domain of the inverse condition number of the scaled Jacobian; "
        "1 is equally dexterous in every direction",
        "maximize",
    ),
    _metric(
        "capacity_margin",
        "N",
        "least over the workspace of the force, in any direction, that could still be added to every "
        "wrench of the set",
        "maximize",
    ),
    _metric(
        "capacity_margin_mean",
        "N",
        "mean over the workspace of each cell's least capacity margin over the orientations",
        "maximize",
    ),
    _metric(
        "interference_margin",
        "m",
        "least gap between two cables over the cells that pass the wrench and platform tests; negative "
        "when they overlap; the space's diagonal when all cables share one attachment",
        "maximize",
    ),
    _motion_metric("max_tension", "N", "greatest cable tension along the trajectory"),
    _motion_metric(
        "tension_spread",
        "N",
        "greatest difference between two cables' tensions at one instant of the trajectory",
    ),
    _motion_metric(
        "power_mean", "W", "mean over the trajectory of the winches' mechanical power, sum |tension x speed|"
    ),
    _motion_metric("power_peak", "W", "greatest mechanical power of the winches along the trajectory"),
    _motion_metric("energy", "J", "integral of the winches' mechanical power over the trajectory"),
    _motion_metric("mass", "kg", "mass that the cables carry: platform and arm, the same for every design"),
)


def workspace_outcome(parameters: HybridCableRobot) -> Outcome:
    """Every metric of the workspace, or why it is empty."""
    tally = tally_of(parameters)
    if not tally.feasible:
        return empty_workspace(parameters, tally)
    metrics = tally.metrics(grid_of(parameters).cell_volume, parameters.cable_diameter)
    bounds, blocks = bound_metrics(parameters)
    return Evaluation({**metrics, **bounds}, {**tally.counters(), **blocks})


def both_outcomes(parameters: HybridCableRobot) -> Outcome:
    """Every metric; infeasible when the trajectory or, after it, the workspace is."""
    motion = motion_outcome(parameters)
    if isinstance(motion, Infeasible):
        return motion
    cells = workspace_outcome(parameters)
    if isinstance(cells, Infeasible):
        return cells
    return Evaluation({**cells.metrics, **motion.metrics}, {**cells.counters, **motion.counters})


OUTCOMES: Mapping[str, Callable[[HybridCableRobot], Outcome]] = {
    "workspace": workspace_outcome,
    "motion": motion_outcome,
    "all": both_outcomes,
}


def evaluate(parameters: HybridCableRobot, cost_class: str, seed: int) -> Outcome:  # noqa: ARG001 - no chance here
    """Every metric of a cost class, or why the design has none."""
    return OUTCOMES[cost_class](parameters)


def prepare() -> None:
    """Compile or load every kernel: designs with a workspace and without, motions held and not."""
    for settings in ({}, {"wrench_set": "paper-extreme"}, {"clearance": 1.0}):
        workspace_outcome(HybridCableRobot.model_validate({"cells": 4, **settings}))
    for settings in ({}, {"tension_rule": "centroid"}, {"f_max": 1.0}):
        motion_outcome(HybridCableRobot.model_validate({"trajectory_samples": 3, **settings}))


MODEL = Model(
    name="hybrid-cable-robot",
    version=2,
    summary="Cable-driven parallel robot in space: workspace, stiffness, dexterity and wrench capacity of "
    "constrained and suspended layouts; tensions and power while its arm moves.",
    source=SOURCE,
    parameters=HybridCableRobot,
    presets=PRESETS,
    cost_classes=tuple(OUTCOMES),
    metrics=METRICS,
    evaluate=evaluate,
    scene=scene,
    reference_cases=reference_cases,
    prepare=prepare,
)
