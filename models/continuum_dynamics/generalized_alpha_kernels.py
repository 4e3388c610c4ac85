"""Compiled steps in time by the generalised-alpha method, for both forms.

Source: Chung and Hulbert, "A time integration algorithm for structural dynamics with improved numerical
dissipation", 1993, with accelerations that satisfy the equations at the end of a step: Arnold and Bruels,
"Convergence of the generalized-alpha scheme for constrained mechanical systems", 2007; for rotations their
form on a Lie group: Bruels, Cardona and Arnold, "Lie group generalized-alpha time integration of constrained
flexible multibody systems", 2012. The tensions are solved for together with the motion;
:mod:`models.continuum_dynamics.state_kernels` says which.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from models.continuum_dynamics.complementarity_kernels import pull_only
from models.continuum_dynamics.robot import Robot
from models.continuum_dynamics.state_kernels import Motors, Scratch, State, averaged_looseness, product
from models.jit import inner
from models.numerics.copy_kernels import copy
from models.numerics.small_matrices import solve_band

ITERATIONS = 60  # of a step
FACTORED = 6  # iterations that share a factor of the tangent


class Scheme(NamedTuple):
    """Numbers of the generalised-alpha method with the step ``h`` [s].

    Attributes
    ----------
    alpha_m, alpha_f, beta, gamma : float
    mass, damping : float, 1/s^2 and 1/s
        Changes of acceleration and velocity per change of a coordinate within a step.
    window : float, s
        Over which looseness is averaged.
    looseness : float
        Change of the averaged looseness per change of looseness within a step.
    """

    h: float
    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    mass: float
    damping: float
    window: float
    looseness: float


def scheme_of(h: float, rho: float, window: float) -> Scheme:
    """The scheme whose spectral radius at infinite frequency is ``rho``: 1 keeps all, 0 damps all."""
    alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) ** 2
    mass, damping = (1 - alpha_m) / (h * h * beta * (1 - alpha_f)), gamma / (h * beta)
    looseness = window / 2 * damping + window**2 / 6 * mass + 1.0
    return Scheme(h, alpha_m, alpha_f, beta, gamma, mass, damping, window, looseness)


@inner
def predict(scheme: Scheme, state: State, scratch: Scratch) -> None:
    """Move on by one step with the accelerations of its start."""
    h = scheme.h
    copy(state.a, scratch.before)
    for i in range(len(state.q)):
        a, before = state.a[i], state.averaged[i]
        after = (a - scheme.alpha_m * before) / (1 - scheme.alpha_m)
        state.q[i] += h * state.v[i] + h * h * ((0.5 - scheme.beta) * before + scheme.beta * after)
        state.v[i] += h * ((1 - scheme.gamma) * before + scheme.gamma * after)
        state.averaged[i] = after


@inner
def improve(
    robot: Robot, scheme: Scheme, motors: Motors, k: int, band: int, state: State, scratch: Scratch
) -> float:
    """One iteration of Newton for motion and tensions at instant k; the largest change, -1 if none.

    Before, ``residual`` holds the forces that the motion needs, and the lengths of the cables are filled.
    """
    size, change = len(state.q), scratch.change
    averaged_looseness(robot, motors, k, state, scheme.window, scratch, scratch.loose)
    for i in range(size):
        change[i] = -scratch.residual[i]
        for cable in range(len(scratch.b)):
            change[i] -= state.tensions[cable] * scratch.slopes[cable, i]
    solve_band(scratch.tangent, size, band, change)
    for cable in range(len(scratch.b)):
        scratch.b[cable] = scratch.loose[cable] - scheme.looseness * product(scratch.fixed[cable], change)
        for other in range(len(scratch.b)):
            scratch.b[cable] -= scratch.A[cable, other] * state.tensions[other]
    if not pull_only(scratch.A, scratch.b, motors.held, state.taut, scratch.pivots, scratch.tensions):
        return -1.0
    largest, total = 0.0, 0.0
    for i in range(size):
        for cable in range(len(scratch.b)):
            change[i] -= scratch.responses[cable, i] * (scratch.tensions[cable] - state.tensions[cable])
        largest = max(largest, abs(change[i]))
        total += abs(change[i])  # a maximum may pass over NaN, a sum does not
        state.q[i] += change[i]
        state.v[i] += scheme.damping * change[i]
        state.a[i] += scheme.mass * change[i]
    copy(scratch.tensions, state.tensions)
    return largest if math.isfinite(total) else math.inf


@inner
def finish(scheme: Scheme, state: State, scratch: Scratch) -> None:
    """Average the accelerations of a step that was found."""
    share = (1 - scheme.alpha_f) / (1 - scheme.alpha_m)
    for i in range(len(state.a)):
        state.averaged[i] += share * (state.a[i] - scratch.before[i])
