"""The back-end: its table of metrics and its evaluations.

Four cost classes: ``workspace`` tests the cells of the space, ``motion`` follows the trajectory,
``detail`` looks closer at the cells of the workspace, ``all`` does all of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from models.contract import Metric, Model, Outcome
from models.hybrid_cable_robot.carried import body_warnings
from models.hybrid_cable_robot.outcomes import OUTCOMES
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.preparation import prepare
from models.hybrid_cable_robot.presets import PRESETS, SOURCE
from models.hybrid_cable_robot.reference import reference_cases
from models.hybrid_cable_robot.scene import scene


def _metric(name: str, unit: str, meaning: str, sense: Literal["minimize", "maximize"]) -> Metric:
    return Metric(name, unit, meaning, sense, ("workspace", "detail", "all"))


def _detail_metric(name: str, unit: str, meaning: str, sense: Literal["minimize", "maximize"]) -> Metric:
    return Metric(name, unit, meaning, sense, ("detail", "all"))


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
        ("workspace", "detail", "all"),
        absent=0.0,
        needs="bounds",
    ),
    Metric(
        "workspace_volume_upper",
        "m**3",
        "volume not proved to lie outside the workspace, to blocks of the side bounds_block; with "
        "bounds = true",
        "maximize",
        ("workspace", "detail", "all"),
        absent=0.0,
        needs="bounds",
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
    _detail_metric(
        "displacement_under_load",
        "m",
        "greatest over the workspace of the distance by which the test load moves the platform's origin, "
        "at the nominal orientation",
        "minimize",
    ),
    _detail_metric(
        "rotation_sensitivity",
        "rad/m",
        "greatest over the workspace of the rotation that cable length errors with a norm of one metre "
        "would cause, at the nominal orientation (Cardou, Bouchard and Gosselin 2010, 2-norm)",
        "minimize",
    ),
    _detail_metric(
        "point_sensitivity",
        "1",
        "greatest over the workspace of the platform's displacement over the norm of the cable length "
        "errors that cause it, at the nominal orientation (Cardou, Bouchard and Gosselin 2010, 2-norm)",
        "minimize",
    ),
    *(
        _detail_metric(
            f"{index}_index_{block}",
            "1",
            f"root mean square over the index domain of the inverse condition number of the {block} {part}; "
            "needs no characteristic length",
            "maximize",
        )
        for index, part in (
            ("stiffness", "block of the stiffness matrix K"),
            ("dexterity", "columns of the Jacobian"),
        )
        for block in ("translation", "rotation")
    ),
    _detail_metric(
        "inscribed_box",
        "m**3",
        "volume of the largest box, its faces along the space's, all of whose cells are in the workspace",
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
    Metric(
        "path_interference_margin",
        "m",
        "least gap between two cables along the trajectory; the space's diagonal when all cables share one "
        "attachment",
        "maximize",
        ("motion", "all"),
    ),
    _motion_metric("mass", "kg", "mass that the cables carry, platform and arm"),
)


def evaluate(parameters: HybridCableRobot, cost_class: str, seed: int) -> Outcome:  # noqa: ARG001 - no chance here
    """Every metric of a cost class, or why the design has none."""
    outcome = OUTCOMES[cost_class](parameters)
    return replace(outcome, warnings=(*outcome.warnings, *body_warnings(parameters)))


MODEL = Model(
    name="hybrid-cable-robot",
    version=3,
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
