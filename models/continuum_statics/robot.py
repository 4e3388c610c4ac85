"""The numbers of a robot as arrays, and the frames of its arcs and disks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray, IntArray, finite_array
from models.continuum.arc import arc
from models.continuum.chain import Frames, chain_frames
from models.continuum_statics.parameters import ContinuumStatics


class Robot(NamedTuple):
    """A robot of n arcs and m cables.

    Attributes
    ----------
    L : float, m
        Length of an arc.
    EI, GJ : float, N m^2
        Bending and torsion stiffness of the rod.
    holes : (m, 2) float, m
        Where each cable runs through the disks, in a disk's frame.
    ties : (m,) int
        Disk that each cable is tied to; the base is 0.
    masses : (n,) float, kg
        At the end of each arc.
    gravity : (3,) float, m/s^2, base frame
    arcs : int
        Arcs from one disk to the next.
    planar : bool
        Whether the arcs bend about x only.
    """

    L: float
    EI: float
    GJ: float
    holes: FloatArray
    ties: IntArray
    masses: FloatArray
    gravity: FloatArray
    arcs: int
    planar: bool


def robot_of(parameters: ContinuumStatics) -> Robot:
    """The arrays of a parameter record."""
    arcs = parameters.disks * parameters.arcs_per_gap
    azimuths = np.array(parameters.hole_azimuths)
    holes = parameters.hole_radius * np.stack([np.cos(azimuths), np.sin(azimuths)], axis=1)
    masses = np.full(arcs, parameters.rod_mass / arcs)
    masses[-1] /= 2  # the other half of the first arc hangs on the base
    masses[parameters.arcs_per_gap - 1 :: parameters.arcs_per_gap] += parameters.disk_mass
    masses[-1] += parameters.tip_mass
    return Robot(
        parameters.gap / parameters.arcs_per_gap,
        parameters.bending,
        parameters.torsion,
        holes,
        np.array(parameters.ties, np.int64),
        masses,
        np.array(parameters.gravity_vector, float),
        parameters.arcs_per_gap,
        parameters.planar,
    )


def frames(parameters: ContinuumStatics, q: FloatArray) -> Frames:
    """Frames of the ends of the arcs; ``q`` (n, 3) [rad] holds alpha, beta, gamma of each.

    Every ``arcs_per_gap``-th end is a disk. Equations 13 and 14.
    """
    length = parameters.gap / parameters.arcs_per_gap
    return chain_frames([arc(angles, length) for angles in q])


def disks(parameters: ContinuumStatics, q: FloatArray) -> Frames:
    """As :func:`frames`, of the disks alone: (segments + 1, 3) and (segments + 1, 3, 3)."""
    every = frames(parameters, q)
    step = parameters.arcs_per_gap
    return Frames(every.positions[::step], every.rotations[::step])


def stiffnesses(robot: Robot) -> FloatArray:
    """Elastic stiffness (3n,) [N m/rad] of every angle: EI/L, EI/L, GJ/L for each arc."""
    return np.tile(np.array([robot.EI, robot.EI, robot.GJ]) / robot.L, len(robot.masses))


def free(robot: Robot) -> IntArray:
    """Places (3n,) of the angles that can change, or (n,) when only bending about x can."""
    return np.arange(0, 3 * len(robot.masses), 3 if robot.planar else 1)


def whole_tensions(parameters: ContinuumStatics, tensions: FloatArray) -> FloatArray:
    """Tensions (m,) [N] of the cables: ``tensions`` (m,) and the pretension."""
    return np.asarray(tensions, float) + parameters.pretension


def checked_tensions(parameters: ContinuumStatics, tensions: FloatArray) -> FloatArray:
    """As :func:`whole_tensions`, of tensions that a user gives.

    Raises
    ------
    InputError
        When ``tensions`` are not one finite number per cable, or a cable would have to push.
    """
    given = finite_array(tensions, (parameters.cables,), "tensions", "one per cable")
    whole = given + parameters.pretension
    if (whole < 0).any():
        raise InputError(
            f"tensions of {', '.join(f'{each:.6g}' for each in given)} N with a pretension of "
            f"{parameters.pretension:g} N would make a cable push; no tension may be below minus the "
            "pretension"
        )
    return whole


def checked_state(parameters: ContinuumStatics, q: FloatArray) -> FloatArray:
    """A state (n, 3) [rad] as contiguous floats.

    Raises
    ------
    InputError
        When ``q`` is not three finite angles per arc.
    """
    arcs = parameters.disks * parameters.arcs_per_gap
    return finite_array(q, (arcs, 3), "angles", "alpha, beta and gamma of each arc")
