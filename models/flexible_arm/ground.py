"""The ground: level at height 0, or a profile of heights through given points.

Between two points runs a cubic by Fritsch and Carlson (SIAM J. Numer. Anal. 17(2), 1980), which never leaves
the range of the two heights. Beyond the table the ground goes on level, and it meets the table without an
edge: its slope is 0 at the first and at the last point.

The gap of a point is its height over the ground below it, measured along the normal there:
``(y - h(x)) cos(alpha)`` with ``tan(alpha) = h'(x)``. That is the distance from level or straight ground. On
curved ground it is wrong by about the curvature times the gap: a part of 1e-4 where the radius is 1 m and the
gap an impact's depth. Its gradient counts the curvature, so that a force along it takes and gives equal
energy at equal gaps. :mod:`models.flexible_arm.ground_kernels` holds the compiled form.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray, Numbers, finite_array

MOST_POINTS = 1000
LEAST_SPACING = 1e-3  # [m]; closer points make bends as sharp as an impact is deep
CHORDS_AT_ONCE = 512  # instants; 8 MB with the most points
MOST_SLOPE = 10.0  # 84 degrees; a wall has no height at a place


class Ground(NamedTuple):
    """Heights of the ground over k places; k = 0 stands for level ground at height 0.

    Attributes
    ----------
    x : (k,) float, m
        Increasing.
    heights : (k,) float, m
    slopes : (k,) float
        dh/dx at the places.
    """

    x: FloatArray
    heights: FloatArray
    slopes: FloatArray


LEVEL = Ground(np.zeros(0), np.zeros(0), np.zeros(0))
"""Level ground at height 0."""


class Surface(NamedTuple):
    """The ground below some points: its height and slope, and the unit normal (-sin, cos) by its parts.

    Attributes
    ----------
    height : (...) float, m
    slope : (...) float
    sine, cosine : (...) float
        Of the angle by which the ground rises along +x; the tangent is (cosine, sine).
    curvature : (...) float, 1/m
        Second derivative of the height; that to the right at a point of the profile.
    """

    height: FloatArray
    slope: FloatArray
    sine: FloatArray
    cosine: FloatArray
    curvature: FloatArray


def ground_of(points: Numbers = ()) -> Ground:
    """The ground through ``points`` (k, 2), rows of place and height [m]; none of them means level at 0.

    Raises
    ------
    InputError
        At ("ground", ...), when the places do not increase by a millimetre at least, the ground between two
        of them is too steep, or there are too many.
    """
    if len(np.shape(points)) == 1 and np.size(points) == 0:
        return LEVEL
    table = finite_array(points, (None, 2), "ground", "a place and a height [m] in each row")
    if len(table) > MOST_POINTS:
        message = f"{len(table)} points are too many; give at most {MOST_POINTS}"
        raise InputError(message, ("ground",))
    x, heights = np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])
    _require_order(x)
    ground = Ground(x, heights, _slopes(x, heights))
    _require_no_wall(ground)
    return ground


def ground_at(ground: Ground, x: Numbers) -> Surface:
    """The ground at places ``x`` (...) [m]."""
    at = np.asarray(x, dtype=float)
    height, slope, curvature = np.zeros(at.shape), np.zeros(at.shape), np.zeros(at.shape)
    if len(ground.x):
        height += np.where(at < ground.x[0], ground.heights[0], ground.heights[-1])
        inside = (at >= ground.x[0]) & (at < ground.x[-1])
        height[inside], slope[inside], curvature[inside] = _cubic(ground, at[inside])
    cosine = 1 / np.sqrt(1 + slope**2)
    return Surface(height, slope, slope * cosine, cosine, curvature)


def gap_of(ground: Ground, x: Numbers, y: Numbers) -> FloatArray:
    """Gap between points at ``x``, ``y`` (...) [m] and the ground, along its normal, positive above it."""
    surface = ground_at(ground, x)
    return (np.asarray(y, dtype=float) - surface.height) * surface.cosine


def chord_depths(ground: Ground, points: FloatArray) -> FloatArray:
    """Depths (k, n) [m] at which straight lines between link ends (k, n + 1, 2) [m] go through hills.

    Along the normal of the ground, at the points of its profile and half way between them; 0 on level ground.
    """
    depths = np.zeros((len(points), points.shape[1] - 1))
    if len(ground.x) < 2:
        return depths
    x = np.sort(np.concatenate([ground.x, (ground.x[1:] + ground.x[:-1]) / 2]))
    surface = ground_at(ground, x)
    for start in range(0, len(points), CHORDS_AT_ONCE):
        some = slice(start, start + CHORDS_AT_ONCE)
        for link in range(depths.shape[1]):
            first, (run, rise) = points[some, link].T, (points[some, link + 1] - points[some, link]).T
            share = (x - first[0][:, None]) / np.where(run == 0.0, np.inf, run)[:, None]
            above = (surface.height - first[1][:, None] - share * rise[:, None]) * surface.cosine
            inside = (share > 0.0) & (share < 1.0)
            depths[some, link] = np.where(inside, above, 0.0).max(axis=1).clip(min=0.0)
    return depths


def _cubic(ground: Ground, x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Heights, slopes and curvatures at places (m,) inside the table: Hermite's cubic of each interval."""
    k = np.searchsorted(ground.x, x, side="right") - 1
    width = ground.x[k + 1] - ground.x[k]
    u = (x - ground.x[k]) / width
    rise = (ground.heights[k + 1] - ground.heights[k]) / width
    first, last = ground.slopes[k], ground.slopes[k + 1]
    bend, twist = 3 * rise - 2 * first - last, first + last - 2 * rise
    height = ground.heights[k] + width * u * (first + u * (bend + u * twist))
    return height, first + u * (2 * bend + 3 * u * twist), (2 * bend + 6 * u * twist) / width


