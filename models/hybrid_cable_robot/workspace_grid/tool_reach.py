"""Positions that the arm's tool reaches while the platform is anywhere in the workspace.

With the platform at the nominal orientation, the tool reaches ``c + t`` from a cell's centre c, with t its
place on the platform. The reach is the Minkowski sum of the feasible cells and of all t within the joints'
limits. A position is counted at the centre of a cell: it is reached if some t lies in the cell around its
difference from a feasible one. The arm's collisions and the platform's other orientations do not count.

All t are found from the tool inwards: each joint turns or shifts a set of points, of which one is kept in
each bin of a cylindrical grid about its axis, or of a cartesian one for prismatic joints, so that eight
joints take hardly longer than three. Every point is a place of the tool, and stands for the cube of one bin
around it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.arm.kinematics import Chain, chain_of
from models.hybrid_cable_robot.bodies import ArmJoint
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.workspace_grid.statistics import coarse_grids
from models.numerics.rotations import rotation_matrix

FINEST, MOST = 32, 128  # cells along the arm's reach and the space: of more every second or third is taken
BINS = 2  # along the side of a cell
SHARE = 0.25  # of the greatest difference between grids, as of other sums over cells

Mask = NDArray[np.bool_]
Place = tuple[float, float, float]


class Reach(NamedTuple):
    """Volume that the tool reaches [m^3], and its numerical error."""

    volume: float
    error: float


def hybrid_reach(parameters: HybridCableRobot, feasible: Mask, cell_size: FloatArray) -> Reach:
    """Volume that the tool reaches from the feasible cells of a grid.

    Without an arm of its own (``has_arm``) the tool is the platform's origin.

    Parameters
    ----------
    parameters : HybridCableRobot
    feasible : (nx, ny, nz) bool
    cell_size : (3,) float, m
    """
    arm = arm_of(parameters)
    fine = arm.length / FINEST / float(cell_size.min())
    stride = math.ceil(max(1.0, fine, max(feasible.shape) / MOST))
    first = (stride - 1) // 2
    cells, size = feasible[first::stride, first::stride, first::stride], cell_size * stride
    pitch, coarse = float(size.min()) / BINS, np.minimum(cells.shape, 3) * size
    volume, rough = (_volume(cells, arm, size, width) for width in (pitch, 2 * pitch))
    spread = max(abs(_volume(part, arm, coarse, pitch) - volume) for part in coarse_grids(cells))
    return Reach(volume, SHARE * spread + abs(volume - rough))


class Arm(NamedTuple):
    """Parameters that decide where an arm's tool comes; without joints if there is no arm."""

    arm_joints: tuple[ArmJoint, ...]
    arm_joint_limits: tuple[tuple[float, ...], tuple[float, ...]]
    arm_base_position: Place
    arm_base_rotation: Place
    arm_tool: Place

    @property
    def length(self) -> float:
        """Greatest distance [m] of the tool from the arm's base that the table of joints does not exclude."""
        ends = zip(self.arm_joints, *self.arm_joint_limits, strict=True)
        travels = [max(abs(low), abs(high)) for joint, low, high in ends if joint.kind == "prismatic"]
        parts = [math.hypot(joint.a, joint.d) for joint in self.arm_joints]
        return math.fsum([*parts, *travels, math.hypot(*self.arm_tool)])


def arm_of(parameters: HybridCableRobot) -> Arm:
    """The arm of a record; one that ends at the platform's origin if there is none."""
    if not parameters.has_arm:
        nowhere = (0.0, 0.0, 0.0)
        return Arm((), ((), ()), nowhere, nowhere, nowhere)
    return Arm(*(getattr(parameters, name) for name in Arm._fields))


def tool_places(arm: Arm, pitch: float) -> FloatArray:
    """Places (p, 3) m of the tool in the platform's frame, no farther apart than about ``pitch`` m."""
    chain, limits = chain_of(arm.arm_joints), np.array(arm.arm_joint_limits).T
    points = np.array([arm.arm_tool])
    for joint in range(len(arm.arm_joints) - 1, -1, -1):
        points = _moved(points, chain, joint, limits[joint], pitch)
    base = rotation_matrix(np.array(arm.arm_base_rotation))
    return np.array(arm.arm_base_position) + points @ base.T


