"""Response to the drives: settling of the tip, loads of cables and motors, and numerical errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_dynamics.drives import Samples
from models.continuum_dynamics.integration import Motion
from models.continuum_dynamics.load_stepping import StaticSolution

BAND = 0.02  # of the tip's way; the tip has settled once it stays within it
TAUT = 1e-9  # [N]; a cable with less is slack
LEAST_TRAVEL = 1e-6  # of the length; a tip that moves less has no way


class Settling(NamedTuple):
    """Settling of the tip after the drives have stopped.

    Attributes
    ----------
    way : float, m
        Distance between the places where the tip rests first and last.
    band : float, m
        2 % of the way; without a way, of the greatest distance from where the tip rests.
    time : float or None, s
        From there until the tip stays within the band of where it rests; None when it does not.
    arrival : float or None, s
        When that is, counted from the start of the motion.
    overshoot : float or None
        By how much the tip, after the drives have stopped, is farther from where it rests than it was at an
        instant before, at most, by its way; None without a way, and when the drives do not stop.
    """

    way: float
    band: float
    time: float | None
    arrival: float | None
    overshoot: float | None


def settling(motion: Motion, drives: Samples, rest: StaticSolution, length: float) -> Settling:
    """Settling of the tip towards ``rest``; ``drives`` are those of the motion's instants."""
    tip, goal = motion.positions[:, -1], rest.positions[-1]
    away, stop = np.linalg.norm(tip - goal, axis=1), _stop(drives)
    way, moves = float(away[0]), float(away[0]) > LEAST_TRAVEL * length
    band = BAND * (way if moves else max(float(away.max()), LEAST_TRAVEL * length))
    if stop >= len(motion.times) - 1:
        return Settling(way, band, None, None, None)
    overshoot = float((away - _nearest(tip - goal))[stop:].max()) / way if moves else None
    outside = np.flatnonzero(away[stop:] > band)
    first = stop if not len(outside) else stop + int(outside[-1]) + 1
    if first == len(away):
        return Settling(way, band, None, None, overshoot)
    arrival = float(motion.times[first])
    return Settling(way, band, arrival - float(motion.times[stop]), arrival, overshoot)


def _nearest(path: FloatArray) -> FloatArray:
    """Least distance (k,) [m] from the origin of a path's points (k, 3) [m] and chords up to each instant."""
    chords = np.diff(path, axis=0)
    squares = np.maximum(np.einsum("ka,ka->k", chords, chords), 1e-300)
    shares = np.clip(-np.einsum("ka,ka->k", path[:-1], chords) / squares, 0.0, 1.0)
    between = np.linalg.norm(path[:-1] + shares[:, None] * chords, axis=1)
    return np.minimum.accumulate(np.minimum(np.linalg.norm(path, axis=1), np.append(np.inf, between)))


def _stop(drives: Samples) -> int:
    """Number of the first instant from which no cable is wound."""
    moving = np.flatnonzero((drives.speeds != 0.0).any(axis=0))
    return int(moving[-1]) + 1 if len(moving) else 0


def slack_fraction(motion: Motion, drives: Samples) -> float | None:
    """Share of the instants at which a held cable does not pull, mean over these cables; None without any."""
    return float((motion.tensions[:, drives.held] <= TAUT).mean()) if drives.held.any() else None


def peak_power(motion: Motion, drives: Samples) -> float:
    """Greatest power [W] that a motor gives to its cable: tension times winding speed; 0 at least."""
    return float(max((motion.tensions.T * drives.speeds).max(initial=0.0), 0.0))


def residual_energy(motion: Motion, rest: StaticSolution) -> float:
    """Energy [J] of the last instant above that of the robot at rest; 0 at least."""
    kinetic, elastic, gravity = (each[-1] for each in motion.energy_balance[:3])
    return max(float(kinetic + elastic + gravity) - rest.energy, 0.0)


def constraint_error(motion: Motion) -> float:
    """Greatest length [m] by which a cable that pulls is too long or too short."""
    loose: FloatArray = np.abs(motion.loose[motion.tensions > TAUT])
    return float(loose.max(initial=0.0))


def energy_error(motion: Motion) -> float:
    """Greatest energy [J] that the motion gains or loses beyond work and damping."""
    return float(np.abs(motion.energy_balance.imbalance()).max())


def bend(rotation: FloatArray) -> float:
    """Angle [rad] between the backbone's tangent at a disk, with the frame (3, 3), and at the base."""
    return float(np.arctan2(np.hypot(rotation[0, 2], rotation[1, 2]), rotation[2, 2]))
