"""The same robot in a separate code, exudyn: geometrically exact beams of 3D rods that stretch and shear.

There the mass of the rod is distributed, its curvature varies between two disks, and the cable is a stiff
spring (100 kN) through the holes of the disks, whose length a motor changes; at rest, it has our tension. Our
form has one arc between two disks, so the two come together as disks come closer; all disks weigh 30 g
together. Greatest distances of the tips, in per cent of the length:

============================================  ========  ========
robot                                         10 disks  20 disks
============================================  ========  ========
at rest under one cable, 24 mm                0.092     0.007
at rest, hanging, one cable                   0.164     0.021
at rest, gravity aslant, two cables           0.286     0.044
hanging, one cable in 1 s, undamped, 2 s      0.71      0.22
the same without gravity: it goes slack       0.82      0.21
============================================  ========  ========

The greatest tension of the hanging robot differs by 1.1 per cent with 10 disks and by 0.2 with 20. The cable
that went slack tautens again at a peak of tension, which depends on how stiff a cable is: it is not compared.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

from models.continuum_dynamics import Drive
from models.continuum_dynamics.relative.simulation import simulate
from models.continuum_dynamics.relative.statics import static_solution
from tests.left_out import package
from tests.models.continuum_dynamics.robots import robot_with

exu = package("exudyn", "motions beside exudyn")
eii = package("exudyn.itemInterface", "motions beside exudyn")

LENGTH, DIAMETER, MODULUS, POISSON, DENSITY = 0.636, 1e-3, 65e9, 0.33, 6450.0
DISKS, RADIUS, THICKNESS = 0.03, 15e-3, 3e-3  # [kg] of all, [m]
HANGING = (0.0, 0.0, 9.81)
PULL = 0.024


def ours(disks, gravity, azimuths=(0.0,)):
    return robot_with(
        disks=disks, length=LENGTH, backbone_diameter=DIAMETER, youngs_modulus=MODULUS,
        poisson_ratio=POISSON, density=DENSITY, disk_mass=DISKS / disks, disk_radius=RADIUS,
        disk_thickness=THICKNESS, hole_azimuths=azimuths, gravity=gravity, mass_damping=0.0,
    )  # fmt: skip


class Theirs(NamedTuple):
    """The robot there, whose x, y, z are our z, x, y."""

    container: object
    system: object
    ground: int
    disks: list
    tip: int


def pairs(items):
    return [list(pair) for pair in pairwise(items)]


def section():
    """The rod's stiffness against stretch, shear, twist and bend; its mass and inertia per length."""
    area, second = math.pi * DIAMETER**2 / 4, math.pi * DIAMETER**4 / 64
    shear = MODULUS / (2 * (1 + POISSON))
    stiffness = [MODULUS * area, 0.9 * shear * area, 0.9 * shear * area, 2 * shear * second]
    made = exu.BeamSection()
    made.stiffnessMatrix = np.diag([*stiffness, MODULUS * second, MODULUS * second])
    made.inertia = DENSITY * second * np.diag([2.0, 1.0, 1.0])
    made.massPerLength = DENSITY * area
    return made


def theirs(count, gravity, beams):
    """Rod and disks, with so many beams between two disks."""
    container, length = exu.SystemContainer(), LENGTH / count / beams
    system = container.AddSystem()
    weight, rod = [gravity[2], gravity[0], gravity[1]], section()

    def add(body):
        marker = system.AddMarker(eii.MarkerBodyMass(bodyNumber=body))
        system.AddLoad(eii.LoadMassProportional(markerNumber=marker, loadVector=weight))
        return body

    ground = system.AddObject(eii.ObjectGround())
    nodes = [
        system.AddNode(eii.NodeRigidBodyRxyz(referenceCoordinates=[k * length, 0, 0, 0, 0, 0]))
        for k in range(count * beams + 1)
    ]
    held = system.AddMarker(eii.MarkerNodeRigid(nodeNumber=nodes[0]))
    holder = system.AddMarker(eii.MarkerBodyRigid(bodyNumber=ground))
    system.AddObject(eii.GenericJoint(markerNumbers=[holder, held]))
    for ends in pairs(nodes):
        add(
            system.AddObject(
                eii.ObjectBeamGeometricallyExact(nodeNumbers=ends, length=length, sectionData=rod)
            )
        )
    mass = DISKS / count
    across, along = mass * (RADIUS**2 / 4 + THICKNESS**2 / 12), mass * RADIUS**2 / 2
    inertia = [along, across, across, 0, 0, 0]
    disks = [
        add(system.AddObject(eii.ObjectRigidBody(mass=mass, inertia=inertia, nodeNumber=node)))
        for node in nodes[beams::beams]
    ]
    return Theirs(container, system, ground, disks, nodes[-1])


