"""The surface that the tip of a robot reaches in stable equilibria, without leaving its branch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.continuum_statics.balance.equilibrium import rest
from models.continuum_statics.balance.kernel_follow import REACHED, follow_rays
from models.continuum_statics.energy.kernel_tips import tips
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.reach.rays import Rays, centred_rays, rays_at
from models.continuum_statics.reach.stable_workspace import StableWorkspace
from models.continuum_statics.robot import robot
from models.floats import FloatArray, IntArray


class Sampled(NamedTuple):
    """Rays with the stable states on them; see :class:`StableWorkspace`."""

    rays: Rays
    states: FloatArray
    mu_min: FloatArray
    tips: FloatArray
    losses: FloatArray


def stable_workspace(parameters: ContinuumStatics) -> StableWorkspace:
    """Sample the stable workspace by rays of tensions from the robot at rest.

    Parameters
    ----------
    parameters : ContinuumStatics
        ``rays`` per sector and ``tension_steps`` along each; ``refinements`` times, rays are put halfway
        between neighbours of which one loses stability earlier by more than a step of tension. They
        count in the area, not in ``fraction``, so that this stays a share of equal cells.

    Returns
    -------
    StableWorkspace
        Empty when the robot is not stable at rest, or has fewer than two cables.
    """
    state = rest(parameters)
    start = state.q if state.exists else np.full_like(state.q, np.nan)
    sampled = _follow(parameters, centred_rays(parameters), start)
    stable = np.isfinite(sampled.mu_min)
    fraction = float(np.mean(stable)) if stable.size else 0.0
    area_of_third = _area_of_third(parameters, sampled)
    for _ in range(parameters.refinements):
        between = _rays_near_losses(parameters, sampled)
        if not len(between.psi):
            break
        sampled = _merged(sampled, _follow(parameters, between, start))
    return _surface(parameters, sampled, fraction, area_of_third)


def _follow(parameters: ContinuumStatics, rays: Rays, start: FloatArray) -> Sampled:
    body = robot(parameters)
    count, steps = len(rays.psi), parameters.tension_steps
    loads = np.linspace(0.0, parameters.max_tension, steps)
    states = np.full((count, steps, *start.shape), np.nan)
    mu_min = np.full((count, steps), np.nan)
    reached, reasons = np.zeros(count, np.int64), np.zeros(count, np.int64)
    ends = np.zeros(count)
    rest_tensions = np.full(parameters.cables, parameters.pretension)
    follow_rays(body, rest_tensions, rays.rates, loads, start, states, mu_min, reached, ends, reasons)
    positions = tips(body.L, states.reshape(-1, *start.shape)).reshape(count, steps, 3)
    return Sampled(rays, states, mu_min, positions, np.where(reasons == REACHED, np.nan, ends))


def _rays_near_losses(parameters: ContinuumStatics, sampled: Sampled) -> Rays:
    """Rays halfway between neighbours whose losses are more than a step of tension apart."""
    step = parameters.max_tension / (parameters.tension_steps - 1)
    ends = np.where(np.isnan(sampled.losses), parameters.max_tension + 2 * step, sampled.losses)
    sector, psi = sampled.rays.sectors, sampled.rays.psi
    apart = (np.abs(np.diff(ends)) > step) & (np.diff(sector) == 0)
    return rays_at(parameters, sector[:-1][apart], 0.5 * (psi[:-1] + psi[1:])[apart])


def _merged(first: Sampled, second: Sampled) -> Sampled:
    """Rays of both, by sector and direction."""
    rays = Rays(
        np.concatenate([first.rays.sectors, second.rays.sectors]),
        np.concatenate([first.rays.psi, second.rays.psi]),
        np.concatenate([first.rays.rates, second.rays.rates]),
    )
    order = np.lexsort((rays.psi, rays.sectors))
    others = (np.concatenate(pair)[order] for pair in zip(first[1:], second[1:], strict=True))
    return Sampled(Rays(rays.sectors[order], rays.psi[order], rays.rates[order]), *others)


def _area_of_third(parameters: ContinuumStatics, sampled: Sampled) -> float:
    """Area [m^2] with the rays 2, 5, 8 ... of each sector alone."""
    thirds = np.arange(len(sampled.rays.psi)) % parameters.rays % 3 == 1
    stable = np.isfinite(sampled.mu_min[thirds])
    return triangle_area(sampled.tips[thirds], _triangles(stable, sampled.rays.sectors[thirds]))


def _surface(
    parameters: ContinuumStatics, sampled: Sampled, fraction: float, area_of_third: float
) -> StableWorkspace:
    """The record, with the triangles between neighbouring rays."""
    rays, stable = sampled.rays, np.isfinite(sampled.mu_min)
    triangles = _triangles(stable, rays.sectors)
    loads = np.linspace(0.0, parameters.max_tension, parameters.tension_steps)
    return StableWorkspace(
        sampled.tips,
        loads[:, None] * rays.rates[:, None, :],
        sampled.states,
        sampled.mu_min,
        stable,
        rays.sectors,
        rays.psi,
        sampled.losses,
        triangles,
        triangle_area(sampled.tips, triangles),
        area_of_third,
        fraction,
        float(np.nanmin(sampled.mu_min)) if stable.any() else 0.0,
        len(rays.psi),
        len(rays.psi) - len(centred_rays(parameters).psi),
    )


def _triangles(stable: NDArray[np.bool_], sectors: IntArray) -> IntArray:
    """Two per cell between neighbouring rays of a sector and neighbouring tensions, (t, 3) places.

    A triangle is dropped when one of its corners is not stable.
    """
    count, steps = stable.shape
    place = np.arange(count * steps).reshape(count, steps)
    inside = np.flatnonzero(np.diff(sectors) == 0)
    a, b = place[inside, :-1].ravel(), place[inside, 1:].ravel()
    c, d = place[inside + 1, :-1].ravel(), place[inside + 1, 1:].ravel()
    both = np.concatenate([np.stack([a, b, c], axis=1), np.stack([b, d, c], axis=1)])
    return both[stable.ravel()[both].all(axis=1)]


def triangle_area(points: FloatArray, triangles: IntArray) -> float:
    """Sum [m^2] of the areas of triangles (t, 3) between points (.., 3) [m]."""
    corners = points.reshape(-1, 3)[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(0.5 * np.linalg.norm(across, axis=1).sum())
