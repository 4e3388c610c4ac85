"""A robot as rigid links, joints and cables, for programs that read robot descriptions.

World frame and up direction are those of the back-end. All lengths are in metres, masses in kg.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.arrays import FloatArray
from models.scene import Up

JointKind = Literal["fixed", "revolute", "prismatic", "floating"]


@dataclass(frozen=True, slots=True)
class Cuboid:
    """The shape of a link, in its frame: ``center`` (3,) m and ``half_size`` (3,) m."""

    center: FloatArray
    half_size: FloatArray


@dataclass(frozen=True, slots=True)
class Cylinder:
    """A cylinder along z, ``capped`` with half spheres: ``center`` (3,) m, ``radius`` and ``length`` [m].

    The length is that between the centres of the half spheres, if there are any.
    """

    center: FloatArray
    radius: float
    length: float
    capped: bool = False


@dataclass(frozen=True, slots=True)
class RigidLink:
    """A rigid body in its own frame.

    ``mass`` : kg, 0 of a frame without a body. ``centre_of_mass`` (3,) m. ``inertia`` (3, 3) kg m^2 about the
    centre of mass, in the axes of the frame.
    """

    name: str
    mass: float
    centre_of_mass: FloatArray
    inertia: FloatArray
    shape: Cuboid | Cylinder | None = None


@dataclass(frozen=True, slots=True)
class Joint:
    """Joint between a link and its parent.

    ``position`` (3,) m and ``rotation`` (3, 3) place the child's frame in the parent's when the joint is at
    zero. ``axis`` (3,) is in the child's frame; a revolute joint turns about it, a prismatic one moves along
    it. ``limits`` are its least and greatest angle or way, rad or m; None where the back-end knows none.
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    position: FloatArray
    rotation: FloatArray
    axis: FloatArray
    limits: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class StraightCable:
    """A cable from a point of the base to a point of a link.

    ``start`` (3,) m in the frame of the base, ``end`` (3,) m in that of ``link``. ``stiffness`` is in N/m, or
    EA in N where ``axial``.
    """

    name: str
    start: FloatArray
    link: str
    end: FloatArray
    diameter: float
    stiffness: float
    axial: bool = False


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A tree of links, and the cables between them.

    The first link is the base, whose frame is the world's. ``joints`` lead from it to every other link, each
    after the joint of its parent. ``caption`` says at which pose the joints stand and what is not in it;
    ``warnings`` are sentences about what a simulator will not accept, or what was assumed.
    """

    links: tuple[RigidLink, ...]
    joints: tuple[Joint, ...]
    cables: tuple[StraightCable, ...] = ()
    up: Up = "z"
    caption: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        """The name of the link that does not move."""
        return self.links[0].name

    def poses(self) -> dict[str, tuple[FloatArray, FloatArray]]:
        """Position (3,) m and rotation (3, 3) of each link in the world, with all joints at zero."""
        found = {self.base: (np.zeros(3), np.eye(3))}
        for joint in self.joints:
            position, rotation = found[joint.parent]
            found[joint.child] = (position + rotation @ joint.position, rotation @ joint.rotation)
        return found

    def cable_ends(self) -> Iterator[tuple[StraightCable, FloatArray]]:
        """Each cable, and its two ends (2, 3) m in the world with all joints at zero."""
        poses = self.poses()
        for cable in self.cables:
            position, rotation = poses[cable.link]
            yield cable, np.stack([cable.start, position + rotation @ cable.end])


def mechanism_fault(mechanism: Mechanism) -> str:
    """The fault of a mechanism; empty if there is none."""
    names = [link.name for link in mechanism.links]
    if not names or len(set(names)) < len(names):
        return "links need different names, and there is at least one"
    known = {names[0]}
    for joint in mechanism.joints:
        if joint.parent not in known or joint.child in known or joint.child not in names:
            return f"the joint '{joint.name}' does not lead from a known link to a new one"
        known.add(joint.child)
        if not np.allclose(joint.rotation @ joint.rotation.T, np.eye(3), atol=1e-9):
            return f"the joint '{joint.name}' has a rotation that is none"
    if missing := sorted(set(names) - known):
        return f"no joint leads to {', '.join(missing)}"
    if strange := sorted({cable.link for cable in mechanism.cables} - known):
        return f"cables end at unknown links: {', '.join(strange)}"
    numbers = [
        *(value for link in mechanism.links for value in (link.mass, link.centre_of_mass, link.inertia)),
        *(value for joint in mechanism.joints for value in (joint.position, joint.axis)),
        *(value for cable in mechanism.cables for value in (cable.start, cable.end, cable.stiffness)),
    ]
    return "" if all(np.isfinite(value).all() for value in numbers) else "a number is not finite"