def holes(robot, hole):
    """Markers where a cable at ``hole`` (2,) [m] runs, from the base to the tip."""
    return [
        robot.system.AddMarker(eii.MarkerBodyRigid(bodyNumber=body, localPosition=[0, *hole]))
        for body in (robot.ground, *robot.disks)
    ]


def cable_length(robot, hole):
    place = exu.OutputVariableType.Position
    points = [
        robot.system.GetObjectOutputBody(body, place, [0, *hole]) for body in (robot.ground, *robot.disks)
    ]
    return np.linalg.norm(np.diff(points, axis=0), axis=1).sum()


def settings():
    made = exu.SimulationSettings()
    made.solution.file.write = False
    made.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    made.staticSolver.verboseMode = made.timeIntegration.verboseMode = 0
    return made


def rest_there(robot, cables, tensions, beams):
    """Tip (3,) [m] and length of each cable [m], under constant tensions that rise in ten steps."""
    other = theirs(len(robot.masses), tuple(robot.gravity), beams)
    for hole, tension in zip(cables, tensions, strict=True):
        markers = holes(other, hole)
        for ends in pairs(markers):
            other.system.AddObject(eii.ObjectConnectorSpringDamper(
                markerNumbers=ends, referenceLength=1.0, stiffness=0.0,
                springForceUserFunction=lambda _, t, *__, tension=tension: tension * t,
            ))  # fmt: skip
    other.system.Assemble()
    made = settings()
    made.staticSolver.numberOfLoadSteps, made.staticSolver.loadStepGeometric = 10, False
    made.staticSolver.newton.relativeTolerance = 1e-7
    made.staticSolver.newton.absoluteTolerance = 1e-7
    other.system.SolveStatic(made)
    tip = other.system.GetNodeOutput(other.tip, exu.OutputVariableType.Position)
    return np.roll(tip, -1), [cable_length(other, hole) for hole in cables]


@pytest.mark.parametrize(("gravity", "bound"), [((0.0, 0.0, 0.0), 1.2e-3), (HANGING, 2e-3)])
def test_it_rests_where_the_separate_code_has_it(gravity, bound):
    """Under the tension of our solution; the difference falls by 4 at least when there are twice as many disks."""
    missed = []
    for disks in (10, 20):
        robot = ours(disks, gravity)
        rest = static_solution(robot, [PULL])
        tip, (length,) = rest_there(robot, robot.holes, rest.tensions, 8)
        missed.append(np.linalg.norm(tip - rest.positions[-1]) / LENGTH)
    assert missed[0] < bound
    assert missed[1] < missed[0] / 4
    assert LENGTH - length == pytest.approx(PULL, rel=3e-3)


def test_it_rests_out_of_plane_where_the_separate_code_has_it():
    robot = ours(20, (1.0, -2.0, 5.0), np.radians([0, 120]))
    rest = static_solution(robot, [0.014, 0.008])
    assert (rest.tensions > 0.05).all()
    tip, lengths = rest_there(robot, robot.holes, rest.tensions, 2)
    assert tip == pytest.approx(rest.positions[-1], abs=1e-3 * LENGTH)
    assert LENGTH - np.array(lengths) == pytest.approx([0.014, 0.008], rel=1e-2)


