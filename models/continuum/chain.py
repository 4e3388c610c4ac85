"""Chains of arcs of constant curvature (equations 13 and 14), and what a force on points of one does.

The definition is :func:`chain_frames`. Derived from it, and tested against it in
``tests/models/continuum/test_arc_contract.py``: :func:`chains_of_states` for many states at once,
``place_arc`` and ``tip`` in ``continuum_statics/chain_kernels.py``. ``chains_of_states`` and ``tip`` compute
the functions of an arc by sine and cosine instead of a series, which is as exact for positions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.arc import Arc, arc, force_curvature

SMALL = 1e-8  # [rad]; the next term of both series is lost in rounding


class Frames(NamedTuple):
    """Frames of the ends of n arcs, in the base frame; the base itself comes first.

    Attributes
    ----------
    positions : (n + 1, 3) float, m
    rotations : (n + 1, 3, 3) float
    """

    positions: FloatArray
    rotations: FloatArray


def chain_frames(arcs: list[Arc]) -> Frames:
    """Frames of the ends of arcs that follow one another."""
    positions, rotations = [np.zeros(3)], [np.eye(3)]
    for each in arcs:
        positions.append(positions[-1] + rotations[-1] @ each.p)
        rotations.append(rotations[-1] @ each.R)
    return Frames(np.array(positions), np.array(rotations))


def chains_of_states(L: float, states: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Positions (k, n + 1, 3) [m] and rotations (k, n + 1, 3, 3) of the ends of arcs of length ``L`` [m].

    As :func:`chain_frames`, of many states (k, n, 3) at once.
    """
    count, arcs = states.shape[:2]
    positions, rotations = np.zeros((count, arcs + 1, 3)), np.empty((count, arcs + 1, 3, 3))
    rotations[:, 0] = np.eye(3)
    for k in range(arcs):
        alpha, beta, gamma = states[:, k].T
        theta = np.hypot(alpha, beta)
        safe = np.maximum(theta, SMALL)
        A, half = np.sin(safe) / safe, 2 * np.sin(0.5 * safe) / safe
        B, C, c, s = 0.5 * half * half, np.cos(theta), np.cos(gamma), np.sin(gamma)
        bend = np.empty((count, 3, 3))
        bend[:, 0] = np.stack([C + B * alpha**2, B * alpha * beta, A * beta], axis=1)
        bend[:, 1] = np.stack([B * alpha * beta, C + B * beta**2, -A * alpha], axis=1)
        bend[:, 2] = np.stack([-A * beta, A * alpha, C], axis=1)
        shift = L * np.stack([beta * B, -alpha * B, A], axis=1)
        positions[:, k + 1] = positions[:, k] + np.einsum("kab,kb->ka", rotations[:, k], shift)
        first, second = bend[:, :, 0].copy(), bend[:, :, 1].copy()
        bend[:, :, 0] = c[:, None] * first + s[:, None] * second
        bend[:, :, 1] = c[:, None] * second - s[:, None] * first
        rotations[:, k + 1] = rotations[:, k] @ bend
    return positions, rotations


class ForceForm(NamedTuple):
    """The moment ``sum_k W_k P_k`` of points on a chain and its product with a force.

    Attributes
    ----------
    moment : (3,) float
    slopes : (3n, 3) float
        Row i is the derivative of the moment with respect to angle i.
    curvature : (3n, 3n) float
        Second derivatives of the product of force and moment.
    """

    moment: FloatArray
    slopes: FloatArray
    curvature: FloatArray


def force_form(q: FloatArray, L: float, masses: FloatArray, end: FloatArray, force: FloatArray) -> ForceForm:
    """Moment of masses at the ends of arcs, and the work of a force on it.

    Parameters
    ----------
    q : (n, 3) float, rad
    L : float, m
        Length of an arc.
    masses : (n,) float
        At the end of each arc; their sums from the tip inwards are W.
    end : (3,) float
        First moment of what is fixed to the last arc, in that arc's frame.
    force : (3,) float
        In the frame where the chain begins.

    Notes
    -----
    S_k, the first moment about the end of arc k, follows from S_(k+1); a later angle moves the moment
    of an earlier arc as one body, so the second derivatives of two arcs a < b are
    ``(F x w_a) . dM/dq_b``. O(n) for the slopes, O(n^2) for the curvature.
    """
    arcs = [arc(angles, L) for angles in q]
    turned = chain_frames(arcs).rotations
    count = len(arcs)
    W = np.cumsum(masses[::-1])[::-1]
    slopes, turns = np.empty((count, 3, 3)), np.empty((count, 3, 3))
    curvature = np.zeros((3 * count, 3 * count))
    arm = np.asarray(end, float)
    for k in range(count - 1, -1, -1):
        each, here = arcs[k], slice(3 * k, 3 * k + 3)
        moved = W[k] * each.shifts + np.cross(each.turns, each.R @ arm)
        slopes[k], turns[k] = moved @ turned[k].T, each.turns @ turned[k].T
        later = np.cross(force, turns[k]) @ slopes[k + 1 :].reshape(-1, 3).T
        curvature[here, 3 * k + 3 :] = later
        curvature[3 * k + 3 :, here] = later.T
        curvature[here, here] = force_curvature(q[k], L, turned[k].T @ force, W[k], arm)
        arm = W[k] * each.p + each.R @ arm
    return ForceForm(arm, slopes.reshape(-1, 3), curvature)
