"""The metrics of a trajectory, or why it cannot be followed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.contract import Evaluation, Infeasible, Outcome
from models.hybrid_cable_robot.carried import carried_mass
from models.hybrid_cable_robot.motion.following import Following, follow
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.tensions.tension import HELD, INFEASIBLE, RULE_FAILED

LEAST_VIOLATION = 1e-9  # a trajectory that cannot be followed never counts as feasible


def motion_outcome(parameters: HybridCableRobot) -> Outcome:
    """Every metric of the cost class "motion" for the record's trajectory.

    The violation of a trajectory that cannot be followed is that of the first test that fails: what
    the arm lacks to follow its tool's path, the worst shortfall of tensions along it [N] (see
    :class:`~models.hybrid_cable_robot.tensions.tension.TensionDistribution`), the longest chord of a cable in
    the platform [m], what two cables lack to their distance [m].
    """
    path = follow(parameters)
    counters = {"samples": len(path.times), "samples_held": int(np.count_nonzero(path.verdicts == HELD))}
    if not path.feasible:
        reason, violation = _fault(parameters, path)
        return Infeasible(reason, max(violation, LEAST_VIOLATION), counters)
    metrics = {
        "max_tension": path.max_tension,
        "tension_spread": path.tension_spread,
        "power_mean": path.power_mean,
        "power_peak": path.power_peak,
        "energy": path.energy,
        "path_interference_margin": float(path.gaps.interference_margins.min()),
        "mass": carried_mass(parameters),
    }
    return Evaluation(metrics, counters)


def _fault(parameters: HybridCableRobot, path: Following) -> tuple[str, float]:
    """Why the trajectory cannot be followed, and by how much; see :func:`motion_outcome`."""
    if path.samples.fault:
        return path.samples.fault, path.samples.fault_size
    for verdict, text in (
        (INFEASIBLE, "no tensions within the limits hold the motion's wrench"),
        (RULE_FAILED, f"the tension rule '{parameters.tension_rule}' finds no tensions within the limits"),
    ):
        lost = path.verdicts == verdict
        if lost.any():
            worst = float(path.shortfalls[lost].max())
            return f"{text}, short by up to {worst:.3g} N, {_where(path, lost)}", worst
    gaps = path.gaps
    if gaps.cutting.any():
        chord = -float(gaps.platform_clearances.min())
        return f"a cable cuts the platform by up to {chord:.3g} m, {_where(path, gaps.cutting)}", chord
    gap = float(gaps.interference_margins[gaps.touching].min())
    touch = f"two cables have a gap of {gap:.3g} m, which must be more than {parameters.clearance:.3g} m"
    return f"{touch}, {_where(path, gaps.touching)}", parameters.clearance - gap


def _where(path: Following, lost: NDArray[np.bool_]) -> str:
    first = path.times[int(np.argmax(lost))]
    return f"first at {first:.4g} s, at {np.count_nonzero(lost)} of {len(lost)} instants of the trajectory"
