"""Response of a design: the first contact, deflections, losses and symmetry of its motion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.beam import BeamModes
from models.flexible_arm.integration import Hit, Motion

CONTACT_TIME = 0.02  # [s]; hits that begin so soon after the first touch belong to the first contact
STATIONS = 101
FEW_STATIONS = 21
REFINEMENT = 32
LATE = 0.2  # last share of the motion, in which the vibration is what remains


class FirstContact(NamedTuple):
    """All contacts that begin within 20 ms of the first touch.

    Force and impulse are those of the link end that touches first. Where several touch at the same instant,
    those of the one with more of it: an arm that is turned a little from there hits with almost the same.

    Attributes
    ----------
    hits : tuple of Hit
    peak_force : float, N
        Greatest normal force on the end that touches first; 0 without any contact.
    impulse : float, N s
        Of the normal force on that end.
    micro_impacts : int
        Contacts of that end.
    start : float or None, s
        Instant of the first touch; None without any.
    end : float or None, s
        Where the last of the contacts ends; None if it has not ended, or there is none.
    """

    hits: tuple[Hit, ...]
    peak_force: float
    impulse: float
    micro_impacts: int
    start: float | None
    end: float | None


def first_contact(hits: Sequence[Hit]) -> FirstContact:
    """The first contact of a motion, from its contacts in the order of their entries."""
    if not hits:
        return FirstContact((), 0.0, 0.0, 0, None, None)
    start = hits[0].entry
    found = tuple(hit for hit in hits if hit.entry <= start + CONTACT_TIME)
    first = {hit.point for hit in found if hit.entry == start}
    own = [[hit for hit in found if hit.point == point] for point in first]
    ends = [hit.exit for hit in found]
    return FirstContact(
        found,
        max(hit.peak_force for each in own for hit in each),
        max(math.fsum(hit.impulse for hit in each) for each in own),
        max(map(len, own)),
        start,
        None if None in ends else max(end for end in ends if end is not None),
    )


def hits_up_to(motion: Motion, until: float) -> tuple[Hit, ...]:
    """Contacts that begin up to an instant [s]; of one that lasts longer, force and impulse up to there.

    So they are the same whether or not the motion goes on. What is cut is taken from the instants kept.
    """
    found: list[Hit] = []
    for hit in motion.contacts:
        if hit.entry > until:
            break
        if hit.exit is not None and hit.exit <= until:
            found.append(hit)
            continue
        rows = (motion.times >= hit.entry) & (motion.times <= until)
        forces = motion.normal_forces[rows, hit.point]
        peak, impulse = forces.max(initial=0.0), np.trapezoid(forces, motion.times[rows])
        found.append(replace(hit, exit=None, peak_force=float(peak), impulse=float(impulse)))
    return tuple(found)


def energy_kept(motion: Motion, time: float, ground: float) -> float | None:
    """Mechanical energy at an instant [s] by that at the start, both above ``ground`` [J].

    ``ground`` is the arm's energy of height if all its mass were where it first touches the ground, so the
    share does not depend on where height 0 is. An arm without energy above that has no such share.
    """
    energy = motion.energy_balance.mechanical() - ground
    if not energy[0] > 0.0:
        return None
    place = int(np.searchsorted(motion.times, time))
    return float(energy[min(place, len(energy) - 1)] / energy[0])


class Deflections(NamedTuple):
    """The shapes of all links at stations along them.

    Attributes
    ----------
    shapes : tuple of (k_i, s) float
        For each link, its modes at s stations from its first end to its far end, less the straight line
        through both ends.
    """

    shapes: tuple[FloatArray, ...]

    def of_link(self, arm: Arm, states: FloatArray, link: int) -> FloatArray:
        """Deflection (..., s) [m] of a link from the line through its ends, from coordinates (..., N)."""
        own = slice(arm.offsets[link], arm.offsets[link + 1])
        return np.asarray(states[..., own] @ self.shapes[link])


def deflections_of(arm: Arm, modes: Sequence[BeamModes | None]) -> Deflections:
    """Shapes of an arm's links against the lines through their ends, from their modes; None: a rigid link.

    The floating frame of a link is another one for each set of modes: that of a clamped end turns with it.
    The line through both ends is the same for all, so deflections of different sets can be compared.
    """
    shapes: list[FloatArray] = []
    share = np.linspace(0.0, 1.0, STATIONS)
    for each, length in zip(modes, arm.lengths, strict=True):
        if each is None:
            shapes.append(np.zeros((0, STATIONS)))
        else:
            found = each.shapes(share * length).T
            shapes.append(found - found[:, :1] * (1 - share) - found[:, -1:] * share)
    return Deflections(tuple(shapes))


def greatest_bend(arm: Arm, modes: Sequence[BeamModes | None], motion: Motion) -> float:
    """Greatest distance of a link's axis from the frame of its modes, by its length.

    The equations hold while it is small. Only the instants that were kept are looked at.
    """
    z = motion.states[:, : motion.states.shape[1] // 2]
    greatest = 0.0
    for link, (each, length) in enumerate(zip(modes, arm.lengths, strict=True)):
        if each is not None:
            own = slice(arm.offsets[link], arm.offsets[link + 1])
            bends = z[:, own] @ each.shapes(np.linspace(0.0, length, FEW_STATIONS)).T
            greatest = max(greatest, float(np.abs(bends).max(initial=0.0)) / float(length))
    return greatest


def max_deflection(arm: Arm, deflections: Deflections, motion: Motion, until: float) -> float:
    """Greatest deflection [m] of a link up to an instant [s].

    Around the greatest one of the instants that were kept, coordinates are cubics of time with the rates of
    the motion.
    """
    count = int(np.searchsorted(motion.times, until, side="right"))
    N = motion.states.shape[1] // 2
    z, v = motion.states[:count, :N], motion.states[:count, N:]
    greatest = 0.0
    for link in range(len(arm.lengths)):
        sizes = np.abs(deflections.of_link(arm, z, link)).max(axis=1, initial=0.0)
        place = int(sizes.argmax())
        greatest = max(greatest, float(sizes[place]))
        for first in range(max(place - 1, 0), min(place + 1, count - 1)):
            between = _cubic(motion.times[first : first + 2], z[first : first + 2], v[first : first + 2])
            size = np.abs(deflections.of_link(arm, between, link)).max(initial=0.0)
            greatest = max(greatest, float(size))
    return greatest


def _cubic(times: FloatArray, values: FloatArray, rates: FloatArray) -> FloatArray:
    """Values (REFINEMENT, N) between two instants (2,), of the cubics with these values and rates (2, N)."""
    h = times[1] - times[0]
    s = np.linspace(0.0, 1.0, REFINEMENT)[:, None]
    return np.asarray(
        (1 + 2 * s) * (1 - s) ** 2 * values[0] + s * (1 - s) ** 2 * h * rates[0]
        + s**2 * (3 - 2 * s) * values[1] - s**2 * (1 - s) * h * rates[1]
    )  # fmt: skip


def rest_weights(arm: Arm, z: FloatArray, link: int) -> FloatArray:
    """Modal coordinates (..., k_i) [m] of a link that rests on its ends in the attitude of states (..., N).

    With both ends held, a mode lifts the mass of the link by ``a - m1 W(l) / l`` per weight, since the frame
    turns by ``-W(l) / l``; the elastic forces carry its weight across the line through the ends.
    """
    own = slice(arm.offsets[link], arm.offsets[link + 1])
    modal = slice(own.start - 2 - len(arm.lengths), own.stop - 2 - len(arm.lengths))
    count, length = own.stop - own.start, arm.lengths[link]
    lift = arm.a[modal] - arm.m1[link] / length * arm.end_shape[modal]
    sag = z[..., own] @ arm.end_shape[modal]
    level = np.cos(z[..., 2 + link] + np.arctan2(sag, length))
    bent = -arm.gravity * np.linalg.solve(arm.stiffness[link, :count, :count], lift)
    return np.asarray(level[..., None] * bent)


def residual_vibration(arm: Arm, deflections: Deflections, motion: Motion) -> float:
    """Root mean square [m] over all links and the last fifth of the motion of their deflection from rest.

    The shape at rest is that of :func:`rest_weights`: the sag of each link under its own weight.
    """
    start = motion.times[-1] - LATE * (motion.times[-1] - motion.times[0])
    first = max(int(np.searchsorted(motion.times, start)) - 1, 0)
    times, N = motion.times[first:], motion.states.shape[1] // 2
    z = motion.states[first:, :N].copy()
    squares: list[FloatArray] = []
    for link in range(len(arm.lengths)):
        z[:, arm.offsets[link] : arm.offsets[link + 1]] -= rest_weights(arm, z, link)
        squares.append(np.mean(deflections.of_link(arm, z, link) ** 2, axis=1))
    mean = np.mean(squares, axis=0)
    if len(times) < 2:
        return float(np.sqrt(mean[-1]))
    return float(np.sqrt(np.trapezoid(mean, times) / (times[-1] - times[0])))


def symmetry_error(motion: Motion, until: float) -> float:
    """Greatest distance [m] of a link end from the mirror image of its opposite one, up to an instant [s].

    The mirror is the vertical half way between the first and the last end at the start.
    """
    count = int(np.searchsorted(motion.times, until, side="right"))
    points = motion.points[:count]
    axis = (points[0, 0, 0] + points[0, -1, 0]) / 2
    mirrored = points[:, ::-1] * [-1.0, 1.0] + [2 * axis, 0.0]
    return float(np.linalg.norm(points - mirrored, axis=2).max())


def energy_error(motion: Motion) -> float:
    """Greatest energy that is gained or lost without a source, by the greatest energy of the arm."""
    balance = motion.energy_balance
    scale = float(np.abs(np.stack([balance.kinetic, balance.gravity, balance.elastic])).max())
    return float(np.abs(balance.imbalance()).max()) / (scale or 1.0)
