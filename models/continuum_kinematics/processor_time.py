"""Processor time of the metrics of a record, from its numbers alone.

Measured on one core of a server processor of 2021: a sampled state of three sections takes 0.25 us, a start
of inverse kinematics that fails takes 0.06 ms with three sections and 0.23 ms with twelve.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

STATE = 1e-7  # [s] of a section of a sampled state
RING = 1e-4  # [s] of a ring along the robot squared, by the section
START = 2.5e-5  # [s] of a start, by the section
DIRECTION_STARTS = 8  # starts and sweeps of a direction that is not reached
MARGIN_SOLVES = 8  # solutions of each pose from which its margin is found


class Sizes(NamedTuple):
    """Numbers that decide how long an evaluation takes."""

    sections: int
    samples: int
    cells: int
    directions: int
    poses: int
    starts: int


def seconds(sizes: Sizes) -> Mapping[tuple[str, ...], float]:
    """Processor time [s] of what an evaluation may do, by the parameters that decide it."""
    start = START * sizes.sections
    return {
        ("samples", "sections"): STATE * sizes.sections * sizes.samples,
        ("cells", "sections"): RING * sizes.sections * sizes.cells**2,
        ("task_points", "directions"): sizes.directions * DIRECTION_STARTS * start,
        ("task_poses", "path", "starts"): sizes.poses * MARGIN_SOLVES * sizes.starts * start,
    }
