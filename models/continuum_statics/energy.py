"""Potential energy of the robot with gradient and Hessian, in plain numpy, and the compliance of its tip.

``sum_i [EI (alpha^2 + beta^2) + GJ gamma^2] / (2 L) + sum_j T_j l_j - sum_k m_k g . P_k``, with l_j the
sum of the straight chords of cable j between the holes of neighbouring disks. Its slopes are the forces
of equations 20 to 25. The paper's equation 32 has no term of the cables and its stiffnesses in each
other's place; it is not used.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum.chain import chord, force_form
from models.continuum_statics.chain_kernels import tips
from models.continuum_statics.energy_kernels import evaluate
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.robot import Robot, checked_state, checked_tensions, free, robot_of, stiffnesses


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


def tip_of(robot: Robot, q: FloatArray) -> FloatArray:
    """Position (3,) [m] of the last disk's centre in a state (n, 3) [rad]."""
    return tips(robot.L, q[None])[0]


def tips_of(robot: Robot, states: FloatArray) -> FloatArray:
    """As :func:`tip_of`, (k, 3) of states (k, n, 3)."""
    return tips(robot.L, states)


def tip_jacobian(robot: Robot, q: FloatArray) -> FloatArray:
    """Derivatives (3, 3n) [m/rad] of the tip's position with respect to the angles.

    Each row is the gradient of the energy of a unit mass at the tip of a limp robot that is pulled back
    along that axis.
    """
    mass = np.zeros(len(q))
    mass[-1] = 1.0
    without_stiffness, slack = robot._replace(EI=0.0, GJ=0.0, masses=mass), np.zeros(len(robot.ties))
    return np.stack([evaluate(without_stiffness._replace(gravity=-axis), slack, q)[1] for axis in np.eye(3)])


def tip_compliance(robot: Robot, tensions: FloatArray, q: FloatArray) -> float:
    """Greatest displacement of the tip per force on it [m/N] in an equilibrium, at constant tensions.

    The largest singular value of ``J H^-1 J^T`` over the angles that can change; ``tensions`` (m,) [N]
    are whole.
    """
    places = free(robot)
    hessian = evaluate(robot, tensions, q)[2][np.ix_(places, places)]
    J = tip_jacobian(robot, q)[:, places]
    return float(np.linalg.norm(J @ np.linalg.solve(hessian, J.T), 2))
