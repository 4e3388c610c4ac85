"""What the compiled kernels take and return, as named tuples of arrays, and the status of a cell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.robot import Robot

PASSED = 0
WRENCH = 1  # some wrench of the set cannot be held, or a cable has no length
PLATFORM = 2  # a cable cuts the platform
INTERFERENCE = 3  # two cables touch
SINGULAR = 4  # the scaled Jacobian is nearly singular at the nominal orientation

SINGULAR_BELOW = 1e-3  # inverse condition number of the scaled Jacobian
WORST_MARGIN = -1e12  # [N]; floor of the capacity margin, also that of a cable without length
TOLERANCE = 1e-10  # of the forces involved: a smaller shortfall counts as none
GREATEST_RESPONSE = (
    1e12  # [m], [rad/m] or [1]; ceiling of displacements and sensitivities, so that they stay finite
)


class Geometry(NamedTuple):
    """Where the cables run.

    Attributes
    ----------
    pulleys : (m, 3) float, m, world frame
    attachments : (m, 3) float, m, platform frame
    rotations : (o, 3, 3) float
        Platform to world, the nominal orientation first.
    length_scale : float, m
        Divides torques.
    """

    pulleys: FloatArray
    attachments: FloatArray
    rotations: FloatArray
    length_scale: float


def shape_of(robot: Robot) -> Geometry:
    """Where the cables run, for the kernels."""
    return Geometry(robot.pulleys, robot.attachments, robot.rotations, robot.length_scale)


class Load(NamedTuple):
    """What must be held at one orientation and posture of the arm, and with what.

    Attributes
    ----------
    center, half_range : (6,) float, N
        The wrench box, torques divided by the length scale.
    f_min, f_max : float, N
    tolerance : float, N
        Shortfall that counts as none.
    """

    center: FloatArray
    half_range: FloatArray
    f_min: float
    f_max: float
    tolerance: float


class Loads(NamedTuple):
    """What must be held at every orientation and posture of the arm.

    Attributes
    ----------
    centers : (o * p, 6) float, N
        Centres of the wrench boxes, torques divided by the length scale: those of the p postures at the
        first orientation, then those at the next one.
    half_range, f_min, f_max, tolerance
        As in :class:`Load`.
    """

    centers: FloatArray
    half_range: FloatArray
    f_min: float
    f_max: float
    tolerance: float


def load_case(loads: Loads, index: int) -> Load:
    """The load of one orientation and posture; with p postures of orientation ``index // p``."""
    return Load(loads.centers[index], loads.half_range, loads.f_min, loads.f_max, loads.tolerance)


class CheckOptions(NamedTuple):
    """What is tested and computed besides the wrench set.

    Attributes
    ----------
    half_size : (3,) float, m
        The platform box.
    pairs : (k, 2) int
        Every two cables.
    reliefs : (k,) float, m
        Length of both, next to the platform, over which they may.
    distance : float, m
        Axes as close as this touch.
    stiffness : (m,) float, N/m
    platform, interference : bool
        Whether a cell that fails the test is excluded.
    every_index : bool
        Whether conditions are wanted at cells that fail, too.
    every_distance : bool
        Whether the least distance of two cables is wanted of every cell, or of all cells together.
    """

    half_size: FloatArray
    pairs: IntArray
    reliefs: FloatArray
    distance: float
    stiffness: FloatArray
    platform: bool
    interference: bool
    every_index: bool
    every_distance: bool


class Elastic(NamedTuple):
    """What cables give when pulled.

    Attributes
    ----------
    stiffness : (m,) float, N/m, or N when ``axial``
    axial : bool
        Whether a cable of length l has the stiffness ``stiffness / l``.
    """

    stiffness: FloatArray
    axial: bool


class CellResults(NamedTuple):
    """What the tests say of n cells.

    Attributes
    ----------
    verdicts : (n,) int8
        See :mod:`models.hybrid_cable_robot.kernel_records`.
    margins : (n,) float, N
        Capacity margin, least over the orientations; NaN where the wrench test fails.
    distances : (n,) float, m
        Least distance of two cables' axes over the orientations; NaN where the wrench or the
        platform test fails. A lower bound, greater than the least of all, where not every one is wanted.
    conditions_j, conditions_k : (n,) float
        Inverse condition numbers of the scaled Jacobian and of the scaled stiffness matrix at the
        nominal orientation; NaN where an earlier test fails and they are not wanted everywhere.
    """

    verdicts: NDArray[np.int8]
    margins: FloatArray
    distances: FloatArray
    conditions_j: FloatArray
    conditions_k: FloatArray


def empty_results(cells: int) -> CellResults:
    """Results that a kernel can fill."""
    return CellResults(np.empty(cells, np.int8), *(np.full(cells, np.nan) for _ in range(4)))
