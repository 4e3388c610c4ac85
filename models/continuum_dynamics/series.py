"""The motion of a design over time, for other programs."""

from __future__ import annotations

import numpy as np

from models.continuum_dynamics.drives import Samples
from models.continuum_dynamics.formulation import simulate, wound
from models.continuum_dynamics.integration import Motion
from models.continuum_dynamics.parameters import ContinuumDynamics
from models.series import Column, Series


def series(parameters: ContinuumDynamics) -> Series:
    """Cables, disks and energies at every instant, up to where the motion is found.

    The base is disk 0 and does not move; ``tip_x``, ``tip_y``, ``tip_z`` are those of the last disk.

    Raises
    ------
    InputError
        When the robot does not rest under the first lengths of its cables.
    """
    motion = simulate(parameters)
    return Series((
        Column("time", "s", motion.times),
        *_cables(motion, wound(parameters, motion.times)),
        *_disks(motion),
        *_energies(motion),
        Column("max_strain", "1", parameters.backbone_diameter / 2 * motion.curvatures.max(axis=1)),
    ))  # fmt: skip


def _cables(motion: Motion, drives: Samples) -> list[Column]:
    """Wound length, tension and looseness; a cable that is not held has neither length nor looseness."""
    columns: list[Column] = []
    for cable, held in enumerate(drives.held):
        name = f"cable_{cable + 1}"
        columns.append(Column(f"{name}_tension", "N", motion.tensions[:, cable]))
        if held:
            columns.append(Column(f"{name}_pull", "m", drives.pulls[cable]))
            columns.append(Column(f"{name}_looseness", "m", motion.loose[:, cable]))
    return columns


def _disks(motion: Motion) -> list[Column]:
    """Positions of the disks, and the tangent of the backbone at the tip."""
    count = motion.positions.shape[1] - 1
    names = [*(f"disk_{disk}" for disk in range(1, count)), "tip"]
    columns = [
        Column(f"{name}_{axis}", "m", motion.positions[:, disk, number])
        for disk, name in enumerate(names, 1)
        for number, axis in enumerate("xyz")
    ]
    tangents = motion.rotations[:, -1, :, 2]
    return [
        *columns,
        *(Column(f"tip_tangent_{axis}", "1", tangents[:, number]) for number, axis in enumerate("xyz")),
    ]


def _energies(motion: Motion) -> list[Column]:
    balance = motion.energy_balance
    columns = [
        Column(f"{name}_energy", "J", values)
        for name, values in (
            ("kinetic", balance.kinetic), ("elastic", balance.elastic), ("gravity", balance.gravity)
        )
    ]  # fmt: skip
    return [
        *columns,
        Column("work_of_cables", "J", balance.work),
        Column("dissipated_energy", "J", balance.dissipated),
        Column("energy_error", "J", np.asarray(balance.imbalance())),
    ]
