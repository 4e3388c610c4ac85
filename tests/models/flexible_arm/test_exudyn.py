"""The same chain in flight in a separate code, exudyn: cables of absolute nodal coordinates, hinged.

There a link is four cubic elements that stretch, and bend without shear as far as they like; its mass is
distributed. Our links bend a little about a straight frame, so the two differ by squares of the deflection
(ends that come nearer, stiffness by centrifugal forces): by about 1 / 10 for four times the bending stiffness,
while what bending changes at all falls to 1 / 4. Greatest distance of the link ends in 1 s, for links of 1 m and
1 kg:

===========================  =======  ==============  ======================================
chain                        EI       bending does    difference with 1, 2, 3 modes ss
===========================  =======  ==============  ======================================
three links, spinning, free  20 N m2  7.9 mm          1.5, 0.4, 0.7 mm
..                           80       1.9             0.66, 0.14, 0.06
two links, pinned, dropped   20       12.6            3.4, 3.8, 3.8
..                           80       3.4             0.35, 0.42, 0.41
===========================  =======  ==============  ======================================

By other steps and twice as many elements, their ends are good for 0.1 mm with EI 20 (steps of 1 ms) and for
0.06 and 0.03 mm in the two chains with EI 80 (0.5 ms): in the first, three modes meet them as well as one can tell.
Ends cf need more modes than ss, whose frame runs from joint to joint: deflections from the tangent are
three times as large. Modes cc do not let a link's ends turn; they miss five sixths of what bending does.
"""

import math
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from models.flexible_arm import chain
from models.flexible_arm.arm import arm_of_links
from models.flexible_arm.beam import Section, beam_modes
from models.flexible_arm.chain_kernels import chain_scratch
from models.flexible_arm.modal_integrals import link_integrals, rigid_integrals
from tests.left_out import package
from tests.models.flexible_arm.kernel_entries import evaluate_chain
from tests.oracles import flexible_arm_equations

exu = package("exudyn", "motions beside exudyn")
eii = package("exudyn.itemInterface", "motions beside exudyn")

GRAVITY, HEIGHT, DURATION = 9.81, 2e-3, 1.0  # [m/s^2, m, s]
TIMES = np.linspace(0.0, DURATION, 101)
ELEMENTS = 4  # of a link, there


class Start(NamedTuple):
    """Straight links of 1 m; the first end begins at the origin, at rest."""

    angles: tuple[float, ...]  # [rad]
    rates: tuple[float, ...]  # [rad/s]
    pinned: bool


SPINNING = Start((math.pi / 6, 0.0, -math.pi / 6), (3.0, -2.0, 4.0), pinned=False)
DROPPED = Start((0.0, -math.pi / 6), (0.0, 0.0), pinned=True)


class Flight(NamedTuple):
    """The link ends (k, n + 1, 2) [m], momentum (k, 2) [kg m/s], and its moment about the origin (k,)."""

    points: np.ndarray
    momentum: np.ndarray
    moment: np.ndarray


@cache
def ours(start, EI, ends, count):
    section = Section(1.0, EI, EI * 12 / HEIGHT**2 / 3.12, 1.0, HEIGHT**2 / 12)
    if count:
        link = link_integrals(section, beam_modes(section, ends, count), section.J, 0.0, 0.0)
    else:
        link = rigid_integrals(section, section.J)
    n = len(start.angles)
    arm = arm_of_links([1.0] * n, [link] * n, GRAVITY, start.pinned)
    N, scratch = int(arm.offsets[-1]), chain_scratch(arm)
    forces, points, velocities = np.zeros((3, n + 1, 2))

    def rates(_, y):
        slopes = np.concatenate([y[N:], np.empty(N)])
        evaluate_chain(arm, y[:N].copy(), y[N:].copy(), forces, scratch, points, velocities, slopes[N:])
        return slopes

    begin = np.zeros(2 * N)
    begin[2 : 2 + n], begin[N + 2 : N + 2 + n] = start.angles, start.rates
    solution = solve_ivp(rates, (0.0, DURATION), begin, "DOP853", TIMES, rtol=1e-7, atol=1e-9)
    assert solution.success
    momenta = [flexible_arm_equations.momentum(arm, y[:N], y[N:]) for y in solution.y.T]
    return Flight(
        chain.link_ends(arm, solution.y[:N].T),
        np.array([each.linear for each in momenta]),
        np.array([each.angular for each in momenta]),
    )


