"""Continuum robots as lines: backbone, disks and cables of a state."""

from __future__ import annotations

import numpy as np

from models.continuum_statics import ContinuumStatics, disks, frames
from models.continuum_statics.arc import arc
from models.continuum_statics.floats import FloatArray
from models.continuum_statics.robot import robot
from models.scene import Line, Up

PER_ARC = 8
RING = 16
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
    """Points (n per_arc + 1, 3) m along the rod in a state ``q`` (n, 3) [rad], smooth along its arcs."""
    length = robot(parameters).L
    ends = frames(parameters, q)
    shares = np.arange(1, per_arc + 1) / per_arc
    points = [np.zeros((1, 3))]
    for place, angles in enumerate(q):
        local = np.array([arc(share * angles, share * length).p for share in shares])
        points.append(ends.positions[place] + local @ ends.rotations[place].T)
    return np.concatenate(points)


def robot_lines(parameters: ContinuumStatics, q: FloatArray) -> tuple[Line, ...]:
    """Backbone, cables and disks in a state ``q`` (n, 3) [rad]."""
    where = disks(parameters, q)
    turns = np.linspace(0.0, 2 * np.pi, RING + 1)
    outline = DISK * parameters.hole_radius * np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
    rings = [
        Line(f"disk {number}", position + outline @ rotation.T, "disks")
        for number, (position, rotation) in enumerate(zip(where.positions, where.rotations, strict=True))
    ]
    cables: list[Line] = []
    for number, (hole, tie) in enumerate(zip(robot(parameters).holes, parameters.ties, strict=True), 1):
        through = where.rotations[: tie + 1] @ np.array([hole[0], hole[1], 0.0])
        cables.append(Line(f"cable {number}", where.positions[: tie + 1] + through, "cables"))
    return (Line("backbone", backbone(parameters, q)), *cables, *rings)
