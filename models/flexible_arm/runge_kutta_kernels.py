"""One step of an embedded Runge-Kutta pair or of Radau IIA, and the state inside it.

Steps of the pair give way to steps of Radau IIA where friction or damping of the ground alone holds them
short (:mod:`models.flexible_arm.radau`). Rates stand in rows of ``K`` (stages, size): those of the pair's
stages, that of the end of the step, those of the dense output. Coordinates and their rates alone decide the
rates; what is integrated beside them joins at the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.contact import Contact
from models.flexible_arm.contact_jacobian_kernels import settling_rate
from models.flexible_arm.motion import Touch, state_size
from models.flexible_arm.motion_kernels import RateScratch, new_scratch, state_rates
from models.flexible_arm.radau import STAGES
from models.flexible_arm.radau_kernels import Radau, new_radau, radau_step
from models.jit import inner
from models.numerics.copy_kernels import copy
from models.numerics.runge_kutta import Pair

STIFF, EASY = 3.0, 1.0
"""Size of a step times the rate at which the ground brings link ends to rest: the pair is held short above
the first, close to where it is unstable, and Radau IIA is no longer needed below the second."""
PATIENCE = 15
"""Steps in a row that speak for the other method, after which it takes over; in flight, the pair at once."""


class Step(NamedTuple):
    """Room for a step.

    Attributes
    ----------
    K : (s + 1 + e, size) float
        Rates of the stages; the first is that of the state before the step.
    stage, end, inside : (size,) float
        State of a stage, at the end of the step, and somewhere inside it.
    dense : (7, size) float
        Coefficients of the dense output, 0 beyond those that a pair has.
    scale : (size,) float
        Absolute tolerances.
    scratch : RateScratch
    radau : Radau
    method : (2,) int
        1 for a step of Radau IIA, 0 for one of the pair; steps in a row that speak for the other one.
    """

    K: FloatArray
    stage: FloatArray
    end: FloatArray
    inside: FloatArray
    dense: FloatArray
    scale: FloatArray
    scratch: RateScratch
    radau: Radau
    method: IntArray


def new_step(arm: Arm, pair: Pair, scale: FloatArray) -> Step:
    """Room for steps of an arm by a pair."""
    size = state_size(arm)
    K = np.zeros((len(pair.B) + 1 + len(pair.A_dense), size))
    state, end, inside = (np.zeros(size) for _ in range(3))
    dense = np.zeros((STAGES, size))
    return Step(K, state, end, inside, dense, scale, new_scratch(arm), new_radau(arm), np.zeros(2, np.int64))


@inner
def attempt(
    arm: Arm, contact: Contact, touch: Touch, pair: Pair, y: FloatArray, h: float, rtol: float, step: Step
) -> float:
    """Step by h from y, whose rate is ``step.K[0]``, to ``step.end``; its error, 1 if it is just allowed.

    Infinity stands for a state that is not finite or not found.
    """
    s, moving, K = len(pair.B), 2 * arm.offsets[-1], step.K
    if step.method[0]:
        error = _attempt_radau(arm, contact, touch, y, h, rtol, step)
        copy(step.radau.rates[STAGES - 1], K[s])
        return error
    for i in range(1, s):
        _stage(step, y, h, pair.A[i], i, moving)
        state_rates(arm, contact, touch, step.stage, step.scratch, K[i])
    copy(y, step.end)
    for j in range(s):
        if pair.B[j] != 0.0:
            for i in range(len(y)):
                step.end[i] += h * pair.B[j] * K[j, i]
    state_rates(arm, contact, touch, step.end, step.scratch, K[s])
    return _error(pair, y, h, rtol, step)


@inner
def _stage(step: Step, y: FloatArray, h: float, row: FloatArray, stages: int, moving: int) -> None:
    """Write the state of a stage from the rates before it; what nothing depends on stays as it is."""
    for i in range(moving):
        step.stage[i] = y[i]
    for j in range(stages):
        if row[j] != 0.0:
            for i in range(moving):
                step.stage[i] += h * row[j] * step.K[j, i]


@inner
def _error(pair: Pair, y: FloatArray, h: float, rtol: float, step: Step) -> float:
    """The error of a step, relative to what is allowed: Hairer's blend of two estimates, or one alone."""
    first = second = 0.0
    counted = 0
    for i in range(len(y)):
        if step.scale[i] == np.inf:
            continue
        allowed = step.scale[i] + rtol * max(abs(y[i]), abs(step.end[i]))
        one = two = 0.0
        for j in range(pair.errors.shape[1]):
            one += pair.errors[0, j] * step.K[j, i]
            two += pair.errors[1, j] * step.K[j, i]
        first += (one / allowed) ** 2
        second += (two / allowed) ** 2
        counted += 1
    if not np.isfinite(first):
        return np.inf
    if first == 0.0:
        return 0.0
    return abs(h) * first / np.sqrt((first + 0.01 * second) * counted)


