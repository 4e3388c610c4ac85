"""All tests and indices of cells in numpy, many poses at a time: what one gets without a compiler.

The facets of eight cables come from the null space N (8, 2) of each pose's wrench matrix: the three
cables i, j, k that are not in a facet's plane pull by lambda with N^T lambda = 0, which is the cross
product of their rows of N, and the facet's normal is M^T lambda with M a right inverse of W.
Same verdicts and numbers as ``workspace_grid.cell_evaluation.evaluate_cells``, for eight cables.
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray
from models.hybrid_cable_robot.cell_results import (
    INTERFERENCE,
    PASSED,
    PLATFORM,
    SINGULAR,
    SINGULAR_BELOW,
    WRENCH,
    CellResults,
    empty_results,
)
from models.hybrid_cable_robot.robot import Load, Robot, loads_at

TRIPLES = np.array(list(itertools.combinations(range(8), 3)))
DEGENERATE = 1e-13  # triples whose rows of N are parallel span no facet
BATCH = 4096  # poses at a time


def evaluate_cells(robot: Robot, centers: FloatArray) -> CellResults:
    """Test the cells with centres (n, 3) m, batch by batch."""
    out = empty_results(len(centers))
    for start in range(0, len(centers), BATCH):
        part = slice(start, start + BATCH)
        found = _batch(robot, centers[part])
        for field, values in zip(out, found, strict=True):
            field[part] = values
    return out


def _batch(robot: Robot, centers: FloatArray) -> CellResults:
    """One pass per orientation and test over the cells that are left."""
    out = empty_results(len(centers))
    out.verdicts[:] = PASSED
    left = np.arange(len(centers))
    out.margins[:] = np.inf
    tolerance = robot.tolerance
    for rotation in robot.rotations[::-1]:
        margins = _margins(loads_at(robot, rotation)[0], wrench_matrices(robot, centers[left], rotation))
        fails = margins < -tolerance
        out.margins[left] = np.fmin(out.margins[left], margins)
        _drop(out, left[fails], WRENCH)
        left = left[~fails]
    out.margins[left] = np.maximum(out.margins[left], 0.0)
    out.margins[out.verdicts == WRENCH] = np.nan
    if robot.check_platform:
        for rotation in robot.rotations:
            fails = _clearances(robot, centers[left], rotation) < 0.0
            _drop(out, left[fails], PLATFORM)
            left = left[~fails]
    least = np.full(len(left), np.inf)
    for rotation in robot.rotations:
        least = np.minimum(least, _distances(robot, centers[left], rotation))
    out.distances[left] = least
    if robot.check_interference:
        fails = least <= robot.diameter + robot.clearance
        _drop(out, left[fails], INTERFERENCE)
        left = left[~fails]
    W = wrench_matrices(robot, centers[left], robot.rotations[0])
    out.conditions_j[left] = inverse_conditions(W)
    out.conditions_k[left] = inverse_conditions(W * np.sqrt(robot.stiffness)) ** 2
    _drop(out, left[out.conditions_j[left] < SINGULAR_BELOW], SINGULAR)
    return out


def _drop(out: CellResults, cells: NDArray[np.int64], verdict: int) -> None:
    out.verdicts[cells] = verdict


def wrench_matrices(robot: Robot, centers: FloatArray, rotation: FloatArray) -> FloatArray:
    """Wrench matrices (n, 6, 8), torque rows divided by the characteristic length."""
    arms = robot.attachments @ rotation.T
    vectors = robot.pulleys - arms - centers[:, None]
    units = vectors / np.linalg.norm(vectors, axis=2, keepdims=True)
    torques = np.cross(arms[None], units) / robot.length_scale
    return np.concatenate([units, torques], axis=2).transpose(0, 2, 1)


def _margins(load: Load, W: FloatArray) -> FloatArray:
    """Capacity margins (n,) N: 56 facets of each pose at once, both sides."""
    U, values, V = np.linalg.svd(W)
    inverse = V[:, :6].transpose(0, 2, 1) / values[:, None] @ U.transpose(0, 2, 1)
    i, j, k = TRIPLES.T
    x, y = V[:, 6], V[:, 7]
    pull = np.zeros((len(W), 56, 8))
    every = np.arange(56)
    pull[:, every, i] = x[:, j] * y[:, k] - y[:, j] * x[:, k]
    pull[:, every, j] = x[:, k] * y[:, i] - y[:, k] * x[:, i]
    pull[:, every, k] = x[:, i] * y[:, j] - y[:, i] * x[:, j]
    normals = pull @ inverse
    above, below = np.maximum(pull, 0.0).sum(axis=2), np.minimum(pull, 0.0).sum(axis=2)
    weight, reach = normals @ load.center, np.abs(normals) @ load.half_range
    upper = load.f_max * above + load.f_min * below + weight
    lower = -load.f_max * below - load.f_min * above - weight
    lengths = np.linalg.norm(normals, axis=2)
    spans = above - below > DEGENERATE
    slack = np.minimum(upper, lower) - reach
    return np.where(spans, slack / np.where(spans, lengths, 1.0), np.inf).min(axis=1)


def _clearances(robot: Robot, centers: FloatArray, rotation: FloatArray) -> FloatArray:
    """Least over the cables (n,) m of the slab test's chord; negative inside the platform."""
    vectors = (robot.pulleys - centers[:, None]) @ rotation - robot.attachments
    steps = np.where(vectors == 0.0, 1e-300, vectors)
    first = (-robot.half_size - robot.attachments) / steps
    second = (robot.half_size - robot.attachments) / steps
    enter = np.maximum(np.minimum(first, second).max(axis=2), 0.0)
    leave = np.minimum(np.maximum(first, second).min(axis=2), 1.0)
    chords = np.clip(enter - leave, -1.0, 1.0) * np.linalg.norm(vectors, axis=2)
    return chords.min(axis=1)


def _distances(robot: Robot, centers: FloatArray, rotation: FloatArray) -> FloatArray:
    """Least distance (n,) m of two cables' axes."""
    one, two = robot.pairs.T
    starts = robot.attachments @ rotation.T + centers[:, None]
    along = robot.pulleys - starts
    u, v, w = along[:, one], along[:, two], starts[:, one] - starts[:, two]
    uu, vv, uv = _dot(u, u), _dot(v, v), _dot(u, v)
    uw, vw = _dot(u, w), _dot(v, w)
    determinant = uu * vv - uv * uv
    s = np.where(determinant > 0.0, (uv * vw - vv * uw) / np.where(determinant > 0.0, determinant, 1.0), 0.0)
    below, above = robot.reliefs.T
    first, second = (
        (np.minimum(below / length, 1.0), np.maximum(1.0 - above / length, 0.0))
        for length in (np.sqrt(uu), np.sqrt(vv))
    )
    s = np.clip(s, *first)
    t = np.clip((uv * s + vw) / vv, *second)
    s = np.clip((uv * t - uw) / uu, *first)
    return np.linalg.norm(w + s[..., None] * u - t[..., None] * v, axis=2).min(axis=1)


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.einsum("...i,...i->...", a, b)


def inverse_conditions(W: FloatArray) -> FloatArray:
    """Inverse condition numbers (n,) of matrices (n, 6, 8)."""
    values = np.linalg.svd(W, compute_uv=False)
    return values[:, -1] / values[:, 0]
