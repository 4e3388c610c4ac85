"""Compiles or loads the kernels before they are needed, by evaluating small designs of every kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.compilation import once
from models.hybrid_cable_robot.lanes.compiling import compile_kernels, compiled_apart
from models.hybrid_cable_robot.outcomes import OUTCOMES, workspace_outcome
from models.hybrid_cable_robot.parameters import HybridCableRobot

_CORNERS = [(x, y, z) for z in (0, 1) for x, y in ((1, 0), (-1, 1), (-1, -1))]
_SIX = {  # not eight cables: no lanes, and the scalar kernels that decide for the lanes where they cannot
    "pulleys": _CORNERS,
    "attachments": [(y / 10, x / 10, z / 10) for x, y, z in _CORNERS],
    "cable_stiffness": 1.0,
}
_MANY = {"cells": 33, "weight_moment": "ignored"}  # enough cells, one of four alike, for a look at a sample
_NONE = ({"wrench_set": "paper-extreme"}, {"clearance": 1.0})  # no workspace, with the reason
_TASK = {"task_path": [(0.0, 0.0, 0.0)]}
_NOT_SERVED = {**_TASK, "wrench_set": "paper-extreme"}
_MOTIONS = ({}, {"tension_rule": "centroid"}, {"f_max": 1.0})
_PREPARED: Mapping[str, Sequence[Mapping[str, object]]] = {
    "workspace": ({}, *_NONE, _TASK, _NOT_SERVED),
    "motion": _MOTIONS,
    "detail": ({}, *_NONE, _TASK, _NOT_SERVED, {"axial_stiffness": 1e4}),
    "all": (*_MOTIONS, *_NONE, _TASK, _NOT_SERVED, {"axial_stiffness": 1e4}),
}


def prepare(cost_class: str) -> None:
    """Compile the kernels of a cost class if they are new to this machine, and load the usual ones."""
    once(f"hybrid-cable-robot-{cost_class}", lambda: _compile(cost_class))
    OUTCOMES[cost_class](_small({}))


def _compile(cost_class: str) -> None:
    """Evaluate designs with and without a workspace or motion."""
    if cost_class != "motion":
        with compiled_apart():
            compile_kernels(["wrench", "exclusion"])
            for settings in ({}, *_NONE):
                workspace_outcome(_small({**_SIX, **settings}))
        workspace_outcome(_small(_MANY))
    for settings in _PREPARED[cost_class]:
        OUTCOMES[cost_class](_small(settings))


def _small(settings: Mapping[str, object]) -> HybridCableRobot:
    return HybridCableRobot.model_validate({"cells": 4, "trajectory_samples": 3, **settings})
