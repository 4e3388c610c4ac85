"""The tensions that bring the tip to targets, on the stable workspace."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_statics.energy_kernels import evaluate
from models.continuum_statics.equilibrium_kernels import NEUTRAL, judge
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.rays import sectors
from models.continuum_statics.robot import Robot, free, robot_of, stiffnesses, whole_tensions
from models.continuum_statics.strength import limit_shares, strains_and_stresses
from models.continuum_statics.tip import tip_jacobian, tip_of
from models.continuum_statics.workspace import StableWorkspace, Vertices
from models.numerics.newton import newton

MOST_CORRECTIONS = 12
CLOSE_ENOUGH = 1e-10  # last correction: angles [rad], tensions over the greatest
LEAST_SQUARE = 1e-30  # [m^2] of a side without a direction
SAME_BRANCH = 0.5  # [rad] by which a solution may differ from the sample that it starts from
SLACK = 1e-7  # share of the greatest tension by which a cable may push, for rounding
MOST_SEEDS = 24  # of a target, least tension first
LATER = 1.2  # a sample with that times the best tension leads to none that is better


class Reaching(NamedTuple):
    """Tensions for targets, and distances of the workspace from them.

    Attributes
    ----------
    tensions : (t, m) float, N
        Of all cables, without the pretension, for every target; where it is not met, those of the nearest
        point of the surface, NaN where there is none.
    misses : (t,) float, m
        Lateral distance of the surface from each target; 0 where it is met exactly.
    """

    tensions: FloatArray
    misses: FloatArray

    def required(self, tolerance: float) -> float | None:
        """Greatest tension [N] needed; of a target met to ``tolerance`` only, that of the nearest point.

        None when a target is missed by more than ``tolerance`` [m], or there are no targets.
        """
        if not len(self.misses) or np.any(self.misses > tolerance):
            return None
        return float(np.max(self.tensions))


class Seed(NamedTuple):
    """A stable state near a target: angles (n, 3), tensions (2,) and numbers of the two cables."""

    q: FloatArray
    forces: FloatArray
    cables: tuple[int, int]


def reach(parameters: ContinuumStatics, workspace: StableWorkspace) -> Reaching:
    """The least tensions that bring the tip to each of the record's targets.

    A target is a lateral position (x, y) of the tip. From samples of the workspace around it,
    Newton's method solves for the angles and the two tensions of the sector; of the stable solutions on
    the sample's branch the one whose greater tension is least counts. Where there is none, the nearest point
    of the surface counts.
    """
    targets = np.array(parameters.targets, float).reshape(-1, 2)
    tensions = np.full((len(targets), parameters.cables), np.nan)
    misses = np.zeros(len(targets))
    for number, target in enumerate(targets):
        found = _least(parameters, _seeds(parameters, workspace, target), target)
        if found is not None:
            tensions[number] = found
            continue
        nearest = _nearest(workspace, target)
        if nearest is None:
            misses[number] = np.linalg.norm(target) + parameters.gap * parameters.disks
        else:
            misses[number], tensions[number] = nearest
    return Reaching(tensions, misses)


def _nearest(workspace: StableWorkspace, target: FloatArray) -> tuple[float, FloatArray] | None:
    """Lateral distance [m] of the surface from a target, and the tensions (m,) [N] there.

    The nearest point of all sides of triangles; 0 within one. Without triangles the nearest sample counts.
    """
    side = _nearest_side(workspace, target)
    if side is None:
        return None
    start, end, share, distance = side
    tensions = workspace.vertices.tensions
    inside = len(_triangles_around(workspace, target)) > 0
    return 0.0 if inside else distance, (1.0 - share) * tensions[start] + share * tensions[end]


def _nearest_side(workspace: StableWorkspace, target: FloatArray) -> tuple[int, int, float, float] | None:
    """Both ends of the side that is nearest to a target, the share of the way, and the distance [m]."""
    lateral = workspace.vertices.tips[:, :2]
    starts = workspace.triangles.ravel()
    ends = np.roll(workspace.triangles, -1, axis=1).ravel()
    if not len(starts):
        starts = ends = np.flatnonzero(np.isfinite(lateral[:, 0]))
    if not len(starts):
        return None
    along, away = lateral[ends] - lateral[starts], target - lateral[starts]
    square = np.maximum((along**2).sum(axis=1), LEAST_SQUARE)
    shares = np.clip((along * away).sum(axis=1) / square, 0.0, 1.0)
    distances = np.linalg.norm(away - shares[:, None] * along, axis=1)
    at = int(np.argmin(distances))
    return int(starts[at]), int(ends[at]), float(shares[at]), float(distances[at])


def _least(parameters: ContinuumStatics, seeds: list[Seed], target: FloatArray) -> FloatArray | None:
    """The solution of least tension, from seeds by rising tension; None where there is none."""
    best: FloatArray | None = None
    for seed in seeds:
        if best is not None and np.max(seed.forces) > LATER * np.max(best):
            break
        found = _solve(parameters, seed, target)
        if found is not None and (best is None or np.max(found) < np.max(best)):
            best = found
    return best


def _seeds(parameters: ContinuumStatics, workspace: StableWorkspace, target: FloatArray) -> list[Seed]:
    """States near a target by rising tension.

    The nearest corners of the triangles around it, both ends of the nearest side, and along the outer rays of
    each sector, beyond which no triangle lies, whatever is nearest for a stretch.
    """
    corners = _triangles_around(workspace, target)
    away = np.linalg.norm(workspace.vertices.tips[:, :2][corners] - target, axis=2)
    around = set(np.take_along_axis(corners, np.argmin(away, axis=1)[:, None], axis=1).ravel().tolist())
    side = _nearest_side(workspace, target)
    around |= set(side[:2]) if side else set()
    steps = workspace.stable.shape[1]
    outer = np.flatnonzero(np.diff(workspace.sectors, prepend=-1) | np.diff(workspace.sectors, append=-1))
    for ray in outer:
        away = np.linalg.norm(workspace.tips[ray, :, :2] - target, axis=1)
        away[~workspace.stable[ray]] = np.inf
        before, after = np.append(np.inf, away[:-1]), np.append(away[1:], np.inf)
        least = np.flatnonzero((away <= before) & (away < after))
        around |= set((ray * steps + least).tolist())
    level = workspace.vertices.tensions.max(axis=1)
    pairs = sectors(parameters)
    return [
        _seed(workspace.vertices, place, pairs[workspace.vertices.sectors[place]])
        for place in sorted(around, key=lambda place: (level[place], place))[:MOST_SEEDS]
    ]


def _seed(vertices: Vertices, place: int, pair: tuple[int, int]) -> Seed:
    return Seed(vertices.states[place], vertices.tensions[place][list(pair)], pair)


def _triangles_around(workspace: StableWorkspace, target: FloatArray) -> IntArray:
    """Corners (t, 3) of the triangles that hold a target in lateral projection."""
    corners = workspace.vertices.tips[:, :2][workspace.triangles] - target
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    sides = np.stack([_cross(a, b), _cross(b, c), _cross(c, a)])
    holds = (np.all(sides >= 0, axis=0) | np.all(sides <= 0, axis=0)) & np.any(sides != 0, axis=0)
    return workspace.triangles[holds]


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _solve(parameters: ContinuumStatics, seed: Seed, target: FloatArray) -> FloatArray | None:
    """Tensions (m,) of a stable equilibrium with its tip on the target; None when not found near the seed."""
    body, pair, limit = robot_of(parameters), seed.cables, parameters.max_tension
    angles = seed.q.ravel()[free(body)]

    def step(z: FloatArray) -> FloatArray:
        q, tensions = _whole(body, z[:-2]), _spread(parameters, pair, z[-2:])
        whole = whole_tensions(parameters, tensions)
        A, right = _equations(body, whole, q, pair, target, limit)
        return np.asarray(np.linalg.solve(A, right), np.float64)

    def lost(z: FloatArray, _: float) -> bool:
        return not np.max(np.abs(z[:-2] - angles)) < SAME_BRANCH

    start = np.concatenate([angles, seed.forces / limit])
    try:
        z = newton(step, start, iterations=MOST_CORRECTIONS, tolerance=CLOSE_ENOUGH, lost=lost, norm=np.inf)
    except np.linalg.LinAlgError:  # two cables that pull the tip along one line
        return None
    if z is None:
        return None
    x, forces = z[:-2], z[-2:]
    if np.any(forces < -SLACK) or np.any(forces > 1 + SLACK):
        return None
    q, tensions = _whole(body, x), _spread(parameters, pair, np.clip(forces, 0.0, 1.0))
    missed = np.linalg.norm(tip_of(body, q)[:2] - target) > 1e-6 * body.L
    found = judge(body, whole_tensions(parameters, tensions), q)
    lost = missed or found.mu_min <= NEUTRAL or found.clearance <= 0
    return None if lost or _yields(parameters, body, tensions, q) else tensions


def _yields(parameters: ContinuumStatics, body: Robot, tensions: FloatArray, q: FloatArray) -> bool:
    """True if the rod exceeds enforced limits of its material in a state (n, 3) [rad]."""
    if not parameters.enforce_material_limits:
        return False
    bent = strains_and_stresses(parameters, body, whole_tensions(parameters, tensions)[None], q[None])
    used = limit_shares(parameters, *bent)
    return used is not None and float(used[0]) > 1.0 + SLACK


def _whole(body: Robot, x: FloatArray) -> FloatArray:
    q = np.zeros(3 * len(body.masses))
    q[free(body)] = x
    return q.reshape(-1, 3)


def _spread(parameters: ContinuumStatics, pair: tuple[int, int], forces: FloatArray) -> FloatArray:
    """Tensions (m,) [N] of all cables from those (2,) of a pair, given as shares of the greatest."""
    tensions = np.zeros(parameters.cables)
    tensions[list(pair)] = forces * parameters.max_tension
    return tensions


def _equations(
    body: Robot, tensions: FloatArray, q: FloatArray, pair: tuple[int, int], target: FloatArray, limit: float
) -> tuple[FloatArray, FloatArray]:
    """Newton's equations for the free angles and two tensions: balance, and the tip on the target."""
    places = free(body)
    stiffness = stiffnesses(body)[places]
    _, gradient, hessian = evaluate(body, tensions, q)
    without_stiffness = body._replace(EI=0.0, GJ=0.0, masses=np.zeros_like(body.masses))
    A = np.zeros((len(places) + 2, len(places) + 2))
    A[:-2, :-2] = hessian[np.ix_(places, places)] / stiffness[:, None]
    for column, cable in enumerate(pair):
        alone = np.zeros_like(tensions)
        alone[cable] = limit
        A[:-2, len(places) + column] = evaluate(without_stiffness, alone, q)[1][places] / stiffness
    A[-2:, :-2] = tip_jacobian(body, q)[:2, places] / body.L
    missing = (target - tip_of(body, q)[:2]) / body.L
    return A, np.concatenate([-gradient[places] / stiffness, missing])
