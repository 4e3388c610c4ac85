"""A mechanism as URDF and as SDF, with z upwards.

Links, joints, masses and inertias are those of the mechanism. A tree of joints cannot hold cables, which
close loops: each cable is two frames without mass, one at each end, and a cylinder that shows it at the
pose of the file. Whoever simulates the robot pulls between the two frames.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple
from xml.etree.ElementTree import Comment, Element, SubElement, indent, tostring

import numpy as np

from errors import InputError
from models import Joint, Mechanism, RigidLink
from models.mechanism import Cuboid, Cylinder, StraightCable
from models.scene import Line, Up
from studies.exchange.design import Design, DesignFile, FloatArray

SDF_VERSION = "1.9"
NOT_MODELLED = "1e9"
"""Effort and velocity of a joint, which URDF asks for and back-ends do not limit."""
LEAST_MASS, LEAST_INERTIA = 1e-6, 1e-12  # [kg, kg m^2]; of a link without mass, which SDF does not allow
_LEAST_RADIUS = 1e-4  # [m]; of a cable that is drawn
_UNLIMITED = (-1e16, 1e16)
_GIMBAL_LOCK = 1e-9  # [1]; of the cosine of a pitch, below which roll and yaw turn about the same axis
_WHEELS = "pulleys"  # group of the circles that a drawing has around its wheels
_WHEEL_WIDTH = 0.2  # thickness of a wheel that is drawn, as a share of its radius
_ON_WHEEL = 1e-9


def upright(up: Up) -> FloatArray:
    """The rotation (3, 3) from a back-end's world to one with z upwards, about x or y."""
    sign = -1.0 if up.startswith("-") else 1.0
    if up.endswith("x"):
        return np.array([[0.0, 0.0, -sign], [0.0, 1.0, 0.0], [sign, 0.0, 0.0]])
    if up.endswith("y"):
        return np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -sign], [0.0, sign, 0.0]])
    return np.diag([1.0, sign, sign])


def required_mechanism(design: Design) -> Mechanism:
    """The mechanism of a design; raises ``InputError`` where there is none."""
    if design.mechanism is None:
        raise InputError(f"{design.model.name} knows no links and joints", ("format",))
    return design.mechanism


def _remarks(design: Design, mechanism: Mechanism) -> Iterable[str]:
    """Remarks on things that are not in the file; a comment of XML may not hold two hyphens."""
    yield design.origin
    yield mechanism.caption
    if mechanism.cables:
        yield (
            "Cables close loops, which a tree of joints cannot hold: each is a frame at its pulley and one "
            "at its attachment, and a cylinder that shows it at this pose and does not move"
        )
    yield from _warnings(design, mechanism)


def _warnings(design: Design, mechanism: Mechanism) -> tuple[str, ...]:
    """Warnings of a mechanism, and what the tree of joints does not say of the design."""
    found = list(mechanism.warnings)
    if getattr(design.parameters, "freedoms", "3R3T") == "2R3T":
        found.append("the platform floats freely in the file, also about its bar: its motion pattern is 2R3T")
    if next(_wheels_of(design), None) is not None:
        found.append(
            "wheels stand as at the pose of the file: they neither turn nor swivel. Radii and swivel axes "
            "are not in it as numbers: give the robot as json, too"
        )
    return tuple(found)


def _document(root: Element, remarks: Iterable[str]) -> bytes:
    for place, remark in enumerate(remarks):
        root.insert(place, Comment(f" {remark.replace('--', '- -')} "))
    indent(root)
    return tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def _numbers(values: Iterable[float]) -> str:
    return " ".join(repr(float(value) + 0.0) for value in values)


