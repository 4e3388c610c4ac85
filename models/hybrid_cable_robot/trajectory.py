"""Paths through waypoints, and the record that describes them.

Neighbouring waypoints are joined by polynomials of fifth degree that share position, velocity and
acceleration; the first and the last waypoint are left and reached at rest. Between two waypoints
alone this is the quintic of rest to rest, ``10 s^3 - 15 s^4 + 6 s^5``.
"""

from __future__ import annotations

import math
from typing import Annotated, Self

import numpy as np
from pydantic import Field, model_validator

from models.fields import quantity
from models.hybrid_cable_robot.floats import FloatArray
from models.parameters import Parameters

SHORTEST_STEP = 1e-3  # [s]
MOST_WAYPOINTS = 1000

Metre = Annotated[float, Field(ge=-1e4, le=1e4)]
Radian = Annotated[float, Field(ge=-1e3, le=1e3)]
Instant = Annotated[float, Field(ge=0, le=1e6)]
PointRow = tuple[Metre, Metre, Metre]
TurnRow = tuple[Radian, Radian, Radian]
JointRow = tuple[Radian, Radian, Radian, Radian, Radian, Radian]


class Trajectory(Parameters):
    """Waypoints of the platform and of the arm with common times.

    The arm follows ``joints`` or ``tool``, one of them: waypoints of its angles, or of its end in
    the arm's base frame, which inverse kinematics turns into angles along the path.
    """

    times: tuple[Instant, ...] = quantity(
        (0.0, 4.0),
        unit="s",
        description="times of the waypoints, rising",
        min_length=2,
        max_length=MOST_WAYPOINTS,
    )
    platform_positions: tuple[PointRow, ...] = quantity(
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        unit="m",
        description="the platform's origin at the waypoints, world frame",
    )
    platform_rotations: tuple[TurnRow, ...] | None = quantity(
        None,
        unit="rad",
        description="the platform's rotation vectors at the waypoints; not turned when not set",
    )
    joints: tuple[JointRow, ...] | None = quantity(
        None, unit="rad", description="angles of the arm's six joints at the waypoints"
    )
    tool_positions: tuple[PointRow, ...] | None = quantity(
        None,
        unit="m",
        description="the arm's end at the waypoints in the arm's base frame, instead of 'joints'",
    )
    tool_rotations: tuple[TurnRow, ...] | None = quantity(
        None, unit="rad", description="rotation vectors of the arm's end at the waypoints, arm's base frame"
    )

    @model_validator(mode="after")
    def _waypoints_agree(self) -> Self:
        if not all(b - a >= SHORTEST_STEP for a, b in zip(self.times, self.times[1:], strict=False)):
            raise ValueError(f"'times' must rise by at least {SHORTEST_STEP:g} s from waypoint to waypoint")
        for name in (
            "platform_positions",
            "platform_rotations",
            "joints",
            "tool_positions",
            "tool_rotations",
        ):
            rows = getattr(self, name)
            if rows is not None and len(rows) != len(self.times):
                raise ValueError(f"'{name}' lists {len(rows)} waypoints for {len(self.times)} times")
        if self.joints is not None and self.tool_positions is not None:
            raise ValueError("'joints' and 'tool_positions' both move the arm; give one of them")
        if (self.tool_positions is None) != (self.tool_rotations is None):
            raise ValueError("'tool_positions' and 'tool_rotations' go together")
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
RESTING_ARM = (0.0, -90 * _DEGREE, 180 * _DEGREE, 0.0, 0.0, 0.0)  # [rad], where 'joints' are not told


def through_waypoints(
    times: FloatArray, rows: FloatArray, instants: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Values, first and second derivatives (n, d) of the path at ``instants`` (n,) s.

    Parameters
    ----------
    times : (w,) float, s
    rows : (w, d) float
        Waypoints. The velocities and accelerations at the inner ones are those of the cubic spline
        that starts and ends with velocity zero.
    """
    from scipy.interpolate import BPoly, CubicSpline  # costs half a second that most evaluations never need

    spline = CubicSpline(times, rows, bc_type="clamped")
    rates, seconds = spline(times, 1), spline(times, 2)
    rates[[0, -1]] = seconds[[0, -1]] = 0.0
    path = BPoly.from_derivatives(times, np.stack([rows, rates, seconds], axis=1))
    values, rate, second = (np.asarray(path(instants, nu), dtype=float) for nu in range(3))
    return values, rate, second
