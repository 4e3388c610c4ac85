"""Rays of tensions, records of the stable states along them, and states put between two that are apart."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.continuum_statics.chain_kernels import tips
from models.continuum_statics.continuation_kernels import REACHED, Ramp, follow_ramp
from models.continuum_statics.equilibrium import rest
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.robot import Robot, robot_of


class Rays(NamedTuple):
    """Directions in the space of tensions.

    ``sectors`` (r,) number the pairs of neighbouring cables, ``psi`` (r,) [rad] is the direction
    between the two, ``rates`` (r, m) [1] the tensions, the greater being 1.
    """

    sectors: IntArray
    psi: FloatArray
    rates: FloatArray


def sectors(parameters: ContinuumStatics) -> list[tuple[int, int]]:
    """Pairs of cables that are neighbours by azimuth; two cables make one pair, one cable makes none.

    Where every section, the cables that are tied to one disk, has three cables or more, pairs are made
    within sections: cables of two sections may run through the same holes.
    """
    ties = parameters.ties
    sections = [[k for k, tie in enumerate(ties) if tie == disk] for disk in sorted(set(ties))]
    if any(len(section) < 3 for section in sections):
        sections = [list(range(parameters.cables))]
    return [pair for section in sections for pair in _neighbours(parameters, section)]


def _neighbours(parameters: ContinuumStatics, section: list[int]) -> list[tuple[int, int]]:
    order = sorted(section, key=lambda cable: parameters.hole_azimuths[cable] % (2 * math.pi))
    if len(order) < 3:
        return [(order[0], order[1])] if len(order) == 2 else []
    return list(zip(order, order[1:] + order[:1], strict=True))


def centred_rays(parameters: ContinuumStatics) -> Rays:
    """Rays at the centres of ``rays`` equal cells of each sector, so that none lies on its edge."""
    cells = parameters.rays
    centres = np.array([(cell + 0.5) * (np.pi / 2 / cells) for cell in range(cells)])
    count = len(sectors(parameters))
    return rays_at(parameters, np.repeat(np.arange(count), cells), np.tile(centres, count))


def edge_keys(parameters: ContinuumStatics) -> list[tuple[int, float]]:
    """Sectors and directions of the rays beside the single cables, which close the outer half cells."""
    edges = (EDGE, np.pi / 2 - EDGE)
    return [(number, psi) for number in range(len(sectors(parameters))) for psi in edges]


def rays_at(parameters: ContinuumStatics, numbers: IntArray, psi: FloatArray) -> Rays:
    """Rays in the given sectors (r,) and directions (r,)."""
    rates = np.zeros((len(psi), parameters.cables))
    pairs = sectors(parameters)
    for ray, (number, angle) in enumerate(zip(numbers, psi, strict=True)):
        first, second = pairs[number]
        rates[ray, first], rates[ray, second] = np.cos(angle), np.sin(angle)
    return Rays(numbers, psi, rates / np.max(rates, axis=1, initial=1e-300, keepdims=True))


EDGE = math.radians(0.01)  # [rad] between a single cable and the ray beside it, which keeps its stability
ANGLE_SHARE = 0.1  # of the bending range within which states count as neighbours
LENGTH_SHARE = 0.125  # of the robot's length within which their tips must lie
LEAST_RANGE = 1e-3  # [rad] of the bending range, below which states differ in rounding
PIECES = 8  # into which a long step of tension is cut ...
MOST_CUTS = 4  # ... so many times over
SAME = 1e-5  # [rad] between a state and the same one, followed in smaller steps


class Sampling(NamedTuple):
    """Robot, its state at rest (n, 3) [rad], loads (s,) [N] along a ray, and the record with its limits."""

    body: Robot
    start: FloatArray
    loads: FloatArray
    pretension: FloatArray
    parameters: ContinuumStatics


class Closeness(NamedTuple):
    """The greatest distance of neighbours: of their states ``angle`` [rad], of their tips ``length`` [m]."""

    angle: float
    length: float


class Line(NamedTuple):
    """One ray with its states.

    ``states`` (s, n, 3) [rad], ``mu_min`` (s,) and ``tips`` (s, 3) [m] belong to the sampled loads, NaN where
    not reached; ``between_loads`` (b,) [N], ``between`` (b, n, 3) [rad] and ``between_tips`` (b, 3) [m] are
    stable states between them. ``loss`` [N] is NaN where stability is not lost; ``limited`` says that the
    ray ends at a limit of the material. A ray that ends before the greatest load has its end, with the margin
    ``end_mu``, last in ``between``; ``end_mu`` is NaN where the end is a sample.
    """

    sector: int
    psi: float
    rate: FloatArray
    states: FloatArray
    mu_min: FloatArray
    tips: FloatArray
    loss: float
    between_loads: FloatArray
    between: FloatArray
    between_tips: FloatArray
    limited: bool = False
    end_mu: float = math.nan

    @property
    def ends_early(self) -> bool:
        """True if the ray ends below the greatest tension."""
        return self.limited or math.isfinite(self.loss)

    @property
    def reached(self) -> int:
        """Number of the sampled loads that are reached."""
        return int(np.isfinite(self.mu_min).sum())

    @property
    def key(self) -> tuple[int, float]:
        """Sector and direction, by which rays are ordered."""
        return self.sector, self.psi


class Nodes(NamedTuple):
    """All stable states of a ray by rising load; ``order`` (k,) are their places, sampled loads first."""

    loads: FloatArray
    states: FloatArray
    tips: FloatArray
    order: IntArray


def sampling(parameters: ContinuumStatics) -> Sampling:
    """Collect what rays of a robot are followed with; its start is NaN when it does not rest."""
    state = rest(parameters)
    start = state.q if state.exists else np.full_like(state.q, np.nan)
    loads = np.linspace(0.0, parameters.max_tension, parameters.tension_steps)
    return Sampling(
        robot_of(parameters), start, loads, np.full(parameters.cables, parameters.pretension), parameters
    )


def closeness(given: Sampling, lines: list[Line]) -> Closeness:
    """Limits for neighbours: a tenth of the greatest distance between the ends of rays and rest."""
    ends = [line.states[line.reached - 1] for line in lines if line.reached]
    points = np.array([given.start, *ends]).reshape(len(ends) + 1, -1)
    greatest = max(float(np.linalg.norm(points - point, axis=1).max()) for point in points)
    whole = given.body.L * len(given.body.masses)
    return Closeness(ANGLE_SHARE * max(greatest, LEAST_RANGE), LENGTH_SHARE * whole)


def nodes_of(given: Sampling, line: Line) -> Nodes:
    """All stable states of a ray."""
    kept = line.reached
    loads = np.concatenate([given.loads[:kept], line.between_loads])
    order = np.argsort(loads, kind="stable")
    states = np.concatenate([line.states[:kept], line.between])[order]
    places = np.concatenate([line.tips[:kept], line.between_tips])[order]
    return Nodes(loads[order], states, places, order)


def apart(first: FloatArray, second: FloatArray, moved: FloatArray, limits: Closeness) -> NDArray[np.bool_]:
    """Mark states (k, n, 3) that differ too much, their tips being (k, 3) m away from each other."""
    angles = np.linalg.norm((first - second).reshape(len(first), 3 * first.shape[1]), axis=1)
    return (angles > limits.angle) | (np.linalg.norm(moved, axis=1) > limits.length)


def with_steps_cut(given: Sampling, line: Line, limits: Closeness) -> Line:
    """The ray with states between loads whose states are apart."""
    nodes = nodes_of(given, line)
    far = apart(nodes.states[1:], nodes.states[:-1], np.diff(nodes.tips, axis=0), limits)
    cut: list[tuple[float, FloatArray]] = []
    for step in np.flatnonzero(far):
        ends = (float(nodes.loads[step]), float(nodes.loads[step + 1]))
        cut += _cut(given, line, ends, nodes.states[step : step + 2], limits, MOST_CUTS)
    if not cut:
        return line
    between = np.array([state for _, state in cut])
    return line._replace(
        between_loads=np.concatenate([[load for load, _ in cut], line.between_loads]),
        between=np.concatenate([between, line.between]),
        between_tips=np.concatenate([tips(given.body.L, between), line.between_tips]),
    )


def _cut(
    given: Sampling, line: Line, ends: tuple[float, float], pair: FloatArray, limits: Closeness, depth: int
) -> list[tuple[float, FloatArray]]:
    """States between two loads, cut until neighbours are close; none where another branch is met."""
    loads = np.linspace(*ends, PIECES + 1)
    ramp = Ramp(given.pretension, line.rate, 1.0, 0.0)
    found = follow_ramp(given.body, ramp, loads, pair[0].copy(), True)
    if found.reason != REACHED or np.abs(found.states[-1] - pair[1]).max() > SAME:
        return []
    states = found.states
    places = tips(given.body.L, states)
    far = apart(states[1:], states[:-1], np.diff(places, axis=0), limits)
    cut: list[tuple[float, FloatArray]] = []
    for piece in range(len(loads) - 1):
        if piece:
            cut.append((float(loads[piece]), states[piece]))
        if far[piece] and depth > 1:
            between = (float(loads[piece]), float(loads[piece + 1]))
            cut += _cut(given, line, between, states[piece : piece + 2], limits, depth - 1)
    return cut
