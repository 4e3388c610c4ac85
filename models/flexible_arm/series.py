"""The motion of a design over time, for other programs."""

from __future__ import annotations

import numpy as np

from models.flexible_arm.integration import Motion
from models.flexible_arm.parameters import FlexibleArm
from models.flexible_arm.simulation import simulate
from models.series import Column, Series


def series(parameters: FlexibleArm) -> Series:
    """Ends of links, angles, modal weights, forces and energies at every instant that is kept.

    Instants are closer together while an end of a link touches the ground. End 0 is the first end of link 1,
    end 1 its second end, and so on. Forces are those of the ground on the ends.
    """
    motion = simulate(parameters)
    return Series((
        Column("time", "s", motion.times),
        *_ends(motion),
        *_links(parameters, motion),
        *_energies(motion),
    ))  # fmt: skip


def _ends(motion: Motion) -> list[Column]:
    """Place and velocity of each end of a link, and the normal and the friction force on it."""
    columns: list[Column] = []
    for end in range(motion.points.shape[1]):
        name = f"end_{end}"
        columns += [Column(f"{name}_{axis}", "m", motion.points[:, end, k]) for k, axis in enumerate("xy")]
        columns += [
            Column(f"{name}_velocity_{axis}", "m/s", motion.velocities[:, end, k])
            for k, axis in enumerate("xy")
        ]
        columns.append(Column(f"{name}_normal_force", "N", motion.normal_forces[:, end]))
        columns.append(Column(f"{name}_friction_force", "N", motion.friction_forces[:, end]))
    return columns


def _links(parameters: FlexibleArm, motion: Motion) -> list[Column]:
    """Absolute angle of each link's floating frame, and the weights of its modes."""
    columns: list[Column] = []
    place = 2 + parameters.links
    for link, count in enumerate(parameters.modal_counts, 1):
        columns.append(Column(f"link_{link}_angle", "rad", motion.states[:, 1 + link]))
        columns += [
            Column(f"link_{link}_mode_{mode + 1}", "m", motion.states[:, place + mode])
            for mode in range(count)
        ]
        place += count
    return columns


def _energies(motion: Motion) -> list[Column]:
    balance = motion.energy_balance
    columns = [
        Column(f"{name}_energy", "J", values)
        for name, values in (
            ("kinetic", balance.kinetic), ("gravity", balance.gravity), ("elastic", balance.elastic)
        )
    ]  # fmt: skip
    columns += [
        Column(f"loss_{name}", "J", values)
        for name, values in (
            ("contact", balance.contact), ("friction", balance.friction), ("air", balance.air),
            ("structure", balance.structure),
        )
    ]  # fmt: skip
    return [*columns, Column("energy_error", "J", np.asarray(balance.imbalance()))]
