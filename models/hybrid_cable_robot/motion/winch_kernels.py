"""Compiled motion of the platform on elastic cables that winches pay out and reel in; see ``winches``.

The state y (15,) has the position [m] and the orientation of the platform, a quaternion with its real part
first, its velocity [m/s] in the world and its angular velocity [rad/s] in its own frame, the work [J] of
winches and arm, and the energy [J] that the cables' damping takes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.cables.geometry_kernels import attachment_arm, cable_length, cable_vector
from models.hybrid_cable_robot.motion.carried_mass import CarriedMass, Pieces
from models.hybrid_cable_robot.robot import Robot
from models.jit import entry, inner
from models.numerics.copy_kernels import copy
from models.numerics.runge_kutta import Pair
from models.numerics.vector_kernels import Vector, add, cross, dot, length, put, row, scale, turn, turn_back

SIZE = 15  # of the state
WORK, LOSS = 13, 14  # places in it
G = 9.81  # [m/s^2]
FEWEST_FREE = 5  # freedoms of a platform without guides: a bar turns about itself as it likes
GROUPS = ((0, 3), (3, 7), (7, 10), (10, 13), (13, 14), (14, 15))  # of the state, of one unit each
DONE, NON_FINITE, LOST, TOO_LONG = 0, 1, 2, 3
ROOT_STEPS = 60  # at most, to the instant at which a cable goes slack
ROOT = 1e-3  # of what is told from no elongation, to which it is found
SHORTEST = 1e-9  # of the longest step


class Plant(NamedTuple):
    """The robot with its winches.

    Attributes
    ----------
    robot : Robot
    damping : (m,) float, N s/m
    winches : Pieces
        Unstretched lengths [m] of the m cables.
    carried : CarriedMass
    slackness : float, m
        Elongations are told from none by this much.
    centre : (3,) float, m
    farthest : float, m
        The platform is lost this far from the centre.
    """

    robot: Robot
    damping: FloatArray
    winches: Pieces
    carried: CarriedMass
    slackness: float
    centre: FloatArray
    farthest: float


class Scratch(NamedTuple):
    """Room for a step.

    Attributes
    ----------
    R : (3, 3) float
        Platform to world.
    unstretched : (3, m) float, m, m/s, m/s^2
        Lengths of the cables without load, and their rates.
    moments : (3, 12) float
        Of the carried mass, and their rates.
    tensions, margins : (m,) float, N, m
        Of the last state; see :func:`_pull`.
    taut : (m,) int
        1 for cables that pull.
    K : (13, SIZE) float
        Rates of the stages and of the end of the step.
    stage, end : (SIZE,) float
    allowed : (len(GROUPS),) float
        Error allowed of each group of the state.
    """

    R: FloatArray
    unstretched: FloatArray
    moments: FloatArray
    tensions: FloatArray
    margins: FloatArray
    taut: IntArray
    K: FloatArray
    stage: FloatArray
    end: FloatArray
    allowed: FloatArray


class Record(NamedTuple):
    """States and tensions of a motion at given instants, its events, and sums over it.

    Attributes
    ----------
    instants : (n,) float, s
    states : (n, SIZE) float
    tensions : (n, m) float, N
    energies : (n,) float, J
    events : (e, 3) float
        Instants [s], numbers of cables, and 1 where the cable becomes taut, 0 where it goes slack.
    peaks : (m,) float, N
        Greatest tension of each cable, of all steps.
    slack_times : (m + 1,) float, s
        Time for which each cable is slack; last, that for which at least one is.
    counts : (3,) int
        Steps, events, verdict.
    """

    instants: FloatArray
    states: FloatArray
    tensions: FloatArray
    energies: FloatArray
    events: FloatArray
    peaks: FloatArray
    slack_times: FloatArray
    counts: IntArray


@inner
def _evaluate(pieces: Pieces, t: float, out: FloatArray) -> None:
    """Write the quantities at time t and their two rates into ``out`` (3, d)."""
    times, c = pieces.times, pieces.coefficients
    last = len(times) - 2
    piece, above = 0, last + 1
    while above - piece > 1:
        middle = (piece + above) // 2
        if t < times[middle]:
            above = middle
        else:
            piece = middle
    h = times[piece + 1] - times[piece]
    share = min(max((t - times[piece]) / h, 0.0), 1.0)
    moving = 0.0 if t < times[0] or t > times[last + 1] else 1.0
    for j in range(c.shape[2]):
        value, rate, second = 0.0, 0.0, 0.0
        for power in range(5, -1, -1):
            second = second * share + 2 * rate
            rate = rate * share + value
            value = value * share + c[power, piece, j]
        out[0, j], out[1, j], out[2, j] = value, moving * rate / h, moving * second / (h * h)


@inner
def _fill_rotation(q: FloatArray, R: FloatArray) -> None:
    """Write the rotation matrix of a quaternion (4,) of any length."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    two = 2.0 / (w * w + x * x + y * y + z * z)
    R[0, 0], R[1, 1], R[2, 2] = (
        1 - two * (y * y + z * z),
        1 - two * (x * x + z * z),
        1 - two * (x * x + y * y),
    )
    R[0, 1], R[1, 0] = two * (x * y - w * z), two * (x * y + w * z)
    R[0, 2], R[2, 0] = two * (x * z + w * y), two * (x * z - w * y)
    R[1, 2], R[2, 1] = two * (y * z - w * x), two * (y * z + w * x)


