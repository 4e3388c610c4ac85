"""Motion of the platform on elastic cables whose winches follow given lengths.

Each cable pulls with ``t = k (l - l0) + c (l' - l0')`` while it is longer than its unstretched length l0 and
t is positive, else it is slack and does not pull. The stiffness k is ``cable_stiffness``, or with the axial
stiffness EA the ``EA / l0`` of the free length. Winches hold l0(t) whatever the tension. The platform has the
freedoms of its motion pattern, and guides without friction hold the others. The arm on it stays locked, or
follows the trajectory whatever the platform does (:mod:`.carried_mass`). Cables have no
mass, and nothing touches anything.

Integrated with DOP853 (Hairer, Norsett, Wanner 1993) in the compiled ``winch_kernels``; steps end
where a cable goes slack or taut. Contract: ``tests/models/hybrid_cable_robot/test_winch_motion.py`` with the
plain definition in ``tests/oracles/winch_motion.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from errors import InputError
from models.arrays import FloatArray
from models.hybrid_cable_robot.arm.weight_moments import rest_posture
from models.hybrid_cable_robot.cables.geometry import SHORTEST_CABLE, cable_lengths, wrench_matrix
from models.hybrid_cable_robot.motion.carried_mass import CarriedMass, Pieces, carried_mass
from models.hybrid_cable_robot.motion.following import follow_trajectory, moving_robot, tension_fault
from models.hybrid_cable_robot.motion.winch_kernels import (
    DONE,
    LOSS,
    LOST,
    NON_FINITE,
    SIZE,
    TOO_LONG,
    WORK,
    G,
    Plant,
    Record,
    Scratch,
    integrate,
)
from models.hybrid_cable_robot.natural_frequencies import frequencies, has_inertia, mass_matrix
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import Robot
from models.hybrid_cable_robot.stiffness import basis_at, within_pattern
from models.hybrid_cable_robot.trajectory import ArmMotion, WinchLengths, through_waypoints, waypoint_quintics
from models.hybrid_cable_robot.trajectory_sampling import sample_of
from models.numerics.rotations import cross_matrices, rotation_matrix, rotation_vector, turn
from models.numerics.runge_kutta import pair_of
from models.series import Column, Series

TOLERANCE = 1e-9  # of an error in the units of the robot: its characteristic length, and times of its fall
SLACKNESS = 1e-9  # of the characteristic length: a smaller elongation counts as none
PER_PERIOD = 24  # steps in a period of the fastest vibration, at least: peaks of tension are not missed
MOST_STEPS = 1_000_000  # about 20 s
MOST_EVENTS = 10_000  # that are kept
FARTHEST = 10.0  # times as far away as the cables reach the platform is lost
LENGTHS_TESTED = 9  # between two rows of a table, its ends included
ARM_INSTANTS = 401  # of its motion, at least, between which it is interpolated


@dataclass(frozen=True, slots=True)
class WinchMotion:
    """Motion of the platform by its winches, at n instants.

    Attributes
    ----------
    times : (n,) float, s
    positions : (n, 3) float, m
        Of the platform's origin.
    quaternions : (n, 4) float
        Platform to world, the real part first.
    velocities, angular_velocities : (n, 3) float, m/s, rad/s
        In the world and in the platform's frame.
    unstretched, tensions : (n, m) float, m, N
    energies : (n,) float, J
        Kinetic, of weight and of the cables; kinetic as if the arm were locked where it is.
    works, losses : (n,) float, J
        Of winches and arm, and of the cables' damping, since the start.
    events : (e, 3) float
        Instants [s] at which cables go slack or taut, their indices, and 1 for taut; at most 10 000.
    peaks : (m,) float, N
        Greatest tension of each cable, also between the instants.
    slack_times : (m + 1,) float, s
        Time for which each cable is slack, and that for which at least one is.
    targets : (n, 3) float, m, or None
        Where the trajectory has the platform's origin.
    rest : (3,) float, m
        Place at which it comes to rest: the end of the trajectory, with a table where it is at the end.
    moving : float, s
        Time after which the winches stand still, from the start.
    steps : int
    fault : str
        Why the motion could not be found up to its end; empty when it could. The arrays end there.
    fault_size : float
        Share of the time that is missing then.
    """

    times: FloatArray
    positions: FloatArray
    quaternions: FloatArray
    velocities: FloatArray
    angular_velocities: FloatArray
    unstretched: FloatArray
    tensions: FloatArray
    energies: FloatArray
    works: FloatArray
    losses: FloatArray
    events: FloatArray
    peaks: FloatArray
    slack_times: FloatArray
    targets: FloatArray | None
    rest: FloatArray
    moving: float
    steps: int
    fault: str = ""
    fault_size: float = 0.0

    @property
    def rotations(self) -> FloatArray:
        """Rotation matrices (n, 3, 3), platform to world."""
        X = cross_matrices(self.quaternions[:, 1:])
        return np.eye(3) + 2 * self.quaternions[:, :1, None] * X + 2 * X @ X

    @property
    def imbalances(self) -> FloatArray:
        """Energy (n,) J that the integration has made: energy and losses less the start's and the work."""
        return self.energies - self.energies[0] + self.losses - self.works

    @property
    def path_errors(self) -> FloatArray | None:
        """Distances (n,) m of the platform's origin from the trajectory."""
        return None if self.targets is None else np.linalg.norm(self.positions - self.targets, axis=1)

    @property
    def slack_share(self) -> float:
        """Share of the time for which at least one cable is slack."""
        return float(self.slack_times[-1] / (self.times[-1] - self.times[0]))

    def settling_time(self, tolerance: float) -> float:
        """Time [s] from the winches' stop until the origin stays within ``tolerance`` [m] of ``rest``.

        The time from stop to end if it never does.
        """
        away = np.linalg.norm(self.positions - self.rest, axis=1) > tolerance
        stop = self.times[0] + self.moving
        last = self.times[min(int(np.flatnonzero(away)[-1]) + 1, len(away) - 1)] if away.any() else stop
        return max(float(last - stop), 0.0)


