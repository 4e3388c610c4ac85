"""The motion in time: steps, contacts that begin and end in it, and what is kept of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.contact import Contact
from models.flexible_arm.event_kernels import NONE, SAMPLES, Gaps, changed, first_event, gaps_before, land
from models.flexible_arm.motion import LOSSES, Touch
from models.flexible_arm.motion_kernels import RateScratch, ground_forces_at, state_rates
from models.flexible_arm.runge_kutta_kernels import (
    Step,
    attempt,
    choose_method,
    error_order,
    interpolate,
    prepare_dense,
)
from models.jit import entry, inner
from models.numerics.copy_kernels import copy
from models.numerics.runge_kutta import Pair

ARRIVED, PAUSED, STUCK, ENDLESS = range(4)
"""Ends of :func:`advance`: in time, after a block, by a step that is too short, by too many steps."""
MOST_INSIDE = 256  # instants that are kept of one step
MOST_AT_ONCE = 4 * MOST_INSIDE  # steps without a report, and instants that the tables hold
SHORTEST = 1e-15  # [s]
SAFETY, LEAST_FACTOR, GREATEST_FACTOR = 0.9, 0.2, 10.0
LEAST_SPEED = 1e-9  # [m/s]; an approach speed is not taken to be less

# columns of a hit, and of one that has not ended
POINT, BEGIN, END, APPROACH, SEPARATION, PEAK, PEAK_TIME, IMPULSE, FRICTION_IMPULSE, PLACE = range(10)
HIT_COLUMNS = 10
NOW, WANTED, STEPS, KEPT = range(4)
"""Entries of a clock: the time [s], the next size of a step [s], the number of steps, the last kept [s]."""


class Tables(NamedTuple):
    """Tables of a motion, filled row by row.

    Attributes
    ----------
    instants : (capacity, 1 + size + 2P) float
        Time, state, normal and tangential forces.
    hits : (capacity, HIT_COLUMNS) float
        Contacts that ended.
    open : (P, HIT_COLUMNS) float
        Those that have not.
    recent : (P, 4) float
        Of each link end that touches: the last two instants [s] and forces [N], from which peaks follow.
    filled : (2,) int
        Rows of ``instants`` and ``hits`` that are filled.
    """

    instants: FloatArray
    hits: FloatArray
    open: FloatArray
    recent: FloatArray
    filled: IntArray


@entry
def advance(
    arm: Arm,
    contact: Contact,
    pair: Pair,
    y: FloatArray,
    clock: FloatArray,
    touch: Touch,
    rtol: float,
    until: float,
    interval: float,
    spacing: float,
    most_steps: int,
    step: Step,
    gaps: Gaps,
    tables: Tables,
) -> int:
    """Move the state y on to the instant ``until`` [s], or until a table is full or many steps are done.

    The end of a step is kept if a contact begins or ends there, or if it lies at least ``spacing`` [s] after
    the last one kept. Of a step longer than ``interval`` [s], instants inside are kept, at most so far apart.
    Tables and clock go on from call to call.
    """  # fmt: skip
    s, pause = len(pair.B), clock[STEPS] + MOST_AT_ONCE
    state_rates(arm, contact, touch, y, step.scratch, step.K[0])
    gaps_before(arm, contact, y, step.scratch, gaps)
    while clock[NOW] < until:
        if _full(tables, touch) or clock[STEPS] >= pause:
            return PAUSED
        if clock[STEPS] >= most_steps:
            return ENDLESS
        h, error = _accepted(arm, contact, touch, pair, y, clock, rtol, until, interval, step)
        if error > 1.0:
            return STUCK
        share = first_event(arm, contact, touch, pair, y, h, step, gaps)
        if share == NONE:
            factor = GREATEST_FACTOR if error == 0.0 else SAFETY * error ** (-1 / error_order(pair, step))
            if h >= clock[WANTED]:
                clock[WANTED] = h * min(GREATEST_FACTOR, max(LEAST_FACTOR, factor))
        else:
            h = land(arm, contact, touch, pair, y, share * h, h, rtol, step, gaps)
        _keep_inside(arm, contact, pair, y, h, clock[NOW], interval, share, touch, step, tables)
        clock[NOW] = until if until - clock[NOW] - h < SHORTEST else clock[NOW] + h
        clock[STEPS] += 1
        copy(step.end, y)
        gaps_before(arm, contact, y, step.scratch, gaps)
        if share == NONE:
            copy(step.K[s], step.K[0])
        else:
            _change(arm, y, clock[NOW], touch, gaps, step.scratch, tables)
            state_rates(arm, contact, touch, y, step.scratch, step.K[0])
        choose_method(arm, contact, touch, y, clock[WANTED], step)
        if share != NONE or clock[NOW] - clock[KEPT] >= spacing or clock[NOW] >= until:
            ground_forces_at(arm, contact, touch, y, step.scratch)
            _write(clock[NOW], y, step, tables)
            clock[KEPT] = clock[NOW]
    return ARRIVED


@inner
def _full(tables: Tables, touch: Touch) -> bool:
    """True if the tables may have no room for one more step."""
    instants, hits = tables.filled
    ends = len(touch.active)
    return instants + MOST_INSIDE + 2 > len(tables.instants) or hits + ends > len(tables.hits)


@inner
def _accepted(
    arm: Arm,
    contact: Contact,
    touch: Touch,
    pair: Pair,
    y: FloatArray,
    clock: FloatArray,
    rtol: float,
    until: float,
    interval: float,
    step: Step,
) -> tuple[float, float]:
    """Size and error of the first step that is exact enough; an error above 1 if none is."""  # fmt: skip
    h = min(clock[WANTED], until - clock[NOW], MOST_INSIDE * interval)
    while True:
        error = attempt(arm, contact, touch, pair, y, h, rtol, step)
        if error <= 1.0 or h < SHORTEST:
            return h, error
        h *= max(LEAST_FACTOR, SAFETY * error ** (-1 / error_order(pair, step)))
        clock[WANTED] = h


@inner
def _keep_inside(
    arm: Arm,
    contact: Contact,
    pair: Pair,
    y: FloatArray,
    h: float,
    start: float,
    interval: float,
    share: float,
    touch: Touch,
    step: Step,
    tables: Tables,
) -> None:
    """Follow the forces through a step, and keep instants of it if it is long."""  # fmt: skip
    touches = False
    for k in range(len(touch.active)):
        touches = touches or touch.active[k] == 1
    kept = int(np.ceil(h / interval)) - 1
    if not touches and kept < 1:
        return
    if share != NONE or not touches:
        prepare_dense(arm, contact, touch, pair, y, h, step)
    if touches:
        for sample in range(1, SAMPLES + 2):
            part = sample / (SAMPLES + 1)
            interpolate(y, part, step)
            ground_forces_at(arm, contact, touch, step.inside, step.scratch)
            _follow_peaks(start + part * h, touch, step.scratch.normal, tables)
    for i in range(1, kept + 1):
        part = i / (kept + 1)
        interpolate(y, part, step)
        ground_forces_at(arm, contact, touch, step.inside, step.scratch)
        _write(start + part * h, step.inside, step, tables)


@inner
def _follow_peaks(time: float, touch: Touch, forces: FloatArray, tables: Tables) -> None:
    """Note a greatest force at the vertex of the parabola through three instants."""
    for k in range(len(touch.active)):
        if not touch.active[k]:
            continue
        t0, t1, f0, f1 = tables.recent[k]
        f2 = forces[k]
        one, two = t1 - t0, time - t1
        if f1 >= f0 and f1 >= f2 and f1 > 0.0 and one > 0.0 and two > 0.0:
            rise, fall = (f1 - f0) / one, (f2 - f1) / two
            bend = (rise - fall) / (one + two)
            slope = (rise * two + fall * one) / (one + two)
            peak = f1 + slope * slope / (4 * bend) if bend > 0.0 else f1
            if peak > tables.open[k, PEAK]:
                tables.open[k, PEAK] = peak
                tables.open[k, PEAK_TIME] = t1 + slope / (2 * bend) if bend > 0.0 else t1
        elif f2 > tables.open[k, PEAK]:
            tables.open[k, PEAK], tables.open[k, PEAK_TIME] = f2, time
        tables.recent[k, 0], tables.recent[k, 1] = t1, time
        tables.recent[k, 2], tables.recent[k, 3] = f1, f2


@inner
def _change(
    arm: Arm, y: FloatArray, time: float, touch: Touch, gaps: Gaps, scratch: RateScratch, tables: Tables
) -> None:
    """Begin or end contacts of the link ends that enter or leave; the scratch has all places."""
    ends = len(touch.active)
    impulses = 2 * arm.offsets[-1] + LOSSES
    for k in range(ends):
        if not changed(touch, gaps, k):
            continue
        hit = tables.open[k]
        if touch.active[k]:
            touch.active[k] = 0
            hit[END], hit[SEPARATION] = time, gaps.rates[k]
            hit[IMPULSE] = y[impulses + k] - hit[IMPULSE]
            hit[FRICTION_IMPULSE] = y[impulses + ends + k] - hit[FRICTION_IMPULSE]
            copy(hit, tables.hits[tables.filled[1]])
            tables.filled[1] += 1
        else:
            touch.active[k] = 1
            touch.speeds[k] = max(-gaps.rates[k], LEAST_SPEED)
            hit[POINT], hit[BEGIN], hit[END] = k, time, np.inf
            hit[APPROACH], hit[SEPARATION] = touch.speeds[k], 0.0
            hit[PEAK], hit[PEAK_TIME] = 0.0, time
            hit[IMPULSE], hit[FRICTION_IMPULSE] = y[impulses + k], y[impulses + ends + k]
            hit[PLACE] = scratch.points[k, 0]
            tables.recent[k, 0], tables.recent[k, 1] = time - 1.0, time
            tables.recent[k, 2] = tables.recent[k, 3] = 0.0


@inner
def _write(time: float, y: FloatArray, step: Step, tables: Tables) -> None:
    """Write an instant with its forces, which stand in the scratch."""
    row = tables.instants[tables.filled[0]]
    size, ends = len(y), len(step.scratch.normal)
    row[0] = time
    copy(y, row[1 : 1 + size])
    copy(step.scratch.normal, row[1 + size : 1 + size + ends])
    copy(step.scratch.tangential, row[1 + size + ends :])
    tables.filled[0] += 1