@inner
def _cable(robot: Robot, position: FloatArray, arm: Vector, i: int) -> tuple[float, Vector]:
    """Length [m] of cable i, and its direction from the attachment, at ``arm`` [m] from the origin."""
    vector = cable_vector(robot, position, arm, i)
    return cable_length(robot, position, arm, i), scale(1.0 / length(vector), vector)


@inner
def _stiffness(plant: Plant, i: int, free: float) -> float:
    """Stiffness [N/m] of cable i of an unstretched length [m]."""
    return plant.robot.stiffness[i] / (free if plant.robot.axial else 1.0)


@inner
def _pull(plant: Plant, i: int, elongation: float, rate: float, scratch: Scratch) -> float:
    """Tension [N] of cable i, if it pulls, by its elongation [m] and the rate of that [m/s].

    Also writes its margin [m]: positive where the cable pulls. It does where it is longer than without load
    and elasticity and damping together pull; the margin is the lesser of both, as elongations.
    """
    k = _stiffness(plant, i, scratch.unstretched[0, i])
    pull = k * elongation + plant.damping[i] * rate
    scratch.margins[i] = min(elongation, pull / k)
    return pull


@inner
def rates_into(plant: Plant, t: float, y: FloatArray, scratch: Scratch, rates: FloatArray) -> None:
    """Write the rates (SIZE,) of the state y at time t, where the cables of ``scratch.taut`` pull."""
    robot, R = plant.robot, scratch.R
    _evaluate(plant.winches, t, scratch.unstretched)
    _evaluate(plant.carried.moments, t, scratch.moments)
    _fill_rotation(y[3:7], R)
    v, w = row(y[7:10]), row(y[10:13])
    force, torque, work, loss = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0
    spin = turn(R, w)
    for i in range(len(plant.damping)):
        arm = attachment_arm(robot, R, i)
        stretched, u = _cable(robot, y[:3], arm, i)
        free, paid_out = scratch.unstretched[0, i], scratch.unstretched[1, i]
        elongation, rate = stretched - free, -dot(u, add(v, cross(spin, arm))) - paid_out
        tension = _pull(plant, i, elongation, rate, scratch)
        scratch.tensions[i] = tension if scratch.taut[i] else 0.0
        if scratch.taut[i]:
            force, torque = add(force, scale(tension, u)), add(torque, cross(arm, scale(tension, u)))
            work -= tension * paid_out
            if robot.axial:
                work -= robot.stiffness[i] * (elongation / free) ** 2 / 2 * paid_out
            loss += plant.damping[i] * rate * rate
    work += _move(plant, turn_back(R, force), turn_back(R, torque), y, scratch, rates)
    rates[WORK], rates[LOSS] = work, loss


@inner
def _move(
    plant: Plant, force: Vector, torque: Vector, y: FloatArray, scratch: Scratch, rates: FloatArray
) -> float:
    """Write the rates of pose and velocities under a wrench in the platform's frame; the arm's power [W].

    The power is that by which the arm's drives change the energy of :func:`energy_of`, Jacobi's integral.
    """
    m, S = plant.carried.mass, scratch.moments
    w, v, down = row(y[10:13]), turn_back(scratch.R, row(y[7:10])), turn_back(scratch.R, (0.0, 0.0, -G))
    s, ds, dds = row(S[0, :3]), row(S[1, :3]), row(S[2, :3])
    h, dh = row(S[0, 9:]), row(S[1, 9:])
    momentum, change = add(_symmetric(S[0, 3:9], w), h), _symmetric(S[1, 3:9], w)
    P = add(force, scale(-1.0, add(cross(w, add(cross(w, s), scale(2.0, ds))), dds)))
    Q = add(torque, scale(-1.0, add(cross(w, momentum), add(change, dh))))
    guided = plant.robot.rank < FEWEST_FREE
    if guided:
        alpha = _guided_turning(plant.robot.rows, m, s, S[0, 3:9], P, Q)
    else:
        alpha = _solve_about_centre(m, s, S[0, 3:9], add(Q, scale(-1.0 / m, cross(s, P))))
    lift = scale(1.0 / m, add(P, scale(-1.0, cross(alpha, s))))
    acceleration = turn(scratch.R, lift)
    put(rates[:3], row(y[7:10]))
    q0, q = y[3] / 2, scale(0.5, row(y[4:7]))
    rates[3] = -dot(q, w)
    put(rates[4:7], add(scale(q0, w), cross(q, w)))
    put(rates[7:10], (acceleration[0], acceleration[1], acceleration[2] - G))
    if guided:
        for axis in range(3):
            rates[7 + axis] *= plant.robot.rows[axis]
    put(rates[10:13], alpha)
    return -(dot(v, add(cross(w, ds), dds)) + dot(w, change) / 2 + dot(w, dh)) - dot(down, ds)


