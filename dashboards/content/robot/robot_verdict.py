"""Verdicts on a robot as its files give it, and the assumption on which it hangs if it does not work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dashboards.content.robot.cable_robot_files import Robot
from dashboards.content.robot.robot_study import space_around
from models import Model, Parameters
from studies.exchange.freedoms import THICKNESS
from studies.exchange.imported_robot import Alternative, Pose
from studies.execution.evaluation import task_of
from studies.execution.model_calls import ModelCalls
from studies.problem.problem import Problem
from studies.records import EvaluationRecord

_CLASS = "workspace"
_VOLUME = "workspace_volume"
_NEAR = 1e-4
"""Half side of the space in which a single pose is tested, m."""
_PLENTY = 1e4
_THIN = 1e-6
"""Diameter [m] with which cables touch only if they cross."""
_TESTS = {
    "failed_wrench": "no tensions within the limits hold the loads",
    "failed_singularity": "it is nearly singular",
}
_COLLISIONS = ("failed_platform", "failed_interference")


def robot_verdict(robot: Robot, problem: Problem, calls: ModelCalls) -> list[str]:
    """Sentences on the workspace of a robot as its files give it, and on the pose in which they have it.

    Where one of the two is missing, the assumptions without which it is there are named.
    """
    found = _evaluated(problem, calls, {})
    told = [f"As read, it {_workspace(found, robot)}"]
    if found.state == "done":
        told[0] += ", platform not turned"
    elif found.state == "infeasible":
        told[0] += _cause(robot, problem, calls, {})
    else:
        return [f"{told[0]}."]
    if robot.pose is not None:
        told.append(_at_pose(robot, robot.pose, problem, calls))
    return [f"{text}." for text in told]


def missing_workspace(model: Model, record: Parameters, calls: ModelCalls) -> str:
    """Reason why a cable robot has no workspace; empty for other robots."""
    if not any(metric.name == _VOLUME for metric in model.metrics):
        return ""
    found = _workspace_of(model, record, calls)
    return "" if found.state == "done" else f"It {_workspace(found)}."


def _workspace(found: EvaluationRecord, robot: Robot | None = None) -> str:
    if found.state == "done":
        volume = float(found.metrics[_VOLUME] or 0.0)
        if robot is not None and robot.normal is not None:
            return f"has a workspace of {volume / THICKNESS:.3g} m^2 in the plane {robot.plane}"
        return f"has a workspace of {volume:.3g} m^3"
    if found.state == "infeasible":
        none_holds = found.counters.get("failed_wrench") == found.counters.get("cells", -1)
        short = f", short by {found.violation:.3g} N in the best cell" if none_holds else ""
        return f"is INFEASIBLE: {found.reason}{short}"
    return f"could not be evaluated: {found.reason}"


def _at_pose(robot: Robot, pose: Pose, problem: Problem, calls: ModelCalls) -> str:
    place = np.array(pose.position)
    near = {"space": [(place - _NEAR).tolist(), (place + _NEAR).tolist()], "cells": 2}
    where = f"At the pose in which the file has it, [{', '.join(f'{x:g}' for x in pose.position)}] m"
    where += ", but not turned" if np.abs(pose.rotation).max() > 0 else ""
    found = _evaluated(problem, calls, near)
    if found.state == "done":
        return f"{where}, it is feasible"
    failed = [text for name, text in _TESTS.items() if found.counters.get(name)]
    if not failed or any(found.counters.get(name) for name in _COLLISIONS):
        failed.append(found.reason)
    return f"{where}, it is infeasible: {' and '.join(failed)}{_cause(robot, problem, calls, near)}"


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
    """Alternatives to each assumption about a robot, most doubtful ones first."""
    yield from robot.alternatives
    record = problem.model.resolve(problem.preset, problem.settings).model_dump()
    if not robot.gives("f_min"):
        yield Alternative(f"that f_min is {record['f_min']:g} N", {"f_min": 0.0})
    if not robot.gives("f_max"):
        more = {"f_max": record["f_max"] * _PLENTY}
        yield Alternative(f"that f_max is {record['f_max']:g} N", more)
    if not robot.gives("cable_diameter"):
        yield Alternative("that cables are 2 mm thick (cable_diameter)", {"cable_diameter": _THIN})
    if not robot.gives("space"):
        lower, upper = np.array(record["space"])
        own = np.array(space_around(robot.pulleys, robot.normal))
        if not np.allclose(own, record["space"]):
            yield Alternative("that all robots are looked for in one space (space)", {"space": own.tolist()})
        wider = lower - (upper - lower).max()
        if robot.normal is not None:
            wider[robot.normal] = lower[robot.normal]
        yield Alternative(
            "where the workspace is looked for (space)", {"space": [wider.tolist(), upper.tolist()]}
        )
    none = {"wrench_set": {"center": [0.0] * 6, "half_range": [0.0] * 6}}
    yield Alternative("what the cables hold (wrench_set)", none)


def _evaluated(problem: Problem, calls: ModelCalls, settings: Mapping[str, Any]) -> EvaluationRecord:
    """The workspace of a robot with other settings than its own."""
    record = problem.model.resolve(problem.preset, {**problem.settings, **settings})
    return _workspace_of(problem.model, record, calls)


def _workspace_of(model: Model, record: Parameters, calls: ModelCalls) -> EvaluationRecord:
    return calls.evaluate(task_of(model, record.model_dump(mode="json"), _CLASS, 0))
