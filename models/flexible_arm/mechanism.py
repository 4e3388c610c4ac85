"""The arm as rigid links as they stand at the start; joints turn about the normal of the plane of motion."""

from __future__ import annotations

import numpy as np

from models.arrays import FloatArray
from models.flexible_arm.arm import Arm, arm_of
from models.flexible_arm.parameters import FlexibleArm
from models.mechanism import Cuboid, Joint, Mechanism, RigidLink

BASE = "ground"
_Z = np.array([0.0, 0.0, 1.0])


def mechanism(parameters: FlexibleArm) -> Mechanism:
    """The links, straight and unbent, with joints that are at zero at the start of the motion."""
    arm, ends = arm_of(parameters), parameters.ends
    turns = np.diff(parameters.angles, prepend=0.0)
    places = [np.array([*ends[0], 0.0]), *(np.array([length, 0.0, 0.0]) for length in arm.lengths[:-1])]
    links = [_link(parameters, arm, i) for i in range(parameters.links)]
    joints = [
        Joint(f"joint_{i + 1}", "revolute", links[i - 1].name, links[i].name, places[i], _turn(turns[i]), _Z)
        for i in range(1, parameters.links)
    ]
    kind = "revolute" if parameters.pinned else "floating"
    first = Joint("joint_1", kind, BASE, links[0].name, places[0], _turn(turns[0]), _Z)
    base = RigidLink(BASE, 0.0, np.zeros(3), np.zeros((3, 3)))
    return Mechanism(
        (base, *links), (first, *joints), (), "y",
        "The arm at the start of its motion, all joints at zero. Links are rigid here: how they bend, and "
        "the contact with the ground, are not in this file.",
    )  # fmt: skip


def _turn(angle: float) -> FloatArray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _link(parameters: FlexibleArm, arm: Arm, i: int) -> RigidLink:
    """A link with its first end at the origin and its axis along x.

    Its moment of inertia about z is that of the equations of motion; those about x and y, which the motion in
    a plane does not need, are those of a cuboid of the same mass.
    """
    mass, centre = float(arm.m0[i]), float(arm.m1[i] / arm.m0[i])
    length, width, height = parameters.lengths[i], parameters.widths[i], parameters.heights[i]
    inertia = np.diag(
        [
            mass * (width**2 + height**2) / 12,
            mass * (length**2 + width**2) / 12,
            float(arm.m2[i]) - mass * centre**2,
        ]
    )
    half = np.array([length, height, width]) / 2
    shape = Cuboid(np.array([length / 2, 0.0, 0.0]), half)
    return RigidLink(f"link_{i + 1}", mass, np.array([centre, 0.0, 0.0]), inertia, shape)