def _angles(rotation: FloatArray) -> tuple[float, float, float]:
    """Roll, pitch and yaw, rad: turns about the fixed axes x, y and z in this order, ``R = Rz Ry Rx``.

    Where the pitch is a right angle, only roll and yaw together count; the yaw is then 0.
    """
    R: list[list[float]] = np.where(np.abs(rotation) < 1e-15, 0.0, rotation).tolist()
    level = math.hypot(R[0][0], R[1][0])
    pitch = math.atan2(-R[2][0], level)
    if level < _GIMBAL_LOCK:
        return math.atan2(-R[1][2], R[1][1]), pitch, 0.0
    return math.atan2(R[2][1], R[2][2]), pitch, math.atan2(R[1][0], R[0][0])


def _along(ends: FloatArray) -> tuple[FloatArray, tuple[float, float, float], float]:
    """Middle (3,) m, roll, pitch and yaw that take z along the line, and length of a line of two ends."""
    x, y, z = (ends[1] - ends[0]).tolist()
    level = math.hypot(x, y)
    return ends.mean(axis=0), (0.0, math.atan2(level, z), math.atan2(y, x)), math.hypot(level, z)


# ---------------------------------------------------------------- URDF


def urdf_file(design: Design) -> DesignFile:
    """The robot for ROS and for simulators; the first link is ``world``, with z upwards."""
    mechanism = required_mechanism(design)
    robot = Element("robot", name=design.model.name)
    SubElement(robot, "link", name="world")
    for link in mechanism.links:
        _urdf_link(robot, link)
    still = Joint("world_joint", "fixed", "world", mechanism.base, np.zeros(3), upright(mechanism.up), _X)
    for joint in (still, *mechanism.joints):
        _urdf_joint(robot, joint)
    base = next(link for link in robot.iter("link") if link.get("name") == mechanism.base)
    for wheel in _wheels_of(design):
        _urdf_cylinder(base, wheel.name.replace(" ", "_") + "_wheel", wheel.ends, wheel.radius)
    for cable, ends in mechanism.cable_ends():
        radius = max(cable.diameter / 2, _LEAST_RADIUS)
        _urdf_cylinder(base, cable.name, _straight_part(design, cable, ends), radius)
        for name, parent, point in (
            (f"{cable.name}_pulley", mechanism.base, cable.start),
            (f"{cable.name}_attachment", cable.link, cable.end),
        ):
            SubElement(robot, "link", name=name)
            _urdf_joint(robot, Joint(f"{name}_joint", "fixed", parent, name, point, np.eye(3), _X))
    return DesignFile(_document(robot, _remarks(design, mechanism)), _warnings(design, mechanism))


_X = np.array([1.0, 0.0, 0.0])


def _urdf_origin(parent: Element, position: FloatArray, angles: Iterable[float] = (0.0, 0.0, 0.0)) -> None:
    SubElement(parent, "origin", xyz=_numbers(position), rpy=_numbers(angles))


def _urdf_link(robot: Element, link: RigidLink) -> None:
    found = SubElement(robot, "link", name=link.name)
    if link.mass > 0:
        inertial = SubElement(found, "inertial")
        _urdf_origin(inertial, link.centre_of_mass)
        SubElement(inertial, "mass", value=_numbers([link.mass]))
        SubElement(inertial, "inertia", {name: _numbers([value]) for name, value in _moments(link)})
    for kind in ("visual", "collision"):
        for center, name, sizes in _primitives(link.shape):
            shape = SubElement(found, kind)
            _urdf_origin(shape, center)
            texts = {key: _numbers(size) for key, size in sizes.items()}
            SubElement(SubElement(shape, "geometry"), name, texts)


def _primitives(
    shape: Cuboid | Cylinder | None,
) -> Iterator[tuple[FloatArray, str, Mapping[str, Iterable[float]]]]:
    """Centre (3,) m, name and sizes [m] of the bodies that URDF and SDF know; three for a capsule."""
    if isinstance(shape, Cuboid):
        yield shape.center, "box", {"size": 2 * shape.half_size}
    if isinstance(shape, Cylinder):
        yield shape.center, "cylinder", {"radius": [shape.radius], "length": [shape.length]}
        end = np.array([0.0, 0.0, shape.length / 2])
        for center in (shape.center - end, shape.center + end) if shape.capped else ():
            yield center, "sphere", {"radius": [shape.radius]}


