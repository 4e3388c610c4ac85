"""Plain definition of the motion by winches: the recursion over the arm, and scipy's integrator.

Equations of motion by the demand of ``platform_wrench`` for the true arm, linear in the accelerations; the
orientation is a rotation matrix. Independent of ``motion/carried_mass`` and of the kernels.
"""

import numpy as np
from scipy.integrate import solve_ivp

from models.hybrid_cable_robot import PlatformMotion, platform_wrench
from models.hybrid_cable_robot.cables.geometry import cable_lengths, wrench_matrix
from models.numerics.rotations import cross_matrices


def cable_tensions(robot, damping, free, paid_out, position, rotation, twist):
    """Tensions (m,) N of cables with free lengths (m,) m, their rates, and the platform's twist (6,)."""
    lengths, W = cable_lengths(robot, position, rotation), wrench_matrix(robot, position, rotation)
    stiffness = robot.stiffness / free if robot.axial else robot.stiffness
    pull = stiffness * (lengths - free) + damping * (-W.T @ twist - paid_out)
    return np.where((lengths > free) & (pull > 0), pull, 0.0)


def accelerations(parameters, arm, position, rotation, twist, wrench):
    """Acceleration and angular acceleration (6,) of the platform under a wrench (6,) of the cables."""

    changes = np.concatenate([np.zeros((1, 6)), np.eye(6)])
    given = (position, rotation, twist[:3], twist[3:])
    r, R, v, w = (np.broadcast_to(each, (7, *each.shape)) for each in given)
    motion = PlatformMotion(r, R, v, changes[:, :3], w, changes[:, 3:])
    demand = platform_wrench(parameters, motion, arm).wrench
    return np.linalg.solve((demand[1:] - demand[0]).T, wrench - demand[0])


def integrate(parameters, robot, damping, lengths_at, arm_at, start, times, **options):
    """Positions (n, 3), rotations (n, 3, 3) and twists (n, 6) at times (n,) s from a pose at rest.

    ``lengths_at`` and ``arm_at`` give free lengths with their rates, and the arm's motion, at a time.
    """

    def rates(t, y):
        position, rotation, twist = y[:3], y[3:12].reshape(3, 3), y[12:]
        free, rate = lengths_at(t)
        tensions = cable_tensions(robot, damping, free, rate, position, rotation, twist)
        wrench = wrench_matrix(robot, position, rotation) @ tensions
        change = accelerations(parameters, arm_at(t), position, rotation, twist, wrench)
        return np.concatenate([twist[:3], (cross_matrices(twist[3:]) @ rotation).ravel(), change])

    y = np.concatenate([start[0], np.ravel(start[1]), np.zeros(6)])
    given = {"method": "DOP853", "rtol": 1e-10, "atol": 1e-11} | options
    found = solve_ivp(rates, times[[0, -1]], y, t_eval=times, **given)
    assert found.success, found.message
    return found.y[:3].T, found.y[3:12].T.reshape(-1, 3, 3), found.y[12:].T
