"""The robot at rest with given cable lengths, in relative coordinates: its shape and the tensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, Numbers
from models.continuum.arc import arc
from models.continuum.chain import chain_frames, chains_of_states, force_form
from models.continuum_dynamics.drives import BoolArray
from models.continuum_dynamics.energy_minimization import Form, Linearised
from models.continuum_dynamics.load_stepping import StaticSolution, checked_loads, step_loads
from models.continuum_dynamics.relative.cable_kernels import evaluate_cables
from models.continuum_dynamics.relative.motion_kernels import evaluate_curvatures
from models.continuum_dynamics.robot import Robot, stiffnesses


class CableForms(NamedTuple):
    """Lengths of m cables across n elements, with their derivatives.

    Attributes
    ----------
    lengths : (m,) float, m
    slopes : (m, 3n) float, m/rad
    curvatures : (m, n, 3, 3) float, m/rad^2
        Second derivatives by the angles of each element; those of two elements are zero.
    """

    lengths: FloatArray
    slopes: FloatArray
    curvatures: FloatArray


def static_solution(
    robot: Robot, pulls: Numbers, held: Sequence[bool] | BoolArray | None = None
) -> StaticSolution:
    """The state at rest, followed from the straight robot while pulls and gravity rise together.

    Where that path ends, or its state is not stable, the state of least energy nearby.

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
    form = Form(_linearised, _measured, _moved, _bend, np.ones(3 * len(robot.masses)))
    found = step_loads(robot, wound, kept, np.zeros((len(robot.masses), 3)), form)
    q = found.state
    positions, rotations = chains_of_states(robot.L, q[None])
    return StaticSolution(
        q, positions[0], rotations[0], curvatures_of(robot, q, found.tensions),
        energy_of(robot, q), *found[1:],
    )  # fmt: skip


def energy_of(robot: Robot, q: FloatArray) -> float:
    """Energy [J] at rest of bending, torsion and weight, which counts from the base."""
    centres = chain_frames([arc(angles, robot.L) for angles in q]).positions[1:]
    elastic = 0.5 * float(stiffnesses(robot) @ q.ravel() ** 2)
    return elastic - float(robot.masses @ centres @ robot.gravity)


def curvatures_of(robot: Robot, q: FloatArray, tensions: FloatArray) -> FloatArray:
    """Greatest curvature (n,) [1/m] in every element at rest with angles ``q`` (n, 3) [rad]."""
    angles, still, found = np.ascontiguousarray(q).ravel(), np.zeros(q.size), np.empty(len(q))
    evaluate_curvatures(robot, angles, still, still, tensions, found)
    return found


def _measured(robot: Robot, q: FloatArray) -> tuple[float, FloatArray]:
    """Energy [J] of the angles ``q`` (n, 3) [rad] and shortenings (m,) [m]."""
    positions = chains_of_states(robot.L, q[None])[0][0]
    elastic = 0.5 * float(stiffnesses(robot) @ q.ravel() ** 2)
    weight = float(robot.masses @ positions[1:] @ robot.gravity)
    return elastic - weight, shortenings(robot, cable_forms(robot, q))


def _moved(q: FloatArray, change: FloatArray) -> FloatArray:
    return q + change.reshape(q.shape)


def _bend(change: FloatArray) -> float:
    return float(np.abs(change).max())


def _linearised(robot: Robot, q: FloatArray, tensions: FloatArray) -> Linearised:
    """Energy and cables about the angles ``q`` (n, 3) [rad]."""
    forms = cable_forms(robot, q)
    gradient, hessian = energy_forms(robot, q, tensions, forms)
    return Linearised(gradient, hessian, forms.slopes, shortenings(robot, forms))


def shortenings(robot: Robot, forms: CableForms) -> FloatArray:
    """Shortening [m] of each cable (m,) against the straight robot."""
    return len(robot.masses) * robot.L - forms.lengths


def cable_forms(robot: Robot, q: FloatArray) -> CableForms:
    """Lengths and derivatives in the state ``q`` (n, 3) [rad]."""
    cables, count = len(robot.holes), len(q)
    lengths, slopes, packed = np.empty(cables), np.empty((cables, 3 * count)), np.empty((cables, count, 6))
    evaluate_cables(robot, np.ascontiguousarray(q).ravel(), lengths, slopes, packed)
    return CableForms(lengths, slopes, packed[:, :, [[0, 1, 3], [1, 2, 4], [3, 4, 5]]])


def energy_forms(
    robot: Robot, q: FloatArray, tensions: FloatArray, forms: CableForms
) -> tuple[FloatArray, FloatArray]:
    """Gradient (3n,) and Hessian (3n, 3n) of the energy with the tensions times the cables' lengths."""
    stiffness = stiffnesses(robot)
    gradient, hessian = stiffness * q.ravel() + tensions @ forms.slopes, np.diag(stiffness)
    if robot.gravity.any():
        weight = force_form(q, robot.L, robot.masses, np.zeros(3), robot.gravity)
        gradient, hessian = gradient - weight.slopes @ robot.gravity, hessian - weight.curvature
    for k, block in enumerate(np.einsum("m,mkab->kab", tensions, forms.curvatures)):
        hessian[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] += block
    return gradient, hessian
