"""Sections of the validation page on the kinematics of multi-section robots."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from docs.cable_robot_paper import rows
from models.continuum_kinematics.dexterity import dexterity
from models.continuum_kinematics.inverse import inverse_batch
from models.continuum_kinematics.reachable_volume import random_states, reachable_volume
from models.continuum_kinematics.robot import Robot, robot_of
from models.continuum_kinematics.sections import forward_batch

GUIDES, RADIUS = 10, 0.01  # nothing here depends on them
SETS = {
    "7 cm, up to 90 deg": (0.07, 0.07, 90.0),
    "6 to 8 cm, up to 90 deg": (0.06, 0.08, 90.0),
    "7 cm, up to 150 deg": (0.07, 0.07, 150.0),
    "6 to 8 cm, up to 150 deg": (0.06, 0.08, 150.0),
}
"""Lengths [m] and bends of three sections."""
EXTENSIBLE = (0.06, 0.08, 135.0)
POSES, SEED = 1000, 11
STARTS = (1, 5, 20)
SAMPLES = (1_000, 10_000, 100_000)
CELLS = (25, 50, 100, 200)
DIRECTIONS = (100, 500, 2000)
POINTS = ((0.03, 0.0, 0.14), (0.03, 0.0, 0.15))
"""Of section 4.2, as a standing robot sees them."""


def sections() -> Iterator[str]:
    """All of them, as lines of Markdown."""
    yield from random_poses()
    yield from sampling()


def robot(low: float, high: float, degrees: float) -> Robot:
    """Three sections with these limits."""
    return robot_of([[low, high]] * 3, [math.radians(degrees)] * 3, GUIDES, RADIUS)


def random_poses() -> Iterator[str]:
    """How many starts random poses need."""
    yield "### Inverse kinematics of random poses\n"
    yield (
        f"The table shows the share of {POSES} random reachable poses that are met with up to so many "
        "starts, in position to 1e-8 m and in orientation to 1e-8 rad. The poses are those of random states "
        f"within the limits (seed {SEED}): lengths are uniform, and bends are uniform in their disk. The "
        "robot has three sections.\n"
    )
    body: list[list[str]] = []
    for name, limits in SETS.items():
        within = robot(*limits)
        draws = np.random.default_rng(SEED).random((POSES, 3, 3))
        poses = forward_batch(random_states(within, draws))
        shares = (
            np.mean([found.converged for found in inverse_batch(poses, within, starts=most)])
            for most in STARTS
        )
        body.append([name, *(f"{share:.1%}".replace("%", " %") for share in shares)])
    yield from rows(["sections", *(f"{most} starts" if most > 1 else "1 start" for most in STARTS)], body)


def sampling() -> Iterator[str]:
    """What more samples and more directions change."""
    yield "### Samples, rings and directions\n"
    yield (
        "The tables vary `samples`, `cells` and `directions` for the preset `extensible`. The error is "
        "`reachable_volume_error`.\n"
    )
    within = robot(*EXTENSIBLE)
    volumes = [f"{1e6 * reachable_volume(within, samples).volume:.0f}" for samples in SAMPLES]
    yield from rows(["samples", *(f"{samples:.0e}" for samples in SAMPLES)], [["volume [cm^3]", *volumes]])
    found = [reachable_volume(within, cells=cells) for cells in CELLS]
    body = [
        ["volume [cm^3]", *(f"{1e6 * each.volume:.0f}" for each in found)],
        ["error [cm^3]", *(f"{1e6 * each.error:.0f}" for each in found)],
    ]
    yield from rows(["cells", *(str(cells) for cells in CELLS)], body)
    means = [np.mean([dexterity(within, point, count).share for point in POINTS]) for count in DIRECTIONS]
    body = [["dexterity", *(f"{mean:.3f}" for mean in means)]]
    yield from rows(["directions", *(str(count) for count in DIRECTIONS)], body)
