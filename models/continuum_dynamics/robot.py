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

from errors import InputError
from models.arrays import FloatArray, Numbers, finite_array

MOST_ELEMENTS = 100
MOST_CABLES = 8
AZIMUTHS = (0.0, 2 * math.pi / 3, 4 * math.pi / 3)  # [rad]


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


def robot_of(
    *,
    disks: int = 10,
    length: float = 0.636,
    backbone_diameter: float = 1e-3,
    youngs_modulus: float = 65e9,
    poisson_ratio: float = 0.33,
    density: float = 6450.0,
    disk_mass: float = 3e-3,
    disk_radius: float = 15e-3,
    disk_thickness: float = 3e-3,
    hole_radius: float = 12.5e-3,
    hole_azimuths: Numbers = AZIMUTHS,
    gravity: Numbers = (0.0, 0.0, 0.0),
    mass_damping: float = 1.0,
    stiffness_damping: float = 0.0,
    bowing: bool = True,
) -> Robot:
    """The robot with these elements, sizes and masses.

    The defaults are the paper's where it prints them; its table 1 is lost, so the length (from the printed
    errors), the material and the disks are assumptions.

    Parameters
    ----------
    disks : int
        Elements, and disks without the base.
    length, backbone_diameter, disk_radius, disk_thickness, hole_radius : float, m
        ``length`` is that of the whole backbone; a round rod.
    youngs_modulus : float, Pa
    poisson_ratio : float
    density : float, kg/m^3
    disk_mass : float, kg
        Of one disk.
    hole_azimuths : (m,) float, rad
        Direction of each cable's holes in the disks' frames; up to eight.
    gravity : (3,) float, m/s^2, base frame
        (0, 0, 9.81) for a hanging robot.
    mass_damping : float, 1/s
    stiffness_damping : float, s
    bowing : bool
        Of the co-rotational form: False for the paper's linear element.

    Raises
    ------
    InputError
        When a number is not finite or out of its range.
    """
    lengths = {"length": length, "backbone_diameter": backbone_diameter, "disk_radius": disk_radius,
               "disk_thickness": disk_thickness, "hole_radius": hole_radius}  # fmt: skip
    _require_positive({**lengths, "youngs_modulus": youngs_modulus, "disk_mass": disk_mass})
    _require_not_negative({
        "density": density, "mass_damping": mass_damping, "stiffness_damping": stiffness_damping,
    })  # fmt: skip
    _require_possible(disks, poisson_ratio, hole_radius, disk_radius)
    azimuths = finite_array(hole_azimuths, (None,), "hole_azimuths", "one per cable")
    if len(azimuths) > MOST_CABLES:
        message = f"a robot has at most {MOST_CABLES} cables; got {len(azimuths)} azimuths"
        raise InputError(message, ("hole_azimuths",))
    area, second_moment = math.pi * backbone_diameter**2 / 4, math.pi * backbone_diameter**4 / 64
    rod_mass = density * area * length / disks
    rod = np.full(disks, rod_mass)
    rod[-1] /= 2  # half of an element hangs on either of its ends
    round_rod = backbone_diameter**2 * np.array([1 / 16, 1 / 8])
    disk = disk_mass * np.array([disk_radius**2 / 4 + disk_thickness**2 / 12, disk_radius**2 / 2])
    return Robot(
        length / disks,
        youngs_modulus * second_moment,
        youngs_modulus / (2 * (1 + poisson_ratio)) * 2 * second_moment,
        hole_radius * np.stack([np.cos(azimuths), np.sin(azimuths)], axis=1),
        rod + disk_mass,
        np.outer(rod, round_rod) + disk,
        finite_array(gravity, (3,), "gravity", "m/s^2 in the base frame"),
        float(mass_damping),
        float(stiffness_damping),
        youngs_modulus * area,
        rod_mass,
        rod_mass * round_rod,
        float(disk_mass),
        disk,
        bool(bowing),
    )


def _require_positive(values: dict[str, float]) -> None:
    for name, value in values.items():
        if not (math.isfinite(value) and value > 0.0):
            raise InputError(f"{value:g} is not positive and finite; give a positive number", (name,))


def _require_not_negative(values: dict[str, float]) -> None:
    for name, value in values.items():
        if not (math.isfinite(value) and value >= 0.0):
            raise InputError(f"{value:g} is negative or not finite; give zero or more", (name,))


def _require_possible(disks: int, poisson_ratio: float, hole_radius: float, disk_radius: float) -> None:
    """Raise ``InputError`` for numbers that contradict each other."""
    if disks != int(disks) or not 1 <= disks <= MOST_ELEMENTS:
        message = f"a robot cannot have {disks} disks; give a whole number from 1 to {MOST_ELEMENTS}"
        raise InputError(message, ("disks",))
    if not -1.0 < poisson_ratio <= 0.5:
        message = f"no material has a Poisson's ratio of {poisson_ratio:g}; give more than -1, at most 0.5"
        raise InputError(message, ("poisson_ratio",))
    if hole_radius > disk_radius:
        message = f"holes at {hole_radius:g} m lie outside disks of {disk_radius:g} m; set them nearer"
        raise InputError(message, ("hole_radius",))


def stiffnesses(robot: Robot) -> FloatArray:
    """Elastic stiffness (3n,) [N m/rad] of every angle: EI/L, EI/L, GJ/L for each element."""
    return np.tile(np.array([robot.EI, robot.EI, robot.GJ]) / robot.L, len(robot.masses))


def greatest_pull(robot: Robot) -> FloatArray:
    """Greatest shortening [m] of each cable (m,) against the straight robot.

    There every element bends towards the cable by half a turn, or by as much as brings the holes of
    neighbouring disks together: an arc that bends by a has the chord ``2 (L / a - r) sin(a / 2)``.
    """
    radius = np.linalg.norm(robot.holes, axis=1)
    bend = np.minimum(math.pi, robot.L / radius)
    least = 2 * (robot.L / bend - radius) * np.sin(bend / 2)
    return len(robot.masses) * (robot.L - least)
