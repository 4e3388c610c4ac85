"""Potential energy of the robot of ``continuum-statics`` with gradient and Hessian, in plain numpy.

``sum_i [EI (alpha^2 + beta^2) + GJ gamma^2] / (2 L) + sum_j T_j l_j - sum_k m_k g . P_k``, with l_j the
sum of the straight chords of cable j between the holes of neighbouring disks. Its slopes are the forces
of equations 20 to 25. The paper's equation 32 has no term of the cables and its stiffnesses in each
other's place; it is not used.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.chain import force_form
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.robot import Robot, checked_state, checked_tensions, robot_of, stiffnesses
from tests.oracles.chord import chord


class Potential(NamedTuple):
    """Energy of a robot of n arcs and m cables, and its derivatives.

    Attributes
    ----------
    energy : float, J
    gradient : (3n,) float, J/rad
    hessian : (3n, 3n) float, J/rad^2
    cable_lengths : (m,) float, m
        From the base's hole to the tie disk.
    """

    energy: float
    gradient: FloatArray
    hessian: FloatArray
    cable_lengths: FloatArray


def potential(parameters: ContinuumStatics, q: FloatArray, tensions: FloatArray) -> Potential:
    """Energy, gradient and Hessian of a state.

    Parameters
    ----------
    q : (n, 3) float, rad
        alpha, beta, gamma of each arc.
    tensions : (m,) float, N
        Of the cables; the pretension acts besides.

    Raises
    ------
    InputError
        When a shape is wrong, a number is not finite or a cable would push.
    """
    state, whole = checked_state(parameters, q), checked_tensions(parameters, tensions)
    return potential_of(robot_of(parameters), state, whole)


def potential_of(robot: Robot, q: FloatArray, tensions: FloatArray) -> Potential:
    """As :func:`potential`, with the whole tensions (m,) [N] of the cables; the definition of the kernel."""
    angles, stiffness = q.ravel(), stiffnesses(robot)
    weight = force_form(q, robot.L, robot.masses, np.zeros(3), robot.gravity)
    energy = 0.5 * float(stiffness @ angles**2) - float(weight.moment @ robot.gravity)
    gradient = stiffness * angles - weight.slopes @ robot.gravity
    hessian = np.diag(stiffness) - weight.curvature
    lengths = np.zeros(len(tensions))
    for cable, tension in enumerate(tensions):
        for gap in range(robot.ties[cable]):
            here = slice(gap * robot.arcs, (gap + 1) * robot.arcs)
            length, slope, curvature = chord(q[here], robot.L, robot.holes[cable])
            lengths[cable] += length
            there = slice(3 * here.start, 3 * here.stop)
            gradient[there] += tension * slope
            hessian[there, there] += tension * curvature
    return Potential(energy + float(tensions @ lengths), gradient, hessian, lengths)
