"""Robots and random positions on which every kernel is compared with its definition."""

from functools import cache

import numpy as np
from scipy.optimize import brentq

from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.cables.geometry import scaled_wrench_matrix
from models.hybrid_cable_robot.robot import Robot, load_case, robot_of
from models.hybrid_cable_robot.wrench.capacity import capacity_margin

SEVEN = {
    "pulleys": [
        [0.7 * np.cos(a), 0.7 * np.sin(a), 0.5 * (-1) ** i]
        for i, a in enumerate(np.arange(7) * 2 * np.pi / 7)
    ],
    "attachments": [
        [0.07 * np.cos(a), 0.07 * np.sin(a), -0.05 * (-1) ** i] for i, a in enumerate(np.arange(7) * 0.76)
    ],
}
LAYOUTS = {
    "constrained": ("constrained", {}),
    "suspended": ("suspended", {"wrench_set": "gravity"}),
    "moments ignored": ("constrained", {"weight_moment": "ignored", "f_min": 1.0, "f_max": 60.0}),
    "postures": ("suspended", {"arm_postures": "range", "f_max": 500.0}),
    "thick cables": ("constrained", {"cable_diameter": 0.09, "wrench_set": "gravity"}),
    "seven cables": (None, {**SEVEN, "wrench_set": "gravity", "f_max": 60.0, "check_platform": False}),
}
EIGHT = [name for name in LAYOUTS if name != "seven cables"]
HELD_SOMEWHERE = ["constrained", "suspended", "moments ignored", "thick cables"]
POSITIONS = 16


@cache
def _robot(name: str) -> Robot:
    preset, settings = LAYOUTS[name]
    return robot_of(MODEL.resolve(preset, {"orientations": "corners", **settings}))


def layout(name: str) -> tuple[Robot, np.ndarray]:
    """The robot of that name and positions (n, 3) m, the same in every run.

    Positions that could not be written to would have kernels of their own, which take minutes to compile.
    """
    return _robot(name), np.random.default_rng(2015).uniform(-0.4, 0.4, (POSITIONS, 3))


def rotation_of(robot: Robot, case: int) -> np.ndarray:
    """The orientation (3, 3) of a row of the robot's loads."""
    return robot.rotations[case * len(robot.rotations) // len(robot.load_centers)]


@cache
def layout_margins(name: str) -> np.ndarray:
    """Capacity margins (q, n) N of the robot of that name at its positions, by the definition."""
    margins = defined_margins(*layout(name))
    margins.setflags(write=False)
    return margins


def defined_margins(robot: Robot, positions: np.ndarray) -> np.ndarray:
    """Capacity margins (q, n) N of all q loads at the positions, by the definition."""
    return np.array(
        [
            [
                capacity_margin(
                    scaled_wrench_matrix(robot, position, rotation_of(robot, case)), load_case(robot, case)
                )
                for position in positions
            ]
            for case in range(len(robot.load_centers))
        ]
    )


def at_the_limit(robot: Robot, positions: np.ndarray) -> Robot:
    """The robot with loads so much heavier that it can just hold them at the best of the positions (n, 3) m."""
    best = positions[[int(np.argmax(defined_margins(robot, positions).min(axis=0)))]]
    factor = brentq(lambda each: defined_margins(_heavier(robot, each), best).min(), 1.0, 100.0, xtol=1e-14)
    return _heavier(robot, factor)


def _heavier(robot: Robot, factor: float) -> Robot:
    return robot._replace(load_centers=factor * robot.load_centers, load_range=factor * robot.load_range)
