"""Place of the robot's tip, its slopes, and the compliance of the tip."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.continuum_statics.chain_kernels import tips
from models.continuum_statics.energy_kernels import evaluate
from models.continuum_statics.robot import Robot, free


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
