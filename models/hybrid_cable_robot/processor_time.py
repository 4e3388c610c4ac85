"""Processor time of an evaluation, estimated before it runs.

Seconds of one core of an ordinary processor, measured with cells and instants that no early exit saves;
most evaluations take less.
"""

from __future__ import annotations

import math

VECTOR_CABLES = 8  # the number of cables that has vector kernels
SPATIAL = 6  # freedoms of a body in space
FEWEST_FACETS = 6  # whose time the other tests of a pose take
POLYGON = 2  # redundant cables for which the rules of tensions are compiled
VECTOR_POSE = 1e-7  # [s] for the tests of a cell at one orientation and posture, by the vector kernels
FACET = 5e-8  # [s] for one of the facets of the wrench test, by the scalar kernel
BLOCK_FACET = 7e-7  # [s] for one of the facets of a block of positions
SURFACE_BLOCKS = 20  # blocks examined per block of the smallest size in one face of the space
PROVED_SHARE = 0.2  # of the cells that pass at the sampled orientations
PROOF_BOXES = 15  # of rotations, for a cell
PROVED_CABLE = 1e-6  # [s] for a cable's part of the law of tensions over a box of rotations
INSTANT = 4e-4  # [s] for the tensions at one instant, of six cables or eight
SLOW_INSTANT = {"centroid": 7e-3}  # [s] for the same of other numbers of cables
OTHER_INSTANT = 4e-3  # the same by the other tension rules
CORNERS = 64  # of the box of wrenches, at most
SEARCHED = 8  # positions of a task at which all of them are tried
POSE_TENSIONS = 6e-5  # [s] for the tensions at one of many poses, of six to eight cables
NEIGHBOUR = 5e-6  # [s] for the gaps between one body around the robot and its cables and platform, or an arm
SAGGING_CABLE = 1.5e-5  # [s] for the catenary of a cable and its stiffness


def cell_seconds(
    cells: float,
    orientations: int,
    postures: int,
    cables: int,
    freedoms: int = SPATIAL,
    *,
    plain: bool = True,
) -> float:
    """Processor time [s] of testing as many ``cells``.

    ``plain`` robots, whose cables are alike, have vector kernels for eight cables and six freedoms.
    """
    vectors = plain and cables == VECTOR_CABLES and freedoms == SPATIAL
    pose = VECTOR_POSE if vectors else FACET * max(math.comb(cables, freedoms - 1), FEWEST_FACETS)
    return cells * orientations * postures * pose


def bound_seconds(blocks: float, orientations: int, postures: int, cables: int) -> float:
    """Processor time [s] of proofs down to blocks, ``blocks`` of them along the space's longest side."""
    examined = min(SURFACE_BLOCKS * blocks**2, 8 / 7 * blocks**3)
    return examined * orientations * postures * BLOCK_FACET * math.comb(cables, 5)


def proof_seconds(cells: float, wrenches: int, cables: int) -> float:
    """Processor time [s] of proving ``wrenches`` at every orientation in a share of the ``cells``."""
    return cells * PROVED_SHARE * PROOF_BOXES * wrenches * cables * PROVED_CABLE


def tension_seconds(poses: float, rule: str, cables: int, freedoms: int) -> float:
    """Processor time [s] of the tensions at many ``poses`` by a tension rule."""
    compiled = cables - freedoms <= POLYGON
    return poses * (POSE_TENSIONS if compiled else SLOW_INSTANT.get(rule, OTHER_INSTANT))


def sag_seconds(poses: float, cables: int) -> float:
    """Processor time [s] of the sag of cables at many ``poses``."""
    return poses * cables * SAGGING_CABLE


def surrounding_seconds(poses: float, bodies: int, arms: int) -> float:
    """Processor time [s] of gaps from ``bodies`` and of an arm in ``arms`` postures, at many ``poses``."""
    return poses * NEIGHBOUR * (bodies + arms * (1 + bodies))


def task_seconds(
    positions: float, orientations: int, postures: int, rule: str, cables: int, freedoms: int
) -> float:
    """Processor time [s] of the tests and tensions at the ``positions`` of a task."""
    tests = positions * orientations * postures * FACET * math.comb(cables, freedoms - 1)
    searched = min(positions, SEARCHED) * orientations * postures * CORNERS
    return tests + tension_seconds(positions + searched, rule, cables, freedoms)


def motion_seconds(samples: int, rule: str, cables: int, freedoms: int) -> float:
    """Processor time [s] of the tensions at ``samples`` instants by a tension rule."""
    if cables - freedoms in (0, POLYGON):
        return samples * INSTANT
    return samples * SLOW_INSTANT.get(rule, OTHER_INSTANT)