def _moments(link: RigidLink) -> Iterable[tuple[str, float]]:
    """The six entries of the inertia tensor by the names of URDF and SDF."""
    pairs = ((0, 0, "ixx"), (0, 1, "ixy"), (0, 2, "ixz"), (1, 1, "iyy"), (1, 2, "iyz"), (2, 2, "izz"))
    return [(name, float(link.inertia[i, j])) for i, j, name in pairs]


def _urdf_joint(robot: Element, joint: Joint) -> None:
    moves = joint.kind in ("revolute", "prismatic")
    kind = "continuous" if joint.kind == "revolute" and joint.limits is None else joint.kind
    found = SubElement(robot, "joint", name=joint.name, type=kind)
    _urdf_origin(found, joint.position, _angles(joint.rotation))
    SubElement(found, "parent", link=joint.parent)
    SubElement(found, "child", link=joint.child)
    if moves:
        SubElement(found, "axis", xyz=_numbers(joint.axis))
    if moves and joint.limits is not None:
        lower, upper = (_numbers([limit]) for limit in joint.limits)
        SubElement(found, "limit", lower=lower, upper=upper, effort=NOT_MODELLED, velocity=NOT_MODELLED)


def _urdf_cylinder(link: Element, name: str, ends: FloatArray, radius: float) -> None:
    middle, angles, length = _along(ends)
    visual = SubElement(link, "visual", name=name)
    _urdf_origin(visual, middle, angles)
    size = {"radius": _numbers([radius]), "length": _numbers([length])}
    SubElement(SubElement(visual, "geometry"), "cylinder", size)


# ---------------------------------------------------------------- SDF


def sdf_file(design: Design) -> DesignFile:
    """The robot for Gazebo and Drake: its base is fixed to the world, a floating link has no joint.

    SDF gives a link without mass one kilogram. What is fixed and has no mass is a frame instead; the base,
    whose mass moves nothing, has ``LEAST_MASS``.
    """
    mechanism = required_mechanism(design)
    root = Element("sdf", version=SDF_VERSION)
    model = SubElement(root, "model", name=design.model.name)
    _sdf_pose(model, np.zeros(3), _angles(upright(mechanism.up)))
    poses = mechanism.poses()
    massless = {link.name for link in mechanism.links if not link.mass and link.shape is None}
    frames = [joint for joint in mechanism.joints if joint.kind == "fixed" and joint.child in massless]
    drawn = {joint.child for joint in frames}
    for link in mechanism.links:
        if link.name not in drawn:
            _sdf_link(model, link, *poses[link.name])
    for joint in frames:
        frame = SubElement(model, "frame", name=joint.child, attached_to=joint.parent)
        _sdf_pose(frame, joint.position, _angles(joint.rotation))
    base = next(link for link in model.iter("link") if link.get("name") == mechanism.base)
    for wheel in _wheels_of(design):
        _sdf_cylinder(base, wheel.name.replace(" ", "_") + "_wheel", wheel.ends, wheel.radius)
    for cable, ends in mechanism.cable_ends():
        radius = max(cable.diameter / 2, _LEAST_RADIUS)
        _sdf_cylinder(base, cable.name, _straight_part(design, cable, ends), radius)
        for name, link, point in (
            (f"{cable.name}_pulley", mechanism.base, cable.start),
            (f"{cable.name}_attachment", cable.link, cable.end),
        ):
            _sdf_pose(SubElement(model, "frame", name=name, attached_to=link), point)
    still = Joint("world_joint", "fixed", "world", mechanism.base, np.zeros(3), np.eye(3), _X)
    for joint in (still, *mechanism.joints):
        if joint.child not in drawn:
            _sdf_joint(model, joint)
    return DesignFile(_document(root, _remarks(design, mechanism)), _warnings(design, mechanism))