@dataclass(frozen=True, slots=True)
class Start:
    """Lengths over time, mass, and the pose from which a motion starts.

    ``fault`` says why there is no start, ``fault_size`` how much tension [N] or length [m] is
    missing.
    """

    lengths: Pieces
    carried: CarriedMass
    position: FloatArray
    rotation: FloatArray
    fault: str = ""
    fault_size: float = 0.0


def follow_winches(parameters: HybridCableRobot) -> WinchMotion:
    """Motion of the platform by the lengths of ``winch_lengths``, and for ``settling_duration`` after them.

    The lengths of ``"trajectory"`` are those at which cables with the tensions of ``tension_rule`` have the
    platform on its trajectory, so that it starts at rest; the arm follows its trajectory. With a table the
    platform is let go at the trajectory's first waypoint, and the arm is locked in its rest posture.

    Raises
    ------
    InputError
        When no tensions hold the platform on its trajectory, when cables would be shorter than nothing, or
        when some motions of the platform move no mass.
    """
    if not has_inertia(parameters):
        raise InputError("some motions of the platform move no mass", ("platform_body",))
    start = start_of(parameters)
    if start.fault:
        table = isinstance(parameters.winch_lengths, WinchLengths)
        raise InputError(start.fault, ("winch_lengths" if table else "trajectory",))
    return motion_from(parameters, start)


def start_of(parameters: HybridCableRobot) -> Start:
    """The start of the motion of a record."""
    table = parameters.winch_lengths
    if isinstance(table, WinchLengths):
        return _start_of_table(parameters, table)
    robot, path = moving_robot(parameters), follow_trajectory(parameters)
    fault, size = tension_fault(parameters, path)
    stretch = path.tensions / robot.stiffness
    unstretched = path.lengths / (1.0 + stretch) if robot.axial else path.lengths - stretch
    if not fault and (unstretched < SHORTEST_CABLE).any():
        i = int(np.argmin(unstretched.min(axis=0)))
        fault = f"cable {i + 1} stretches by more than its length; make it stiffer"
        size = float((path.tensions - robot.stiffness * path.lengths)[:, i].max())
    dense = sample_of(parameters, max(len(path.times), ARM_INSTANTS))
    platform = path.samples.platform
    return Start(
        Pieces(path.times, waypoint_quintics(path.times, unstretched)),
        carried_mass(parameters, dense.times, dense.arm),
        platform.position[0], platform.rotation[0], fault, size,
    )  # fmt: skip


