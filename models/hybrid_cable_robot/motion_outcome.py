"""The metrics of a trajectory, or why it cannot be followed."""

from __future__ import annotations

import numpy as np

from models.contract import Evaluation, Infeasible, Outcome
from models.hybrid_cable_robot.carried import carried_mass
from models.hybrid_cable_robot.following import Following, follow
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.tension import HELD, INFEASIBLE

LEAST_VIOLATION = 1e-9  # a trajectory that is not followed is never told as satisfied


def motion_outcome(parameters: HybridCableRobot) -> Outcome:
    """Every metric of the cost class "motion" for the record's trajectory.

    The violation of a trajectory that cannot be followed is the worst shortfall of tensions along
    it [N] (see :class:`~models.hybrid_cable_robot.tension.TensionDistribution`), or what the arm
    lacks to follow its tool's path.
    """
    path = follow(parameters)
    counters = {"samples": len(path.times), "samples_held": int(np.count_nonzero(path.verdicts == HELD))}
    if not path.feasible:
        return Infeasible(_reason(parameters, path), _violation(path), counters)
    metrics = {
        "max_tension": path.max_tension,
        "tension_spread": path.tension_spread,
        "power_mean": path.power_mean,
        "power_peak": path.power_peak,
        "energy": path.energy,
        "mass": carried_mass(parameters),
    }
    return Evaluation(metrics, counters)


def _violation(path: Following) -> float:
    if path.samples.fault:
        return max(path.samples.fault_size, LEAST_VIOLATION)
    return max(float(path.shortfalls.max()), LEAST_VIOLATION)


def _reason(parameters: HybridCableRobot, path: Following) -> str:
    if path.samples.fault:
        return path.samples.fault
    first = int(np.argmax(path.verdicts != HELD))
    share = float(np.mean(path.verdicts != HELD))
    where = f"at {path.times[first]:.4g} s and at {share:.0%} of the instants of the trajectory"
    if (path.verdicts == INFEASIBLE).any():
        return f"no tensions within the limits hold the motion's wrench, first {where}"
    return f"the tension rule '{parameters.tension_rule}' finds no tensions within the limits, first {where}"
