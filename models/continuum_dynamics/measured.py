"""Distance of a simulated motion from a measured one (equation 41 of the paper).

Its measure for an axis A is ``|A_simulated - A_measured|`` over the length of the straight backbone from the
base to the disk; of each disk and axis, the greatest over time counts. The paper calls the base disk 1, here
it is 0, so that the tip of n elements is disk n.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray, IntArray, Numbers, finite_array


class Rows(NamedTuple):
    """Measured positions, row by row.

    Attributes
    ----------
    times : (k,) float, s
    disks : (k,) int
        1 for the first disk after the base, n for the tip.
    positions : (k, 3) float, m, base frame
    """

    times: FloatArray
    disks: IntArray
    positions: FloatArray


class TrajectoryErrors(NamedTuple):
    """Simulated less measured positions.

    Attributes
    ----------
    differences : (k, 3) float, m
        Of every row, with its sign.
    disks : (n, 3) float
        Of disks 1 to n, along x, y and z: greatest distance over the length from the base to the disk. NaN
        for a disk that was not measured.
    tip : (3,) float
        The last row of ``disks``: per length of the robot.
    """

    differences: FloatArray
    disks: FloatArray
    tip: FloatArray


def measured_rows(measured: Numbers, disks: int, end: float) -> Rows:
    """Rows of time [s], number of the disk, x, y, z [m] of a robot with so many ``disks``.

    Parameters
    ----------
    measured : (k, 5) float
    disks : int
        Besides the base.
    end : float, s
        Of the motion that they are compared with.

    Raises
    ------
    InputError
        When a row is outside the motion or names a disk that does not exist. Its place names the row.
    """
    rows = finite_array(measured, (None, 5), "measured", "time, disk, x, y, z")
    for row, (time, disk) in enumerate(rows[:, :2]):
        if not 0.0 <= time <= end:
            message = f"{time:g} s is outside the motion, which goes from 0 to {end:g} s; leave the row out"
            raise InputError(f"{message} or let the motion last longer", ("measured", row))
        if disk not in range(1, disks + 1):
            message = f"there is no disk {disk:g}; give a whole number from 1 to {disks}, the tip"
            raise InputError(message, ("measured", row))
    return Rows(rows[:, 0].copy(), rows[:, 1].astype(np.int64), rows[:, 2:].copy())


def simulated_rows(rows: Rows, times: FloatArray, positions: FloatArray) -> FloatArray:
    """Simulated positions (k, 3) [m] of the measured disks at the measured times.

    Cubic splines in time, whose error falls with the fourth power of the step; straight lines through fewer
    than four instants.

    Parameters
    ----------
    times : (t,) float, s
    positions : (t, n + 1, 3) float, m, base frame
        Of the base and the disks.
    """
    from scipy.interpolate import make_interp_spline

    found, degree = np.empty((len(rows.times), 3)), 3 if len(times) > 3 else 1
    for disk in np.unique(rows.disks):
        own = rows.disks == disk
        found[own] = make_interp_spline(times, positions[:, disk], degree)(rows.times[own])
    return found


def trajectory_errors(
    measured: Numbers, times: FloatArray, positions: FloatArray, length: float
) -> TrajectoryErrors:
    """Errors of a motion against measured positions.

    Parameters
    ----------
    measured : (k, 5) float
        Time [s], number of the disk from 1 to n, x, y, z [m] in the base frame; in any order.
    times : (t,) float, s
    positions : (t, n + 1, 3) float, m, base frame
        Of the base and the disks, as ``Motion`` has them.
    length : float, m
        Of the straight robot.

    Raises
    ------
    InputError
        As :func:`measured_rows`.
    """
    disks = positions.shape[1] - 1
    rows = measured_rows(measured, disks, float(times[-1]))
    differences = simulated_rows(rows, times, positions) - rows.positions
    shares = np.full((disks, 3), np.nan)
    for disk in np.unique(rows.disks):
        greatest = np.abs(differences[rows.disks == disk]).max(axis=0)
        shares[disk - 1] = greatest / (disk * length / disks)
    return TrajectoryErrors(differences, shares, shares[-1])
