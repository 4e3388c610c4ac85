"""The volume that stable workspaces of rising pretension span."""

from __future__ import annotations

import math
import operator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.continuum_statics.continuation_kernels import REACHED, Ramp, follow_ramp
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.rays import SAME, Closeness, Line, cut_at, lines_at
from models.continuum_statics.triangulation import Net, net_of
from models.continuum_statics.workspace import net_area, workspace_net

GREATEST_SHARE = 0.25  # of the greatest tension that is given to every cable as pretension
WIDEST = 2.0  # times the length within which tips of neighbours lie, between corners of the upper triangle
NO_LIMITS = Closeness(np.inf, np.inf)
LOST, APART = -1, -2


class ReachableVolume(NamedTuple):
    """Volume of the tips of stable states.

    Attributes
    ----------
    volume : float, m^3
        Sum over prisms between triangles of two neighbouring pretensions whose six corners are stable and
        lie on one sheet: what overlaps is counted twice.
    pretensions : (p,) float, N
    areas : (p,) float, m^2
        Of the stable workspace under each pretension.
    dropped : int
        Prisms that were left out since their corners lie on two sheets.
    """

    volume: float
    pretensions: FloatArray
    areas: FloatArray
    dropped: int = 0


def reachable_volume(parameters: ContinuumStatics, pretensions: FloatArray | None = None) -> ReachableVolume:
    """Sweep the pretension and add up the volume between one stable workspace and the next.

    ``pretensions`` (p,) [N] rise; when not given, ``pretension_steps`` of them from 0 to a quarter of the
    record's greatest tension. All are sampled at the same tensions: where one needs more of them, between
    states that are apart, its neighbours have them, too.
    """
    if pretensions is None:
        greatest = GREATEST_SHARE * parameters.max_tension
        pretensions = np.linspace(0.0, greatest, parameters.pretension_steps)
    layers = [
        parameters.model_copy(update={"pretension": float(each), "refinements": 0}) for each in pretensions
    ]
    nets: list[Net] = []
    for layer in layers:
        nets.append(workspace_net(layer, nets[-1].lines if nets else ()))
    areas = [net_area(net) for net in nets]
    for place in range(len(nets) - 2, -1, -1):
        nets[place] = _sampled_like(layers[place], nets[place], nets[place + 1])
    parts = [between(lower, upper) for lower, upper in pairwise(nets)]
    return ReachableVolume(
        math.fsum(volume for volume, _ in parts), np.asarray(pretensions, float), np.array(areas),
        sum(dropped for _, dropped in parts),
    )  # fmt: skip


def _sampled_like(layer: ContinuumStatics, net: Net, above: Net) -> Net:
    """The net with the rays and tensions of the one above, which are its own and more."""
    known = {line.key: line for line in net.lines}
    missing = [line.key for line in above.lines if line.key not in known]
    known |= {line.key: line for line in lines_at(net.given, layer, missing)}
    lines = [_cut_like(net, known[line.key], line.between_loads) for line in above.lines]
    same = len(lines) == len(net.lines) and all(map(operator.is_, lines, net.lines))
    return net if same else net_of(net.given, net.limits, lines)


def _cut_like(net: Net, line: Line, loads: FloatArray) -> Line:
    """The ray with states at the loads (w,) [N] that another one has between the sampled ones."""
    wanted = np.union1d(line.between_loads, loads)
    return line if len(wanted) == len(line.between_loads) else cut_at(net.given, line, NO_LIMITS, wanted)


def between(lower: Net, upper: Net) -> tuple[float, int]:
    """Volume [m^3] of the prisms between two nets of the same rays, and how many were left out.

    A corner of a prism's lower triangle and that of the upper one lie on one sheet when they are close, or
    joined by a stable path while the pretension rises.
    """
    partners = [_partners(lower, upper, place) for place in range(len(lower.lines))]
    volume, dropped = 0.0, 0
    for place, strip in lower.strips.items():
        number = np.concatenate(partners[place : place + 2])
        below = np.concatenate([lower.nodes[place].tips, lower.nodes[place + 1].tips])[strip.triangles]
        above = np.concatenate([_tips(upper, at, partners[at]) for at in (place, place + 1)])[strip.triangles]
        sides = np.linalg.norm(above - np.roll(above, 1, axis=1), axis=2)
        wide = (sides > WIDEST * lower.limits.length).any(axis=1)
        left_out = wide | (number[strip.triangles] == APART).any(axis=1)
        held = (number[strip.triangles] >= 0).all(axis=1) & ~left_out
        dropped += int(left_out.sum())
        volume += prism_volumes(below[held], above[held])
    return volume, dropped


def _tips(net: Net, place: int, numbers: IntArray) -> FloatArray:
    """Tips (k, 3) [m] of nodes of a ray; NaN where there is none."""
    found = np.full((len(numbers), 3), np.nan)
    found[numbers >= 0] = net.nodes[place].tips[numbers[numbers >= 0]]
    return found


def _partners(lower: Net, upper: Net, place: int) -> IntArray:
    """Of each node of a ray the place of that above at the same tensions, or ``LOST`` or ``APART``."""
    low, high = lower.nodes[place], upper.nodes[place]
    partners = np.full(len(low.loads), LOST, np.int64)
    _, here, there = np.intersect1d(low.loads, high.loads, return_indices=True)
    moved = high.states[there] - low.states[here]
    joined, anchor = True, np.zeros_like(lower.given.start)
    for at, (node, to) in enumerate(zip(here, there, strict=True)):
        if np.linalg.norm(moved[at]) <= lower.limits.angle:
            joined, anchor = True, moved[at]
        elif np.linalg.norm(moved[at] - anchor) > lower.limits.angle:
            joined, anchor = _joined(lower, upper, place, int(node), int(to)), moved[at]
        partners[node] = to if joined else APART
    return partners


def _joined(lower: Net, upper: Net, place: int, node: int, to: int) -> bool:
    """Whether a stable path leads from a node to the one above while the pretension rises."""
    low, rise = lower.nodes[place], upper.given.pretension - lower.given.pretension
    ramp = Ramp(lower.given.pretension + low.loads[node] * lower.lines[place].rate, rise, 1.0, 0.0)
    found = follow_ramp(lower.given.body, ramp, np.array([0.0, 1.0]), low.states[node].copy(), True)
    end = upper.nodes[place].states[to]
    return found.reason == REACHED and bool(np.abs(found.states[-1] - end).max() <= SAME)


def prism_volumes(lower: FloatArray, upper: FloatArray) -> float:
    """Sum [m^3] of the volumes of prisms between triangles (t, 3, 3) [m], whichever corner is the first.

    Each side, a quadrangle that need not be flat, is halved along both diagonals in turn.
    """
    origin = lower[:, 0]
    low, high = lower - origin[:, None], upper - origin[:, None]
    total = _sixfold(high[:, 0], high[:, 1], high[:, 2]) - _sixfold(low[:, 0], low[:, 1], low[:, 2])
    for a, b in ((0, 1), (1, 2), (2, 0)):
        p, q, r, s = low[:, a], low[:, b], high[:, b], high[:, a]
        sides = _sixfold(p, q, r) + _sixfold(p, r, s) + _sixfold(p, q, s) + _sixfold(q, r, s)
        total = total + 0.5 * sides
    return float(np.abs(total).sum()) / 6


def _sixfold(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """Six times the volumes (t,) [m^3] of tetrahedra from the origin to triangles of corners (t, 3) [m]."""
    return np.einsum("ti,ti->t", a, np.cross(b, c))
