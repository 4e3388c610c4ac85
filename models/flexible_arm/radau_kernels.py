"""One step of Radau IIA where link ends stick; :mod:`models.flexible_arm.radau` has the method.

Newton's method finds the stages, with the stiff part ``B G J`` of the Jacobian alone; see
:mod:`models.flexible_arm.contact_jacobian_kernels`. Rates of the coordinates in stage i lack the residual
``r_i``. Their corrections d follow from a system of 2 c speeds u in each stage:

    u_i - h sum_j Q_ij W G_j u_j = J r_i,    d_i = r_i + h sum_j Q_ij B G_j u_j

All else converges by repetition, since the step is short for it. Coordinates follow from their rates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.contact import Contact
from models.flexible_arm.contact_jacobian_kernels import (
    ALONG,
    ContactJacobian,
    add_responses,
    new_contact_jacobian,
    put_slopes,
    slopes_into,
    speeds_into,
)
from models.flexible_arm.motion import Touch, state_size
from models.flexible_arm.motion_kernels import RateScratch, state_rates
from models.flexible_arm.radau import DAMPING, STAGES, Collocation, collocation
from models.jit import inner
from models.numerics.copy_kernels import copy
from models.numerics.triangular_factors import factorise_lu, solve_lu

MODERATE_SWEEPS, MOST_SWEEPS = 10, 20
"""Corrections of the stages: as many as the size of the next step aims at, and as many as there may be."""
EXACT = 0.01
"""Error of the stages, relative to what is allowed of a step."""
CAUTION = 10.0
"""Factor on the error of a step, which hardly sees an edge of the ramp between two stages."""
SLOW = 0.5
"""Ratio of one correction to the one before, above which the system is made anew."""
UNSTABLE = 0.5
"""Size of a step, times the rate at which sliding grows, above which the step is too long for it."""


class Radau(NamedTuple):
    """Room for a step, whose state has N coordinates and P link ends.

    Attributes
    ----------
    method : Collocation
    jacobian : ContactJacobian
        At the start of the step.
    rates : (s, size) float
        Of the stages.
    v, residuals : (s, N) float
        Rates of the coordinates in the stages, and what they lack.
    slopes : (s + 1, P, 3) float, N s/m
        G in the stages, and the least steep of the step.
    speeds : (2 s P,) float, m/s
        u of one stage after the other.
    system : (2 s P, 2 s P) float
        Its factors, whose rows are exchanged as ``pivots`` (2 s P,) says.
    """

    method: Collocation
    jacobian: ContactJacobian
    rates: FloatArray
    v: FloatArray
    residuals: FloatArray
    slopes: FloatArray
    speeds: FloatArray
    system: FloatArray
    pivots: IntArray


def new_radau(arm: Arm) -> Radau:
    """Room for steps of an arm."""
    N, P, s = int(arm.offsets[-1]), len(arm.lengths) + 1, STAGES
    return Radau(
        collocation(), new_contact_jacobian(arm), np.zeros((s, state_size(arm))), np.zeros((s, N)),
        np.zeros((s, N)), np.zeros((s + 1, P, 3)), np.zeros(2 * s * P), np.zeros((2 * s * P, 2 * s * P)),
        np.zeros(2 * s * P, np.int64),
    )  # fmt: skip


@inner
def radau_step(
    arm: Arm,
    contact: Contact,
    touch: Touch,
    y: FloatArray,
    h: float,
    rate: FloatArray,
    allowed: FloatArray,
    scratch: RateScratch,
    radau: Radau,
    end: FloatArray,
) -> float:
    """Step by h from y, whose rate is ``rate``, to ``end``; its error, 1 if it is just allowed.

    ``radau.jacobian`` is that of y. ``allowed`` (size,) is the error allowed of each number. The last of
    ``radau.rates`` is the rate at the end. Infinity stands for stages that are not found.
    """  # fmt: skip
    N, count = arm.offsets[-1], radau.jacobian.count[0]
    for i in range(STAGES):
        for n in range(N):
            radau.v[i, n] = y[N + n] + h * radau.method.nodes[i] * rate[N + n]
    before, shrink, found = math.inf, 1.0, False
    for sweep in range(MOST_SWEEPS):
        renew = found or shrink > SLOW
        _rate_stages(arm, contact, touch, y, h, renew, count, scratch, radau, end)
        if found:
            if _grows(h, count, radau):
                return math.inf
            _integrate(y, h, N, radau, end)
            error = _error(arm, y, h, count, rate, allowed, scratch, radau)
            return max(error, (sweep / MODERATE_SWEEPS) ** (STAGES + 1))
        if renew and not _factorise(h, count, radau):
            return math.inf
        change = _correct(arm, y, h, count, allowed, scratch, radau)
        shrink = change / before if 0.0 < before < math.inf else 0.0
        if not change < math.inf or (sweep > 1 and shrink > 2.0):
            return math.inf
        found = sweep > 0 and shrink < 1.0 and change * shrink <= EXACT * (1.0 - shrink)
        before = change
    return math.inf


@inner
def _rate_stages(
    arm: Arm,
    contact: Contact,
    touch: Touch,
    y: FloatArray,
    h: float,
    renew: bool,
    count: int,
    scratch: RateScratch,
    radau: Radau,
    stage: FloatArray,
) -> None:
    """Fill rates of all stages, and slopes if ``renew``; ``stage`` ends as the last of them."""  # fmt: skip
    N = arm.offsets[-1]
    for i in range(STAGES):
        copy(y, stage)
        copy(radau.v[i], stage[N : 2 * N])
        for j in range(STAGES):
            for n in range(N):
                stage[n] += h * radau.method.Q[i, j] * radau.v[j, n]
        state_rates(arm, contact, touch, stage, scratch, radau.rates[i])
        if renew:
            slopes_into(contact, touch, count, scratch, radau.jacobian, radau.slopes[i])


@inner
def _factorise(h: float, count: int, radau: Radau) -> bool:
    """Factorise the system of the speeds with the slopes in the stages; False if it has no solution."""
    own, size, Q = 2 * count, 2 * STAGES * count, radau.method.Q
    system = radau.system[:size, :size]
    for i in range(STAGES):
        for a in range(own):
            row = system[i * own + a]
            for j in range(STAGES):
                block = row[j * own : (j + 1) * own]
                put_slopes(-h * Q[i, j], radau.slopes[j], count, radau.jacobian, a, block)
            row[i * own + a] += 1.0
    return factorise_lu(system, radau.pivots)


@inner
def _correct(
    arm: Arm, y: FloatArray, h: float, count: int, allowed: FloatArray, scratch: RateScratch, radau: Radau
) -> float:
    """Correct the rates of the stages; the greatest of the stages' changes, 1 if it is just allowed."""
    N, Q, own, greatest = arm.offsets[-1], radau.method.Q, 2 * count, 0.0
    u = radau.speeds[: STAGES * own]
    for i in range(STAGES):
        for n in range(N):
            total = y[N + n] - radau.v[i, n]
            for j in range(STAGES):
                total += h * Q[i, j] * radau.rates[j, N + n]
            radau.residuals[i, n] = total
        speeds_into(
            arm, y[:N], radau.residuals[i], count, scratch, radau.jacobian, u[i * own : (i + 1) * own]
        )
    solve_lu(radau.system[: len(u), : len(u)], radau.pivots, u)
    for i in range(STAGES):
        change, square = radau.residuals[i], 0.0
        for j in range(STAGES):
            add_responses(
                h * Q[i, j], radau.slopes[j], u[j * own : (j + 1) * own], count, radau.jacobian, change
            )
        for n in range(N):
            square += (change[n] / allowed[N + n]) ** 2
            radau.v[i, n] += change[n]
        if not square < math.inf:
            return math.inf
        greatest = max(greatest, math.sqrt(square / N))
    return greatest


