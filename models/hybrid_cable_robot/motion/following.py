"""Tensions, winch torques and power while platform and arm follow a trajectory, and the metrics of that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.contract import LEAST_VIOLATION, Evaluation, Infeasible, Outcome
from models.hybrid_cable_robot.arm.dynamics import platform_wrench
from models.hybrid_cable_robot.cables.geometry import SHORTEST_CABLE, CableMotion, cable_motion
from models.hybrid_cable_robot.cell_results import WORST_MARGIN
from models.hybrid_cable_robot.collisions.culprits import cutting_cable, touching_cables
from models.hybrid_cable_robot.motion.path_collisions import PathGaps, path_gaps
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot, robot_of
from models.hybrid_cable_robot.tensions.distribution import HELD, INFEASIBLE, RULE_FAILED, distribute_at
from models.hybrid_cable_robot.trajectory import Trajectory
from models.hybrid_cable_robot.trajectory_sampling import Samples, sample_of


@dataclass(frozen=True, slots=True)
class TrajectoryResult:
    """A trajectory that the robot follows, at n instants.

    Attributes
    ----------
    samples : Samples
        Times and motions of platform and arm.
    wrenches : (n, 6) float, N and N m
        That the cables must provide, ``W t``, world axes.
    tensions, lengths, cable_speeds : (n, m) float, N, m, m/s
        Speeds are positive where cables lengthen.
    winch_torques : (n, m) float, N m
        Of the motors, positive where they pay out; equation (13) of the paper.
    joint_torques : (n, k) float, N m
        Of the k joints of the arm; the force along a prismatic one [N].
    verdicts : (n,) int
        0 held, 1 no tensions within the limits hold the wrench, 2 the rule finds none that do.
    shortfalls : (n,) float, N
        As in :class:`~models.hybrid_cable_robot.tensions.distribution.TensionDistribution`.
    gaps : PathGaps
        Between cables, cables and platform, and all of these, the arm and what is around them.
    """

    samples: Samples
    wrenches: FloatArray
    tensions: FloatArray
    lengths: FloatArray
    cable_speeds: FloatArray
    winch_torques: FloatArray
    joint_torques: FloatArray
    verdicts: IntArray
    shortfalls: FloatArray
    gaps: PathGaps

    @property
    def times(self) -> FloatArray:
        """Instants (n,) s."""
        return self.samples.times

    @property
    def feasible(self) -> bool:
        """True if the arm can follow, every wrench is held and no collision test fails, at every instant."""
        return not self.samples.fault and bool((self.verdicts == HELD).all()) and self.gaps.free

    @property
    def powers(self) -> FloatArray:
        """Mechanical power (n,) W, ``sum |f_i l_i'|``: what winches give and what they brake."""
        return np.sum(np.abs(self.tensions * self.cable_speeds), axis=1)

    @property
    def energy(self) -> float:
        """Integral of the power over time, J."""
        return self._integral(self.powers)

    @property
    def net_work(self) -> float:
        """Work of the cables on the platform, J; the same for every tension rule."""
        return -self._integral(np.sum(self.tensions * self.cable_speeds, axis=1))

    @property
    def power_mean(self) -> float:
        """Energy over duration, W."""
        return self.energy / float(self.times[-1] - self.times[0])

    @property
    def power_peak(self) -> float:
        """Greatest power, W."""
        return float(self.powers.max())

    @property
    def max_tension(self) -> float:
        """Greatest tension, N."""
        return float(self.tensions.max())

    @property
    def tension_spread(self) -> float:
        """Greatest difference of two cables' tensions at one instant, N."""
        return float(np.ptp(self.tensions, axis=1).max())

    def _integral(self, values: FloatArray) -> float:
        """Trapezoidal rule: powers have kinks where cables turn back."""
        return float(np.sum((values[1:] + values[:-1]) / 2 * np.diff(self.times)))


def follow_trajectory(parameters: HybridCableRobot, trajectory: Trajectory | None = None) -> TrajectoryResult:
    """Follow a trajectory.

    Parameters
    ----------
    parameters : HybridCableRobot
        ``trajectory_samples`` instants are examined; tensions follow ``tension_rule``.
    trajectory : Trajectory, optional
        The record's when left out.

    Returns
    -------
    TrajectoryResult
        Also when the trajectory cannot be followed: its verdicts say where.
    """
    path = sample_of(parameters, trajectory=trajectory)
    needed = platform_wrench(parameters, path.platform, path.arm)
    robot = moving_robot(parameters)
    cables = cable_motion(robot, path.platform)
    tensions, verdicts, shortfalls = distribute_at(
        robot, cables.wrench_matrices, -needed.wrench, path.platform.rotation
    )
    pointlike = np.asarray((cables.lengths < SHORTEST_CABLE).any(axis=1))
    return TrajectoryResult(
        samples=path,
        wrenches=needed.wrench,
        tensions=tensions,
        lengths=cables.lengths,
        cable_speeds=cables.speeds,
        winch_torques=winch_torques(parameters, cables, tensions),
        joint_torques=needed.torques,
        verdicts=np.where(pointlike, INFEASIBLE, verdicts),
        shortfalls=np.where(pointlike, -WORST_MARGIN, shortfalls),
        gaps=path_gaps(parameters, robot, path, pointlike),
    )


