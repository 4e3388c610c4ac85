"""Whether a robot is in a stable equilibrium where its metrics are taken, and how far it is off if not."""

from __future__ import annotations

import numpy as np

from models.continuum_statics.balance.equilibrium import Equilibrium, equilibrium, rest
from models.continuum_statics.balance.kernel_follow import Ramp, follow_ramp
from models.continuum_statics.parameters import ContinuumStatics
from models.continuum_statics.robot import robot
from models.contract import Infeasible
from models.floats import FloatArray

LEAST_VIOLATION = 1e-9  # an unstable robot is never told as satisfied
STEPS = 17


def stable_rest(parameters: ContinuumStatics) -> Equilibrium | Infeasible:
    """The robot without tensions but the pretension, or why it is not in stable equilibrium.

    The violation is 1 to 2 when the state is not stable, more the less it is, and 2 to 3, less the share
    of gravity and pretension that it bears, when there is none.
    """
    state = rest(parameters)
    if state.stable:
        return state
    if state.exists:
        return Infeasible(f"without tensions {state.reason}", 1.0 + _instability(state))
    return Infeasible(f"without tensions {state.reason}", 3.0 - _borne(parameters))


def stable_equilibrium(parameters: ContinuumStatics, tensions: FloatArray) -> Equilibrium | Infeasible:
    """The robot under tensions (m,) [N], or why it is not in stable equilibrium there.

    Without tensions it must be stable too. The violation is that of :func:`stable_rest`, else the share of
    the tensions under which there is no equilibrium, or -mu / (1 - mu) of the smallest eigenvalue mu.
    """
    before = stable_rest(parameters)
    if isinstance(before, Infeasible) or not np.any(tensions):
        return before
    state = equilibrium(parameters, tensions)
    if state.stable:
        return state
    told = f"under tensions of {', '.join(f'{tension:.4g}' for tension in tensions)} N {state.reason}"
    if not state.exists:
        return Infeasible(told, max(1.0 - state.reached, LEAST_VIOLATION))
    return Infeasible(f"{told}; a real robot leaves this state's branch before", _instability(state))


def _instability(state: Equilibrium) -> float:
    """A number from 0 to 1 that grows with the negative eigenvalue."""
    lacking = max(-state.mu_min, LEAST_VIOLATION)
    return lacking / (1.0 + lacking)


def _borne(parameters: ContinuumStatics) -> float:
    """Share of gravity and pretension at which the straight robot's branch ends."""
    body, pull = robot(parameters), np.full(parameters.cables, parameters.pretension)
    ramp = Ramp(np.zeros_like(pull), pull, 0.0, 1.0)
    straight = np.zeros((len(body.masses), 3))
    found = follow_ramp(body, ramp, np.linspace(0.0, 1.0, STEPS), straight, stable_only=False)
    return min(max(float(found[3]), 0.0), 1.0)
