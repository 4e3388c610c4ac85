"""Lengths of the cables of a section and its arc, each from the other (equations 10 to 12).

A section has three cables at the distance ``radius`` from its backbone, 120 degrees apart. They run straight
from one guide to the next, so with n guides of a section that bends by theta a cable at the azimuth a has the
length ``l = sinc(theta / 2n) (s + radius (u cos a + v sin a))``, ``sinc x = sin x / x``. This and its inverse
need neither the curvature nor the direction of bending, which a straight section has not.
"""

from __future__ import annotations

import math

import numpy as np

from errors import InputError
from models.arrays import FloatArray, Numbers, finite_array
from models.continuum_kinematics.robot import Robot, require_cables
from models.continuum_kinematics.sections import MANY, checked_sections, forward_batch, jacobian_batch

AZIMUTHS = np.radians([-90.0, 30.0, 150.0])
DIRECTIONS = np.column_stack([np.cos(AZIMUTHS), np.sin(AZIMUTHS)])
"""Directions from the backbone to each cable, in the section's base frame."""
NEARLY_STRAIGHT = 0.05  # [rad] between guides; the series below is exact to 1e-13 there


def lengths_from_arc(sections: Numbers, guides: int, radius: float) -> FloatArray:
    """Lengths of the cables of each section.

    Parameters
    ----------
    sections : (..., k, 3) float
        Length s [m], u and v [rad] of each section, of one state or of many.
    guides : int
        Guides per section.
    radius : float, m
        Distance of the cables from the backbone.

    Returns
    -------
    (..., k, 3) float, m
        Of the cables at -90, 30 and 150 degrees, within the section alone.

    Raises
    ------
    InputError
        When a value is not of this kind, or a cable would have no length.
    """
    checked = checked_sections(sections, MANY)
    require_cables(guides, radius)
    bends = np.linalg.norm(checked[..., 1:], axis=-1)
    lengths = _lengths(checked, guides, radius)
    wrong = (lengths <= 0.0).any(axis=-1) | (bends >= math.pi * guides)
    for index in np.argwhere(wrong)[:1].tolist():
        raise InputError(
            f"section {index[-1] + 1} is {checked[*index, 0]:g} m long and bends by {bends[*index]:g} rad: "
            f"its cables, {radius:g} m from the backbone, would not reach through {guides} guides; bend it "
            "less, or set the cables nearer",
            ("sections", *index),
        )
    return lengths


def cable_lengths(sections: FloatArray, robot: Robot) -> FloatArray:
    """Lengths (..., 3) m of the cables of sections (..., 3) within the limits of a robot."""
    return _lengths(sections, robot.guides, robot.radius)


def _lengths(sections: FloatArray, guides: int, radius: float) -> FloatArray:
    s, bends = sections[..., :1], sections[..., 1:]
    x = np.linalg.norm(bends, axis=-1, keepdims=True) / (2 * guides)
    return np.sinc(x / math.pi) * (s + radius * bends @ DIRECTIONS.T)


def arc_from_lengths(lengths: Numbers, guides: int, radius: float) -> FloatArray:
    """The sections (..., k, 3) of s [m], u and v [rad] whose cables have these lengths (..., k, 3) m.

    The other parameters are those of :func:`lengths_from_arc`. Raises ``InputError`` also when no arc has
    such cables: when they differ by more than the guides can bend.
    """
    checked = finite_array(lengths, MANY, "lengths", "one per cable of each section")
    require_cables(guides, radius)
    b = 2 / 3 * checked @ DIRECTIONS  # radius sinc(theta / 2n) (u, v)
    share = np.linalg.norm(b, axis=-1) / (2 * guides * radius)
    for index in np.argwhere((checked <= 0.0).any(axis=-1))[:1].tolist():
        message = f"section {index[-1] + 1} has cables of {_listed(checked[*index])} m; give positive lengths"
        raise InputError(message, ("lengths", *index))
    for index in np.argwhere(share >= 1.0)[:1].tolist():
        raise InputError(
            f"no arc has cables of {_listed(checked[*index])} m, {radius:g} m from the backbone, through "
            f"{guides} guides: they differ too much",
            ("lengths", *index),
        )
    shortened = np.sinc(np.arcsin(share) / math.pi)[..., None]
    return np.concatenate([checked.mean(axis=-1, keepdims=True), b / radius], axis=-1) / shortened


def forward_lengths(lengths: Numbers, guides: int, radius: float) -> FloatArray:
    """The poses (..., 4, 4) of the tip from lengths (..., k, 3) m of cables; see :func:`arc_from_lengths`."""
    return forward_batch(arc_from_lengths(lengths, guides, radius))


def lengths_jacobian(lengths: Numbers, guides: int, radius: float) -> FloatArray:
    """Body Jacobians (..., 6, 3 k) of the tip per change of a cable's length: rows m/m, then rad/m.

    As :func:`models.continuum_kinematics.sections.jacobian` for the parameters of
    :func:`arc_from_lengths`, which also says what is refused.
    """
    sections = arc_from_lengths(lengths, guides, radius)
    whole = jacobian_batch(sections)
    columns = whole.reshape(*whole.shape[:-1], -1, 3).swapaxes(-3, -2)  # (..., k, 6, 3)
    by_cable = by_length(columns, length_slopes(sections, guides, radius))
    return by_cable.swapaxes(-3, -2).reshape(whole.shape)


def by_length(columns: FloatArray, slopes: FloatArray) -> FloatArray:
    """Derivatives (..., 6, 3) with respect to a section's s, u and v as those with respect to its cables.

    ``slopes`` (..., 3, 3) are those of :func:`length_slopes`.
    """
    solved = np.linalg.solve(slopes.swapaxes(-1, -2), columns.swapaxes(-1, -2))
    return np.asarray(solved.swapaxes(-1, -2), dtype=float)


def length_slopes(sections: FloatArray, guides: int, radius: float) -> FloatArray:
    """Derivatives (..., 3, 3) of the lengths of the cables of sections (..., 3) by s, u and v."""
    s, bends = sections[..., :1], sections[..., 1:]
    x = np.linalg.norm(bends, axis=-1, keepdims=True) / (2 * guides)
    sinc = np.sinc(x / math.pi)
    safe = np.maximum(x, NEARLY_STRAIGHT)
    series = -1 / 6 + x**2 / 60 - x**4 / 1680
    slope = np.where(x < NEARLY_STRAIGHT, series, (np.cos(safe) - sinc) / (2 * safe**2))  # d sinc / d(x^2)
    outer = ((s + radius * bends @ DIRECTIONS.T) * slope / (2 * guides**2))[..., None] * bends[..., None, :]
    whole = np.broadcast_to(sinc[..., None], (*s.shape[:-1], 3, 1))
    return np.concatenate([whole, sinc[..., None] * radius * DIRECTIONS + outer], axis=-1)


def _listed(lengths: FloatArray) -> str:
    return ", ".join(f"{length:g}" for length in lengths)
