"""Published numbers beside ours: workspace and stiffness, then the arm and power.

The paper's table 4 cannot be met: it prints neither the frame's size nor the pulleys' heights nor
the lower limit of the wrenches. Its rows are shown beside the nearest reading, for what they are.
The other cases are numbers that separate code found for the same mechanics, and must agree. Both read
the weight as the paper does, as a force at the platform's origin: ``weight_moment = "ignored"``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from models.contract import ReferenceCase
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.motion.following import follow_trajectory
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.pose import evaluate_pose
from models.hybrid_cable_robot.presets import PRESETS, SOURCE
from models.hybrid_cable_robot.workspace_grid.workspace import tested_cells, workspace_metrics
from models.hybrid_cable_robot.wrench_sets import suspended_mass

# [W]. The first two digits of the constrained one are damaged in the scan (".705 W", perhaps 52); 65.705 W
# is what the saving of 62 % that section 8 states makes of them, 52.705 W would save 52 %.
POWERS = {"suspended": 25.128, "constrained": 65.705}
SAVING = 0.62
NO_PATH_PRINTED = (
    "the paper prints neither path nor winch data; ours is the mean over quintic-4s with minimum-norm "
    "tensions; its English abstract says the opposite of its text"
)
DAMAGED = "its first two digits are damaged in print and follow from the saving"
RANGES = {"centroid": (0.27, 0.55), "minimum-norm": (0.43, 1.03)}


def motion_cases() -> list[ReferenceCase]:
    """Weight and power."""
    return [_weight(), *_powers(), *_ratios()]


def _weight() -> ReferenceCase:
    ours = suspended_mass(HybridCableRobot.model_validate({})) * -float(GRAVITY[2])
    remark = "the masses of table 3 alone weigh more than the paper's limit of the vertical force"
    source = f"{SOURCE}, section 7"
    return ReferenceCase("vertical force of platform and arm", "N", 21.0, ours, None, source, remark)


def _power(preset: str, rule: str) -> float:
    settings: dict[str, Any] = {**PRESETS[preset].settings, "tension_rule": rule}
    return follow_trajectory(HybridCableRobot.model_validate(settings)).power_mean


def _powers() -> list[ReferenceCase]:
    ours = {preset: _power(preset, "minimum-norm") for preset in POWERS}
    source = f"{SOURCE}, section 7 (figure 14) and section 8"
    cases = [
        ReferenceCase(f"mechanical power of {preset}", "W", number, ours[preset], None, source, remark)
        for (preset, number), remark in zip(
            POWERS.items(), (NO_PATH_PRINTED, f"{NO_PATH_PRINTED}; {DAMAGED}"), strict=True
        )
    ]
    saving = 1.0 - ours["suspended"] / ours["constrained"]
    remark = "with cables that may go slack both need the same; f_min and the tension rule decide"
    return [
        *cases,
        ReferenceCase("saving of power, suspended by constrained", "1", SAVING, saving, None, source, remark),
    ]


def _ratios() -> list[ReferenceCase]:
    cases: list[ReferenceCase] = []
    for rule, (low, high) in RANGES.items():
        middle = (low + high) / 2
        cases.append(
            ReferenceCase(
                f"power of suspended against constrained, {rule} tensions",
                "1",
                middle,
                _power("suspended", rule) / _power("constrained", rule),
                (high - low) / 2 / middle,
                "separate code for the same mechanics, design notes of this back-end",
                f"on quintic-4s, against the range {low} to {high} over random slow paths: its middle, and "
                "half its width as tolerance",
            )
        )
    return cases


TABLE_4 = {
    "constrained 1": ("constrained", 0.7366, 0.8937, 1.380, 3.781, 1.640),
    "constrained 2": ("constrained", 0.7366, 0.8938, 1.380, 3.782, 1.639),
    "constrained 3": ("constrained", 0.7365, 0.8942, 1.379, 3.782, 1.641),
    "constrained 4": ("constrained", 0.7365, 0.8941, 1.379, 3.783, 1.640),
    "suspended 1": ("suspended", 5.7478, 5.5727, 1.506, 7.254, 2.154),
    "suspended 2": ("suspended", 5.7516, 0.4039, 1.500, 13.071, 3.292),
    "suspended 3": ("suspended", 5.7510, 5.5729, 1.504, 6.232, 1.854),
    "suspended 4": ("suspended", 5.7542, 5.5730, 1.502, 6.231, 1.855),
    "RoboCab": ("robocab", 0.73, 0.89, 1.459, 3.460, 1.460),
}
NEAREST_READING: Mapping[str, Any] = {
    "cells": 20,
    "orientations": "nominal",
    "wrench_set": {"center": (0.0, 0.0, -21.0, 0.0, 0.0, 0.0)},
    "cable_stiffness": 1000.0,
    "characteristic_length": 0.1,
    "index_domain": "cube",
}
PRINTED_STIFFNESS = (1000.0,) * 4 + (100.0,) * 4
OBJECTIVES = {"F1": "1/m**3", "F2": "1/m**1.5", "F3": "1/m**1.5"}
NO_FRAME_PRINTED = (
    "frame size, pulley heights and lower wrench limit are not printed; nearest reading: equal stiffnesses, "
    "whole cube, L = 0.1 m, 21 N of weight, nominal orientation, 20 cells per axis"
)
SEPARATE = "separate code for the same mechanics, design notes of this back-end"


@cache  # each report lists them, and they take .3 s
def reference_cases() -> list[ReferenceCase]:
    """The paper's table 4 beside what exact mechanics gives, and checks against separate code."""
    return [
        *_table_4(),
        *_volumes(),
        *_separate_indices(),
        *_separate_volumes(),
        *_extreme_torques(),
        *motion_cases(),
    ]


