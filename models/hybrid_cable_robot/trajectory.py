"""Paths through waypoints, random slow paths, and the motions of platform and arm.

All arrays may carry leading dimensions, one entry per instant; they must then agree.

Neighbouring waypoints are joined by polynomials of fifth degree that share position, velocity and
acceleration; the first and the last waypoint are left and reached at rest. Between two waypoints
alone this is the quintic of rest to rest, ``10 s^3 - 15 s^4 + 6 s^5``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from pydantic import Field, model_validator

from models.arrays import FloatArray, Numbers, finite_array
from models.fields import quantity
from models.hybrid_cable_robot.freedoms import Freedoms, Plane, wrench_rows
from models.hybrid_cable_robot.parameter_types import MOST_JOINTS
from models.messages import excluded
from models.numerics.rotations import rotation_matrices
from models.parameters import Parameters


@dataclass(frozen=True, slots=True)
class PlatformMotion:
    """Pose, velocity and acceleration of the platform, in the world frame.

    Attributes
    ----------
    position, velocity, acceleration : (..., 3) float, m, m/s, m/s^2
        Of the platform's origin.
    rotation : (..., 3, 3) float
        Platform to world.
    angular_velocity, angular_acceleration : (..., 3) float, rad/s, rad/s^2
    """

    position: FloatArray
    rotation: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    angular_velocity: FloatArray
    angular_acceleration: FloatArray

    @classmethod
    def at_rest(cls, position: Numbers, rotation_vector: Numbers) -> PlatformMotion:
        """The platform standing still at ``position`` (..., 3) m, turned by ``rotation_vector`` rad."""
        place = finite_array(position, (..., 3), "position")
        turn = rotation_matrices(finite_array(rotation_vector, (..., 3), "rotation_vector"))
        still = np.zeros(place.shape)
        return cls(place, turn, still, still, still, still)


@dataclass(frozen=True, slots=True)
class ArmMotion:
    """Coordinates of the arm's n joints and their derivatives: (..., n) float, rad, rad/s, rad/s^2.

    The coordinate of a prismatic joint is its travel [m].
    """

    angles: FloatArray
    velocities: FloatArray
    accelerations: FloatArray

    @classmethod
    def at_rest(cls, angles: Numbers) -> ArmMotion:
        """The arm standing still at ``angles`` (..., n) rad, m for prismatic joints."""
        values = finite_array(angles, (..., None) if np.size(angles) else (..., 0), "angles")
        return cls(values, np.zeros(values.shape), np.zeros(values.shape))


SHORTEST_STEP = 1e-3  # [s]
MOST_WAYPOINTS = 1000

Metre = Annotated[float, Field(ge=-1e4, le=1e4)]
Radian = Annotated[float, Field(ge=-1e3, le=1e3)]
Instant = Annotated[float, Field(ge=0, le=1e6)]
PointRow = tuple[Metre, Metre, Metre]
TurnRow = tuple[Radian, Radian, Radian]
JointRow = Annotated[tuple[Radian, ...], Field(max_length=MOST_JOINTS)]
LengthRow = Annotated[
    tuple[Annotated[float, Field(ge=1e-6, le=1e4)], ...], Field(min_length=1, max_length=16)
]


class Trajectory(Parameters):
    """Waypoints of the platform and of the arm with common times.

    The arm follows ``joints`` or ``tool``, one of them: waypoints of its angles, or of its end in
    the arm's base frame, which inverse kinematics turns into angles along the path.
    """

    times: tuple[Instant, ...] = quantity(
        (0.0, 4.0),
        unit="s",
        description="times of the waypoints, in rising order",
        min_length=2,
        max_length=MOST_WAYPOINTS,
        item="waypoint {}, time",
    )
    platform_positions: tuple[PointRow, ...] = quantity(
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        unit="m",
        description="positions of the platform's origin at the waypoints, in the world frame",
        item="waypoint {}, platform position",
    )
    platform_rotations: tuple[TurnRow, ...] | None = quantity(
        None,
        unit="rad",
        description="rotation vectors of the platform at the waypoints; if not set, it does not turn",
        item="waypoint {}, platform rotation",
        parts=("x", "y", "z"),
    )
    joints: tuple[JointRow, ...] | None = quantity(
        None,
        unit="rad",
        description="coordinates of the arm's joints at the waypoints, in m for prismatic joints; if not "
        "set, and no tool moves it, the arm stands at rest",
        item="waypoint {}, arm joint",
        per="arm_joints",
    )
    tool_positions: tuple[PointRow, ...] | None = quantity(
        None,
        unit="m",
        description="positions of the arm's end at the waypoints, in the frame of the arm's base; instead "
        "of 'joints'",
        item="waypoint {}, tool position",
    )
    tool_rotations: tuple[TurnRow, ...] | None = quantity(
        None,
        unit="rad",
        description="rotation vectors of the arm's end at the waypoints, in the frame of the arm's base",
        item="waypoint {}, tool rotation",
        parts=("x", "y", "z"),
    )

    @model_validator(mode="after")
    def _waypoints_agree(self) -> Self:
        require_rising(self.times)
        for name in (
            "platform_positions",
            "platform_rotations",
            "joints",
            "tool_positions",
            "tool_rotations",
        ):
            rows = getattr(self, name)
            if rows is not None and len(rows) != len(self.times):
                raise excluded(
                    f"'{name}' lists {len(rows)} waypoints but 'times' lists {len(self.times)}; "
                    "give one waypoint per time",
                    name,
                    "times",
                )
        if self.joints is not None and self.tool_positions is not None:
            raise excluded(
                "'joints' and 'tool_positions' both move the arm; give only one of them",
                "joints",
                "tool_positions",
            )
        if (self.tool_positions is None) != (self.tool_rotations is None):
            raise excluded(
                "'tool_positions' and 'tool_rotations' must be given together",
                "tool_positions",
                "tool_rotations",
            )
        return self

    def within(self, freedoms: Freedoms, plane: Plane) -> Trajectory:
        """The same waypoints with the positions and turns of a motion pattern alone; others are zero.

        A bar may turn about any axis: the turning about itself moves no cable.
        """
        rows = wrench_rows(freedoms, plane)

        def masked(points: Sequence[Sequence[float]] | None, keep: FloatArray) -> list[list[float]] | None:
            return None if points is None else (np.array(points) * keep).tolist()

        changed = {
            "platform_positions": masked(self.platform_positions, rows[:3]),
            "platform_rotations": masked(self.platform_rotations, rows[3:]),
        }
        return Trajectory.model_validate({**self.model_dump(), **changed})

    def carrying(self, posture: tuple[float, ...]) -> Trajectory:
        """The same waypoints with the arm locked at ``posture`` (n,), where it has no motion of its own."""
        if self.joints is not None or self.tool_positions is not None:
            return self
        return self.model_copy(update={"joints": (posture,) * len(self.times)})

    def require_within(self, freedoms: Freedoms, plane: Plane) -> None:
        """No waypoint turns or moves the platform in a direction that its motion pattern does not have."""
        rows = wrench_rows(freedoms, plane)
        turns = np.array(self.platform_rotations or ((0.0, 0.0, 0.0),))
        across = np.ptp(np.array(self.platform_positions), axis=0)
        if np.abs(turns * (1.0 - rows[3:])).max() > 0.0:
            raise excluded(
                f"'platform_rotations' turn the platform about an axis that 'freedoms' {freedoms} "
                "does not have",
                "trajectory",
                "freedoms",
            )
        if np.abs(across * (1.0 - rows[:3])).max() > 0.0:
            raise excluded(
                f"'platform_positions' leave the plane {plane} of 'freedoms' {freedoms}",
                "trajectory",
                "plane",
            )


def require_rising(times: Sequence[float]) -> None:
    """Times of waypoints rise by at least ``SHORTEST_STEP``."""
    for number, (before, after) in enumerate(itertools.pairwise(times), 2):
        if not after - before >= SHORTEST_STEP:
            raise excluded(
                f"'times' must rise by at least {SHORTEST_STEP:g} s from waypoint to waypoint; number "
                f"{number} is at {after:g} s, the one before at {before:g} s",
                "times",
            )


class WinchLengths(Parameters):
    """Lengths that the winches pay out, over time: a table, and smooth between its rows."""

    times: tuple[Instant, ...] = quantity(
        (0.0, 1.0),
        unit="s",
        description="times of the rows, in rising order",
        min_length=2,
        max_length=MOST_WAYPOINTS,
        item="row {}, time",
    )
    lengths: tuple[LengthRow, ...] = quantity(
        ((1.0,) * 8, (1.0,) * 8),
        unit="m",
        description="lengths of the cables without load, a row for each time with a value for each cable",
        item="row {}, length of cable",
    )

    @model_validator(mode="after")
    def _rows_agree(self) -> Self:
        require_rising(self.times)
        if len(self.lengths) != len(self.times):
            raise excluded(
                f"'lengths' has {len(self.lengths)} rows but 'times' lists {len(self.times)}; give one row "
                "per time",
                "lengths",
                "times",
            )
        return self


_DEGREE = math.pi / 180

QUINTIC_4S = Trajectory(
    times=(0.0, 4.0),
    platform_positions=((-0.1, -0.08, -0.12), (0.1, 0.08, -0.02)),
    platform_rotations=((0.0, 0.0, 0.0), (3 * _DEGREE, -2 * _DEGREE, 4 * _DEGREE)),
    joints=(
        (0.0, -90 * _DEGREE, 180 * _DEGREE, 0.0, 0.0, 0.0),
        (60 * _DEGREE, -80 * _DEGREE, 170 * _DEGREE, 30 * _DEGREE, 20 * _DEGREE, 40 * _DEGREE),
    ),
)
TRAJECTORIES = {"quintic-4s": QUINTIC_4S}
RESTING_ARM = (0.0, -90 * _DEGREE, 180 * _DEGREE, 0.0, 0.0, 0.0)
"""Rest [rad] of the paper's arm, and of any with six revolute joints, where 'joints' are not given."""


