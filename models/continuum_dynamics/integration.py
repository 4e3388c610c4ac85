"""Parts of simulations of both forms: instants, motors, blocks of instants, the motion that is found."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.continuum_dynamics.drives import Drive, sampled
from models.continuum_dynamics.load_stepping import StaticSolution
from models.continuum_dynamics.robot import Robot, greatest_pull
from models.continuum_dynamics.state_kernels import (
    BENT_TOO_FAR,
    DONE,
    NO_TENSIONS,
    NOT_CONVERGED,
    Motors,
    Record,
)

RHO = 0.8  # spectral radius of the generalised-alpha method at infinite frequency
MOST_STEPS = 1_000_000
BLOCK = 256  # instants that are computed at once; Ctrl-C and progress wait for that long

Progress = Callable[[float], None]
"""Is told the share of the duration that is done."""

REASONS = {
    NOT_CONVERGED: "the equations of motion were not solved in one step: the drives work against each other, "
    "or the step is too long",
    BENT_TOO_FAR: "an element bends by more than half a turn",
    NO_TENSIONS: "no tensions hold the cables at their lengths: the drives work against each other",
}


class EnergyBalance(NamedTuple):
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
    """Motion of the robot, at k instants.

    Attributes
    ----------
    times : (k,) float, s
        Up to where the motion was found.
    states : (k, n, 3) float, rad
        alpha, beta, gamma of each element; in the co-rotational form those of the arc that turns like its end
        against its begin.
    rates : (k, n, 3) float, rad/s; in the co-rotational form (k, n, 6), m/s and rad/s
        Of these angles; in the co-rotational form velocities and angular velocities of the disks, base frame.
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
    energy_balance : EnergyBalance
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
    energy_balance: EnergyBalance
    completed: bool
    reason: str


class Plan(NamedTuple):
    """Plan of an integration: instants, drives and first state.

    Attributes
    ----------
    times : (k,) float, s
        Instants of the record.
    motors : Motors
        Drives at these instants.
    start : StaticSolution
        At rest under the first lengths.
    """

    times: FloatArray
    motors: Motors
    start: StaticSolution


def plan(
    robot: Robot, drives: Sequence[Drive], duration: float, step: float,
    static_solution: Callable[..., StaticSolution],
) -> Plan:  # fmt: skip
    """Instants of the steps, the drives at them, and the robot at rest at the first.

    Raises
    ------
    InputError
        When a drive or a time cannot be used, or the robot does not rest under the drives' first lengths.
    """
    times = _instants(duration, step)
    samples = sampled(greatest_pull(robot), drives, times)
    start = static_solution(robot, samples.pulls[:, 0], samples.held)
    if not start.exists:
        message = f"the robot does not rest under the first lengths of its cables: {start.reason}"
        raise InputError(message, ("drives",))
    held = samples.held.astype(np.int64)
    motors = Motors(held, samples.pulls, samples.speeds, samples.accelerations)
    return Plan(times, motors, start)


def _instants(duration: float, step: float) -> FloatArray:
    """The instants of steps; raises ``InputError`` for what cannot be used."""
    for name, value in (("step", step), ("duration", duration)):
        if not (math.isfinite(value) and value > 0.0):
            raise InputError(f"{value:g} s is not positive and finite; give a positive time", (name,))
    count = round(duration / step)
    if not 1 <= count <= MOST_STEPS:
        message = (
            f"{duration:g} s has {count} steps of {step:g} s; give a step with which it has 1 to {MOST_STEPS}"
        )
        raise InputError(message, ("step",))
    return np.arange(count + 1, dtype=float) * step


def new_record(rows: int, size: int, cables: int, elements: int) -> Record:
    """Room for ``rows`` instants of ``size`` velocities."""
    return Record(
        np.empty((rows, size)),
        np.empty((rows, cables)),
        np.empty((rows, cables)),
        np.empty((rows, elements)),
        np.empty((rows, 5)),
    )


def integrate_in_blocks(
    integrate: Callable[[int, int], tuple[int, ...]], rows: int, progress: Progress | None
) -> tuple[int, int]:
    """Call ``integrate(first, last)`` for blocks of rows; returns a code and the rows that are filled."""
    for first in range(0, rows, BLOCK):
        code, done = integrate(first, min(first + BLOCK, rows))[:2]
        if progress is not None:
            progress(done / rows)
        if code != DONE:
            return code, done
    return DONE, rows


def reason_of(times: FloatArray, code: int, rows: int) -> str:
    """Reason why an integration ended at row ``rows``; empty when it is complete."""
    return "" if code == DONE else f"at {times[min(rows, len(times) - 1)]:g} s: {REASONS[code]}"


def energy_balance_of(times: FloatArray, record: Record) -> EnergyBalance:
    """Energies, and the integrals of the powers, of a record's rows at ``times`` (k,) [s]."""
    kinetic, elastic, gravity, loss, power = record.energy_balance.T
    return EnergyBalance(kinetic, elastic, gravity, _integral(times, power), _integral(times, loss))


def _integral(times: FloatArray, values: FloatArray) -> FloatArray:
    """Integral (k,) from the first instant, by the trapezoidal rule."""
    areas = np.diff(times) * (values[1:] + values[:-1]) / 2
    return np.concatenate([np.zeros(1), np.cumsum(areas)])
