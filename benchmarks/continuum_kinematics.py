"""Inverse kinematics of random poses, the paper's method beside it, and what an evaluation is made of."""

import math
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.timing import Figure, best_seconds, sized
from models.continuum_kinematics import (
    MODEL,
    Robot,
    dexterity,
    forward_batch,
    inverse_batch,
    reachable_volume,
    robot_from_limits,
    singular_values,
)
from models.continuum_kinematics.reachable_volume import random_states
from studies.definition.study_file import read_study
from studies.execution import open_executor
from studies.run.launch import run_study
from studies.store import Store

SETS = {
    "7 m, 90 deg": (7, 7, 90),
    "6-8 m, 90 deg": (6, 8, 90),
    "7 m, 150 deg": (7, 7, 150),
    "6-8 m, 150 deg": (6, 8, 150),
}
POSES, SEED = 1000, 1
OF_THE_PAPER = 200  # poses for its method, which is not compiled
POINTS = {
    "0.96": (0.03, 0.0, 0.14),
    "0.76": (0.05, 0.05, 0.17),
    "0.19": (0.0, 0.0, 0.23),
    "no": (0.0, 0.0, 0.3),
}
"""Points by the share of directions in which the robot of 6 to 8 cm reaches them."""


def figures(small: bool = False) -> list[Figure]:
    poses, of_the_paper = (20, 2) if small else (POSES, OF_THE_PAPER)
    return [*_inverse(poses), *_paper(of_the_paper), *_workspace(small), *_stages(), _study(small)]


def _robot(low: float, high: float, degrees: float, sections: int = 3) -> Robot:
    return robot_from_limits([[low, high]] * sections, [math.radians(degrees)] * sections, 10, low / 7)


def _poses(robot: Robot, count: int) -> np.ndarray:
    draws = np.random.default_rng(SEED).random((count, len(robot.bend), 3))
    return forward_batch(random_states(robot, draws))


def share_of(verdicts: Sequence[bool]) -> float:
    """Share [%] of true verdicts."""
    return 100.0 * sum(verdicts) / len(verdicts)


def _inverse(count: int) -> list[Figure]:
    rows: list[Figure] = []
    for sections in (3, 5, 8):
        for name, limits in SETS.items():
            robot = _robot(*limits, sections)
            poses = _poses(robot, count)
            found = inverse_batch(poses, robot)
            seconds = best_seconds(lambda poses=poses, robot=robot: inverse_batch(poses, robot))
            words = f"{sections} sections of {name}: random poses"
            rows += [
                (f"{words} met within 20 starts", share_of([each.converged for each in found]), "%"),
                (f"{words} solved", count / seconds, "1/s"),
            ]
    return rows


def _paper(count: int) -> list[Figure]:
    rows: list[Figure] = []
    for name, limits in SETS.items():
        robot = _robot(*limits)
        poses = _poses(robot, count)
        start = time.perf_counter()
        found = inverse_batch(poses, robot, method="pseudo-inverse")
        rate = count / (time.perf_counter() - start)
        met = share_of([each.converged for each in found])
        anyhow = met + share_of(["outside" in each.reason for each in found])
        words = f"3 sections of {name}, the paper's iteration"
        rows += [
            (f"{words}: met within the limits", met, "%"),
            (f"{words}: met at all", anyhow, "%"),
            (f"{words}: solved", rate, "1/s"),
        ]
    return rows


def _workspace(small: bool) -> list[Figure]:
    count, points = (20, {"0.96": POINTS["0.96"]}) if small else (1000, POINTS)
    robot = _robot(0.06, 0.08, 135)
    states = random_states(robot, np.random.default_rng(SEED).random((count, 3, 3)))
    rows = [
        ("reachable volume, 50 rings along the robot", best_seconds(lambda: reachable_volume(robot)), "s"),
        (
            f"singular values of {count} states",
            1e3 * best_seconds(lambda: singular_values(robot, states)),
            "ms",
        ),
    ]
    for share, point in points.items():
        seconds = best_seconds(lambda point=point: dexterity(robot, point))
        rows.append((f"dexterity, 500 directions, a share of {share} reached", seconds, "s"))
    return rows


def _stages() -> list[Figure]:
    parameters = MODEL.parameters()
    classes: Sequence[str] = MODEL.cost_classes
    return [
        (
            f"evaluation of the default robot, {name}",
            1e3 * best_seconds(lambda name=name: MODEL.evaluate(parameters, name, 0)),
            "ms",
        )
        for name in classes
    ]


def _study(small: bool) -> Figure:
    """All designs of the example's layout with three sections, searched and stored."""
    whole = read_study(Path(__file__).parents[1] / "examples" / "multi-section.toml")
    definition = whole.model_copy(update={"layouts": {"three-sections": whole.layouts["three-sections"]}})
    definition, designs = sized(definition, small)
    with tempfile.TemporaryDirectory() as folder, Store(str(Path(folder) / "study.db")) as store:
        start = time.perf_counter()
        run_study(store, definition, lambda: open_executor(2))
        seconds = time.perf_counter() - start
        return f"study of {designs} designs with three sections, two workers", seconds, "s"
