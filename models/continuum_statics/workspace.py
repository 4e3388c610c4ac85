"""The surface that the tip reaches in stable equilibria, without leaving its branch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.ray_following import lines_at
from models.continuum_statics.rays import (
    Closeness,
    Line,
    Sampling,
    centred_rays,
    closeness,
    edge_keys,
    sampling,
    with_steps_cut,
)
from models.continuum_statics.triangulation import Net, closed, net_of

BoolArray = NDArray[np.bool_]


class Vertices(NamedTuple):
    """Corners of the surface: all samples, ray by ray, then states put between two tensions.

    Attributes
    ----------
    tips : (v, 3) float, m
        NaN where not reached; no triangle has such a corner.
    states : (v, n, 3) float, rad
    tensions : (v, m) float, N
        Of all cables, without the pretension.
    sectors : (v,) int
    """

    tips: FloatArray
    states: FloatArray
    tensions: FloatArray
    sectors: IntArray


@dataclass(frozen=True, slots=True)
class StableWorkspace:
    """Tips that stable equilibria reach from rest, ray by ray of tensions.

    A ray pulls two neighbouring cables with ``s d``, ``d = (cos psi, sin psi) / max``, psi at the
    centres of equal cells over 0 to 90 deg and 0.01 deg beside the single cables, s from 0 to the greatest
    tension; it ends where stability is first lost, or where the rod reaches a limit of its material if
    ``enforce_material_limits`` is set.

    Parameters
    ----------
    tips : (r, s, 3) float, m
        Of ray and tension; what was not reached is NaN.
    tensions : (r, s, m) float, N
        Of all cables, without the pretension.
    states : (r, s, n, 3) float, rad
        NaN where not reached.
    mu_min : (r, s) float
        Smallest relative eigenvalue; NaN where not reached.
    stable : (r, s) bool
    sectors : (r,) int
        Which pair of neighbouring cables, from 0.
    psi : (r,) float, rad
        Direction of the ray in its sector.
    losses : (r,) float, N
        Greater tension of the two at which stability is lost, found to a step of tension where the shape
        goes on without being stable; NaN where none is lost.
    vertices : Vertices
    triangles : (t, 3) int
        Into ``vertices``: between neighbouring rays, where all corners are stable and lie on one sheet, that
        is within a tenth of the bending range and an eighth of the length of each other.
    area : float, m^2
        Sum of the triangles' areas: what overlaps is counted twice.
    area_of_third : float, m^2
        The same with every third ray of each sector, the centres of cells three times as wide, and corners
        three times as far apart: how far the two areas differ shows how much depends on the number of rays.
        Rays that were added are left out.
    ends : (e,) int
        Places in ``vertices`` of the last stable states of rays that end between two samples.
    fraction : float
        Share of the tensions, mean over the rays at the centres of cells.
    least_mu : float
        Least ``mu_min`` of all stable points and ends.
    rays : int
        Number of rays, those between cells included.
    added_rays : int
        Rays beside the single cables, near losses and between states that are apart.
    dropped : int
        Triangles that were left out since their corners stay apart: they lie on two sheets.
    limited_rays : int
        Rays that end at a limit of the material.
    """

    tips: FloatArray
    tensions: FloatArray
    states: FloatArray
    mu_min: FloatArray
    stable: BoolArray
    sectors: IntArray
    psi: FloatArray
    losses: FloatArray
    vertices: Vertices
    triangles: IntArray
    area: float
    area_of_third: float
    ends: IntArray
    fraction: float
    least_mu: float
    rays: int
    added_rays: int = 0
    dropped: int = 0
    limited_rays: int = 0


def stable_workspace(parameters: ContinuumStatics) -> StableWorkspace:
    """Sample the stable workspace by rays of tensions from the robot at rest.

    Parameters
    ----------
    parameters : ContinuumStatics
        ``rays`` per sector and ``tension_steps`` along each; ``refinements`` times, rays are put halfway
        between neighbours of which one loses stability earlier by more than a step of tension. Rays and
        tensions are put between neighbours, too, whose states differ by more than a tenth of the bending
        range. Both count in the area, not in ``fraction``, so that this stays a share of equal cells.

    Returns
    -------
    StableWorkspace
        Empty when the robot is not stable at rest, or has fewer than two cables.
    """
    return _record(parameters, workspace_net(parameters))


def workspace_net(parameters: ContinuumStatics) -> Net:
    """Rays at the centres of cells, beside the single cables, near losses, and between states apart."""
    given = sampling(parameters)
    rays = centred_rays(parameters)
    keys = [*zip(rays.sectors.tolist(), rays.psi.tolist(), strict=True), *edge_keys(parameters)]
    lines = lines_at(given, parameters, sorted(keys))
    limits = closeness(given, lines)
    for _ in range(parameters.refinements):
        near = _between_losses(parameters, lines)
        if not near:
            break
        lines = sorted([*lines, *lines_at(given, parameters, near)], key=lambda line: line.key)
    cut = [with_steps_cut(given, line, limits) for line in lines]
    return closed(parameters, net_of(given, limits, cut))


def _between_losses(parameters: ContinuumStatics, lines: list[Line]) -> list[tuple[int, float]]:
    """Sectors and directions halfway between rays whose losses are more than a step of tension apart."""
    step = parameters.max_tension / (parameters.tension_steps - 1)
    ends = [parameters.max_tension + 2 * step if np.isnan(line.loss) else line.loss for line in lines]
    return [
        (first.sector, 0.5 * (first.psi + second.psi))
        for (first, end), (second, other) in pairwise(zip(lines, ends, strict=True))
        if first.sector == second.sector and abs(end - other) > step
    ]


def net_area(net: Net) -> float:
    """Area [m^2] of a net's triangles."""
    return math.fsum(
        triangle_area(np.concatenate([net.nodes[place].tips, net.nodes[place + 1].tips]), strip.triangles)
        for place, strip in net.strips.items()
    )