def _start_of_table(parameters: HybridCableRobot, table: WinchLengths) -> Start:
    times, path = np.array(table.times), parameters.path
    arm = ArmMotion.at_rest(np.tile(rest_posture(parameters), (2, 1)))
    turn = np.zeros(3) if path.platform_rotations is None else np.array(path.platform_rotations[0])
    lengths = Pieces(times, waypoint_quintics(times, np.array(table.lengths)))
    between = np.linspace(times[:-1], times[1:], LENGTHS_TESTED).ravel()
    least = _values(lengths, between).min(axis=0)
    fault = ""
    if least.min() < SHORTEST_CABLE:
        fault = (
            f"'winch_lengths' has cable {int(least.argmin()) + 1} shorter than nothing between its rows; "
            "give more rows"
        )
    return Start(
        lengths, carried_mass(parameters, times[[0, -1]], arm), np.array(path.platform_positions[0]),
        rotation_matrix(turn), fault, max(0.0, -float(least.min())),
    )  # fmt: skip


def motion_from(parameters: HybridCableRobot, start: Start) -> WinchMotion:
    """Motion from a start without a fault."""
    robot = moving_robot(parameters)
    instants, m = _instants(parameters, start.lengths.times), len(robot.stiffness)
    record = Record(
        instants, np.zeros((len(instants), SIZE)), np.zeros((len(instants), m)),
        np.full(len(instants), np.nan), np.zeros((MOST_EVENTS, 3)), np.zeros(m), np.zeros(m + 1),
        np.zeros(3, np.int64),
    )  # fmt: skip
    plant, scratch = plant_of(parameters, robot, start), scratch_of(robot, start)
    pair, y = pair_of("dop853"), np.zeros(SIZE)
    y[:3], y[3:7] = start.position, _quaternion(start.rotation)
    longest = min(_longest_step(parameters, robot, start), float(instants[-1] - instants[0]))
    integrate(plant, pair, pair.A.sum(axis=1), longest, MOST_STEPS, y, scratch, record)
    return _motion(parameters, start, record)


def _instants(parameters: HybridCableRobot, times: FloatArray) -> FloatArray:
    """Instants (n,) s of the motion: those of the trajectory's samples, and as close together after it."""
    moving = np.linspace(times[0], times[-1], parameters.trajectory_samples)
    after = math.ceil(parameters.settling_duration / (moving[1] - moving[0]))
    if not after:
        return moving
    return np.concatenate(
        [moving, times[-1] + parameters.settling_duration * np.arange(1, after + 1) / after]
    )


def plant_of(parameters: HybridCableRobot, robot: Robot, start: Start) -> Plant:
    """The robot with its winches, for the kernels."""
    centre = robot.pulleys.mean(axis=0)
    damping = np.array(np.broadcast_to(parameters.cable_damping, len(robot.stiffness)), dtype=float)
    sizes = np.linalg.norm(robot.pulleys - centre, axis=1) + start.lengths.coefficients[0].max()
    return Plant(
        robot, damping, start.lengths, start.carried, SLACKNESS * robot.length_scale, centre,
        FARTHEST * float(sizes.max()),
    )  # fmt: skip


def scratch_of(robot: Robot, start: Start) -> Scratch:
    """Room for steps, with the errors allowed of a platform of the robot's size that falls freely."""
    m, L = len(robot.stiffness), robot.length_scale
    energy = start.carried.mass * G * L
    units = np.array([L, 1.0, math.sqrt(G * L), math.sqrt(G / L), energy, energy])
    return Scratch(
        np.eye(3), np.zeros((3, m)), np.zeros((3, 12)), np.zeros(m), np.zeros(m), np.zeros(m, np.int64),
        np.zeros((13, SIZE)), np.zeros(SIZE), np.zeros(SIZE), TOLERANCE * units,
    )  # fmt: skip


def _longest_step(parameters: HybridCableRobot, robot: Robot, start: Start) -> float:
    """Step [s] that is short beside the fastest vibration of the platform on all of its cables."""
    lengths = cable_lengths(robot, start.position, start.rotation)
    stiffness = robot.stiffness / np.maximum(lengths, SHORTEST_CABLE) if robot.axial else robot.stiffness
    W = wrench_matrix(robot, start.position, start.rotation)
    turned, basis = np.kron(np.eye(2), start.rotation), basis_at(robot, start.rotation)
    matrices = W * stiffness @ W.T, turned @ mass_matrix(parameters) @ turned.T
    fastest = frequencies(*(within_pattern(each, robot.length_scale, basis) for each in matrices))[-1]
    return 1.0 / (PER_PERIOD * float(fastest))


def _quaternion(R: FloatArray) -> FloatArray:
    """Quaternion (4,), real part first, of a rotation matrix (3, 3)."""
    vector = rotation_vector(R)
    angle = float(np.linalg.norm(vector))
    return np.array([math.cos(angle / 2), *(np.sinc(angle / (2 * np.pi)) / 2 * vector)])