def wind(robot, hole, pull, slack_force):
    """Add a cable whose length a motor shortens by a quintic ramp in one second; returns its number.

    Where it is slack, it pulls with up to ``slack_force`` [N], which smooths the corner of its law.
    """
    system = robot.system
    still = system.AddMarker(
        eii.MarkerNodeCoordinate(nodeNumber=system.AddNode(eii.NodePointGround()), coordinate=0)
    )
    node = system.AddNode(eii.NodeGenericODE2(
        numberOfODE2Coordinates=1, referenceCoordinates=[0], initialCoordinates=[0], initialCoordinates_t=[0]
    ))  # fmt: skip
    system.AddObject(eii.ObjectGenericODE2(nodeNumbers=[node], massMatrix=np.eye(1)))
    motor = system.AddMarker(eii.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))

    def length(_, t, *__):
        return pull * t**3 * (10 - 15 * t + 6 * t**2) if t < 1.0 else pull

    def speed(_, t, *__):
        return pull * 30 * t**2 * (1 - t) ** 2 if t < 1.0 else 0.0

    system.AddObject(eii.ObjectConnectorCoordinate(
        markerNumbers=[still, motor], offset=1.0, offsetUserFunction=length, offsetUserFunction_t=speed
    ))  # fmt: skip
    markers = holes(robot, hole)
    return system.AddObject(eii.ObjectConnectorReevingSystemSprings(
        markerNumbers=[*markers, still, motor], hasCoordinateMarkers=True, coordinateFactors=[-1, -1],
        stiffnessPerLength=1e5, regularizationForce=slack_force, referenceLength=LENGTH,
        sheavesAxes=exu.Vector3DList([[0.0, 0.0, 1.0]] * len(markers)), sheavesRadii=[0.0] * len(markers),
    ))  # fmt: skip


def motion_there(robot, duration, beams, step=2e-3, slack_force=1e-2):
    """Instants (k,) [s], tips (k, 3) [m] and tensions (k,) [N]."""
    other = theirs(len(robot.masses), tuple(robot.gravity), beams)
    cable = wind(other, robot.holes[0], PULL, slack_force)
    outputs = exu.OutputVariableType
    tip = other.system.AddSensor(
        eii.SensorNode(nodeNumber=other.tip, storeInternal=True, outputVariableType=outputs.Position)
    )
    pulling = other.system.AddSensor(
        eii.SensorObject(objectNumber=cable, storeInternal=True, outputVariableType=outputs.ForceLocal)
    )
    other.system.Assemble()
    made = settings()
    made.solution.sensors.writePeriod = 0.01
    integration = made.timeIntegration
    integration.endTime, integration.numberOfSteps = duration, round(duration / step)
    integration.generalizedAlpha.spectralRadius = 0.8
    integration.newton.useModifiedNewton = True
    integration.newton.absoluteTolerance, integration.newton.relativeTolerance = 1e-6, 1e-5
    other.system.SolveDynamic(made)
    rows = np.array(other.system.GetSensorStoredData(tip))
    return (
        rows[:, 0],
        np.roll(rows[:, 1:], -1, axis=1),
        np.array(other.system.GetSensorStoredData(pulling))[:, 1],
    )


def compared(disks, gravity, beams, duration=2.0, **there):
    """Greatest distance of the tips [of the length], and greatest tensions here and there."""
    robot = ours(disks, gravity)
    motion = simulate(robot, [Drive(pull=PULL)], duration, step=0.001)
    assert motion.completed
    times, tips, tensions = motion_there(robot, duration, beams, **there)
    at = np.round(times / 0.001).astype(int)
    missed = np.linalg.norm(tips - motion.positions[at, -1], axis=1).max() / LENGTH
    return missed, motion, tensions


@pytest.mark.soak
def test_a_hanging_robot_swings_as_in_the_separate_code():
    """With a quarter of the difference for twice as many disks."""
    (coarse, *_), (fine, motion, tensions) = (compared(disks, HANGING, 4) for disks in (10, 20))
    assert coarse < 1e-2
    assert fine < 3e-3
    assert np.log2(coarse / fine) > 1.5
    assert motion.tensions.max() == pytest.approx(tensions.max(), rel=5e-3)


def test_a_cable_goes_slack_as_in_the_separate_code():
    missed, motion, tensions = compared(20, (0.0, 0.0, 0.0), 2, 1.5, step=1e-3, slack_force=1e-3)
    assert missed < 5e-3
    assert (motion.tensions[1:] == 0.0).sum() > 100
    assert (tensions < 2e-2).any()
