"""Natural frequencies of a Timoshenko beam by counting, so that none is missed and none is found twice.

Wittrick and Williams (1971): below a frequency lie as many natural frequencies as a beam with more supports
has there, plus the negative eigenvalues of the dynamic stiffness matrix of the supports that are taken away.
Of the simply supported beam all frequencies are known: p or, above the cut-off frequency, abs(q) times the
length is a multiple of pi. Its ends are then clamped or freed (as Howson and Williams 1973 do).

Forces at the ends are computed for motions that are even and odd about the middle. If both ends are alike,
these are counted by themselves: so two modes whose frequencies meet, as in thick beams, are told apart.
Units as in :mod:`models.flexible_arm.wave_functions`.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.flexible_arm.wave_functions import Waves, even_odd_fields, waves_of

Ends = Literal["ss", "cc", "sc", "cs", "cf", "ff"]
"""The ends at eta = 0 and eta = l: c is clamped, s is simply supported, f is free."""

HELD = {"c": (0, 1), "s": (0, 3), "f": (2, 3)}
"""Rows of W, Theta, shear strain and bending moment that vanish at an end."""
LEFT = np.array([[1.0, -1.0, -1.0, 1.0], [-1.0, 1.0, 1.0, -1.0]])
"""W, Theta, strain and moment at the left end over those at the right, for even W and for odd W."""
EVEN, ODD, BOTH = np.array([1.0, 0, 1, 0]), np.array([0.0, 1, 0, 1]), np.ones(4)
"""Masks of the four solutions: those that a mode may contain."""
TINY = 1e-60
ASIDE = 1.0007  # of a frequency of the simply supported beam, where forces are infinite
PARTS, DIVISIONS = 16, 16  # 16 times in 16 parts: to the last digit


@lru_cache(maxsize=256)
def eigenvalues(ends: Ends, count: int, R: float, S: float) -> tuple[FloatArray, FloatArray]:
    """The lowest ``b = mu l^4 omega^2 / EI`` (count,), rising, and the families of their modes.

    The second array (count, 4) is 1 for the solutions that a mode may contain and 0 for the others. Both are
    read-only and kept: a design asks twice, for its equations and for its shapes, 5 ms each.
    """
    found = _eigenvalues(ends, count, R, S)
    for array in found:
        array.flags.writeable = False
    return found


def _eigenvalues(ends: Ends, count: int, R: float, S: float) -> tuple[FloatArray, FloatArray]:
    if ends == "ss":
        return _simply_supported(count, R, S)
    families = np.stack([EVEN, ODD] if ends in ("cc", "ff") else [BOTH])
    high = ASIDE * math.sqrt(_simply_supported(count + 2, R, S)[0][-1])
    while _counts(ends, np.array([high]), R, S).sum() < count:
        high *= 1.5
    each = _counts(ends, np.array([high]), R, S)[0]
    group = np.repeat(np.arange(len(each)), each)
    rank = np.concatenate([np.arange(n) for n in each])
    low, width, columns = np.zeros(len(group)), high, np.repeat(group, PARTS - 1)[:, None]
    for _ in range(DIVISIONS):
        width /= PARTS
        places = low[:, None] + width * np.arange(1, PARTS)
        counts = np.take_along_axis(_counts(ends, places.ravel(), R, S), columns, axis=1)
        low += width * (counts.reshape(places.shape) <= rank[:, None]).sum(axis=1)
    roots = low + width / 2
    order = np.argsort(roots, kind="stable")[:count]
    return roots[order] ** 2, families[group[order]]


def _simply_supported(count: int, R: float, S: float) -> tuple[FloatArray, FloatArray]:
    """As :func:`eigenvalues` for the ends ss: ``R S b^2 - (1 + n^2 pi^2 (R + S)) b + n^4 pi^4 = 0``.

    Each mode is one of the four solutions; with n half-waves it is even where n is odd. With n = 0 there is
    one, pure shear at the cut-off frequency, which counts as odd.
    """
    n = np.arange(count + 1)
    waves = (n * math.pi) ** 2
    linear = 1.0 + waves * (R + S)
    root = np.sqrt((1.0 + waves * (R - S)) ** 2 + 4 * waves * S)
    first = 2 * waves[1:] ** 2 / (linear + root)[1:]
    second = (linear + root) / (2 * R * S) if R > 0.0 else np.zeros(0)
    squares = np.asarray(np.concatenate([first, second]), dtype=float)
    order = np.argsort(squares, kind="stable")[:count]
    solutions = np.concatenate([(n[1:] + 1) % 2, 2 + (n + 1) % 2])[order]
    return squares[order], np.eye(4)[solutions]


def end_fields(waves: Waves) -> FloatArray:
    """W, Theta, shear strain and bending moment at the right end of the four solutions (k, 4 fields, 4)."""
    return np.moveaxis(even_odd_fields(waves, np.array([[0.5]]))[:, :, 0], 2, 0)


def end_rows(ends: Ends, waves: Waves) -> FloatArray:
    """The four end conditions (k, 4 conditions, 4 solutions), each scaled to be about 1."""
    right = end_fields(waves)
    left = right * LEFT[[0, 1, 0, 1]].T
    rows = np.concatenate([left[:, HELD[ends[0]]], right[:, HELD[ends[1]]]], axis=1)
    return rows / np.abs(rows).max(axis=2, keepdims=True)


class EndForces(NamedTuple):
    """``V = push W + lever M`` and ``Theta = give M - lever W`` at the right end, for even and odd W (m, 2).

    V and M are force and moment. The dynamic stiffness is partly inverted here, so that it is finite at all
    frequencies but those of the simply supported beam.
    """

    push: FloatArray
    lever: FloatArray
    give: FloatArray


def end_forces(waves: Waves, S: float) -> EndForces:
    """End forces of vibrations at these frequencies; a determinant that is 0 counts as positive."""
    fields = end_fields(waves)
    pairs = np.stack([fields[:, :, [0, 2]], fields[:, :, [1, 3]]], axis=1)
    (W1, W2), (T1, T2), strains, (M1, M2) = np.moveaxis(pairs, [2, 3], [0, 1])
    V1, V2 = strains / S
    supported = _not_zero(W1 * M2 - W2 * M1)
    return EndForces(
        (V1 * M2 - V2 * M1) / supported, (V2 * W1 - V1 * W2) / supported, (W1 * T2 - W2 * T1) / supported
    )


def _counts(ends: Ends, frequencies: FloatArray, R: float, S: float) -> IntArray:
    """Numbers of natural frequencies below ``sqrt(b)`` (m,): even and odd (m, 2), or all (m, 1).

    A clamped end takes away one where its rotation per moment is negative, and a free end adds one where its
    force per deflection is. The free beam's two rigid motions, one even and one odd, are not counted.
    """
    waves = waves_of(frequencies**2, R, S)
    forces, supported = end_forces(waves, S), _supported_counts(waves)
    if ends == "ff":
        return supported + (forces.push < 0.0) - 1
    if ends == "cc":
        return supported - (forces.give < 0.0)
    give, push = forces.give.sum(axis=1), np.zeros(len(waves.squares))  # each is twice that of one end
    if ends == "cf":
        push = _not_zero(forces.push.sum(axis=1))
        give = give + (forces.lever[:, 0] - forces.lever[:, 1]) ** 2 / push
    return supported.sum(axis=1, keepdims=True) + ((push < 0.0).astype(np.int64) - (give < 0.0))[:, None]


def _not_zero(values: FloatArray) -> FloatArray:
    return np.where(np.abs(values) < TINY, TINY, values)


def _supported_counts(waves: Waves) -> IntArray:
    """Numbers of lower frequencies of the simply supported beam (m, 2): W even, W odd."""
    first, second = waves.p / math.pi, np.sqrt(np.maximum(-waves.q2, 0.0)) / math.pi
    above = waves.q2 < 0.0
    even = np.floor((first + 1) / 2) + np.floor((second + 1) / 2)
    odd = np.floor(first / 2) + above * (1 + np.floor(second / 2))
    return np.stack([even, odd], axis=1).astype(np.int64)
