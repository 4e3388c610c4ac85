"""The robot at rest with given cable lengths, in the co-rotational form: its shape and the tensions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.arrays import FloatArray, Numbers
from models.continuum_dynamics.corotational.cable_kernels import evaluate_lengths, evaluate_stiffness
from models.continuum_dynamics.corotational.elements import (
    Nodes,
    curvatures_of,
    energy_of,
    moved_nodes,
    relative_angles,
    straight_nodes,
)
from models.continuum_dynamics.corotational.motion_kernels import evaluate_elements
from models.continuum_dynamics.drives import BoolArray
from models.continuum_dynamics.energy_minimization import Form, Linearised
from models.continuum_dynamics.load_stepping import StaticSolution, checked_loads, step_loads
from models.continuum_dynamics.robot import Robot


def static_solution(
    robot: Robot, pulls: Numbers, held: Sequence[bool] | BoolArray | None = None
) -> StaticSolution:
    """The state at rest, followed from the straight robot while pulls and gravity rise together.

    Where that path ends, or its state is not stable, the state of least energy nearby.

    Cables that are all shorter compress the backbone, which the relative form cannot do.

    Parameters
    ----------
    pulls : (m,) float, m
        Wound length of each cable; 0 for a locked one, negative when paid out.
    held : (m,) bool, optional
        Which cables have a set length; the others are slack or absent. All by default.

    Raises
    ------
    InputError
        When there is not one finite pull per cable, or a cable pulls more than the robot has.
    """
    wound, kept = checked_loads(robot, pulls, held)
    count = len(robot.masses)
    units = np.tile([1 / robot.L] * 3 + [1.0] * 3, count)
    found = step_loads(
        robot, wound, kept, straight_nodes(robot), Form(_linearised, _measured, _moved, _bend, units)
    )
    nodes = found.state
    return StaticSolution(
        relative_angles(nodes.rotations), nodes.positions, nodes.rotations, curvatures_of(robot, nodes),
        energy_of(robot, nodes), *found[1:],
    )  # fmt: skip


def _measured(robot: Robot, nodes: Nodes) -> tuple[float, FloatArray]:
    """Energy [J] of the places ``nodes`` and shortenings (m,) [m]."""
    cables, size = len(robot.holes), 6 * len(robot.masses)
    still, energy, lengths = np.zeros(size), np.empty(4), np.empty(cables)
    evaluate_elements(robot, *nodes, still, still, np.zeros((size, size)), np.empty(size), energy)
    evaluate_lengths(robot, *nodes, still, lengths, np.empty((cables, size)), np.empty(cables))
    return float(energy[1] + energy[2]), len(robot.masses) * robot.L - lengths


def _moved(nodes: Nodes, change: FloatArray) -> Nodes:
    """Nodes after a ``change`` (6n,) [m, rad], with chords as long as they are to first order.

    A chord that turns along a straight line would be stretched, which costs Newton's method many iterations.
    """
    moved = moved_nodes(nodes, change)
    before, after = np.diff(nodes.positions, axis=0), np.diff(moved.positions, axis=0)
    lengths = np.linalg.norm(before, axis=1)
    wanted = np.einsum("ka,ka->k", before, after) / lengths
    after *= (wanted / np.linalg.norm(after, axis=1))[:, None]
    return moved._replace(positions=np.concatenate([nodes.positions[:1], np.cumsum(after, axis=0)]))


def _bend(change: FloatArray) -> float:
    """Greatest turn [rad] of neighbouring disks against each other by a change (6n,)."""
    turned = change.reshape(-1, 6)[:, 3:]
    return float(np.abs(np.diff(turned, axis=0, prepend=np.zeros((1, 3)))).max())


def _linearised(robot: Robot, nodes: Nodes, tensions: FloatArray) -> Linearised:
    """Energy and cables about the places ``nodes``, by displacements [m] and rotations [rad] of the disks."""
    cables, size = len(robot.holes), 6 * len(robot.masses)
    still, forces, hessian = np.zeros(size), np.empty(size), np.zeros((size, size))
    evaluate_elements(robot, *nodes, still, still, hessian, forces, np.empty(4))
    lengths, slopes = np.empty(cables), np.empty((cables, size))
    evaluate_lengths(robot, *nodes, still, lengths, slopes, np.empty(cables))
    evaluate_stiffness(robot, *nodes, tensions, hessian)
    hessian += np.tril(hessian, -1).T
    shortenings = len(robot.masses) * robot.L - lengths
    return Linearised(forces + tensions @ slopes, hessian, slopes, shortenings)
