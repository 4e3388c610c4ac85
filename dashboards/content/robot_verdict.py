"""Whether a robot works as its files give it, and on which assumption it hangs if it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dashboards.content.cable_robot_files import Robot
from studies.exchange.imported_robot import Alternative, Pose
from studies.execution.evaluation import task_of
from studies.execution.model_calls import ModelCalls
from studies.problem import Problem
from studies.records import EvaluationRecord

_CLASS = "workspace"
_VOLUME = "workspace_volume"
_NEAR = 1e-4
"""Half side of the space in which a single pose is tested, m."""
_PLENTY = 1e4
_TESTS = {
    "failed_wrench": "the wrench test (no tensions within the limits hold the loads)",
    "failed_platform": "the test of the platform (cables cut its box)",
    "failed_interference": "the test of interference (cables touch each other)",
    "failed_singularity": "the test of singularity",
}


def robot_verdict(robot: Robot, problem: Problem, calls: ModelCalls) -> list[str]:
    """Sentences on the workspace of a robot as its files give it, and on the pose in which they have it.

    Where one of the two is missing, the assumptions without which it is there are named.
    """
    found = _evaluated(problem, calls, {})
    told: list[str] = []
    if found.state == "done":
        volume = float(found.metrics[_VOLUME] or 0.0)
        told.append(f"As read, it has a workspace of {volume:.3g} m^3, platform not turned")
    elif found.state == "infeasible":
        told.append(f"As read, it is INFEASIBLE: {found.reason}{_cause(robot, problem, calls, {})}")
    else:
        return [f"As read, it could not be evaluated: {found.reason}."]
    if robot.pose is not None:
        told.append(_at_pose(robot, robot.pose, problem, calls))
    return [f"{text}." for text in told]


def _at_pose(robot: Robot, pose: Pose, problem: Problem, calls: ModelCalls) -> str:
    place = np.array(pose.position)
    near = {"space": [(place - _NEAR).tolist(), (place + _NEAR).tolist()], "cells": 2}
    where = f"At the pose in which the file has it, [{', '.join(f'{x:g}' for x in pose.position)}] m"
    where += ", but not turned" if np.abs(pose.rotation).max() > 0 else ""
    found = _evaluated(problem, calls, near)
    if found.state == "done":
        return f"{where}, it is feasible"
    failed = " and ".join(text for name, text in _TESTS.items() if found.counters.get(name))
    return f"{where}, it fails {failed or found.reason}{_cause(robot, problem, calls, near)}"


def _cause(robot: Robot, problem: Problem, calls: ModelCalls, settings: Mapping[str, Any]) -> str:
    """Assumptions each of which would have to go alone for the robot to work; or all of them, or none."""
    doubtful = [each for each in _alternatives(robot, problem) if not each.settings.keys() & settings.keys()]
    guilty = [
        each.assumption
        for each in doubtful
        if _evaluated(problem, calls, {**settings, **each.settings}).state == "done"
    ]
    if guilty:
        return f". It hangs on an assumption: {'; or '.join(guilty)}"
    together = dict(settings)
    for each in doubtful:
        together |= each.settings
    if _evaluated(problem, calls, together).state == "done":
        return (
            f". It hangs on several assumptions together: {'; '.join(each.assumption for each in doubtful)}"
        )
    return (
        ". No assumption is the cause: without load and without any of them it is infeasible, too, while the "
        "platform is as the files have it. Check the points, and whether the platform must be turned"
    )


def _alternatives(robot: Robot, problem: Problem) -> Iterator[Alternative]:
    """What would hold without each assumption about a robot, most doubtful ones first."""
    yield from robot.alternatives
    record = problem.model.resolve(problem.preset, problem.settings).model_dump()
    if not robot.gives("f_min"):
        yield Alternative(f"that f_min is {record['f_min']:g} N", {"f_min": 0.0})
    if not robot.gives("f_max"):
        more = {"f_max": record["f_max"] * _PLENTY}
        yield Alternative(f"that f_max is {record['f_max']:g} N", more)
    if not robot.gives("cable_diameter"):
        yield Alternative("that cables are 2 mm thick (cable_diameter)", {"check_interference": False})
    if not robot.gives("space"):
        lower, upper = np.array(record["space"])
        wider = [(lower - (upper - lower).max()).tolist(), upper.tolist()]
        yield Alternative("where the workspace is looked for (space)", {"space": wider})
    none = {"wrench_set": {"center": [0.0] * 6, "half_range": [0.0] * 6}}
    yield Alternative("what the cables hold (wrench_set)", none)


def _evaluated(problem: Problem, calls: ModelCalls, settings: Mapping[str, Any]) -> EvaluationRecord:
    """The workspace of a robot with other settings than its own."""
    model = problem.model
    record = model.resolve(problem.preset, {**problem.settings, **settings})
    return calls.evaluate(task_of(model, record.model_dump(mode="json"), _CLASS, 0))