def _slopes(x: FloatArray, heights: FloatArray) -> FloatArray:
    """Slopes (k,) by Fritsch and Carlson; a level row before and after makes those at the ends 0."""
    from scipy.interpolate import PchipInterpolator

    level = np.concatenate([heights[:1], heights, heights[-1:]])
    curve = PchipInterpolator(np.concatenate([[x[0] - 1.0], x, [x[-1] + 1.0]]), level)
    return np.asarray(curve(x, 1), dtype=float)


def _require_order(x: FloatArray) -> None:
    steps = np.diff(x)
    for k in np.flatnonzero(steps < LEAST_SPACING)[:1]:
        fault = "the places are out of order" if steps[k] < 0 else "two places are the same or too close"
        message = (
            f"{fault}: {x[k + 1]:.9g} m follows {x[k]:.9g} m; let every place be at least "
            f"{LEAST_SPACING:g} m further along x than the one before"
        )
        raise InputError(message, ("ground", int(k) + 1))


def _require_no_wall(ground: Ground) -> None:
    """The slope of a cubic is greatest at an end of its interval or where its own slope is 0."""
    rise = np.diff(ground.heights) / np.diff(ground.x)
    first, last = ground.slopes[:-1], ground.slopes[1:]
    bend, twist = 3 * rise - 2 * first - last, first + last - 2 * rise
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.nan_to_num(np.clip(-bend / (3 * twist), 0.0, 1.0))
    middle = first + u * (2 * bend + 3 * u * twist)
    steepest = np.abs([first, middle, last]).max(axis=0, initial=0.0)
    for k in np.flatnonzero(steepest > MOST_SLOPE)[:1]:
        message = (
            f"between {ground.x[k]:.9g} and {ground.x[k + 1]:.9g} m the ground has a slope of "
            f"{steepest[k]:.3g}; at most {MOST_SLOPE:g} is possible: put the two points further apart"
        )
        raise InputError(message, ("ground", int(k) + 1))