@inner
def _guided_turning(
    rows: FloatArray, m: float, s: Vector, entries: FloatArray, force: Vector, torque: Vector
) -> Vector:
    """Angular acceleration of a platform that guides hold in a plane or keep from turning.

    It turns about the normal of its plane, or not at all. Guides do no work.
    """
    for axis in range(3):
        if rows[3 + axis] > 0.0:
            i, j = (axis + 1) % 3, (axis + 2) % 3
            arm = (s[i], s[j])
            inertia = entries[axis] - (arm[0] * arm[0] + arm[1] * arm[1]) / m
            about = (torque[axis] - (arm[0] * force[j] - arm[1] * force[i]) / m) / inertia
            return (
                about if axis == 0 else 0.0,
                about if axis == 1 else 0.0,
                about if axis == 2 else 0.0,
            )
    return (0.0, 0.0, 0.0)


@inner
def _symmetric(entries: FloatArray, a: Vector) -> Vector:
    """Product of a symmetric matrix, by its entries xx, yy, zz, xy, xz, yz, and a vector."""
    return (
        entries[0] * a[0] + entries[3] * a[1] + entries[4] * a[2],
        entries[3] * a[0] + entries[1] * a[1] + entries[5] * a[2],
        entries[4] * a[0] + entries[5] * a[1] + entries[2] * a[2],
    )


@inner
def _solve_about_centre(m: float, s: Vector, entries: FloatArray, b: Vector) -> Vector:
    """Solution x of ``I_c x = b``, with the inertia about the centre of mass ``I - (s.s 1 - s s^T) / m``."""
    square = dot(s, s)
    first = (
        entries[0] - (square - s[0] * s[0]) / m,
        entries[3] + s[0] * s[1] / m,
        entries[4] + s[0] * s[2] / m,
    )
    second = (first[1], entries[1] - (square - s[1] * s[1]) / m, entries[5] + s[1] * s[2] / m)
    third = (first[2], second[2], entries[2] - (square - s[2] * s[2]) / m)
    x, y, z = cross(second, third), cross(third, first), cross(first, second)
    determinant = dot(first, x)
    return scale(1.0 / determinant, (dot(x, b), dot(y, b), dot(z, b)))


@inner
def energy_of(plant: Plant, t: float, y: FloatArray, scratch: Scratch) -> float:
    """Energy [J] of a state: kinetic, of weight and of the cables.

    The kinetic energy is that of the bodies as if the arm were locked where it is, the part that is quadratic
    in the platform's velocities; see :func:`_move`.
    """
    S, m = scratch.moments, plant.carried.mass
    _evaluate(plant.winches, t, scratch.unstretched)
    _evaluate(plant.carried.moments, t, S)
    _fill_rotation(y[3:7], scratch.R)
    s, v, w = row(S[0, :3]), turn_back(scratch.R, row(y[7:10])), row(y[10:13])
    energy = m * dot(v, v) / 2 + dot(v, cross(w, s)) + dot(w, _symmetric(S[0, 3:9], w)) / 2
    energy += G * (m * y[2] + turn(scratch.R, s)[2])
    for i in range(len(plant.damping)):
        if scratch.taut[i]:
            energy += _strain_energy(plant, i, y, scratch)
    return energy


@inner
def _strain_energy(plant: Plant, i: int, y: FloatArray, scratch: Scratch) -> float:
    """Energy [J] of cable i as it pulls, in a state whose lengths and rotation ``scratch`` has."""
    stretched, _ = _cable(plant.robot, y[:3], attachment_arm(plant.robot, scratch.R, i), i)
    free = scratch.unstretched[0, i]
    return _stiffness(plant, i, free) * (stretched - free) ** 2 / 2


