"""The motion of an arm in time: steps of compiled Runge-Kutta pairs between contacts that begin and end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm
from models.flexible_arm.chain import end_velocities, energies, link_ends
from models.flexible_arm.contact import Contact
from models.flexible_arm.event_kernels import new_gaps
from models.flexible_arm.integration_kernels import (
    APPROACH,
    BEGIN,
    END,
    ENDLESS,
    FRICTION_IMPULSE,
    HIT_COLUMNS,
    IMPULSE,
    MOST_AT_ONCE,
    NOW,
    PEAK,
    PEAK_TIME,
    PLACE,
    POINT,
    SEPARATION,
    STEPS,
    STUCK,
    WANTED,
    Tables,
    advance,
)
from models.flexible_arm.motion import LOSSES, Touch, state_size
from models.flexible_arm.runge_kutta_kernels import new_step
from models.numerics.runge_kutta import Method, pair_of

MOST_STEPS = 20_000_000
DENSE_VALUES = 1e7
"""Numbers that a motion may hold before ends of steps are left out; they take 80 MB."""
FIRST_STEP = 1e-6  # [s]
FINEST = {"z": 1e-3, "rates": 1e-1}
"""Absolute tolerance per relative one: of coordinates [m, rad] and of their rates."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One contact of a link end with the ground.

    Attributes
    ----------
    point : int
        Number of the link end; the first end of the arm is 0.
    entry, exit : float, s
        None for a contact that has not ended.
    approach_speed, separation_speed : float, m/s
        Normal to the ground.
    peak_force : float, N
        Greatest normal force, at ``peak_time`` [s].
    impulse, friction_impulse : float, N s
        Of the normal and of the tangential force.
    x : float, m
        Where it began.
    """

    point: int
    entry: float
    exit: float | None
    approach_speed: float
    separation_speed: float | None
    peak_force: float
    peak_time: float
    impulse: float
    friction_impulse: float
    x: float


@dataclass(frozen=True, slots=True)
class EnergyBalance:
    """Energies (k,) [J] at all instants: those that the arm has, and those that it lost.

    The loss to contact contains what the ground stores as long as a contact lasts. The sum of all is
    constant (equation 31).
    """

    kinetic: FloatArray
    gravity: FloatArray
    elastic: FloatArray
    contact: FloatArray
    friction: FloatArray
    air: FloatArray
    structure: FloatArray

    def mechanical(self) -> FloatArray:
        """Mechanical energy of the arm: kinetic, gravity and elastic."""
        return self.kinetic + self.gravity + self.elastic

    def imbalance(self) -> FloatArray:
        """Energy gained without a source, or lost without a trace, since the first instant."""
        total = self.mechanical() + self.contact + self.friction + self.air + self.structure
        return total - total[0]


@dataclass(frozen=True, slots=True)
class Motion:
    """A motion; P link ends, N coordinates, k instants.

    Attributes
    ----------
    times : (k,) float, s
    states : (k, 2 N) float
        Coordinates ``X1, X2, phi, delta`` [m, rad, m] and their rates.
    points, velocities : (k, P, 2) float, m and m/s
        Of the link ends, in the world frame: x along the level, y upwards.
    normal_forces, friction_forces : (k, P) float, N
        Of the ground on the link ends, along its normal and its tangent.
    contacts : tuple of Hit
        In the order of their entries.
    energy_balance : EnergyBalance
    steps : int
        Of the integration.
    completed : bool
        Whether the motion was found up to the end; else ``reason`` says why not.
    """

    times: FloatArray
    states: FloatArray
    points: FloatArray
    velocities: FloatArray
    normal_forces: FloatArray
    friction_forces: FloatArray
    contacts: tuple[Hit, ...]
    energy_balance: EnergyBalance
    steps: int
    completed: bool
    reason: str


class Integration:
    """A motion that can be continued.

    Parameters
    ----------
    arm, contact : Arm, Contact
    z, v : (N,) float
        Coordinates and rates at time 0.
    rtol : float
        Relative tolerance of a step; the absolute ones are in proportion to it.
    method : {"dop853", "rkf45"}
    interval : float, s
        Of steps that are longer, instants inside are kept, so far apart at most.
    spacing : float, s
        From :data:`DENSE_VALUES` on, ends of steps that lie closer to the last instant kept are left out, but
        for those at which contacts begin or end.
    most_steps : int, optional
        After which the motion is given up, if that is less than :data:`MOST_STEPS`.
    """

    def __init__(
        self, arm: Arm, contact: Contact, z: FloatArray, v: FloatArray, *, rtol: float,
        method: Method = "dop853", interval: float = 1e-3, spacing: float = 0.0,
        most_steps: int | None = None,
    ) -> None:  # fmt: skip
        self.arm, self.contact, self.rtol = arm, contact, rtol
        self.interval, self.spacing = interval, spacing
        self.most_steps = MOST_STEPS if most_steps is None else min(most_steps, MOST_STEPS)
        N, ends = len(z), len(arm.lengths) + 1
        self.y = np.zeros(state_size(arm))
        self.y[:N], self.y[N : 2 * N] = z, v
        self.pair = pair_of(method)
        self.step = new_step(arm, self.pair, self._tolerances(N, ends, z, v))
        self.touch = Touch(np.zeros(ends, np.int64), np.zeros(ends))
        self.gaps = new_gaps(ends)
        self.clock = np.zeros(4)
        self.clock[WANTED] = FIRST_STEP
        width = 1 + len(self.y) + 2 * ends
        self.tables = Tables(
            np.zeros((MOST_AT_ONCE, width)), np.zeros((max(64, 2 * ends), HIT_COLUMNS)),
            np.zeros((ends, HIT_COLUMNS)), np.zeros((ends, 4)), np.zeros(2, np.int64),
        )  # fmt: skip
        start = np.zeros((1, width))
        start[0, 1 : 1 + len(self.y)] = self.y
        self._instants, self._hits = [start], [np.zeros((0, HIT_COLUMNS))]
        self._kept = 1  # instants
        self.reason = ""

    def _tolerances(self, N: int, ends: int, z: FloatArray, v: FloatArray) -> FloatArray:
        """Absolute tolerances; impulses are not controlled."""
        energy = float(np.abs(np.array(energies(self.arm, z, v))).sum())
        least = max(energy, 1e-6)
        parts = [(FINEST["z"], N), (FINEST["rates"], N), (least, LOSSES), (np.inf, 2 * ends)]
        return self.rtol * np.concatenate([np.full(count, size) for size, count in parts])

    @property
    def time(self) -> float:
        """The instant [s] that is reached."""
        return float(self.clock[NOW])

    def advance_to(self, until: float, report: Callable[[float], None] | None = None) -> bool:
        """Continue to an instant [s]; whether it was reached. ``report`` gets each instant between."""
        while not self.reason and self.time < until:
            dense = self._kept * self.tables.instants.shape[1] < DENSE_VALUES
            spacing = 0.0 if dense else self.spacing
            status = advance(
                self.arm, self.contact, self.pair, self.y, self.clock, self.touch, self.rtol, until,
                self.interval, spacing, self.most_steps, self.step, self.gaps, self.tables,
            )  # fmt: skip
            self._collect()
            if status in (STUCK, ENDLESS):
                words = "steps became too short" if status == STUCK else f"more than {self.most_steps} steps"
                self.reason = f"{words} at {self.time:.6g} s"
            if report is not None:
                report(self.time)
        return not self.reason

    def _collect(self) -> None:
        """Take over what the tables hold."""
        instants, hits = self.tables.filled
        self._instants.append(self.tables.instants[:instants].copy())
        self._kept += int(instants)
        if hits:  # a motion may be continued very often without any
            self._hits.append(self.tables.hits[:hits].copy())
        self.tables.filled[:] = 0

    def contacts(self) -> tuple[Hit, ...]:
        """The contacts so far, in the order of their entries."""
        running = self.tables.open[self.touch.active == 1].copy()
        first = 2 * int(self.arm.offsets[-1]) + LOSSES
        ends = len(self.touch.active)
        for row in running:
            point = int(row[POINT])
            row[IMPULSE] = self.y[first + point] - row[IMPULSE]
            row[FRICTION_IMPULSE] = self.y[first + ends + point] - row[FRICTION_IMPULSE]
        rows = np.concatenate([*self._hits, running])
        order = np.lexsort((rows[:, POINT], rows[:, BEGIN]))
        return tuple(_hit(row) for row in rows[order])

    def motion(self) -> Motion:
        """The motion so far."""
        rows = np.concatenate(self._instants)
        N, ends = int(self.arm.offsets[-1]), len(self.touch.active)
        states = rows[:, 1 : 1 + 2 * N]
        z, v = states[:, :N], states[:, N:]
        losses = rows[:, 1 + 2 * N : 1 + 2 * N + LOSSES].T
        forces = rows[:, 1 + len(self.y) :]
        return Motion(
            rows[:, 0], states, link_ends(self.arm, z), end_velocities(self.arm, z, v),
            forces[:, :ends], forces[:, ends:], self.contacts(),
            EnergyBalance(*energies(self.arm, z, v), *losses),
            int(self.clock[STEPS]), not self.reason, self.reason,
        )  # fmt: skip


def _hit(row: FloatArray) -> Hit:
    ended = bool(np.isfinite(row[END]))
    return Hit(
        int(row[POINT]), float(row[BEGIN]), float(row[END]) if ended else None, float(row[APPROACH]),
        float(row[SEPARATION]) if ended else None, float(row[PEAK]), float(row[PEAK_TIME]),
        float(row[IMPULSE]), float(row[FRICTION_IMPULSE]), float(row[PLACE]),
    )  # fmt: skip
