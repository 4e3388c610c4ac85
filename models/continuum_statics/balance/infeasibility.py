"""Whether a robot is in a stable equilibrium where its metrics are taken, and how far it is off if not."""

from __future__ import annotations

import numpy as np

from models.continuum_statics.balance.equilibrium import Equilibrium, rest, rest_ramp
from models.continuum_statics.balance.kernel_follow import LOST, REACHED, Ramp, follow_ramp
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.robot import Robot, robot
from models.contract import Infeasible
from models.floats import FloatArray

LEAST_VIOLATION = 1e-9  # a robot that is not stable never counts as feasible
STEPS = 128  # loads at which stability is looked at; a loss that heals between two of them is passed over
PRECISE = 1e-9  # share of the loads to which the loss of stability is found


def stable_rest(parameters: ContinuumStatics) -> Equilibrium | Infeasible:
    """The robot without tensions but the pretension, or why it is not in stable equilibrium.

    Gravity and pretension rise together; the violation is 1 and the share of them beyond the first loss
    of stability, whether the branch goes on from there or ends: 1 to 2.
    """
    state = rest(parameters)
    if state.stable:
        return state
    body, pull = robot(parameters), np.full(parameters.cables, parameters.pretension)
    borne = _stable_share(body, rest_ramp(pull), np.zeros_like(state.q))
    told = f"without tensions {state.reason}; stable up to {100 * borne:.4g} % of gravity and pretension"
    return Infeasible(told, 1.0 + _beyond(borne))


def _beyond(share: float) -> float:
    """The violation of a robot that is stable up to a share of its loads."""
    return max(1.0 - share, LEAST_VIOLATION)


def _stable_share(body: Robot, ramp: Ramp, start: FloatArray) -> float:
    """Greatest share of a ramp's loads up to which the states followed from ``start`` (n, 3) are stable."""
    found = follow_ramp(body, ramp, np.linspace(0.0, 1.0, STEPS + 1), start, stable_only=True)
    if found.reason == REACHED:
        return 1.0
    if found.reason == LOST or found.reached == 0:
        return float(found.last) if found.reached else 0.0
    state, low, high = found.end, float(found.end_load), float(found.last)
    while high - low > PRECISE:
        middle = 0.5 * (low + high)
        tried = follow_ramp(body, ramp, np.array([low, middle]), state, stable_only=True)
        if tried.reason == REACHED:
            state, low = tried.end, middle
        else:
            high = float(tried.last)
            state, low = tried.end, max(low, float(tried.end_load))
    return low