class Theirs(NamedTuple):
    container: object
    system: object
    links: list  # the nodes of each link


def theirs(start, EI):
    container = exu.SystemContainer()
    system = container.AddSystem()
    links, place, speed, before = [], np.zeros(2), np.zeros(2), None
    if start.pinned:
        ground = system.AddObject(eii.ObjectGround())
        before = system.AddMarker(eii.MarkerBodyPosition(bodyNumber=ground))
    for angle, rate in zip(start.angles, start.rates, strict=True):
        along = np.array([math.cos(angle), math.sin(angle)])
        turn = rate * np.array([-along[1], along[0]])
        nodes = [
            system.AddNode(eii.NodePoint2DSlope1(
                referenceCoordinates=[*(place + share * along), *along],
                initialVelocities=[*(speed + share * turn), *turn],
            ))
            for share in np.linspace(0.0, 1.0, ELEMENTS + 1)
        ]  # fmt: skip
        for ends in pairwise(nodes):
            cable = system.AddObject(eii.ObjectANCFCable2D(
                length=1.0 / ELEMENTS, massPerLength=1.0, bendingStiffness=EI,
                axialStiffness=12 * EI / HEIGHT**2, nodeNumbers=list(ends),
            ))  # fmt: skip
            mass = system.AddMarker(eii.MarkerBodyMass(bodyNumber=cable))
            system.AddLoad(eii.LoadMassProportional(markerNumber=mass, loadVector=[0, -GRAVITY, 0]))
        first, last = (system.AddMarker(eii.MarkerNodePosition(nodeNumber=nodes[i])) for i in (0, -1))
        if before is not None:
            system.AddObject(eii.ObjectJointRevolute2D(markerNumbers=[before, first]))
        links.append(nodes)
        place, speed, before = place + along, speed + turn, last
    return Theirs(container, system, links)


@cache
def flight_there(start, EI):
    other = theirs(start, EI)
    outputs = (exu.OutputVariableType.Coordinates, exu.OutputVariableType.Coordinates_t)
    sensors = [
        other.system.AddSensor(eii.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=output))
        for output in outputs
        for nodes in other.links
        for node in nodes
    ]
    other.system.Assemble()
    made = exu.SimulationSettings()
    made.solution.file.write = False
    made.solution.sensors.writePeriod = DURATION / (len(TIMES) - 1)
    made.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    integration = made.timeIntegration
    integration.verboseMode = 0
    integration.endTime, integration.numberOfSteps = DURATION, 1000 if EI < 50 else 2000
    integration.generalizedAlpha.spectralRadius = 0.9
    integration.newton.absoluteTolerance, integration.newton.relativeTolerance = 1e-6, 1e-6
    other.system.SolveDynamic(made)
    rows = np.array([other.system.GetSensorStoredData(sensor) for sensor in sensors])
    assert rows[0, :, 0] == pytest.approx(TIMES)
    values = rows[:, :, 1:].reshape(2, len(other.links), ELEMENTS + 1, len(TIMES), 2, 2)
    begin = np.array(
        [other.system.GetNode(node)["referenceCoordinates"] for nodes in other.links for node in nodes]
    )
    values[0] += begin.reshape(len(other.links), ELEMENTS + 1, 1, 2, 2)
    points = np.stack([values[0, 0, 0, :, 0], *(link[-1, :, 0] for link in values[0])], axis=1)
    return Flight(points, *momentum_there(values))


