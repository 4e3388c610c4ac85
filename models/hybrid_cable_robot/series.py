"""The motion of the platform by its winches over time, for other programs."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.winch_motion import WinchMotion, follow_winches
from models.numerics.rotations import turn
from models.series import Column, Series


def series(parameters: HybridCableRobot) -> Series:
    """Pose and velocities of the platform, tension and unstretched length of each cable, and energies.

    Orientations are quaternions, velocities those in the world. Raises ``InputError`` for a motion that
    cannot start; one that is not found to its end has the instants up to there.
    """
    motion = follow_winches(parameters)
    spins = turn(motion.rotations, motion.angular_velocities)
    return Series((
        Column("time", "s", motion.times),
        *_vector("platform_{}", "m", motion.positions),
        *_vector("platform_velocity_{}", "m/s", motion.velocities),
        *_vector("platform_quaternion_{}", "1", motion.quaternions, "wxyz"),
        *_vector("platform_angular_velocity_{}", "rad/s", spins),
        *_cables("tension", "N", motion.tensions),
        *_cables("unstretched_length", "m", motion.unstretched),
        *_energies(motion),
    ))  # fmt: skip


def _vector(name: str, unit: str, values: FloatArray, letters: str = "xyz") -> list[Column]:
    return [Column(name.format(letter), unit, values[:, place]) for place, letter in enumerate(letters)]


def _cables(name: str, unit: str, values: FloatArray) -> list[Column]:
    return [Column(f"cable_{number}_{name}", unit, column) for number, column in enumerate(values.T, 1)]


def _energies(motion: WinchMotion) -> list[Column]:
    return [
        Column("energy", "J", motion.energies),
        Column("work", "J", np.asarray(motion.works)),
        Column("loss_damping", "J", np.asarray(motion.losses)),
        Column("energy_error", "J", motion.imbalances),
    ]
