"""Entries into contact with the ground and exits from it: which comes first in a step, and where.

The event function of a link end is its gap to the ground, EARLY seconds ahead: ``gap + EARLY * gap rate``.
The end enters where that becomes negative, and leaves where it becomes positive. What happens within EARLY of
each other happens at once, so that a symmetric arm stays symmetric.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.contact import Contact
from models.flexible_arm.motion import Touch
from models.flexible_arm.motion_kernels import RateScratch, gaps_into
from models.flexible_arm.runge_kutta_kernels import Step, attempt, interpolate, prepare_dense
from models.jit import inner
from models.numerics.copy_kernels import copy
from models.numerics.runge_kutta import Pair

EARLY = 1e-10  # [s]
SAMPLES = 8  # states inside a step that are looked at, so that no graze is missed
MOST_PARTS = 4096  # of a step, where a link end passes low over many points of the ground's profile
EXACT = 1e-13  # [s]; to which a root of the dense output is found
NEWTON = 6  # steps by which the event is found exactly, from there
NONE = 2.0  # share of a step without an event


class Gaps(NamedTuple):
    """Gaps (P,) [m] of the link ends and their rates [m/s]: before a step, at a sample of it, and now.

    Before a step, their places (P, 2) [m] and velocities (P, 2) [m/s] also.
    """

    before: FloatArray
    rates_before: FloatArray
    points_before: FloatArray
    velocities_before: FloatArray
    sample: FloatArray
    rates_sample: FloatArray
    now: FloatArray
    rates: FloatArray


def new_gaps(ends: int) -> Gaps:
    """Room for the gaps of link ends."""
    pairs = [np.zeros((ends, 2)) for _ in range(2)]
    first, second, *others = (np.zeros(ends) for _ in range(6))
    return Gaps(first, second, pairs[0], pairs[1], *others)


@inner
def gaps_before(arm: Arm, contact: Contact, y: FloatArray, scratch: RateScratch, gaps: Gaps) -> None:
    """Write the gaps in the state y before a step, and where the link ends are."""
    gaps_into(arm, contact, y, scratch, gaps.before, gaps.rates_before)
    copy(scratch.points, gaps.points_before)
    copy(scratch.velocities, gaps.velocities_before)


@inner
def changed(touch: Touch, gaps: Gaps, k: int) -> bool:
    """True if a link end entered or left, by the present gaps."""
    below = gaps.now[k] + EARLY * gaps.rates[k] < 0.0
    return below != (touch.active[k] == 1)


@inner
def any_changed(
    arm: Arm, contact: Contact, touch: Touch, y: FloatArray, scratch: RateScratch, gaps: Gaps
) -> bool:
    """True if some link end entered or left in the state y; writes its gaps."""
    gaps_into(arm, contact, y, scratch, gaps.now, gaps.rates)
    found = False
    for k in range(len(gaps.now)):
        found = found or changed(touch, gaps, k)
    return found


@inner
def _may_change(arm: Arm, contact: Contact, touch: Touch, h: float, step: Step, gaps: Gaps) -> bool:
    """True if a link end can have entered or left in the step, generously: by the speeds at its ends."""
    gaps_into(arm, contact, step.end, step.scratch, gaps.now, gaps.rates)
    for k in range(len(gaps.now)):
        way = h * (abs(gaps.rates_before[k]) + abs(gaps.rates[k]))
        if touch.active[k] or min(gaps.before[k], gaps.now[k]) <= way:
            return True
    return False


@inner
def _parts_over_profile(contact: Contact, h: float, step: Step, gaps: Gaps) -> int:
    """Parts of the step that are short enough to see every hill that a link end can have met; 0 if none.

    A hill's top is at a point of the profile. In one part an end moves by about a quarter of the least
    distance between the points that it passes low over. The scratch has the link ends at the end of the step.
    """
    ground, parts = contact.ground, 0
    for k in range(len(gaps.now)):
        first, last = gaps.points_before[k], step.scratch.points[k]
        reach, sink = h * (np.abs(gaps.velocities_before[k]) + np.abs(step.scratch.velocities[k]))
        low, high = min(first[0], last[0]) - reach, max(first[0], last[0]) + reach
        lowest = min(first[1], last[1]) - sink
        spacing, meets = np.inf, False
        for j in range(len(ground.x) - 1):
            if ground.x[j + 1] >= low and ground.x[j] <= high:
                spacing = min(spacing, ground.x[j + 1] - ground.x[j])
                meets = meets or lowest < max(ground.heights[j], ground.heights[j + 1])
        if meets:
            parts = max(parts, int(min(np.ceil(2 * reach / spacing), MOST_PARTS)))
    return parts


@inner
def first_event(
    arm: Arm, contact: Contact, touch: Touch, pair: Pair, y: FloatArray, h: float, step: Step, gaps: Gaps
) -> float:
    """Share of the step at which a link end first enters or leaves, by the dense output; NONE if none does.

    The dense output is prepared where some link end touches.
    """
    may_change = _may_change(arm, contact, touch, h, step, gaps)
    parts = _parts_over_profile(contact, h, step, gaps) if len(contact.ground.x) > 1 else 0
    if not may_change and parts == 0:
        return NONE
    parts = max(parts, SAMPLES + 1)
    prepare_dense(arm, contact, touch, pair, y, h, step)
    copy(gaps.before, gaps.sample)
    copy(gaps.rates_before, gaps.rates_sample)
    before, after = 0.0, NONE
    for part in range(1, parts + 1):
        share = part / parts
        interpolate(y, share, step)
        if any_changed(arm, contact, touch, step.inside, step.scratch, gaps):
            after = share
        else:
            after = _graze(arm, contact, touch, y, h, before, share, step, gaps)
        if after != NONE:
            break
        before = share
        copy(gaps.now, gaps.sample)
        copy(gaps.rates, gaps.rates_sample)
    if after == NONE:
        return NONE
    while (after - before) * h > EXACT and before < 0.5 * (before + after) < after:
        middle = 0.5 * (before + after)
        interpolate(y, middle, step)
        if any_changed(arm, contact, touch, step.inside, step.scratch, gaps):
            after = middle
        else:
            before = middle
    return after


@inner
def _graze(
    arm: Arm,
    contact: Contact,
    touch: Touch,
    y: FloatArray,
    h: float,
    before: float,
    share: float,
    step: Step,
    gaps: Gaps,
) -> float:
    """Share of the step, between two samples, at which a link end that changes twice is furthest; or NONE.

    The present gaps are those at ``share``, and stay so where there is none.
    """  # fmt: skip
    for k in range(len(gaps.now)):
        side = -1.0 if touch.active[k] else 1.0
        falls, rises = side * gaps.rates_sample[k], side * gaps.rates[k]
        way = (share - before) * h * (rises - falls)
        if falls < 0.0 < rises and min(side * gaps.sample[k], side * gaps.now[k]) < way:
            low, high = before, share
            while (high - low) * h > EXACT and low < 0.5 * (low + high) < high:
                middle = 0.5 * (low + high)
                interpolate(y, middle, step)
                if any_changed(arm, contact, touch, step.inside, step.scratch, gaps):
                    return middle
                if side * gaps.rates[k] < 0.0:
                    low = middle
                else:
                    high = middle
            interpolate(y, share, step)
            any_changed(arm, contact, touch, step.inside, step.scratch, gaps)
    return NONE


@inner
def _lateness(touch: Touch, gaps: Gaps) -> float:
    """Time [s] since the first of the link ends that changed passed its gap, and EARLY."""
    late = 0.0
    for k in range(len(gaps.now)):
        if changed(touch, gaps, k) and gaps.rates[k] != 0.0:
            late = max(late, gaps.now[k] / gaps.rates[k] + EARLY)
    return late


@inner
def land(
    arm: Arm,
    contact: Contact,
    touch: Touch,
    pair: Pair,
    y: FloatArray,
    h: float,
    most: float,
    rtol: float,
    step: Step,
    gaps: Gaps,
) -> float:
    """Step to the event near h, by whole steps from y; the size of the step that ends there.

    Where the dense output was not exact, Newton's method corrects it, up to the size ``most``, which is
    known to be exact enough. If the event lies beyond that, or proves to be none, the step ends without one,
    and the next step goes on from there. The present gaps mark the link end that changes. The size is halved
    where the stages of an implicit step are not found.
    """  # fmt: skip
    for _ in range(NEWTON):
        if attempt(arm, contact, touch, pair, y, h, rtol, step) == np.inf:
            h *= 0.5
        elif any_changed(arm, contact, touch, step.end, step.scratch, gaps):
            late = _lateness(touch, gaps)
            if late <= EARLY:
                return h
            h = max(h - late, 0.5 * h)
        else:
            wait = most - h
            found = False
            for k in range(len(gaps.now)):
                towards = gaps.rates[k] if touch.active[k] else -gaps.rates[k]
                if towards > 0.0:
                    ahead = gaps.now[k] / -gaps.rates[k] - EARLY
                    if 0.0 <= ahead < min(wait, 0.1 * h + EARLY):
                        wait, found = ahead, True
            if not found:
                return h
            h = min(h + wait + 0.1 * EARLY, most)
    attempt(arm, contact, touch, pair, y, h, rtol, step)
    gaps_into(arm, contact, step.end, step.scratch, gaps.now, gaps.rates)
    return h
