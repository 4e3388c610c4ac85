"""Records of equilibrium paths: what following one finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray

BoolArray = NDArray[np.bool_]
Kind = Literal["fold", "bifurcation"]
Ending = Literal["limit", "contact", "steps", "unstable", "lost", "stretches"]
ENDINGS: Mapping[Ending, str] = {
    "contact": "disks would cut each other beyond",
    "steps": "its steps became too small or too many",
    "unstable": "it is not stable where it starts",
    "lost": "no stable equilibrium was found from which it could continue",
    "stretches": "it has too many branches and jumps",
}


@dataclass(frozen=True, slots=True)
class Snap:
    """A jump from an equilibrium that is lost to one that is stable, at one tension.

    The way between them is the overdamped flow ``K q' = -grad Pi`` with ``K = diag(EI/L, EI/L, GJ/L)``.

    Parameters
    ----------
    before, after : (n, 3) float, rad
        Both equilibria: alpha, beta, gamma of every segment.
    tension : float, N
        Tension of the swept cable, the same before and after.
    energy_released : float, J
        Total potential energy before less that after; not negative.
    tip_before, tip_after : (3,) float, m
        Positions of the last disk's centre.
    flow : (f, n, 3) float, rad
        States along the flow, the first is ``before``, the last ``after``.
    energies : (f,) float, J
        Total potential energies along the flow; they never rise.
    lambda_min, mu_min : float, N m and 1
        Smallest eigenvalues of ``after``.
    """

    before: FloatArray
    after: FloatArray
    tension: float
    energy_released: float
    tip_before: FloatArray
    tip_after: FloatArray
    flow: FloatArray
    energies: FloatArray
    lambda_min: float
    mu_min: float


@dataclass(frozen=True, slots=True)
class Event:
    """A point of a path where an eigenvalue of the Hessian passes through zero.

    Parameters
    ----------
    kind : {"fold", "bifurcation"}
        ``v . dG/dT`` is not zero at a fold (the path turns back), and zero at a bifurcation.
    tension : float, N
        Tension of the swept cable (for a payload: mass in kg).
    state : (n, 3) float, rad
    null_vector : (n, 3) float
        Unit eigenvector v of the eigenvalue that is zero; its greatest entry is positive.
    index : int
        Position of the event among the points of its path.
    loses_stability : bool
        Whether the path is stable just before the event and not just after it.
    supercritical : bool or None
        Of a bifurcation whose branches were followed: whether these are stable, so that the robot
        leaves continuously instead of jumping. None at folds and where it was not looked at.
    snap : Snap or None
        The jump that follows a loss of stability without a stable branch; None where there is none.
    """

    kind: Kind
    tension: float
    state: FloatArray
    null_vector: FloatArray
    index: int
    loses_stability: bool
    supercritical: bool | None = None
    snap: Snap | None = None


@dataclass(frozen=True, slots=True)
class Path:
    """Equilibria in the order in which they were followed.

    Parameters
    ----------
    cable : int
        The cable whose tension changes, from 1; 0 where something else does.
    tensions : (k,) float, N
        Of that cable, without the pretension; where all tensions rise together, their share [1]. Not
        monotonic where the path folds.
    states : (k, n, 3) float, rad
    tips : (k, 3) float, m
    lambda_min : (k,) float, N m
        Smallest eigenvalue of the Hessian (of its bending block about x in planar mode).
    mu_min : (k,) float
        The same relative to the rod's own stiffness.
    stable : (k,) bool
    events : tuple of Event
        In the order of the path; each is one of its points.
    branches : tuple of Path
        What leaves the bifurcations, along +v and along -v of each in turn.
    complete : bool
        Whether the path reached an end of the range, or what it was followed to.
    ending : {"limit", "contact", "steps", "unstable", "lost", "stretches"} or None
        Why a stable path ended, in that order: it is complete; disks would cut each other beyond its last
        point; steps became too small or too many; the start is not stable; no stable equilibrium was
        found to go on from; too many branches and jumps. None of any other path.
    """

    cable: int
    tensions: FloatArray
    states: FloatArray
    tips: FloatArray
    lambda_min: FloatArray
    mu_min: FloatArray
    stable: BoolArray
    events: tuple[Event, ...] = ()
    branches: tuple[Path, ...] = ()
    complete: bool = True
    ending: Ending | None = None

    @property
    def losses(self) -> tuple[Event, ...]:
        """The events at which the path loses stability."""
        return tuple(event for event in self.events if event.loses_stability)