def _robot(preset: str, settings: Mapping[str, Any]) -> HybridCableRobot:
    return HybridCableRobot.model_validate({
        **PRESETS[preset].settings, "weight_moment": "ignored", **settings
    })  # fmt: skip


def _metrics(preset: str, settings: Mapping[str, Any]) -> dict[str, float]:
    parameters = _robot(preset, settings)
    return workspace_metrics(parameters, tested_cells(parameters))


def _table_4() -> list[ReferenceCase]:
    cases: list[ReferenceCase] = []
    for row, (preset, beta1, beta2, *published) in TABLE_4.items():
        ours = _metrics(preset, {**NEAREST_READING, "beta1": beta1, "beta2": beta2})
        cases += [
            ReferenceCase(
                f"{name} of {row}", unit, number, ours[name], None, f"{SOURCE}, table 4", NO_FRAME_PRINTED
            )
            for (name, unit), number in zip(OBJECTIVES.items(), published, strict=True)
        ]
    return cases


def _volumes() -> list[ReferenceCase]:
    """The volumes of figure 12, in the text of section 7."""
    return [
        ReferenceCase(
            f"workspace volume of {preset}",
            "m**3",
            number,
            _metrics(preset, NEAREST_READING)["workspace_volume"],
            None,
            f"{SOURCE}, section 7 (figure 12)",
            f"the inverse of F1 in table 4; not met for the same reasons: {NO_FRAME_PRINTED}",
        )
        for preset, number in (("constrained", 0.7246), ("suspended", 0.665))
    ]


def _separate_indices() -> list[ReferenceCase]:
    remark = "nearest reading of table 4, equal stiffnesses"
    cases = [
        ReferenceCase(
            f"{name} of {preset}, nearest reading", unit, number, ours[name], 3e-3, SEPARATE, remark
        )
        for preset, numbers in (("constrained", (2.94, 3.64, 1.95)), ("suspended", (1.33, 5.87, 2.62)))
        for ours in [_metrics(preset, NEAREST_READING)]
        for (name, unit), number in zip(OBJECTIVES.items(), numbers, strict=True)
    ]
    for domain, number in (("cube", 17.6), ("feasible", 27.2)):
        settings = {**NEAREST_READING, "cable_stiffness": PRINTED_STIFFNESS, "index_domain": domain}
        ours = _metrics("constrained", settings)["F2"]
        name = f"F2 of constrained, printed stiffnesses, {domain} domain"
        remark = "nearest reading of table 4, 1000 N/m above and 100 N/m below"
        cases.append(ReferenceCase(name, OBJECTIVES["F2"], number, ours, 3e-3, SEPARATE, remark))
    return cases


def _separate_volumes() -> list[ReferenceCase]:
    cases: list[ReferenceCase] = []
    for orientations, number in (("corners", 0.2535), ("grid27", 0.2215)):
        settings = {"cells": 20, "wrench_set": "gravity", "orientations": orientations}
        ours = _metrics("suspended", settings)["workspace_volume"]
        remark = "suspended 3 under its weight, the weight's moment ignored, 20 cells per axis"
        name = f"workspace volume with the orientation set {orientations}"
        cases.append(ReferenceCase(name, "m**3", number, ours, 1e-9, SEPARATE, remark))
    ours = _metrics("constrained", {"wrench_set": "gravity", "orientations": "nominal"})["workspace_volume"]
    remark = (
        "the weight's moment ignored; published is the mean of the certified bounds 0.331 and 0.390 m^3, and "
        "the tolerance is half their gap"
    )
    name = "workspace volume of constrained under its weight"
    cases.append(ReferenceCase(name, "m**3", 0.3605, ours, 0.0295 / 0.3605, SEPARATE, remark))
    return cases


def _extreme_torques() -> list[ReferenceCase]:
    remark = (
        "at the centre, not turned, with (-4, -4, -21.935) N applied; with the paper's -21 N it is 0.470 and "
        "0.218, so no layout holds the paper's extreme wrench"
    )
    return [
        ReferenceCase(
            f"share of the extreme torques that {preset} holds",
            "1",
            number,
            _torque_share(_robot(preset, {})),
            1e-2,
            SEPARATE,
            remark,
        )
        for preset, number in (("constrained", 0.46), ("suspended", 0.23))
    ]


def _torque_share(parameters: HybridCableRobot) -> float:
    """Greatest share of the torques -(3, 3, 1) N m held at the centre, by bisection."""
    held, lost = 0.0, 1.0
    for _ in range(30):
        share = (held + lost) / 2
        wrench = (-4.0, -4.0, -21.935, -3.0 * share, -3.0 * share, -share)
        pose = evaluate_pose(parameters, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), wrench)
        held, lost = (share, lost) if pose.capacity_margin >= 0.0 else (held, share)
    return held