@inner
def _least_margin(plant: Plant, scratch: Scratch) -> float:
    """Least margin [m] by which a cable is taut or slack as ``scratch.taut`` says; negative if one is not."""
    least = np.inf
    for i in range(len(scratch.taut)):
        least = min(least, scratch.margins[i] if scratch.taut[i] else -scratch.margins[i])
    return least + plant.slackness


@inner
def attempt(
    plant: Plant, pair: Pair, nodes: FloatArray, t: float, y: FloatArray, h: float, scratch: Scratch
) -> tuple[float, float, float]:
    """Step by h from y, whose rate is ``scratch.K[0]``, to ``scratch.end``.

    Returns its error, 1 if it is just allowed; the share of the step at which a stage first sees a cable that
    is not as it was, 1 if none does; and :func:`_least_margin` at the end.
    """
    K, stage, end, seen = scratch.K, scratch.stage, scratch.end, 1.0
    stages = len(pair.B)
    for i in range(1, stages):
        _advance(y, h, pair.A[i], i, K, stage)
        rates_into(plant, t + nodes[i] * h, stage, scratch, K[i])
        if nodes[i] < seen and _least_margin(plant, scratch) < 0.0:
            seen = nodes[i]
    _advance(y, h, pair.B, stages, K, end)
    norm = math.sqrt(end[3] * end[3] + end[4] * end[4] + end[5] * end[5] + end[6] * end[6])
    for i in range(3, 7):
        end[i] /= norm
    rates_into(plant, t + h, end, scratch, K[stages])
    return _error(pair, h, scratch), seen, _least_margin(plant, scratch)


@inner
def _advance(
    y: FloatArray, h: float, weights: FloatArray, count: int, K: FloatArray, out: FloatArray
) -> None:
    copy(y, out)
    for j in range(count):
        if weights[j] != 0.0:
            for i in range(SIZE):
                out[i] += h * weights[j] * K[j, i]


@inner
def _error(pair: Pair, h: float, scratch: Scratch) -> float:
    """Error of a step by the lengths of its groups, which do not depend on axes; Hairer's blend."""
    K, first, second = scratch.K, 0.0, 0.0
    for group in range(len(scratch.allowed)):
        for i in range(GROUPS[group][0], GROUPS[group][1]):
            one, two = 0.0, 0.0
            for j in range(len(K)):
                one += pair.errors[0, j] * K[j, i]
                two += pair.errors[1, j] * K[j, i]
            first += (one / scratch.allowed[group]) ** 2
            second += (two / scratch.allowed[group]) ** 2
    if not math.isfinite(first):
        return math.inf
    if first == 0.0:
        return 0.0
    return h * first / math.sqrt((first + 0.01 * second) * len(scratch.allowed))


@inner
def _locate(
    plant: Plant,
    pair: Pair,
    nodes: FloatArray,
    t: float,
    y: FloatArray,
    ends: tuple[float, float, float],
    scratch: Scratch,
) -> float:
    """Size of the step that ends just after a cable goes slack or taut, by the Illinois rule.

    ``ends``: size of a step that ends after it, and :func:`_least_margin` [m] before and after that step.
    ``scratch.end`` becomes the state found.
    """
    low, (high, at_low, at_high) = 0.0, ends
    left, side = -at_high, 0
    for _ in range(ROOT_STEPS):
        if left <= ROOT * plant.slackness or high - low <= 1e-15 * t:
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        _, _, found = attempt(plant, pair, nodes, t, y, middle, scratch)
        if found < 0.0:
            high, at_high, left = middle, found, -found
            at_low *= 0.5 if side == -1 else 1.0
            side = -1
        else:
            low, at_low = middle, found
            at_high *= 0.5 if side == 1 else 1.0
            side = 1
    attempt(plant, pair, nodes, t, y, high, scratch)
    return high


@inner
def _switch(plant: Plant, t: float, y: FloatArray, scratch: Scratch, record: Record) -> None:
    """Let the cables pull that are taut in the state y, of which ``scratch.margins`` are; note the events.

    A cable that damping makes slack while it is still longer than without load loses the rest of its energy,
    and has it again if it pulls again before.
    """
    for i in range(len(scratch.taut)):
        margin = scratch.margins[i] if scratch.taut[i] else -scratch.margins[i]
        if margin + plant.slackness < 0.0:
            scratch.taut[i] = 1 - scratch.taut[i]
            kept = _strain_energy(plant, i, y, scratch)
            y[LOSS] += -kept if scratch.taut[i] else kept
            event = record.counts[1]
            if event < len(record.events):
                record.events[event, 0], record.events[event, 1] = t, i
                record.events[event, 2] = scratch.taut[i]
            record.counts[1] += 1
    rates_into(plant, t, y, scratch, scratch.K[0])