@inner
def _attempt_radau(
    arm: Arm, contact: Contact, touch: Touch, y: FloatArray, h: float, rtol: float, step: Step
) -> float:
    """Step by Radau IIA; the stage of the pair holds what is allowed of each number."""
    allowed = step.stage
    for i in range(len(y)):
        allowed[i] = step.scale[i] + rtol * abs(y[i])
    return radau_step(arm, contact, touch, y, h, step.K[0], allowed, step.scratch, step.radau, step.end)


@inner
def prepare_dense(
    arm: Arm, contact: Contact, touch: Touch, pair: Pair, y: FloatArray, h: float, step: Step
) -> None:
    """Compute the coefficients by which :func:`interpolate` finds states inside the step."""
    s, K, F = len(pair.B), step.K, step.dense
    if step.method[0]:
        _dense_of_stages(h, step)
        return
    F[3:] = 0.0
    for e in range(len(pair.A_dense)):
        _stage(step, y, h, pair.A_dense[e], s + 1 + e, len(y))
        state_rates(arm, contact, touch, step.stage, step.scratch, K[s + 1 + e])
    for i in range(len(y)):
        change = step.end[i] - y[i]
        F[0, i] = change
        F[1, i] = h * K[0, i] - change
        F[2, i] = 2 * change - h * (K[0, i] + K[s, i])
        for d in range(len(pair.dense)):
            total = 0.0
            for j in range(len(K)):
                total += pair.dense[d, j] * K[j, i]
            F[3 + d, i] = h * total


@inner
def _dense_of_stages(h: float, step: Step) -> None:
    """Compute the coefficients of the collocation polynomial."""
    weights, rates, F = step.radau.method.dense, step.radau.rates, step.dense
    for row in range(STAGES):
        for i in range(F.shape[1]):
            total = 0.0
            for j in range(STAGES):
                total += weights[row, j] * rates[j, i]
            F[row, i] = h * total


@inner
def error_order(pair: Pair, step: Step) -> float:
    """Order of the error of the next step, by which its size is controlled."""
    return STAGES + 1.0 if step.method[0] else pair.order


@inner
def choose_method(arm: Arm, contact: Contact, touch: Touch, y: FloatArray, h: float, step: Step) -> None:
    """Choose the pair or Radau IIA for the next step, which begins in the state y with the size h."""
    stiffness = h * settling_rate(arm, contact, touch, y, step.scratch, step.radau.jacobian)
    implicit = step.method[0] == 1
    other = stiffness < EASY if implicit else stiffness > STIFF
    step.method[1] = step.method[1] + 1 if other else 0
    if step.method[1] >= PATIENCE or (implicit and step.radau.jacobian.count[0] == 0):
        step.method[0], step.method[1] = 1 - step.method[0], 0


@inner
def interpolate(y: FloatArray, share: float, step: Step) -> None:
    """Write the state at a share of the step, from 0 to 1, into ``step.inside``."""
    rows = len(step.dense)
    for i in range(len(y)):
        value = 0.0
        for row in range(rows):  # the last coefficient first
            value += step.dense[rows - 1 - row, i]
            value *= share if row % 2 == 0 else 1.0 - share
        step.inside[i] = y[i] + value
