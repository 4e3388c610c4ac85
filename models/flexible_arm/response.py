"""What a motion says about a design: the first contact, deflections, losses, symmetry."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.beam import BeamModes
from models.flexible_arm.integration import Hit, Motion

GAP = 0.02  # [s]; contacts further apart do not belong together
STATIONS = 101
FEW_STATIONS = 21
REFINEMENT = 32
LATE = 0.2  # last share of the motion, in which the vibration is what remains


class FirstContact(NamedTuple):
    """All contacts up to the first gap of 20 ms.

    Attributes
    ----------
    hits : tuple of Hit
    peak_force : float, N
        The greatest one in it; 0 without any contact.
    impulse : float, N s
        Of the normal forces on all link ends.
    micro_impacts : int
        Contacts of the link end that hits first.
    end : float or None, s
        Where the last of them ends; None if it has not ended, or there is none.
    """

    hits: tuple[Hit, ...]
    peak_force: float
    impulse: float
    micro_impacts: int
    end: float | None


def first_contact(hits: Sequence[Hit]) -> FirstContact:
    """The first contact of a motion, from its contacts in the order of their entries."""
    found: list[Hit] = []
    end = -np.inf
    for hit in hits:
        if found and hit.entry > end + GAP:
            break
        found.append(hit)
        end = max(end, np.inf if hit.exit is None else hit.exit)
    return FirstContact(
        tuple(found),
        max((hit.peak_force for hit in found), default=0.0),
        math.fsum(hit.impulse for hit in found),
        sum(hit.point == found[0].point for hit in found),
        float(end) if np.isfinite(end) else None,
    )


def is_complete(contact: FirstContact, time: float) -> bool:
    """Whether no further hit can belong to the first contact at an instant [s]."""
    return contact.end is not None and time > contact.end + GAP


def energy_kept(motion: Motion, contact: FirstContact) -> float | None:
    """Mechanical energy after the first contact by the initial one; None without a contact that ends.

    The energy of height counts from height 0. An arm without energy at first has no such share either.
    """
    energy = motion.energy_balance.mechanical()
    if contact.end is None or not energy[0] > 0.0:
        return None
    place = int(np.searchsorted(motion.times, contact.end))
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


def residual_vibration(arm: Arm, deflections: Deflections, motion: Motion) -> float:
    """Root mean square [m] of the deflection over all links and the last fifth of the motion."""
    start = motion.times[-1] - LATE * (motion.times[-1] - motion.times[0])
    first = max(int(np.searchsorted(motion.times, start)) - 1, 0)
    times, N = motion.times[first:], motion.states.shape[1] // 2
    z = motion.states[first:, :N]
    squares = [np.mean(deflections.of_link(arm, z, link) ** 2, axis=1) for link in range(len(arm.lengths))]
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