@inner
def _note(t: float, plant: Plant, y: FloatArray, scratch: Scratch, record: Record, place: int) -> None:
    """Keep the state y at an instant, with the tensions of the last rates."""
    for i in range(SIZE):
        record.states[place, i] = y[i]
    for i in range(len(scratch.taut)):
        record.tensions[place, i] = max(scratch.tensions[i], 0.0)
    record.energies[place] = energy_of(plant, t, y, scratch)


@inner
def _note_peaks(scratch: Scratch, record: Record) -> None:
    for i in range(len(scratch.taut)):
        record.peaks[i] = max(record.peaks[i], scratch.tensions[i])


@inner
def _note_slack(step: float, scratch: Scratch, record: Record) -> None:
    some = 0.0
    for i in range(len(scratch.taut)):
        if not scratch.taut[i]:
            record.slack_times[i] += step
            some = step
    record.slack_times[len(scratch.taut)] += some


@inner
def _is_lost(plant: Plant, y: FloatArray) -> bool:
    way = (y[0] - plant.centre[0], y[1] - plant.centre[1], y[2] - plant.centre[2])
    return length(way) > plant.farthest


@inner
def _step(
    plant: Plant,
    pair: Pair,
    nodes: FloatArray,
    t: float,
    y: FloatArray,
    room: tuple[float, float],
    scratch: Scratch,
    record: Record,
) -> tuple[float, float]:
    """Advance y by one step; its size, 0 if it must be tried again, and the size of the next one.

    ``room`` has the size wanted and the greatest one here.
    """
    h, step = room[0], min(room)
    before = _least_margin(plant, scratch)
    error, seen, after = attempt(plant, pair, nodes, t, y, step, scratch)
    if error > 1.0:
        _restore(plant, t, y, scratch)
        return 0.0, step * max(0.2, 0.9 * error ** (-1.0 / pair.order))
    if step == h:
        h = step * min(5.0, 0.9 * max(error, 1e-8) ** (-1.0 / pair.order))
    if after >= 0.0 and seen < 1.0:  # a cable that goes slack and comes back within the step
        step *= seen
        _, _, after = attempt(plant, pair, nodes, t, y, step, scratch)
    if after < 0.0:
        step = _locate(plant, pair, nodes, t, y, (step, before, after), scratch)
    copy(scratch.end, y)
    copy(scratch.K[len(pair.B)], scratch.K[0])
    _note_slack(step, scratch, record)
    _note_peaks(scratch, record)
    return step, h


@inner
def _restore(plant: Plant, t: float, y: FloatArray, scratch: Scratch) -> None:
    """Compute margins and tensions of the state y anew after a step that did not count."""
    rates_into(plant, t, y, scratch, scratch.K[0])


@entry
def integrate(
    plant: Plant,
    pair: Pair,
    nodes: FloatArray,
    longest_step: float,
    most_steps: int,
    y: FloatArray,
    scratch: Scratch,
    record: Record,
) -> None:
    """Move the state y through the instants of the record, which it fills.

    ``nodes`` (12,) are the places of the pair's stages in a step; steps are no longer than ``longest_step``
    [s] and at most ``most_steps``. Where the motion cannot go on, the verdict in ``record.counts`` says why,
    and the instants from there on are not filled.
    """
    t, h, counts = record.instants[0], longest_step, record.counts
    rates_into(plant, t, y, scratch, scratch.K[0])
    for i in range(len(scratch.taut)):
        scratch.taut[i] = 1 if scratch.margins[i] > -plant.slackness else 0
    rates_into(plant, t, y, scratch, scratch.K[0])
    _note_peaks(scratch, record)
    _note(t, plant, y, scratch, record, 0)
    for place in range(1, len(record.instants)):
        target = record.instants[place]
        while t < target:
            counts[0] += 1
            if counts[0] > most_steps:
                counts[2] = TOO_LONG
                return
            left = target - t
            step, h = _step(plant, pair, nodes, t, y, (h, left), scratch, record)
            if not h > SHORTEST * longest_step:
                counts[2] = NON_FINITE
                return
            h, t = min(h, longest_step), target if step == left else t + step
            if step > 0.0 and _least_margin(plant, scratch) < 0.0:
                _switch(plant, t, y, scratch, record)
                _note_peaks(scratch, record)
            if _is_lost(plant, y):
                counts[2] = LOST
                return
        _note(t, plant, y, scratch, record, place)