def _sdf_pose(parent: Element, position: FloatArray, angles: Iterable[float] = (0.0, 0.0, 0.0)) -> None:
    SubElement(parent, "pose").text = _numbers([*position, *angles])


def _text(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = text


def _sdf_link(model: Element, link: RigidLink, position: FloatArray, rotation: FloatArray) -> None:
    found = SubElement(model, "link", name=link.name)
    _sdf_pose(found, position, _angles(rotation))
    body = link if link.mass > 0 else replace(link, mass=LEAST_MASS, inertia=LEAST_INERTIA * np.eye(3))
    inertial = SubElement(found, "inertial")
    _sdf_pose(inertial, body.centre_of_mass)
    _text(inertial, "mass", _numbers([body.mass]))
    inertia = SubElement(inertial, "inertia")
    for name, value in _moments(body):
        _text(inertia, name, _numbers([value]))
    for kind in ("visual", "collision"):
        for number, (center, name, sizes) in enumerate(_primitives(link.shape), 1):
            part = f"_{number}" if number > 1 else ""
            shape = SubElement(found, kind, name=f"{link.name}_{kind}{part}")
            _sdf_pose(shape, center)
            body = SubElement(SubElement(shape, "geometry"), name)
            for key, size in sizes.items():
                _text(body, key, _numbers(size))


def _sdf_cylinder(link: Element, name: str, ends: FloatArray, radius: float) -> None:
    middle, angles, length = _along(ends)
    visual = SubElement(link, "visual", name=name)
    _sdf_pose(visual, middle, angles)
    cylinder = SubElement(SubElement(visual, "geometry"), "cylinder")
    _text(cylinder, "radius", _numbers([radius]))
    _text(cylinder, "length", _numbers([length]))


def _sdf_joint(model: Element, joint: Joint) -> None:
    if joint.kind == "floating":
        return
    found = SubElement(model, "joint", name=joint.name, type=joint.kind)
    _text(found, "parent", joint.parent)
    _text(found, "child", joint.child)
    if joint.kind == "fixed":
        return
    axis = SubElement(found, "axis")
    _text(axis, "xyz", _numbers(joint.axis))
    limit = SubElement(axis, "limit")
    lower, upper = joint.limits or _UNLIMITED
    _text(limit, "lower", _numbers([lower]))
    _text(limit, "upper", _numbers([upper]))


class _Wheel(NamedTuple):
    """A wheel, swivelled as drawn: middle (3,) m, unit vector (3,) along its axle, radius m."""

    name: str
    center: FloatArray
    axle: FloatArray
    radius: float

    @property
    def ends(self) -> FloatArray:
        """Middles (2, 3) m of its two faces."""
        half = _WHEEL_WIDTH * self.radius / 2 * self.axle
        return np.array([self.center - half, self.center + half])


def _wheels_of(design: Design) -> Iterator[_Wheel]:
    """Yield the wheels of a design."""
    for group, name, points in design.lines():
        if group == _WHEELS:
            center = points[:-1].mean(axis=0)
            spokes = points - center
            radius = float(np.linalg.norm(spokes[0]))
            normal = np.cross(spokes[0], spokes[len(points) // 4])
            yield _Wheel(name, center, normal / np.linalg.norm(normal), radius)


def _straight_part(design: Design, cable: StraightCable, ends: FloatArray) -> FloatArray:
    """Return the ends (2, 3) m of a cable without its part on a wheel, the wheel's end first."""
    number = int(cable.name.rpartition("_")[2])
    wheel = next((each for each in _wheels_of(design) if each.name == f"pulley {number}"), None)
    drawn = next(
        (shape for shape in design.scene.shapes if isinstance(shape, Line) and shape.number == number), None
    )
    if wheel is None or drawn is None:
        return ends
    beside = np.abs(np.linalg.norm(drawn.points - wheel.center, axis=1) - wheel.radius)
    leaving = drawn.points[np.argmax(beside <= _ON_WHEEL * max(1.0, wheel.radius))]
    return np.array([leaving, ends[1]])
