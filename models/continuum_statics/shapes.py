"""A state of the robot as lines: backbone, disks and cables."""

from __future__ import annotations

import numpy as np

from models.continuum_statics.energy.arc import arc
from models.continuum_statics.energy.chain import disks, frames
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.robot import robot
from models.floats import FloatArray
from models.scene import Line, Up

PER_ARC = 8
RING = 24
DISK = 1.1  # radius of a disk by that of its holes


def up_of(parameters: ContinuumStatics) -> Up:
    """The axis that points most nearly against gravity; the rod's own where there is none."""
    against = -np.array(parameters.gravity_vector, float)
    axis = int(np.argmax(np.abs(against)))
    if against[axis] == 0.0:
        return "z"
    names: tuple[tuple[Up, Up], ...] = (("x", "-x"), ("y", "-y"), ("z", "-z"))
    return names[axis][int(against[axis] < 0.0)]


def backbone(parameters: ContinuumStatics, q: FloatArray, per_arc: int = PER_ARC) -> FloatArray:
    """Points (n per_arc + 1, 3) [m] along the rod in a state ``q`` (n, 3) [rad].

    An arc's part has that part of its bending angles and length; the twist at its end does not move it.
    """
    length = robot(parameters).L
    ends = frames(parameters, q)
    shares = np.arange(1, per_arc + 1) / per_arc
    points = [np.zeros((1, 3))]
    for place, angles in enumerate(q):
        local = np.array([arc(share * angles, share * length).p for share in shares])
        points.append(ends.positions[place] + local @ ends.rotations[place].T)
    return np.concatenate(points)


def disk_rings(parameters: ContinuumStatics, q: FloatArray) -> list[FloatArray]:
    """Closed outlines (RING + 1, 3) [m] of the disks, the base first."""
    turns = np.linspace(0.0, 2 * np.pi, RING + 1)
    outline = DISK * parameters.hole_radius * np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
    where = disks(parameters, q)
    return [
        position + outline @ rotation.T
        for position, rotation in zip(where.positions, where.rotations, strict=True)
    ]


def cable_lines(parameters: ContinuumStatics, q: FloatArray) -> list[FloatArray]:
    """Holes (t + 1, 3) [m] that each cable runs through, from the base to its tie disk t."""
    where = disks(parameters, q)
    lines: list[FloatArray] = []
    for hole, tie in zip(robot(parameters).holes, parameters.ties, strict=True):
        offsets = where.rotations[: tie + 1] @ np.array([hole[0], hole[1], 0.0])
        lines.append(where.positions[: tie + 1] + offsets)
    return lines


def robot_lines(parameters: ContinuumStatics, q: FloatArray) -> tuple[Line, ...]:
    """Backbone, cables and disks in a state ``q`` (n, 3) [rad]."""
    cables = enumerate(cable_lines(parameters, q), 1)
    rings = enumerate(disk_rings(parameters, q))
    return (
        Line("backbone", backbone(parameters, q), "backbone"),
        *(Line(f"cable {number}", points, "cables") for number, points in cables),
        *(Line(f"disk {number}", points, "disks") for number, points in rings),
    )