def moving_robot(parameters: HybridCableRobot) -> Robot:
    """The arrays of the design without orientations and wrenches of their own: the motion has both."""
    return robot_of(parameters.model_copy(update={"orientations": "nominal"}), np.zeros(6))


def winch_torques(parameters: HybridCableRobot, cables: CableMotion, tensions: FloatArray) -> FloatArray:
    """Motor torques (n, m) N m, ``I q'' + D q' - r f`` with the drum's angle ``q = l / r``; (1d), (13)."""
    r = parameters.winch_radius
    turning = parameters.winch_inertia * cables.accelerations + parameters.winch_friction * cables.speeds
    return turning / r - r * tensions


def motion_outcome(parameters: HybridCableRobot) -> Outcome:
    """Every metric of the record's trajectory.

    The violation of a trajectory that cannot be followed is that of the first test that fails: what
    the arm lacks to follow its tool's path, the worst shortfall of tensions along it [N] (see
    :class:`~models.hybrid_cable_robot.tensions.distribution.TensionDistribution`), the longest chord in
    the platform [m], what two cables lack to their distance [m], what cables and platform lack to their gap
    from obstacles and the floor [m], what the arm does to its own, by how much wheels overlap [m].
    """
    path = follow_trajectory(parameters)
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
    }
    borrowed = parameters.pulleys is not None and not isinstance(parameters.trajectory, Trajectory)
    told = f"'trajectory' is '{parameters.trajectory}', the path of another robot; list waypoints of your own"
    return Evaluation(metrics, counters, (told,) if borrowed else ())


def _fault(parameters: HybridCableRobot, path: TrajectoryResult) -> tuple[str, float]:
    """Reason why the trajectory cannot be followed, and its violation; see :func:`motion_outcome`."""
    fault, size = tension_fault(parameters, path)
    if fault:
        return fault, size
    gaps, robot = path.gaps, moving_robot(parameters)
    if gaps.cutting.any():
        worst = int(np.argmin(gaps.platform_clearances))
        chord = -float(gaps.platform_clearances[worst])
        cable = cutting_cable(robot, *_pose(path, worst))
        return f"{cable} cuts the platform by up to {chord:.3g} m, {_where(path, gaps.cutting)}", chord
    if gaps.touching.any():
        worst = _worst(gaps.touching, gaps.interference_margins)
        cables = touching_cables(robot, *_pose(path, worst))
        least, failed, margins = parameters.clearance, gaps.touching, gaps.interference_margins
        told = f"{cables} have a gap of"
    elif gaps.near.any():
        least, failed, margins = parameters.obstacle_clearance, gaps.near, gaps.obstacle_margins
        told = "cables and platform have a gap from obstacles and the floor of"
    elif gaps.arm_near.any():
        least, failed, margins = parameters.obstacle_clearance, gaps.arm_near, gaps.arm_margins
        told = "the arm has a gap from cables, obstacles and the floor of"
    else:
        least, failed, margins = 0.0, gaps.wheel_margins <= 0.0, gaps.wheel_margins
        told = "wheels of pulleys have a gap of"
    gap = float(margins[_worst(failed, margins)])
    told = f"{told} {gap:.3g} m, which must be more than {least:.3g} m"
    return f"{told}, {_where(path, failed)}", least - gap


def _worst(failed: NDArray[np.bool_], margins: FloatArray) -> int:
    """The instant with the least margin (n,) among those that failed (n,)."""
    return int(np.argmin(np.where(failed, margins, np.inf)))


def tension_fault(parameters: HybridCableRobot, path: TrajectoryResult) -> tuple[str, float]:
    """Reason why arm or cables cannot follow the trajectory, and its violation; empty and 0 if they can."""
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
    return "", 0.0


def _pose(path: TrajectoryResult, instant: int) -> tuple[FloatArray, FloatArray]:
    """Position (3,) m and rotation (1, 3, 3) of the platform at an instant."""
    platform = path.samples.platform
    return platform.position[instant], platform.rotation[instant][None]


def _where(path: TrajectoryResult, lost: NDArray[np.bool_]) -> str:
    first = path.times[int(np.argmax(lost))]
    return f"first at {first:.4g} s, at {np.count_nonzero(lost)} of {len(lost)} instants of the trajectory"