def _motion(parameters: HybridCableRobot, start: Start, record: Record) -> WinchMotion:
    found = int(np.isfinite(record.energies).sum())
    times, states = record.instants[:found], record.states[:found]
    steps, events, verdict = record.counts.tolist()
    first, last = start.lengths.times[[0, -1]]
    fault = "" if verdict == DONE else _FAULTS[verdict].format(times[-1])
    return WinchMotion(
        times=times,
        positions=states[:, :3],
        quaternions=states[:, 3:7],
        velocities=states[:, 7:10],
        angular_velocities=states[:, 10:13],
        unstretched=_values(start.lengths, times),
        tensions=record.tensions[:found],
        energies=record.energies[:found],
        works=states[:, WORK],
        losses=states[:, LOSS],
        events=record.events[: min(events, MOST_EVENTS)],
        peaks=record.peaks,
        slack_times=record.slack_times,
        targets=_targets(parameters, times),
        rest=_rest(parameters, states),
        moving=float(last - first),
        steps=steps,
        fault=fault,
        fault_size=float((record.instants[-1] - times[-1]) / (record.instants[-1] - first)) if fault else 0.0,
    )


_FAULTS = {
    NON_FINITE: "the motion is not finite after {:.3g} s",
    LOST: f"the cables do not hold the platform: after {{:.3g}} s it is {FARTHEST:g} times as far away as "
    "they reach",
    TOO_LONG: f"{MOST_STEPS} steps are not enough for more than {{:.3g}} s of motion: cables are too stiff "
    "or too damped for their platform",
}


def _values(pieces: Pieces, times: FloatArray) -> FloatArray:
    """Quantities (n, d) at times (n,) s."""
    ends, c = pieces.times, pieces.coefficients
    inside = np.clip(times, ends[0], ends[-1])
    piece = np.clip(np.searchsorted(ends, inside, side="right") - 1, 0, len(ends) - 2)
    share = ((inside - ends[piece]) / (ends[piece + 1] - ends[piece]))[:, None]
    return np.sum([c[power, piece] * share**power for power in range(len(c))], axis=0)


def _targets(parameters: HybridCableRobot, times: FloatArray) -> FloatArray | None:
    """Positions (n, 3) m of the trajectory; None with a table and the path of another robot."""
    path = parameters.path
    if isinstance(parameters.winch_lengths, WinchLengths) and isinstance(parameters.trajectory, str):
        return None
    rows, ends = np.array(path.platform_positions), np.array(path.times)
    return through_waypoints(ends, rows, np.clip(times, ends[0], ends[-1]))[0]


def _rest(parameters: HybridCableRobot, states: FloatArray) -> FloatArray:
    if isinstance(parameters.winch_lengths, WinchLengths):
        return states[-1, :3]
    return np.array(parameters.path.platform_positions[-1])


def motion_series(parameters: HybridCableRobot) -> Series:
    """Pose and velocities of the platform over time, tension and length of each cable, and energies.

    Lengths are unstretched, orientations quaternions, velocities those in the world. Raises ``InputError``
    for a motion that cannot start; one that is not found to its end has the instants up to there.
    """
    motion = follow_winches(parameters)
    spins = turn(motion.rotations, motion.angular_velocities)
    return Series((
        Column("time", "s", motion.times),
        *_vector_columns("platform_{}", "m", motion.positions),
        *_vector_columns("platform_velocity_{}", "m/s", motion.velocities),
        *_vector_columns("platform_quaternion_{}", "1", motion.quaternions, "wxyz"),
        *_vector_columns("platform_angular_velocity_{}", "rad/s", spins),
        *_cable_columns("tension", "N", motion.tensions),
        *_cable_columns("unstretched_length", "m", motion.unstretched),
        *_energy_columns(motion),
    ))  # fmt: skip


def _vector_columns(name: str, unit: str, values: FloatArray, letters: str = "xyz") -> list[Column]:
    return [Column(name.format(letter), unit, values[:, place]) for place, letter in enumerate(letters)]


def _cable_columns(name: str, unit: str, values: FloatArray) -> list[Column]:
    return [Column(f"cable_{number}_{name}", unit, column) for number, column in enumerate(values.T, 1)]


def _energy_columns(motion: WinchMotion) -> list[Column]:
    return [
        Column("energy", "J", motion.energies),
        Column("work", "J", np.asarray(motion.works)),
        Column("loss_damping", "J", np.asarray(motion.losses)),
        Column("energy_error", "J", motion.imbalances),
    ]