def through_waypoints(
    times: FloatArray, rows: FloatArray, instants: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Values, first and second derivatives (n, d) of the path at ``instants`` (n,) s.

    Written here, because scipy's ``CubicSpline`` and ``BPoly`` differ in the last digit, and importing them
    takes 0.4 s of processor time in every process.

    Parameters
    ----------
    times : (w,) float, s
    rows : (w, d) float
        Waypoints. The velocities and accelerations at the inner ones are those of the cubic spline
        that starts and ends with velocity zero.
    """
    steps = np.diff(times)
    piece = np.clip(np.searchsorted(times, instants, side="right") - 1, 0, len(steps) - 1)
    h = steps[piece, None]
    s = (instants - times[piece])[:, None] / h
    c = waypoint_quintics(times, rows)[:, piece]
    values = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))))
    rate = c[1] + s * (2 * c[2] + s * (3 * c[3] + s * (4 * c[4] + s * 5 * c[5])))
    second = 2 * c[2] + s * (6 * c[3] + s * (12 * c[4] + s * 20 * c[5]))
    return values, rate / h, second / h**2


def waypoint_quintics(times: FloatArray, rows: FloatArray) -> FloatArray:
    """Coefficients (6, w - 1, d) of :func:`through_waypoints` in powers of the share of a piece."""
    steps = np.diff(times)
    rates, seconds = _spline_derivatives(steps, rows)
    return quintics(steps[:, None], rows, rates, seconds)


def quintics(h: FloatArray, rows: FloatArray, rates: FloatArray, seconds: FloatArray) -> FloatArray:
    """Coefficients (6, w - 1, d) of the pieces in powers of the share of their time ``h`` (w - 1, 1) s.

    Each piece has the given values, first and second derivatives at both ends.
    """
    first, half = h * rates[:-1], h**2 * seconds[:-1] / 2
    gap = rows[1:] - rows[:-1] - first - half
    slope = h * rates[1:] - first - 2 * half
    bend = (h**2 * seconds[1:] - 2 * half) / 2
    return np.stack(
        [
            rows[:-1],
            first,
            half,
            10 * gap - 4 * slope + bend,
            -15 * gap + 7 * slope - 2 * bend,
            6 * gap - 3 * slope + bend,
        ]
    )


def _spline_derivatives(h: FloatArray, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """First and second derivatives (w, d) at the waypoints, zero at the ends.

    At the inner ones those of the cubic spline with velocity zero at the ends, whose equations
    ``h_i v_(i-1) + 2 (h_(i-1) + h_i) v_i + h_(i-1) v_(i+1) = 3 (h_i s_(i-1) + h_(i-1) s_i)``, s the
    slopes of the chords, are solved by elimination down and substitution back.
    """
    rates, seconds = np.zeros(rows.shape), np.zeros(rows.shape)
    slopes = np.diff(rows, axis=0) / h[:, None]
    shares = np.zeros(len(rows))
    for i in range(1, len(rows) - 1):
        pivot = 2 * (h[i - 1] + h[i]) - h[i] * shares[i - 1]
        shares[i] = h[i - 1] / pivot
        rates[i] = (3 * (h[i] * slopes[i - 1] + h[i - 1] * slopes[i]) - h[i] * rates[i - 1]) / pivot
    for i in range(len(rows) - 2, 0, -1):
        rates[i] -= shares[i] * rates[i + 1]
    inner = slice(1, -1)
    seconds[inner] = (6 * slopes[1:] - 4 * rates[1:-1] - 2 * rates[2:]) / h[1:, None]
    return rates, seconds


def random_trajectories(
    count: int, seed: int, *, reach: float = 0.1, turn: float = 0.0, swing: float = 0.0, duration: float = 4.0
) -> Iterator[Trajectory]:
    """Paths from rest to rest between two random poses.

    Parameters
    ----------
    count : int
    seed : int
    reach : float, m
        Each coordinate of both end points is uniform within +-reach.
    turn : float, rad
        The same for the rotation vectors.
    swing : float, rad
        The same for each joint of the arm, about its rest at (0, -90, 180, 0, 0, 0) deg.
    duration : float, s

    Yields
    ------
    Trajectory
    """
    rng = np.random.default_rng(seed)
    for _ in range(count):
        positions, turns = rng.uniform(-reach, reach, (2, 3)), rng.uniform(-turn, turn, (2, 3))
        joints = np.array(RESTING_ARM) + rng.uniform(-swing, swing, (2, 6))
        yield Trajectory.model_validate(
            {
                "times": (0.0, duration),
                "platform_positions": positions.tolist(),
                "platform_rotations": turns.tolist(),
                "joints": joints.tolist(),
            }
        )
