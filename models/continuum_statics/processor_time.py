"""Processor time of the metrics of a record, from its numbers of states alone.

Measured on one core of a server processor of 2021: a stable state with its eigenvalue takes 22 us with 6
arcs, 43 us with 12, 0.12 ms with 24, 0.25 ms with 40 and 1.6 ms with 64. The sum is an upper bound of the
usual: refinements are counted as if every ray had a loss beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

PATH_POINTS = 3000  # of the paths of a sweep and of a payload, branches included
CORRECTIONS = 288  # of a target: seeds times corrections of Newton's method
CALL = 3e-4  # [s] of a step that is not compiled, besides its states
EDGES = 2  # rays beside the single cables, in each sector
STATES_A_STEP = 10  # energies with derivatives that such a step takes


class Sizes(NamedTuple):
    """Numbers that decide how long an evaluation takes."""

    arcs: int
    cables: int
    rays: int
    tension_steps: int
    refinements: int
    pretension_steps: int
    targets: int


def state_seconds(arcs: int) -> float:
    """Processor time [s] of one state of a workspace."""
    return 1e-6 * (10 + 2 * arcs + 0.006 * arcs**3)


def seconds(sizes: Sizes) -> Mapping[tuple[str, ...], float]:
    """Processor time [s] of what an evaluation may do, by the parameters that decide it."""
    state = state_seconds(sizes.arcs)
    step = CALL + STATES_A_STEP * state
    states = sizes.cables * (sizes.rays + EDGES) * sizes.tension_steps
    return {
        ("rays", "tension_steps", "refinements"): states * 2**sizes.refinements * state,
        ("rays", "tension_steps", "pretension_steps"): states * sizes.pretension_steps * state,
        ("targets", "disks", "arcs_per_gap"): sizes.targets * CORRECTIONS * step,
        ("disks", "arcs_per_gap"): PATH_POINTS * step,
    }
