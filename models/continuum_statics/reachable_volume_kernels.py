"""Compiled change of the tip with tensions: how much volume it sweeps per volume of tensions."""

from __future__ import annotations

import math

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_statics.chain_kernels import Scratch, new_scratch, tip
from models.continuum_statics.energy_kernels import fill
from models.continuum_statics.robot import Robot
from models.jit import entry, inner
from models.numerics.small_matrices import factorise, load_factor, solve_factored

TURN = 1e-5  # [rad] by which the angles change at most in a central difference of the tip


def swept_volumes(robot: Robot, tensions: FloatArray, states: FloatArray, pairs: IntArray) -> FloatArray:
    """Determinants (k,) [m^3/N^3] of the tip's derivatives by two tensions and by the pretension.

    ``tensions`` (k, m) [N] are whole, ``states`` (k, n, 3) [rad] stable equilibria under them, ``pairs``
    (k, 2) the numbers of the two cables. An equilibrium q moves by ``dq/dT = -H^-1 dl/dq``, H being the
    Hessian and l the length of the cable. The sign says on which side of the surface the tip moves.
    """
    found = np.empty(len(states))
    bare = robot._replace(EI=0.0, GJ=0.0, masses=np.zeros_like(robot.masses))
    _swept_volumes(robot, bare, tensions, states, pairs, found)
    return found


@inner
def _tip_rate(
    robot: Robot, bare: Robot, pull: FloatArray, q: FloatArray, scratch: Scratch, slopes: Scratch
) -> tuple[float, float, float]:
    """Derivative of the tip by the size of a pull (m,); ``scratch`` holds the factored Hessian."""
    stride = 3 if robot.planar else 1
    fill(bare, robot.gravity, pull, q, slopes)
    count, greatest = len(slopes.gradient) // stride, 0.0
    for i in range(count):
        scratch.step[i] = -slopes.gradient[i * stride]
    solve_factored(scratch.factor, count, scratch.step)
    for i in range(count):
        greatest = max(greatest, abs(scratch.step[i]))
    if greatest == 0.0:
        return 0.0, 0.0, 0.0
    h = TURN / greatest
    for k in range(len(q)):
        for i in range(3):
            place = 3 * k + i
            change = h * scratch.step[place // stride] if place % stride == 0 else 0.0
            scratch.trial[k, i], slopes.trial[k, i] = q[k, i] + change, q[k, i] - change
    x, y, z = tip(robot.L, scratch.trial)
    u, v, w = tip(robot.L, slopes.trial)
    return (x - u) / (2 * h), (y - v) / (2 * h), (z - w) / (2 * h)


@entry
def _swept_volumes(
    robot: Robot, bare: Robot, tensions: FloatArray, states: FloatArray, pairs: IntArray, found: FloatArray
) -> None:
    scratch, slopes = new_scratch(robot), new_scratch(bare)
    stride, pull = 3 if robot.planar else 1, np.zeros(len(robot.ties))
    for at in range(len(states)):
        q = states[at]
        fill(robot, robot.gravity, tensions[at], q, scratch)
        count = load_factor(scratch.hessian, stride, 0.0, scratch.stiffness, scratch.factor)
        factorise(scratch.factor, count, stride, scratch.stiffness)
        pull[:] = 0.0
        pull[pairs[at, 0]] = 1.0
        a = _tip_rate(robot, bare, pull, q, scratch, slopes)
        pull[:] = 0.0
        pull[pairs[at, 1]] = 1.0
        b = _tip_rate(robot, bare, pull, q, scratch, slopes)
        pull[:] = 1.0
        c = _tip_rate(robot, bare, pull, q, scratch, slopes)
        x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
        volume = x * c[0] + y * c[1] + z * c[2]
        found[at] = volume if math.isfinite(volume) else 0.0
