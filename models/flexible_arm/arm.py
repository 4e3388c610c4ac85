"""The arm as the equations of motion see it: integrals of every link, and where its coordinates stand.

The N coordinates are ``z = [X1, X2, phi_1 .. phi_n, delta]``: the place of the first end [m], the absolute
angle [rad] of every link's floating frame, and the modal coordinates [m] of one link after the other, M in
all. A link without modes is rigid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.flexible_arm.links import integrals_of
from models.flexible_arm.modal_integrals import LinkIntegrals
from models.flexible_arm.parameters import FlexibleArm


class Arm(NamedTuple):
    """A chain of n links with M modal coordinates in all; k is the most modes of a link, at least 1.

    What belongs to a modal coordinate stands in their order, (M,). What couples those of one link is padded
    with zeros to (n, k, k).

    Attributes
    ----------
    lengths : (n,) float, m
    offsets : (n + 1,) int
        The modal coordinates of link i are ``z[offsets[i]:offsets[i + 1]]``.
    m0, m1, m2 : (n,) float, kg, kg m, kg m^2
        Mass, first and second moment about the link's first end; m2 with the rotary inertia of the sections.
    a, b : (M,) float, kg, kg m
        Momentum, and angular momentum about the link's first end, per rate of a modal coordinate.
    end_shape, end_slope : (M,) float, 1, 1/m
        W(l) and Theta(l).
    c, ce : (n, k, k) float, kg
        Mass of the modes, without and with the rotary inertia of the sections.
    stiffness : (n, k, k) float, N/m
    air, structure : (n, k, k) float, kg/s
        Damping of the modes.
    gravity : float, m/s^2
        Downwards, along -x2.
    pinned : bool
        Whether the first end does not move.
    """

    lengths: FloatArray
    offsets: IntArray
    m0: FloatArray
    m1: FloatArray
    m2: FloatArray
    a: FloatArray
    b: FloatArray
    end_shape: FloatArray
    end_slope: FloatArray
    c: FloatArray
    ce: FloatArray
    stiffness: FloatArray
    air: FloatArray
    structure: FloatArray
    gravity: float
    pinned: bool


def arm_of(parameters: FlexibleArm) -> Arm:
    """The arrays of a parameter record."""
    integrals = integrals_of(parameters.bending_links)
    return arm_of_links(parameters.lengths, integrals, parameters.gravity, parameters.pinned)


def arm_of_links(
    lengths: Sequence[float], integrals: Sequence[LinkIntegrals], gravity: float, pinned: bool
) -> Arm:
    """The arm of links with these ``lengths`` (n,) [m] and ``integrals`` (n,); ``gravity`` [m/s^2]."""
    spans = np.array(lengths, dtype=float)
    counts = [len(link.a) for link in integrals]
    return Arm(
        spans,
        2 + len(spans) + np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.array([link.m0 for link in integrals], dtype=float),
        np.array([link.m1 for link in integrals], dtype=float),
        np.array([link.m2 for link in integrals], dtype=float),
        _joined([link.a for link in integrals]),
        _joined([link.b for link in integrals]),
        _joined([link.end_shape for link in integrals]),
        _joined([link.end_slope for link in integrals]),
        _stacked([link.c for link in integrals]),
        _stacked([link.ce for link in integrals]),
        _stacked([link.stiffness for link in integrals]),
        _stacked([link.air for link in integrals]),
        _stacked([link.structure for link in integrals]),
        float(gravity),
        bool(pinned),
    )


def _joined(parts: Sequence[FloatArray]) -> FloatArray:
    return np.concatenate([np.asarray(part, dtype=float) for part in parts])


def _stacked(matrices: Sequence[FloatArray]) -> FloatArray:
    """The matrices (k_i, k_i) padded with zeros, (n, k, k)."""
    width = max(1, *(len(matrix) for matrix in matrices))
    stack = np.zeros((len(matrices), width, width))
    for i, matrix in enumerate(matrices):
        stack[i, : len(matrix), : len(matrix)] = matrix
    return stack


def modal_counts(arm: Arm) -> IntArray:
    """Number of modes (n,) of every link."""
    return np.diff(arm.offsets)


def padded(arm: Arm, values: FloatArray) -> FloatArray:
    """Values of the modal coordinates (..., M), link by link and padded with zeros: (..., n, k)."""
    n, k = arm.c.shape[:2]
    table = np.zeros((*values.shape[:-1], n, k))
    table[..., np.arange(k) < modal_counts(arm)[:, None]] = values
    return table
