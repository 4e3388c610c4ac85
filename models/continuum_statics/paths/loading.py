"""What changes along a path: tensions or masses, at a constant rate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from models.continuum_statics.balance.kernel_newton import judge
from models.continuum_statics.energy.kernel_potential import evaluate
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.robot import Robot, free, robot, stiffnesses, whole_tensions
from models.floats import FloatArray, IntArray


class Loading(NamedTuple):
    """A robot under a load s from 0 to ``limit``; its energy is linear in s.

    ``tensions`` (m,) [N] and ``robot.masses`` hold at s = 0; they change by ``tension_rate`` (m,) and
    ``mass_rate`` (n,) per unit of s. ``places`` are the angles that can change, ``stiffness`` [N m/rad]
    the rod's stiffness of each of these.
    """

    robot: Robot
    tensions: FloatArray
    tension_rate: FloatArray
    mass_rate: FloatArray
    limit: float
    places: IntArray
    stiffness: FloatArray

    def at(self, load: float) -> tuple[Robot, FloatArray]:
        """Robot and tensions under a load."""
        masses = self.robot.masses + load * self.mass_rate
        return self.robot._replace(masses=masses), self.tensions + load * self.tension_rate

    def whole(self, x: FloatArray) -> FloatArray:
        """All angles (n, 3) from the free ones (k,)."""
        q = np.zeros(3 * len(self.robot.masses))
        q[self.places] = x
        return q.reshape(-1, 3)

    def energy(self, x: FloatArray, load: float) -> float:
        """Total potential energy [J]."""
        return evaluate(*self.at(load), self.whole(x))[0]

    def forces(self, x: FloatArray, load: float) -> tuple[FloatArray, FloatArray]:
        """Gradient (k,) [N m] and Hessian (k, k) [N m] over the free angles."""
        _, gradient, hessian = evaluate(*self.at(load), self.whole(x))
        return gradient[self.places], hessian[np.ix_(self.places, self.places)]

    def clear(self, x: FloatArray, load: float) -> bool:
        """Whether no disk cuts another."""
        return self.clearance(x, load) > 0

    def clearance(self, x: FloatArray, load: float) -> float:
        """Least distance of a hole ahead of the disk before, in gaps, or what an arc lacks to half a turn."""
        return float(judge(*self.at(load), self.whole(x)).clearance)

    def rate(self, x: FloatArray) -> FloatArray:
        """Change (k,) of the gradient per unit of load: that of the load alone."""
        limp = self.robot._replace(EI=0.0, GJ=0.0, masses=self.mass_rate)
        return evaluate(limp, self.tension_rate, self.whole(x))[1][self.places]


def sweep_loading(parameters: ContinuumStatics, cable: int, max_tension: float) -> Loading:
    """One cable pulled from 0 to ``max_tension``; the others keep the tensions of the record."""
    tensions = np.array(parameters.tensions)
    tensions[cable - 1] = 0.0
    rate = np.zeros_like(tensions)
    rate[cable - 1] = 1.0
    body = robot(parameters)
    return _loading(body, whole_tensions(parameters, tensions), rate, np.zeros_like(body.masses), max_tension)


def tension_loading(parameters: ContinuumStatics, tensions: FloatArray) -> Loading:
    """All tensions (m,) [N] rise together, besides the pretension; the load is the share of them, 0 to 1."""
    body = robot(parameters)
    slack = whole_tensions(parameters, np.zeros(parameters.cables))
    return _loading(body, slack, np.asarray(tensions, float), np.zeros_like(body.masses), 1.0)


def payload_loading(parameters: ContinuumStatics, tensions: FloatArray, limit: float) -> Loading:
    """A tip mass from 0 to ``limit`` [kg], instead of the record's, under constant tensions (m,)."""
    body = robot(parameters.model_copy(update={"tip_mass": 0.0}))
    rate = np.zeros_like(body.masses)
    rate[-1] = 1.0
    constant = np.zeros(parameters.cables)
    return _loading(body, whole_tensions(parameters, tensions), constant, rate, limit)


def _loading(
    body: Robot, tensions: FloatArray, tension_rate: FloatArray, mass_rate: FloatArray, limit: float
) -> Loading:
    places = free(body)
    return Loading(body, tensions, tension_rate, mass_rate, limit, places, stiffnesses(body)[places])
