"""A tree of links and joints of a foreign file, and where its links stand with all joints at zero."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from models.hybrid_cable_robot.freedoms import NORMALS, Freedoms, Plane
from models.numerics.rotations import rotation_matrix
from studies.exchange.imported_robot import FloatArray, RobotReading, moved_inertia, number

_FREE = 6
_TOOL = re.compile(r"tool|tcp|end_?effector|(^|_)ee(_|$)|flange|gripper")
_SHOWN = 40  # characters of a name
_TEXT_SHOWN = 60
_MOMENTS = ((0, 0, "ixx"), (1, 1, "iyy"), (2, 2, "izz"), (0, 1, "ixy"), (0, 2, "ixz"), (1, 2, "iyz"))


class Frame(NamedTuple):
    """Position (3,) m and rotation (3, 3) of a frame in another."""

    position: FloatArray
    rotation: FloatArray

    def then(self, inner: Frame) -> Frame:
        """Return the pose of a frame that ``inner`` gives in this one."""
        return Frame(self.position + self.rotation @ inner.position, self.rotation @ inner.rotation)

    def back(self) -> Frame:
        """Return the pose of the outer frame in this one."""
        return Frame(-self.rotation.T @ self.position, self.rotation.T)


HERE = Frame(np.zeros(3), np.eye(3))


class Body(NamedTuple):
    """Mass kg, centre of mass (3,) m, inertia (3, 3) kg m^2 about it; in the frame of a link."""

    mass: float
    centre: FloatArray
    inertia: FloatArray

    def seen_from(self, pose: Frame) -> Body:
        """Return the body in the frame in which its own frame has a pose."""
        turned = pose.rotation
        return Body(self.mass, pose.position + turned @ self.centre, turned @ self.inertia @ turned.T)


class Box(NamedTuple):
    """A box of a link: its pose, and its half sides (3,) m."""

    pose: Frame
    half_size: FloatArray


class Link(NamedTuple):
    """A link; its body and its boxes are read when they are asked for."""

    name: str
    body: Callable[[], Body | None]
    boxes: Callable[[], Sequence[Box]]


class Joint(NamedTuple):
    """A joint, with the pose of its child in its parent.

    Axis (3,) of length 1 and limits, rad or m, are read when they are asked for.
    """

    name: str
    kind: str
    parent: str
    child: str
    pose: Frame
    axis: Callable[[], FloatArray]
    limits: Callable[[], tuple[float, float] | None]


class Placed(NamedTuple):
    """A link of the tree: its root, the pose in it, and the body that it belongs to.

    ``body`` is the link to which it is fixed by any number of fixed joints: the first one that moves, or the
    root; ``in_body`` is the pose in the frame of that. ``depth`` counts joints from the root.
    """

    root: str
    pose: Frame
    body: str
    in_body: Frame
    depth: int


class Motion(NamedTuple):
    """Degrees of freedom of a link, and its motion pattern if it has one that the back-end knows."""

    freedom: int
    freedoms: Freedoms | None
    plane: Plane | None


def _motion(twists: FloatArray) -> Motion:
    """Return the motion whose twists (k, 6), turning first, span all that joints allow."""
    rank = int(np.linalg.matrix_rank(twists)) if twists.size else 0
    if rank == _FREE:
        return Motion(rank, "3R3T", None)
    patterns: list[tuple[Freedoms, Plane | None, list[int]]] = [("3T", None, [3, 4, 5])]
    for plane, normal in NORMALS.items():
        ways = [axis + 3 for axis in range(3) if axis != normal]
        patterns.append(("1R2T", plane, [normal, *ways]))
        patterns.append(("2T", plane, ways))
    for freedoms, plane, rows in patterns:
        if rank == len(rows) == np.linalg.matrix_rank(np.concatenate([twists, np.eye(_FREE)[rows]])):
            return Motion(rank, freedoms, plane)
    return Motion(rank, None, None)


class LinkTree:
    """Links and joints of a file; ``roots`` are poses of links that no joint holds, where they have one.

    Raises ``InputError`` for joints of absent links, for two joints of one child, and for circles.
    """

    def __init__(
        self,
        reading: RobotReading,
        links: Mapping[str, Link],
        joints: Iterable[Joint],
        roots: Mapping[str, Frame] | None = None,
    ) -> None:
        self.links = links
        self._reading = reading
        self.joint_of = self._joints_by_child(joints)
        self.placed = self._placed(roots or {})
        self._fixed_to: dict[str, list[str]] = defaultdict(list)
        for name in links:
            self._fixed_to[self.placed[name].body].append(name)

    def _joints_by_child(self, joints: Iterable[Joint]) -> dict[str, Joint]:
        found: dict[str, Joint] = {}
        for joint in joints:
            if absent := {joint.parent, joint.child} - self.links.keys():
                raise self._reading.fault(
                    f"the joint '{joint.name[:_SHOWN]}' names the link '{min(absent)[:_SHOWN]}', which is "
                    "not there"
                )
            if (other := found.get(joint.child)) is not None:
                raise self._reading.fault(
                    f"the link '{joint.child[:_SHOWN]}' hangs on two joints, '{other.name[:_SHOWN]}' and "
                    f"'{joint.name[:_SHOWN]}'; a tree has one for each link"
                )
            found[joint.child] = joint
        return found

    def _placed(self, roots: Mapping[str, Frame]) -> dict[str, Placed]:
        """Place every link, each after its parent."""
        below: dict[str, list[Joint]] = defaultdict(list)
        for joint in self.joint_of.values():
            below[joint.parent].append(joint)
        waiting = [name for name in self.links if name not in self.joint_of]
        found = {name: Placed(name, roots.get(name, HERE), name, HERE, 0) for name in waiting}
        while waiting:
            link = waiting.pop()
            above = found[link]
            for joint in below.get(link, ()):
                fixed = joint.kind == "fixed"
                body, inside = (above.body, above.in_body.then(joint.pose)) if fixed else (joint.child, HERE)
                pose = above.pose.then(joint.pose)
                found[joint.child] = Placed(above.root, pose, body, inside, above.depth + 1)
                waiting.append(joint.child)
        if any(name not in found for name in self.joint_of):
            raise self._reading.fault("its joints form a circle")
        return found

    # ------------------------------------------------------------ joints

    def is_fixed(self, link: str) -> bool:
        """True if a link is fixed to the root of its tree."""
        return self.placed[link].body == self.placed[link].root

    def joints_above(self, link: str) -> list[Joint]:
        """Return the joints between the root and a link, from the root."""
        found: list[Joint] = []
        while (joint := self.joint_of.get(link)) is not None:
            found.append(joint)
            link = joint.parent
        return found[::-1]

    def moving_below(self, link: str) -> list[Joint]:
        """Return the joints that move against a link, each after those before it in the tree."""
        below = {link}
        joints: list[Joint] = []
        for name in sorted(self.placed, key=lambda name: self.placed[name].depth):
            joint = self.joint_of.get(name)
            if joint is not None and joint.parent in below:
                below.add(name)
                joints += [joint] if joint.kind != "fixed" else []
        return joints

    def motion(self, moving: Sequence[Joint]) -> Motion:
        """Return how joints in a row move the last link, at zero of all of them."""
        if any(joint.kind == "floating" for joint in moving):
            return Motion(_FREE, "3R3T", None)
        still = np.zeros(3)
        twists: list[FloatArray] = []
        for joint in moving:
            pose = self.placed[joint.child].pose
            axis = pose.rotation @ joint.axis()
            if joint.kind in ("revolute", "continuous", "planar"):
                twists.append(np.concatenate([axis, np.cross(pose.position, axis)]))
            if joint.kind == "prismatic":
                twists.append(np.concatenate([still, axis]))
            elif joint.kind == "planar":
                twists += [np.concatenate([still, way]) for way in np.eye(3) - np.outer(axis, axis)]
        return _motion(np.array(twists).reshape(-1, 6))

    # ------------------------------------------------------------ bodies

    def rigid(self, link: str) -> Body | None:
        """Return the body of a link and of all that is fixed to it, in its frame; None without mass."""
        parts = [(self.links[name].body(), self.placed[name].in_body) for name in self._fixed_to[link]]
        return lumped([body.seen_from(pose) for body, pose in parts if body is not None])

    def tip(self, link: str) -> FloatArray | None:
        """Return the place (3,) m of the tool in the frame of a link: of the only frame on it named so."""
        named = [name for name in self._fixed_to[link] if name != link and _TOOL.search(name.lower())]
        depths = [self.placed[name].depth for name in named]
        last = [name for name, depth in zip(named, depths, strict=True) if depth == max(depths)]
        return self.placed[last[0]].in_body.position if len(last) == 1 else None

    def carried(self, link: str, moving: Sequence[Joint]) -> Body | None:
        """Return the body of all that joints move on a link, with the joints at zero, in its frame."""
        back = self.placed[link].pose.back()
        parts = [(self.rigid(joint.child), back.then(self.placed[joint.child].pose)) for joint in moving]
        return lumped([body.seen_from(pose) for body, pose in parts if body is not None])


def lumped(parts: Sequence[Body]) -> Body | None:
    """Return several bodies in one frame as one; None where they have no mass."""
    mass = math.fsum(part.mass for part in parts)
    if not mass:
        return None
    if len(parts) == 1:
        return parts[0]
    centre = np.sum([part.mass * part.centre for part in parts], axis=0) / mass
    inertia = np.sum(
        [part.inertia + moved_inertia(part.mass, part.centre - centre) for part in parts], axis=0
    )
    return Body(mass, centre, inertia)


# ---------------------------------------------------------------- as URDF and SDF write them


def numbers(reading: RobotReading, text: str, count: int) -> FloatArray:
    """Return the numbers (count,) of a text; raises ``InputError`` for any other text."""
    parts = text.split(maxsplit=count)
    try:
        values = [number(part) for part in parts]
    except ValueError:
        values = []
    if len(values) != count:
        raise reading.fault(f"'{text[:_TEXT_SHOWN]}' is not {count} finite numbers")
    return np.array(values)


def direction(reading: RobotReading, text: str, joint: str) -> FloatArray:
    """Return the axis (3,) of a joint, of length 1; raises ``InputError`` for one without length."""
    axis = numbers(reading, text, 3)
    length = float(np.linalg.norm(axis))
    if not length:
        raise reading.fault(f"the joint '{joint[:_TEXT_SHOWN]}' has an axis of length 0")
    return axis / length


def rotation_of(angles: FloatArray) -> FloatArray:
    """Return the rotation (3, 3) of roll, pitch and yaw (3,) rad: turns about the fixed axes x, y and z."""
    if not angles.any():
        return np.eye(3)
    roll, pitch, yaw = (rotation_matrix(angle * axis) for angle, axis in zip(angles, np.eye(3), strict=True))
    return yaw @ pitch @ roll


def tensor_of(reading: RobotReading, given: Callable[[str], str | None]) -> FloatArray:
    """Return an inertia (3, 3) kg m^2 from its entries ``ixx`` to ``iyz``, of which absent ones are 0."""
    tensor = np.zeros((3, 3))
    for i, j, name in _MOMENTS:
        tensor[i, j] = tensor[j, i] = numbers(reading, given(name) or "0", 1)[0]
    return tensor