def momentum_there(values):
    """Momentum (k, 2) and its moment (k,), of places and rates (2, n, nodes, k, point or slope, 2)."""
    x, weights = np.polynomial.legendre.leggauss(4)
    s, h = (x + 1) / 2, 1.0 / ELEMENTS
    shape = [1 - 3 * s**2 + 2 * s**3, h * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, h * (s**3 - s**2)]
    pairs = np.concatenate([values[:, :, :-1], values[:, :, 1:]], axis=4)
    place, rate = np.einsum("vnekmt,mg->vnekgt", pairs, np.array(shape))
    masses = weights * h / 2
    turning = place[..., 0] * rate[..., 1] - place[..., 1] * rate[..., 0]
    return np.einsum("nekgt,g->kt", rate, masses), np.einsum("nekg,g->k", turning, masses)


def missed(start, EI, ends, count):
    """Greatest distance [m] of the link ends from theirs."""
    apart = ours(start, EI, ends, count).points - flight_there(start, EI).points
    return np.linalg.norm(apart, axis=2).max()


def effect(start, EI, ends="ss", count=3):
    """Greatest distance [m] of the link ends from those of rigid links."""
    apart = ours(start, EI, ends, count).points - ours(start, EI, "ss", 0).points
    return np.linalg.norm(apart, axis=2).max()


@pytest.mark.parametrize(("start", "soft", "stiff"), [(SPINNING, 1e-3, 1e-4), (DROPPED, 5e-3, 5e-4)])
def test_the_links_end_where_the_separate_code_has_them(start, soft, stiff):
    """The difference falls faster than what bending does, by a power of the stiffness of 3/2 at least."""
    differences = [missed(start, EI, "ss", 3) for EI in (20.0, 80.0)]
    assert differences[0] < soft
    assert differences[1] < stiff
    assert math.log(differences[0] / differences[1], 4) > 1.5
    effects = [effect(start, EI) for EI in (20.0, 80.0)]
    assert effects[0] / effects[1] == pytest.approx(4.0, rel=0.15)
    assert effects[1] > 7 * differences[1]


def test_more_modes_come_nearer_to_the_separate_code():
    differences = [missed(SPINNING, 80.0, "ss", count) for count in (0, 1, 2, 3)]
    assert all(fewer > 2 * more for fewer, more in pairwise(differences))


@pytest.mark.parametrize(("ends", "count"), [("cf", 3), ("ff", 4)])
def test_other_frames_meet_the_separate_code_too(ends, count):
    assert missed(SPINNING, 80.0, ends, count) < 2e-4
    assert effect(SPINNING, 80.0, ends, count) == pytest.approx(effect(SPINNING, 80.0), rel=0.03)


def test_clamped_modes_let_no_end_turn_and_are_too_stiff():
    assert effect(SPINNING, 80.0, "cc") < 0.2 * effect(SPINNING, 80.0)
    assert missed(SPINNING, 80.0, "cc", 3) > 0.7 * effect(SPINNING, 80.0)


@pytest.mark.parametrize(
    "flight", [lambda: ours(SPINNING, 80.0, "ss", 3), lambda: flight_there(SPINNING, 80.0)]
)
def test_a_free_chain_keeps_its_momentum(flight):
    """Weight takes momentum -m g t, and the moment of weight at the centre of mass, which flies along a parabola."""
    found = flight()
    begin = ours(SPINNING, 80.0, "ss", 0)
    mass, steps = 3.0, np.array([[math.cos(a), math.sin(a)] for a in SPINNING.angles])
    starts = np.concatenate([[[0.0, 0.0]], np.cumsum(steps, axis=0)[:-1]])
    centre = (starts + steps / 2).mean(axis=0)
    momentum = begin.momentum[0] + np.outer(TIMES, [0.0, -mass * GRAVITY])
    moment = begin.moment[0] - GRAVITY * (mass * centre[0] * TIMES + begin.momentum[0, 0] * TIMES**2 / 2)
    assert found.momentum == pytest.approx(momentum, abs=1e-5)
    assert found.moment == pytest.approx(moment, abs=1e-4)


def test_a_pinned_chain_gains_the_moment_of_momentum_of_the_separate_code():
    here, there = ours(DROPPED, 80.0, "ss", 3), flight_there(DROPPED, 80.0)
    assert np.abs(there.moment).max() > 8.0
    assert here.moment == pytest.approx(there.moment, abs=1e-2)
    assert here.momentum == pytest.approx(there.momentum, abs=4e-2)  # it vibrates
