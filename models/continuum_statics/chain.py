"""The chain of arcs (equations 13 and 14), and what a force on points of it does."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.arc import Arc, arc, force_curvature
from models.continuum_statics.parameters import ContinuumStatics


class Frames(NamedTuple):
    """Where the ends of n arcs are, base frame; the base itself comes first.

    Attributes
    ----------
    positions : (n + 1, 3) float, m
    rotations : (n + 1, 3, 3) float
    """

    positions: FloatArray
    rotations: FloatArray


def frames(parameters: ContinuumStatics, q: FloatArray) -> Frames:
    """Where the ends of the arcs are; ``q`` (n, 3) [rad] holds alpha, beta, gamma of each.

    Every ``arcs_per_gap``-th end is a disk. Equations 13 and 14.
    """
    length = parameters.gap / parameters.arcs_per_gap
    return chain_frames([arc(angles, length) for angles in q])


def disks(parameters: ContinuumStatics, q: FloatArray) -> Frames:
    """As :func:`frames`, of the disks alone: (segments + 1, 3) and (segments + 1, 3, 3)."""
    every = frames(parameters, q)
    step = parameters.arcs_per_gap
    return Frames(every.positions[::step], every.rotations[::step])


def chain_frames(arcs: list[Arc]) -> Frames:
    """Frames of the ends of arcs that follow one another."""
    positions, rotations = [np.zeros(3)], [np.eye(3)]
    for each in arcs:
        positions.append(positions[-1] + rotations[-1] @ each.p)
        rotations.append(rotations[-1] @ each.R)
    return Frames(np.array(positions), np.array(rotations))


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
