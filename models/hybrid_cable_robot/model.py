"""The back-end: its table of metrics and its evaluation."""

from __future__ import annotations

from typing import Literal

from models.contract import Evaluation, Metric, Model, Outcome
from models.hybrid_cable_robot.grid import grid_of
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.presets import PRESETS, SOURCE
from models.hybrid_cable_robot.reference import reference_cases
from models.hybrid_cable_robot.scene import scene
from models.hybrid_cable_robot.shortfall import empty_workspace
from models.hybrid_cable_robot.workspace import tally_of


def _metric(name: str, unit: str, meaning: str, sense: Literal["minimize", "maximize"]) -> Metric:
    return Metric(name, unit, meaning, sense, ("workspace",))


METRICS = (
    _metric(
        "workspace_volume",
        "m**3",
        "volume of the cells that pass every test at every orientation",
        "maximize",
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
)


def evaluate(parameters: HybridCableRobot, cost_class: str, seed: int) -> Outcome:  # noqa: ARG001 - one class, no chance
    """Every metric of a design, or why it has no workspace."""
    tally = tally_of(parameters)
    if not tally.feasible:
        return empty_workspace(parameters, tally)
    metrics = tally.metrics(grid_of(parameters).cell_volume, parameters.cable_diameter)
    return Evaluation(metrics, tally.counters())


def prepare() -> None:
    """Compile or load every kernel: a design with a workspace, and the two kinds without."""
    for settings in ({}, {"wrench_set": "paper-extreme"}, {"clearance": 1.0}):
        evaluate(HybridCableRobot.model_validate({"cells": 4, **settings}), "workspace", 0)


MODEL = Model(
    name="hybrid-cable-robot",
    version=2,  # the vector kernels changed the last digits of 1
    summary="Cable-driven parallel robot in space: workspace, stiffness, dexterity and wrench capacity of "
    "constrained and suspended layouts.",
    source=SOURCE,
    parameters=HybridCableRobot,
    presets=PRESETS,
    cost_classes=("workspace",),
    metrics=METRICS,
    evaluate=evaluate,
    scene=scene,
    reference_cases=reference_cases,
    prepare=prepare,
)
