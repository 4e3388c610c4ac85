"""Lower fidelities of the cable robot, and what they prove of the full evaluation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from models.hybrid_cable_robot.bounds.octree import depth_of
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.ladders import fewer

Interval = tuple[float, float]

DIVISORS = (4, 2)
LEAST_CELLS = 8
HARDER = ("nominal", "corners", "grid27", "certified")
"""Sets of orientations; each holds those of the set before it."""
FREE = {"orientations", "cells", "bounds", "bounds_block"}
"""Fields in which a rung may differ for its proofs to hold."""
ROUNDING = 1e-9
"""Relative width by which a proved end gives way, since sums of volumes are rounded."""


def ladder(parameters: HybridCableRobot) -> list[dict[str, Any]]:
    """Rungs of fewer cells and larger blocks, and of corners where all orientations are to be proved.

    A proof on few cells would take longer than corners on all of them.
    """
    rungs = fewer(parameters, DIVISORS, cells=LEAST_CELLS)
    if parameters.bounds:
        for rung in rungs:
            block = parameters.smallest_block * parameters.cells / rung["cells"]
            rung["bounds_block"] = min(block, parameters.longest_side)
    if parameters.orientations == "certified":
        rungs = [{**rung, "orientations": "corners"} for rung in (*rungs, {})]
    return rungs


def certified(
    rung: HybridCableRobot, full: HybridCableRobot, metrics: Mapping[str, float | None]
) -> dict[str, Interval]:
    """Bound metrics of the full evaluation by those of a rung, by proof.

    A cell that passes at all orientations of a set passes at those of each smaller set. With fewer
    orientations on the same cells, the workspace is no smaller, and F1, F2 and F3 are no greater: F2 and F3
    are inverse sums over it, at the nominal orientation. Blocks that are halved keep what was proved of
    them, so that bounds of smaller blocks lie inside those of larger ones. Where whole cells fill the
    smallest blocks, the volume of the cells lies between the bounds too.
    """
    known, wanted = rung.model_dump(), full.model_dump()
    others = {name for name in known.keys() - FREE if known[name] != wanted[name]}
    harder = HARDER.index(full.orientations) - HARDER.index(rung.orientations)
    measured = metrics.get("workspace_volume")
    if others or harder < 0 or measured is None:
        return {}
    volume, found = (0.0, math.inf), dict[str, Interval]()
    if rung.cells == full.cells:
        volume = 0.0, measured
        indices = ("F2", "F3") if full.index_domain == "feasible" else ()
        found |= {name: (least, math.inf) for name in indices if (least := metrics.get(name)) is not None}
    lower, upper = (metrics.get(f"workspace_volume_{side}") for side in ("lower", "upper"))
    if lower is not None and upper is not None:
        depth = depth_of(rung)
        blocks = (0.0 if harder else lower, upper)
        if full.bounds and depth_of(full) >= depth:
            found |= {f"workspace_volume_{side}": blocks for side in ("lower", "upper")}
        if full.cells % 2**depth == 0:
            volume = max(volume[0], blocks[0]), min(volume[1], blocks[1])
    found |= {"workspace_volume": volume, "F1": (_inverse(volume[1]), _inverse(volume[0]))}
    return {name: (low * (1.0 - ROUNDING), high * (1.0 + ROUNDING)) for name, (low, high) in found.items()}


def _inverse(volume: float) -> float:
    return 1.0 / volume if volume else math.inf
