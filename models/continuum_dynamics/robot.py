"""The robot as the equations of motion see it: rigid bodies at the ends of elastic elements, and cables.

Lumping in relative coordinates: half of the mass of each element stands at either of its ends, where the
disks are. That is the trapezoidal rule along the exact arc, and what ``continuum_statics`` does with the
weight of its rod; both back-ends therefore balance gravity alike. The co-rotational form puts a sixth at
either end and two thirds at the midpoint of an element (equation 6 of the paper), a point that relative
coordinates do not have. The element that touches the base leaves its share there, at rest. The backbone is
inextensible in relative coordinates: EA, the masses of rod and disk by themselves and ``bowing`` occur in the
other form only.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_dynamics.drives import greatest_pulls
from models.continuum_dynamics.parameters import ContinuumDynamics


class Robot(NamedTuple):
    """A robot of n elements, each with a disk at its end, and m cables that are tied to the last disk.

    The base is at the origin; the straight robot lies along +z.

    Attributes
    ----------
    L : float, m
        Length of an element.
    EI, GJ : float, N m^2
        Bending and torsion stiffness of the backbone.
    holes : (m, 2) float, m
        Where each cable runs through the disks and the base, in a disk's frame.
    masses : (n,) float, kg
        Of the body at the end of each element: disk and lumped backbone.
    inertias : (n, 2) float, kg m^2
        Of that body about a diameter of the disk and about the disk's axis.
    gravity : (3,) float, m/s^2, base frame
    mass_damping : float, 1/s
        Damping forces per momentum.
    stiffness_damping : float, s
        Damping moments per rate of the elastic moment.
    EA : float, N
        Stiffness of the backbone against stretching.
    rod_mass : float, kg
        Of the backbone in one element.
    rod_inertias : (2,) float, kg m^2
        Of that mass about a diameter of the rod and about its axis, by the rod's section alone.
    disk_mass : float, kg
    disk_inertias : (2,) float, kg m^2
        About a diameter of the disk and about its axis.
    bowing : bool
        Whether the stretch of an element counts how much its bending brings its ends together.
    """

    L: float
    EI: float
    GJ: float
    holes: FloatArray
    masses: FloatArray
    inertias: FloatArray
    gravity: FloatArray
    mass_damping: float
    stiffness_damping: float
    EA: float
    rod_mass: float
    rod_inertias: FloatArray
    disk_mass: float
    disk_inertias: FloatArray
    bowing: bool


def robot_of(parameters: ContinuumDynamics) -> Robot:
    """The arrays of a parameter record."""
    diameter, disks, mass = parameters.backbone_diameter, parameters.disks, parameters.disk_mass
    area, second_moment = math.pi * diameter**2 / 4, math.pi * diameter**4 / 64
    rod_mass = parameters.density * area * parameters.length / disks
    rod = np.full(disks, rod_mass)
    rod[-1] /= 2  # half of an element hangs on either of its ends
    round_rod = diameter**2 * np.array([1 / 16, 1 / 8])
    radius, thickness = parameters.disk_radius, parameters.disk_thickness
    disk = mass * np.array([radius**2 / 4 + thickness**2 / 12, radius**2 / 2])
    E = parameters.youngs_modulus
    return Robot(
        parameters.length / disks,
        E * second_moment,
        E / (2 * (1 + parameters.poisson_ratio)) * 2 * second_moment,
        parameters.holes,
        rod + mass,
        np.outer(rod, round_rod) + disk,
        np.array(parameters.gravity_vector, dtype=float),
        float(parameters.mass_damping),
        float(parameters.stiffness_damping),
        E * area,
        rod_mass,
        rod_mass * round_rod,
        float(mass),
        disk,
        parameters.bowing,
    )


def stiffnesses(robot: Robot) -> FloatArray:
    """Elastic stiffness (3n,) [N m/rad] of every angle: EI/L, EI/L, GJ/L for each element."""
    return np.tile(np.array([robot.EI, robot.EI, robot.GJ]) / robot.L, len(robot.masses))


def greatest_pull(robot: Robot) -> FloatArray:
    """Greatest shortening [m] of each cable (m,) against the straight robot."""
    return greatest_pulls(robot.L, len(robot.masses), robot.holes)