def _moved(points: FloatArray, chain: Chain, joint: int, limits: FloatArray, pitch: float) -> FloatArray:
    """Points (q, 3) m in the frame before a joint that points (p, 3) m of its frame reach by it."""
    c, s = math.cos(chain.offsets[joint]), math.sin(chain.offsets[joint])
    x, y, z = c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1], points[:, 2]
    low, width = float(limits[0]), float(limits[1] - limits[0])
    if chain.sliding[joint]:
        x, y, z = _swept((x, y, z), np.ones(len(x)), low, width, pitch)
    else:
        r, angle = np.hypot(x, y), np.arctan2(y, x)
        whole = width >= 2 * math.pi
        angle, width = (np.zeros(len(r)), 2 * math.pi) if whole else (angle, width)
        r, z, angle = _swept((r, z, angle), r, low, width, pitch)
        x, y = r * np.cos(angle), r * np.sin(angle)
    ca, sa = chain.cosines[joint], chain.sines[joint]
    return chain.origins[joint] + np.stack([x, ca * y - sa * z, sa * y + ca * z], axis=1)


def _swept(
    points: tuple[FloatArray, FloatArray, FloatArray],
    scale: FloatArray,
    low: float,
    width: float,
    pitch: float,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Points (u, v, w), three arrays, with ``low`` to ``low + width`` added to w, ``scale`` m per unit.

    Of one bin (u, v) each point moves until where the next one starts, so that no place is met twice.
    """
    bins = [np.floor(each / pitch).astype(np.int64) for each in (*points[:2], points[2] * scale)]
    order = np.unique(_keys(bins), return_index=True)[1]
    u, v, w = (each[order] for each in points)
    next_one = (np.diff(bins[0][order]) == 0) & (np.diff(bins[1][order]) == 0)
    gaps = np.append(np.where(next_one, np.maximum(np.diff(w), 0.0), np.inf), np.inf)
    widths = np.minimum(gaps, width)
    steps = np.maximum(1, np.ceil(widths * scale[order] / pitch)).astype(np.int64)
    counts = steps + (gaps > width)  # its end, too, where no next one starts
    which = np.repeat(np.arange(len(w)), counts)
    number = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    return u[which], v[which], w[which] + low + widths[which] * (number / steps[which])


def _keys(bins: list[IntArray]) -> IntArray:
    """One number for each triple of bins."""
    low = [int(each.min()) for each in bins]
    spans = [int(each.max()) - first + 1 for each, first in zip(bins, low, strict=True)]
    return ((bins[0] - low[0]) * spans[1] + bins[1] - low[1]) * spans[2] + bins[2] - low[2]


def _volume(feasible: Mask, arm: Arm, size: FloatArray, pitch: float) -> float:
    """Volume [m^3] of the cells, of sides ``size`` (3,) m, that the tool reaches from feasible ones."""
    found = np.argwhere(feasible)
    if not len(found):
        return 0.0
    low, high = found.min(axis=0), found.max(axis=0) + 1
    box = feasible[low[0] : high[0], low[1] : high[1], low[2] : high[2]]
    reached = _minkowski_sum(box, _tool_cells(arm, tuple(size.tolist()), pitch))
    return int(np.count_nonzero(reached)) * float(np.prod(size))


@lru_cache(maxsize=64)  # a search rarely varies the arm
def _tool_cells(arm: Arm, size: Place, pitch: float) -> Mask:
    """Cells (kx, ky, kz) of a grid with a centre at zero that cubes of side ``pitch`` around places meet."""
    points = tool_places(arm, pitch)
    ends = [np.floor((points + half) / size + 0.5).astype(np.int64) for half in (-pitch / 2, pitch / 2)]
    low, high = ends[0].min(axis=0), ends[1].max(axis=0)
    met = np.zeros(high - low + 1, dtype=bool)
    for corner in np.ndindex(2, 2, 2):
        x, y, z = (ends[end][:, axis] - low[axis] for axis, end in enumerate(corner))
        met[x, y, z] = True
    return met


def _minkowski_sum(a: Mask, b: Mask) -> Mask:
    """Sum of two sets of cells: shape of ``a`` plus that of ``b`` less one."""
    from scipy.fft import irfftn, next_fast_len, rfftn

    shape = np.add(a.shape, b.shape) - 1
    padded = [next_fast_len(int(n), real=True) for n in shape]
    counts = irfftn(rfftn(a.astype(float), padded) * rfftn(b.astype(float), padded), padded)
    return counts[tuple(slice(int(n)) for n in shape)] > 0.5
