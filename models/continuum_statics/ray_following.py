"""Stable states along rays of tensions, each up to its end: a loss of stability, a limit, the last load."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_statics.chain_kernels import tips
from models.continuum_statics.continuation_kernels import (
    REACHED,
    Ramp,
    bisect_loss,
    follow_ramp,
    follow_rays,
)
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.rays import Line, Rays, Sampling, rays_at
from models.continuum_statics.strength import limit_shares, strains_and_stresses

FULL = 1.0 - 1e-9  # share of the material's limits at the end of a ray ...
EXACT = 1e-9  # ... and the error of it that is allowed


class End(NamedTuple):
    """The last stable state (n, 3) [rad] of a ray, its load [N] and its mu_min."""

    load: float
    state: FloatArray
    mu: float


def lines_at(given: Sampling, parameters: ContinuumStatics, keys: Sequence[tuple[int, float]]) -> list[Line]:
    """Follow the rays of given sectors and directions."""
    sectors, psi = np.array([key[0] for key in keys], np.int64), np.array([key[1] for key in keys])
    return follow_lines(given, rays_at(parameters, sectors, psi))


def follow_lines(given: Sampling, rays: Rays) -> list[Line]:
    """Stable states on rays, each from rest to the first loss of stability or limit of the material."""
    count, steps, shape = len(rays.psi), len(given.loads), given.start.shape
    states, mu_min = np.full((count, steps, *shape), np.nan), np.full((count, steps), np.nan)
    reached, reasons, ends = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count)
    follow_rays(
        given.body, given.pretension, rays.rates, given.loads, given.start, states, mu_min, reached, ends,
        reasons,
    )  # fmt: skip
    positions = tips(given.body.L, states.reshape(-1, *shape)).reshape(count, steps, 3)
    losses = np.where(reasons == REACHED, np.nan, ends)
    lines = [
        Line(
            int(rays.sectors[ray]), float(rays.psi[ray]), rays.rates[ray], states[ray], mu_min[ray],
            positions[ray], float(losses[ray]), np.empty(0), np.empty((0, *shape)), np.empty((0, 3)),
        )
        for ray in range(count)
    ]  # fmt: skip
    lines = [_with_loss(given, line) for line in lines]
    return _within_limits(given, lines) if given.parameters.enforce_material_limits else lines


def _with_loss(given: Sampling, line: Line) -> Line:
    """The ray up to its last stable state, beyond the last sample that is stable."""
    if not line.reached or not line.loss > given.loads[line.reached - 1]:
        return line
    ramp, last = _ramp(given, line), line.reached - 1
    around = np.array([given.loads[last], line.loss])
    found = follow_ramp(given.body, ramp, around, line.states[last].copy(), True)
    state = found.end.copy()
    load, mu = bisect_loss(given.body, ramp, found.end_load, line.loss, state)
    return _ended(given, line._replace(loss=load), End(load, state, mu))


def _within_limits(given: Sampling, lines: list[Line]) -> list[Line]:
    """Rays that end where their rod uses all of its limits, if not before."""
    from scipy.optimize.elementwise import find_root

    beyond = _first_beyond(given, lines)
    found = [
        _cut_before(given, line, beyond[ray].load) if ray in beyond else line
        for ray, line in enumerate(lines)
    ]
    rays = [ray for ray in beyond if found[ray].reached]
    if not rays:
        return found
    cut, highs = [found[ray] for ray in rays], [beyond[ray] for ray in rays]

    def excess(loads: FloatArray, numbers: IntArray) -> FloatArray:
        pairs = list(zip(numbers.tolist(), loads.tolist(), strict=True))
        ends = [highs[n] if load == highs[n].load else _at(given, cut[n], load) for n, load in pairs]
        tensions = np.array([cut[n].rate for n, _ in pairs]) * loads[:, None]
        return _used(given, tensions, np.array([end.state for end in ends])) - FULL

    low = np.array([given.loads[line.reached - 1] for line in cut])
    high = np.array([end.load for end in highs])
    root = find_root(
        excess, (low, high), args=(np.arange(len(cut)),), tolerances={"fatol": EXACT, "xatol": 0.0}
    )
    for ray, line, load in zip(rays, cut, np.where(root.success, root.x, low).tolist(), strict=True):
        found[ray] = _ended(given, line, _at(given, line, load))
    return found


def _first_beyond(given: Sampling, lines: list[Line]) -> dict[int, End]:
    """The first state of each ray, by its number, in which the rod exceeds a limit of its material.

    It is a sample or the end of the ray.
    """
    loads = np.array([np.append(given.loads, _end_load(line)) for line in lines])
    states = np.array([np.concatenate([line.states, _end_state(line)]) for line in lines])
    rates = np.array([line.rate for line in lines])
    reached = np.isfinite(states[:, :, 0, 0])
    if not reached.any():
        return {}
    beyond = np.zeros(reached.shape, bool)
    tensions = loads[:, :, None] * rates[:, None, :]
    beyond[reached] = _used(given, tensions[reached], states[reached]) > 1.0
    firsts = {int(ray): int(np.argmax(beyond[ray])) for ray in np.flatnonzero(beyond.any(axis=1))}
    return {ray: End(float(loads[ray, at]), states[ray, at], math.nan) for ray, at in firsts.items()}


def _end_load(line: Line) -> float:
    return float(line.between_loads[-1]) if len(line.between_loads) else math.nan


def _end_state(line: Line) -> FloatArray:
    """The end (1, n, 3) [rad] of a ray whose steps are not cut; NaN where there is none."""
    return line.between if len(line.between) else np.full((1, *line.states.shape[1:]), np.nan)


def _used(given: Sampling, tensions: FloatArray, states: FloatArray) -> FloatArray:
    """Shares (k,) [1] of the material's limits that states (k, n, 3) use; 0 where there is no limit.

    ``tensions`` (k, m) [N] are without the pretension.
    """
    strained = strains_and_stresses(given.parameters, given.body, given.pretension + tensions, states)
    shares = limit_shares(given.parameters, *strained)
    return np.zeros(len(states)) if shares is None else shares


def _cut_before(given: Sampling, line: Line, load: float) -> Line:
    """The ray without its end and its samples from a load on, in which the rod exceeds a limit."""
    states, mu_min, places = line.states.copy(), line.mu_min.copy(), line.tips.copy()
    for each in (states, mu_min, places):
        each[given.loads >= load] = np.nan
    return line._replace(
        states=states, mu_min=mu_min, tips=places, loss=math.nan, between_loads=np.empty(0),
        between=line.between[:0], between_tips=line.between_tips[:0], limited=True, end_mu=math.nan,
    )  # fmt: skip


def _at(given: Sampling, line: Line, load: float) -> End:
    """The state of a ray at a load beyond its last sample."""
    last = line.reached - 1
    around = np.array([given.loads[last], load])
    found = follow_ramp(given.body, _ramp(given, line), around, line.states[last].copy(), True)
    return End(load, found.states[-1], float(found.mus[-1]))


def _ramp(given: Sampling, line: Line) -> Ramp:
    return Ramp(given.pretension, line.rate, 1.0, 0.0)


def _ended(given: Sampling, line: Line, end: End) -> Line:
    """The ray with its end."""
    if not math.isfinite(end.mu):
        return line
    state = end.state[None]
    return line._replace(
        between_loads=np.array([end.load]), between=state, between_tips=tips(given.body.L, state),
        end_mu=end.mu,
    )  # fmt: skip
