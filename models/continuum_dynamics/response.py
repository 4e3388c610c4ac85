"""What a motion is judged by: how it settles, what the cables and motors bear, and how exact it is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.continuum_dynamics.drives import Samples
from models.continuum_dynamics.integration import Motion
from models.continuum_dynamics.load_stepping import StaticSolution

BAND = 0.02  # of the length; the tip has settled once it stays within it
TAUT = 1e-9  # [N]; a cable with less is slack
LEAST_TRAVEL = 1e-6  # of the length; a tip that moves less has no overshoot


class Settling(NamedTuple):
    """How the tip comes to rest after the drives have stopped.

    Attributes
    ----------
    time : float or None, s
        From there until the tip stays within 2 % of the length of where it rests; None when it does not.
    arrival : float or None, s
        When that is, counted from the start of the motion.
    overshoot : float or None
        Greatest distance from where it rests, by its way from the first rest to the last; None without such
        a way, and when the drives do not stop.
    """

    time: float | None
    arrival: float | None
    overshoot: float | None


def settling(motion: Motion, drives: Samples, rest: StaticSolution, length: float) -> Settling:
    """How the tip settles where ``rest`` has it; ``drives`` are those of the motion's instants."""
    stop = _stop(drives)
    if stop >= len(motion.times) - 1:
        return Settling(None, None, None)
    tip, goal = motion.positions[:, -1], rest.positions[-1]
    away = np.linalg.norm(tip[stop:] - goal, axis=1)
    outside = np.flatnonzero(away > BAND * length)
    first = 0 if not len(outside) else int(outside[-1]) + 1
    travel = float(np.linalg.norm(goal - tip[0]))
    overshoot = float(away.max()) / travel if travel > LEAST_TRAVEL * length else None
    if first == len(away):
        return Settling(None, None, overshoot)
    arrival = float(motion.times[stop + first])
    return Settling(arrival - float(motion.times[stop]), arrival, overshoot)


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