@inner
def _grows(h: float, count: int, radau: Radau) -> bool:
    """True if sliding grows too fast for the step, where Stribeck's friction falls over the speed.

    Implicit stages that are far apart would stay on a motion that is unstable.
    """
    for i in range(STAGES):
        for k in range(count):
            if h * radau.slopes[i, k, ALONG] * radau.jacobian.delassus[k, k] > UNSTABLE:
                return True
    return False


@inner
def _integrate(y: FloatArray, h: float, N: int, radau: Radau, end: FloatArray) -> None:
    """Fill what is integrated beside the motion at the end of the step, where coordinates and rates are."""
    for i in range(2 * N, len(y)):
        total = 0.0
        for j in range(STAGES):
            total += radau.method.Q[STAGES - 1, j] * radau.rates[j, i]
        end[i] = y[i] + h * total


@inner
def _error(
    arm: Arm,
    y: FloatArray,
    h: float,
    count: int,
    rate: FloatArray,
    allowed: FloatArray,
    scratch: RateScratch,
    radau: Radau,
) -> float:
    """The step's ``gamma h (f(y0) - p(0))``, of rates by ``1 - gamma h B G J``."""  # fmt: skip
    N, step, misfits = arm.offsets[-1], DAMPING * h, radau.residuals[0]
    total, counted = 0.0, N
    for i in range(len(y)):
        misfit = rate[i]
        for j in range(STAGES):
            misfit -= radau.method.start[j] * radau.rates[j, i]
        if N <= i < 2 * N:
            misfits[i - N] = step * misfit
        elif allowed[i] < math.inf:
            total += (step * misfit / allowed[i]) ** 2
            counted += 1
    if not _damp(arm, y, step, count, scratch, radau, misfits):
        return math.inf
    for n in range(N):
        total += (misfits[n] / allowed[N + n]) ** 2
    return CAUTION * math.sqrt(total / counted)


@inner
def _damp(
    arm: Arm, y: FloatArray, step: float, count: int, scratch: RateScratch, radau: Radau, rates: FloatArray
) -> bool:
    """Divide rates (N,) by ``1 - step B G J`` with the least steep G of the step; False if that fails.

    A link end that leaves the ramp within the step is not held by it.
    """
    own, at, slopes = 2 * count, radau.jacobian, radau.slopes[STAGES]
    u, system = radau.speeds[:own], radau.system[:own, :own]
    for k in range(count):
        for column in range(3):
            slopes[k, column] = at.slopes[k, column]
            for i in range(STAGES):
                slopes[k, column] = weaker(slopes[k, column], radau.slopes[i, k, column])
    speeds_into(arm, y[: arm.offsets[-1]], rates, count, scratch, at, u)
    for a in range(own):
        put_slopes(-step, slopes, count, at, a, system[a])
        system[a, a] += 1.0
    if not factorise_lu(system, radau.pivots):
        return False
    solve_lu(system, radau.pivots, u)
    add_responses(step, slopes, u, count, at, rates)
    return True


@inner
def weaker(one: float, other: float) -> float:
    """The number closer to 0; 0 where the signs differ."""
    if one * other <= 0.0:
        return 0.0
    return one if abs(one) < abs(other) else other
