"""Rays of tensions joined by triangles whose corners lie on one sheet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import IntArray
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.ray_following import lines_at
from models.continuum_statics.rays import Closeness, Line, Nodes, Sampling, nodes_of, with_steps_cut
from models.continuum_statics.triangulation_kernels import join

MOST_HALVINGS = 6  # of a cell between two rays whose states are apart
MOST_ADDED = 2  # times the given rays are put between ...
MORE_ADDED = 192  # ... and so many more


class Strip(NamedTuple):
    """Join of two neighbouring rays: triangles (t, 3) into their nodes, and how many were left out."""

    triangles: IntArray
    dropped: int


class Net(NamedTuple):
    """Rays by sector and direction, with their nodes, and by the first ray of each pair what joins it."""

    given: Sampling
    limits: Closeness
    lines: list[Line]
    nodes: list[Nodes]
    strips: dict[int, Strip]

    @property
    def dropped(self) -> int:
        """Number of triangles that were left out since their corners are apart."""
        return sum(strip.dropped for strip in self.strips.values())


def joined(lines: list[Line], nodes: list[Nodes], limits: Closeness, place: int) -> Strip:
    """Join a ray with the next."""
    first, second = nodes[place : place + 2]
    lost = [line.ends_early for line in lines[place : place + 2]]
    return Strip(
        *join(
            first.loads, first.states, first.tips, lost[0], second.loads, second.states, second.tips, lost[1],
            limits.angle, limits.length,
        )
    )  # fmt: skip


def net_of(given: Sampling, limits: Closeness, lines: list[Line]) -> Net:
    """Rays with what joins neighbours of one sector; their steps are taken as they are."""
    ordered = sorted(lines, key=lambda line: line.key)
    nodes = [nodes_of(given, line) for line in ordered]
    inside = [
        place for place in range(len(ordered) - 1) if ordered[place].sector == ordered[place + 1].sector
    ]
    strips = {place: joined(ordered, nodes, limits, place) for place in inside}
    return Net(given, limits, ordered, nodes, strips)


def closed(parameters: ContinuumStatics, net: Net) -> Net:
    """The net with rays put halfway between neighbours that are apart, until none are or cells are small.

    Where states stay apart however close the rays lie, the two are on different sheets.
    """
    left = MOST_ADDED * len(net.lines) + MORE_ADDED
    smallest = np.pi / 2 / parameters.rays / 2**MOST_HALVINGS
    while True:
        wide = [
            place for place, strip in net.strips.items() if strip.dropped and _width(net, place) > smallest
        ]
        worst = sorted(wide, key=lambda place: -net.strips[place].dropped)[:left]
        if not worst:
            return net
        left -= len(worst)
        net = with_lines(net, _halfway(parameters, net, sorted(worst)))


def _width(net: Net, place: int) -> float:
    """Half the angle [rad] between a ray and the next, rounded up: the width of the cells after a cut."""
    return 0.5 * (net.lines[place + 1].psi - net.lines[place].psi) * (1 + 1e-9)


def _halfway(parameters: ContinuumStatics, net: Net, places: list[int]) -> list[Line]:
    """Rays halfway between those at ``places`` and the next, their steps cut where needed."""
    pairs = [net.lines[place : place + 2] for place in places]
    keys = [(first.sector, 0.5 * (first.psi + second.psi)) for first, second in pairs]
    followed = lines_at(net.given, parameters, keys)
    return [with_steps_cut(net.given, line, net.limits) for line in followed]


def with_lines(net: Net, added: list[Line]) -> Net:
    """The net with more rays; strips between rays that stay neighbours are kept."""
    lines = sorted([*net.lines, *added], key=lambda line: line.key)
    known = {line.key: place for place, line in enumerate(net.lines)}
    nodes = [net.nodes[known[line.key]] if line.key in known else nodes_of(net.given, line) for line in lines]
    strips: dict[int, Strip] = {}
    for place in range(len(lines) - 1):
        if lines[place].sector != lines[place + 1].sector:
            continue
        before = known.get(lines[place].key, -2)
        kept = known.get(lines[place + 1].key) == before + 1
        strips[place] = net.strips[before] if kept else joined(lines, nodes, net.limits, place)
    return Net(net.given, net.limits, lines, nodes, strips)