def _area_of_third(net: Net, centred: list[Line]) -> float:
    """Area [m^2] with the rays 2, 5, 8 ... of each sector and its edges, in cells three times as wide."""
    sectors = np.array([line.sector for line in centred], np.int64)
    inside = np.arange(len(centred)) - np.searchsorted(sectors, sectors)
    thirds = [line for line, number in zip(centred, inside, strict=True) if number % 3 == 1]
    wider = Closeness(3 * net.limits.angle, 3 * net.limits.length)
    edges = set(edge_keys(net.given.parameters))
    return net_area(net_of(net.given, wider, thirds + [line for line in net.lines if line.key in edges]))


def _record(parameters: ContinuumStatics, net: Net) -> StableWorkspace:
    """The record of a net."""
    rays = centred_rays(parameters)
    cells = set(zip(rays.sectors.tolist(), rays.psi.tolist(), strict=True))
    given, centred = net.given, [line for line in net.lines if line.key in cells]
    lines, shape = net.lines, (len(net.lines), len(given.loads))
    mu_min = np.array([line.mu_min for line in lines]).reshape(shape)
    share = [_end(given, line) / given.loads[-1] for line in centred]
    least = np.array([np.fmin(np.fmin.reduce(line.mu_min), line.end_mu) for line in lines])
    vertices, triangles, ends = _surface(net)
    samples = len(lines) * len(given.loads)
    return StableWorkspace(
        vertices.tips[:samples].reshape(*shape, 3),
        vertices.tensions[:samples].reshape(*shape, len(given.pretension)),
        vertices.states[:samples].reshape(*shape, *given.start.shape),
        mu_min,
        np.isfinite(mu_min),
        np.array([line.sector for line in lines], np.int64),
        np.array([line.psi for line in lines]),
        np.array([line.loss for line in lines]),
        vertices,
        triangles,
        triangle_area(vertices.tips, triangles),
        _area_of_third(net, centred),
        ends,
        float(np.mean(share)) if share else 0.0,
        float(np.nanmin(least)) if np.isfinite(least).any() else 0.0,
        len(lines),
        len(lines) - len(centred),
        net.dropped,
        sum(line.limited for line in lines),
    )


def _end(given: Sampling, line: Line) -> float:
    """Load [N] of the last stable state of a ray; 0 where there is none."""
    sample = given.loads[line.reached - 1] if line.reached else 0.0
    return float(np.max(line.between_loads, initial=sample))


def _surface(net: Net) -> tuple[Vertices, IntArray, IntArray]:
    """The corners, those at the sampled loads first, ray by ray, the triangles, and places of ends."""
    steps, lines = len(net.given.loads), net.lines
    loads = [np.tile(net.given.loads, len(lines)), *(line.between_loads for line in lines)]
    extra = np.cumsum([0, *(len(line.between_loads) for line in lines)])
    owners = np.concatenate(
        [np.repeat(np.arange(len(lines)), steps), np.repeat(np.arange(len(lines)), np.diff(extra))]
    )
    rates = np.array([line.rate for line in lines]).reshape(len(lines), len(net.given.pretension))
    shape = net.given.start.shape
    vertices = Vertices(
        np.concatenate(
            [*(line.tips for line in lines), *(line.between_tips for line in lines), np.empty((0, 3))]
        ),
        np.concatenate(
            [*(line.states for line in lines), *(line.between for line in lines), np.empty((0, *shape))]
        ),
        np.concatenate(loads)[:, None] * rates[owners],
        np.array([line.sector for line in lines], np.int64)[owners],
    )  # fmt: skip
    numbers = [
        np.where(nodes.order < line.reached, place * steps + nodes.order,
                 len(lines) * steps + extra[place] + nodes.order - line.reached)
        for place, (line, nodes) in enumerate(zip(lines, net.nodes, strict=True))
    ]  # fmt: skip
    triangles = [
        np.concatenate(numbers[place : place + 2])[strip.triangles] for place, strip in net.strips.items()
    ]
    ended = [place for place, line in enumerate(lines) if math.isfinite(line.end_mu)]
    ends = len(lines) * steps + extra[1:][ended] - 1
    return vertices, np.concatenate([np.empty((0, 3), np.int64), *triangles]), ends


def triangle_area(points: FloatArray, triangles: IntArray) -> float:
    """Sum [m^2] of the areas of triangles (t, 3) between points (.., 3) [m]."""
    corners = points.reshape(-1, 3)[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(0.5 * np.linalg.norm(across, axis=1).sum())
