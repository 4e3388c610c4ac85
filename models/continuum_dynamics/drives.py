"""Drives of the cables: motors wind lengths over time.

A step in the winding speed would be an impact on a cable that does not stretch. A ramp is therefore a
polynomial of fifth degree, whose speed and acceleration vanish at both ends, and a table is interpolated by
monotone cubics, whose speed vanishes at both ends; before its start and after its end a drive rests.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from errors import InputError, Place, UnknownNameError
from models.arrays import FloatArray, Numbers, finite_array

BoolArray = NDArray[np.bool_]
State = Literal["driven", "locked", "slack", "absent"]
PEAK = 1.875  # greatest speed of a ramp by its mean
STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True)
class Drive:
    """Drive of one cable.

    Parameters
    ----------
    state : "driven", "locked", "slack" or "absent"
        A driven cable is wound; a locked one is held at its length along the straight robot; a slack one is
        wound off so far that it never pulls; an absent one is not there.
    pull : float, m
        Length that a ramp winds; negative to pay out.
    start, end : float, s
        Of the ramp.
    times, lengths : (k,) float, s and m; optional
        A table of wound lengths, instead of the ramp; at least two rows.
    """

    state: State = "driven"
    pull: float = 0.0
    start: float = 0.0
    end: float = 1.0
    times: Numbers | None = None
    lengths: Numbers | None = None


class Samples(NamedTuple):
    """Drives of m cables at k instants.

    Attributes
    ----------
    held : (m,) bool
        Whether the cable is there and its length is set: driven or locked.
    pulls : (m, k) float, m
        Wound length; 0 for cables that are not held.
    speeds : (m, k) float, m/s
    accelerations : (m, k) float, m/s^2
    """

    held: BoolArray
    pulls: FloatArray
    speeds: FloatArray
    accelerations: FloatArray


def greatest_pulls(L: float, elements: int, holes: FloatArray) -> FloatArray:
    """Greatest shortening [m] of each cable (m,), through ``holes`` (m, 2) [m], against the straight robot.

    There every element, ``L`` [m] long, bends towards the cable by half a turn, or by as much as brings the
    holes of neighbouring disks together: an arc that bends by a has the chord ``2 (L / a - r) sin(a / 2)``.
    """
    radius = np.linalg.norm(holes, axis=1)
    bend = np.minimum(math.pi, L / radius)
    least = 2 * (L / bend - radius) * np.sin(bend / 2)
    return np.asarray(elements * (L - least))


def sampled(reach: FloatArray, drives: Sequence[Drive], times: FloatArray) -> Samples:
    """Lengths, speeds and accelerations of all cables at ``times`` (k,) [s].

    ``reach`` (m,) [m] are the greatest pulls of the cables.

    Raises
    ------
    InputError
        When there is not one drive per cable, a drive jumps or has no duration, a table is out of order, or
        a drive pulls more than the robot has. Its place names the drive.
    """
    if len(drives) != len(reach):
        message = f"the robot has {len(reach)} cables; got {len(drives)} drives: give one per cable"
        raise InputError(message, ("drives",))
    held = np.array([each.state in ("driven", "locked") for each in drives])
    rows = np.zeros((3, len(drives), len(times)))
    for index, (drive, greatest) in enumerate(zip(drives, reach, strict=True)):
        place = ("drives", index)
        _require_state(drive, place)
        if drive.state == "driven" and _has_table(drive):
            knots, lengths = _checked_table(drive, place)
            _require_reach(float(lengths.max()), float(greatest), (*place, "lengths"))
            rows[:, index] = _interpolated(knots, lengths, times)
        elif drive.state == "driven":
            _require_ramp(drive, place)
            _require_reach(drive.pull, float(greatest), (*place, "pull"))
            rows[:, index] = _ramp(drive, times)
    return Samples(held, rows[0], rows[1], rows[2])


def rise_time(drive: Drive) -> float:
    """Duration [s] of the ramp that winds as far and as fast as a drive does at most; infinite at rest."""
    if drive.state != "driven":
        return math.inf
    if drive.times is None or drive.lengths is None:
        return drive.end - drive.start if drive.pull != 0.0 else math.inf
    lengths = np.asarray(drive.lengths, float)
    fastest = float(np.abs(np.diff(lengths) / np.diff(np.asarray(drive.times, float))).max())
    return PEAK * float(np.ptp(lengths)) / fastest if fastest > 0.0 else math.inf


def _has_table(drive: Drive) -> bool:
    return drive.times is not None or drive.lengths is not None


def _require_state(drive: Drive, place: Place) -> None:
    """Raise ``InputError`` for an unknown state, or for a motion of a cable that is not driven."""
    if drive.state not in STATES:
        raise UnknownNameError("state of a cable", drive.state, STATES, (*place, "state"))
    if drive.state != "driven" and (drive.pull != 0.0 or _has_table(drive)):
        message = f"a cable that is {drive.state} is not wound; leave out its pull or say that it is driven"
        raise InputError(message, (*place, "state"))


def _require_reach(pull: float, greatest: float, place: Place) -> None:
    """Raise ``InputError`` when a drive pulls as much as ``greatest`` [m]."""
    if pull >= greatest:
        raise InputError(
            f"a pull of {pull:g} m is more than the robot has: at {greatest:.4g} m every element would bend "
            "by half a turn, or its disks would meet; pull less",
            place,
        )


def _require_ramp(drive: Drive, place: Place) -> None:
    """Raise ``InputError`` for a ramp that is not finite, has no duration or ends before it starts."""
    for name in ("pull", "start", "end"):
        if not math.isfinite(getattr(drive, name)):
            message = f"{getattr(drive, name)} is not finite; give a finite number"
            raise InputError(message, (*place, name))
    if drive.end < drive.start:
        message = f"the ramp ends at {drive.end:g} s, before its start at {drive.start:g} s; exchange them"
        raise InputError(message, (*place, "end"))
    if drive.end == drive.start:
        message = f"the drive jumps by {drive.pull:g} m at {drive.start:g} s; let it end later than it starts"
        raise InputError(message, (*place, "end"))


def _ramp(drive: Drive, times: FloatArray) -> FloatArray:
    """Length, speed and acceleration (3, k) of a ramp at ``times`` (k,) [s]."""
    duration = drive.end - drive.start
    x = np.clip((times - drive.start) / duration, 0.0, 1.0)
    return drive.pull * np.stack([
        x**3 * (10 - 15 * x + 6 * x**2),
        30 * x**2 * (1 - x) ** 2 / duration,
        60 * x * (1 - x) * (1 - 2 * x) / duration**2,
    ])  # fmt: skip


def _checked_table(drive: Drive, place: Place) -> tuple[FloatArray, FloatArray]:
    """Times and lengths (k,) of a table; raises ``InputError`` for one that cannot be interpolated."""
    if drive.times is None or drive.lengths is None:
        missing = "times" if drive.times is None else "lengths"
        raise InputError("a table has times and lengths; give both", (*place, missing))
    if drive.pull != 0.0:
        message = f"a pull of {drive.pull:g} m beside a table is not used; leave one of them out"
        raise InputError(message, (*place, "pull"))
    try:
        knots = finite_array(drive.times, (None,), "times")
        lengths = finite_array(drive.lengths, (len(knots),), "lengths", "one per time")
    except InputError as error:
        raise error.at((*place, *error.place)) from None
    if len(knots) < 2:
        raise InputError("a table of one row does not move; give at least two", (*place, "times"))
    wrong = np.flatnonzero(np.diff(knots) <= 0.0)
    if len(wrong):
        row = int(wrong[0])
        fault = "the drive jumps" if knots[row + 1] == knots[row] else "the table is out of order"
        raise InputError(
            f"{fault}: {knots[row + 1]:g} s follows {knots[row]:g} s; let every time be later than the last",
            (*place, "times", row + 1),
        )
    return knots, lengths


def _interpolated(knots: FloatArray, lengths: FloatArray, times: FloatArray) -> FloatArray:
    """Length, speed and acceleration (3, k) of a table at ``times`` (k,) [s].

    Fritsch and Carlson's cubics never leave the range of the two rows that they join. Rows that repeat the
    first and the last length make them begin and end at rest.
    """
    from scipy.interpolate import PchipInterpolator

    before, after = 2 * knots[0] - knots[1], 2 * knots[-1] - knots[-2]
    curve = PchipInterpolator(
        np.concatenate([[before], knots, [after]]), np.concatenate([lengths[:1], lengths, lengths[-1:]])
    )
    inside = (times > knots[0]) & (times < knots[-1])
    at = np.clip(times, knots[0], knots[-1])
    return np.stack([curve(at), inside * curve(at, 1), inside * curve(at, 2)])
