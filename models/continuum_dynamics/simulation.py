"""Motion of the robot under its drives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.continuum.chain import chains_of_states
from models.continuum_dynamics.drives import Drive, sampled
from models.continuum_dynamics.generalized_alpha_kernels import integrate, scheme_of
from models.continuum_dynamics.robot import Robot, curvatures_of
from models.continuum_dynamics.runge_kutta_kernels import integrate_explicitly
from models.continuum_dynamics.state_kernels import (
    BENT_TOO_FAR,
    DONE,
    NO_TENSIONS,
    NOT_CONVERGED,
    Motors,
    Record,
)
from models.continuum_dynamics.statics import static_solution

STEP = 0.005  # [s]
RHO = 0.8  # spectral radius of the generalised-alpha method at infinite frequency
MOST_STEPS = 1_000_000

REASONS = {
    NOT_CONVERGED: "the equations of motion were not solved in one step: the drives work against each other, "
    "or the step is too long",
    BENT_TOO_FAR: "an element bends by more than half a turn",
    NO_TENSIONS: "no tensions hold the cables at their lengths: the drives work against each other",
}


class Ledger(NamedTuple):
    """Energies [J] at k instants, each (k,) float.

    Attributes
    ----------
    kinetic, elastic, gravity
        Of the robot; gravity counts from the base.
    work
        Done by the cables on the robot since the start, by the trapezoidal rule.
    dissipated
        Taken by damping since the start, by the trapezoidal rule.
    """

    kinetic: FloatArray
    elastic: FloatArray
    gravity: FloatArray
    work: FloatArray
    dissipated: FloatArray

    def imbalance(self) -> FloatArray:
        """Work less dissipation less gain of energy (k,) [J] since the start: 0 for an exact motion."""
        energy = self.kinetic + self.elastic + self.gravity
        return self.work - self.dissipated - (energy - energy[0])


class Motion(NamedTuple):
    """What the robot did, at k instants.

    Attributes
    ----------
    times : (k,) float, s
        Up to where the motion was found.
    states : (k, n, 3) float, rad
        alpha, beta, gamma of each element.
    rates : (k, n, 3) float, rad/s
    positions : (k, n + 1, 3) float, m, base frame
        Of the base and the disks; the last is the tip.
    rotations : (k, n + 1, 3, 3) float
        Of their frames.
    curvatures : (k, n) float, 1/m
        Greatest curvature of the backbone in each element.
    tensions : (k, m) float, N
    loose : (k, m) float, m
        Phi, the residual of the constraint: length that a cable has too much; below 0 for one that is too
        short. Meaningless for cables that are slack or absent.
    ledger : Ledger
    completed : bool
        Whether the motion was found up to its end.
    reason : str
        Why it was not; empty when it was.
    """

    times: FloatArray
    states: FloatArray
    rates: FloatArray
    positions: FloatArray
    rotations: FloatArray
    curvatures: FloatArray
    tensions: FloatArray
    loose: FloatArray
    ledger: Ledger
    completed: bool
    reason: str


def simulate(
    robot: Robot, drives: Sequence[Drive], duration: float, *, step: float = STEP, window: float | None = None
) -> Motion:
    """Motion from the state at rest under the drives' first lengths, by the generalised-alpha method.

    Parameters
    ----------
    drives : sequence of Drive
        One per cable.
    duration, step : float, s
        The last instant is the multiple of the step nearest to the duration.
    window : float, s, optional
        Over which the looseness of cables is averaged; the step by default.

    Raises
    ------
    InputError
        When a drive or a time cannot be used, or the robot does not rest under the drives' first lengths.
    """
    times = _instants(duration, step, 1)
    motors, q = _prepared(robot, drives, times)
    record = _new_record(robot, len(times))
    scheme = scheme_of(step, RHO, step if window is None else window)
    code, rows, _ = integrate(robot, scheme, motors, q, np.zeros_like(q), record)
    return _motion(robot, times, record, code, rows)


def simulate_explicitly(
    robot: Robot, drives: Sequence[Drive], duration: float, *, step: float, window: float | None = None
) -> Motion:
    """As :func:`simulate`, by the classical Runge-Kutta method: for checking, and for short steps alone."""
    halves = _instants(duration, step, 2)
    motors, q = _prepared(robot, drives, halves)
    times = halves[::2]
    record = _new_record(robot, len(times))
    code, rows = integrate_explicitly(
        robot, step, step if window is None else window, motors, q, np.zeros_like(q), record
    )
    return _motion(robot, times, record, code, rows)


def _instants(duration: float, step: float, parts: int) -> FloatArray:
    """The instants of steps and of their parts; raises ``InputError`` for what cannot be used."""
    for name, value in (("step", step), ("duration", duration)):
        if not (math.isfinite(value) and value > 0.0):
            raise InputError(f"{value:g} s is not positive and finite; give a positive time", (name,))
    count = round(duration / step)
    if not 1 <= count <= MOST_STEPS:
        message = (
            f"{duration:g} s has {count} steps of {step:g} s; give a step with which it has 1 to {MOST_STEPS}"
        )
        raise InputError(message, ("step",))
    return np.arange(parts * count + 1, dtype=float) * (step / parts)


def _prepared(robot: Robot, drives: Sequence[Drive], times: FloatArray) -> tuple[Motors, FloatArray]:
    """The motors at all instants, and the angles (3n,) at rest at the first."""
    samples = sampled(robot, drives, times)
    start = static_solution(robot, samples.pulls[:, 0], samples.held)
    if not start.exists:
        message = f"the robot does not rest under the first lengths of its cables: {start.reason}"
        raise InputError(message, ("drives",))
    held = samples.held.astype(np.int64)
    return Motors(held, samples.pulls, samples.speeds, samples.accelerations), start.q.ravel()


def _new_record(robot: Robot, rows: int) -> Record:
    angles, cables = 3 * len(robot.masses), len(robot.holes)
    return Record(
        np.empty((rows, angles)), np.empty((rows, angles)), np.empty((rows, cables)),
        np.empty((rows, cables)), np.empty((rows, 5)),
    )  # fmt: skip


def _motion(robot: Robot, times: FloatArray, record: Record, code: int, rows: int) -> Motion:
    """The part of a record that was filled, with the places of the disks."""
    found = Record(*(each[:rows] for each in record))
    states = found.states.reshape(rows, -1, 3)
    positions, rotations = chains_of_states(robot.L, states)
    kinetic, elastic, gravity, loss, power = found.ledger.T
    done = code == DONE
    reason = "" if done else f"at {times[min(rows, len(times) - 1)]:g} s: {REASONS[code]}"
    times = times[:rows]
    return Motion(
        times, states, found.rates.reshape(rows, -1, 3), positions, rotations,
        curvatures_of(robot, states), found.tensions, found.loose,
        Ledger(kinetic, elastic, gravity, _integral(times, power), _integral(times, loss)),
        done, reason,
    )  # fmt: skip


def _integral(times: FloatArray, values: FloatArray) -> FloatArray:
    """Integral (k,) from the first instant, by the trapezoidal rule."""
    areas = np.diff(times) * (values[1:] + values[:-1]) / 2
    return np.concatenate([np.zeros(1), np.cumsum(areas)])
