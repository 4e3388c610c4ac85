"""Arms of foreign files: joints in a row on the platform, as a table of Denavit-Hartenberg rows.

The convention is the modified one of :mod:`models.hybrid_cable_robot.bodies`. Frames of a file that already
follow it are kept. Others are replaced by frames with x along the common normal from each axis to the next,
as Craig (Introduction to Robotics, 3.4) assigns them; a joint's zero stays that of the file.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from models.hybrid_cable_robot.bodies import ARM_JOINTS
from models.hybrid_cable_robot.parameter_types import MOST_JOINTS
from studies.exchange.imported_robot import FloatArray, RobotReading, body_record
from studies.exchange.link_tree import Body, Frame

KINDS = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic"}
_PARALLEL = 1e-6  # sine of the angle between two axes below which they count as parallel
_SAME = 1e-9  # [m], [1]; by which a frame may miss the convention
_ALIKE = 1e-6  # [m], [rad]; by which an arm may differ from the default one
_NONE = Body(0.0, np.zeros(3), np.zeros((3, 3)))


class ArmJoint(NamedTuple):
    """A joint of a chain at zero.

    ``pose`` is that of its child in its parent, the child of the joint before, ``axis`` (3,) of length 1 and
    ``body`` are in the child's frame; ``limits`` are in rad or m.
    """

    name: str
    kind: str
    pose: Frame
    axis: FloatArray
    body: Body | None
    limits: tuple[float, float] | None


def read_arm(
    reading: RobotReading,
    base: Frame,
    joints: Sequence[ArmJoint],
    tool: FloatArray | None = None,
    posture: Sequence[float] | None = None,
) -> None:
    """Take the joints, links, limits and base of an arm, whose first joint hangs on ``base`` of the platform.

    ``tool`` (3,) m is a point in the frame of the last child. ``posture`` (n,) are the coordinates at which
    the file shows the arm; zero, as far as limits allow, if left out. Of the paper's arm only links and
    limits are taken, as its joints are the default.
    """
    rows, bodies, base, tool = _chain(base, joints, tool)
    reading.parameters |= {
        "arm_links": [body_record(each.mass, each.centre.tolist(), each.inertia) for each in bodies],
        "arm_base_position": base.position.tolist(),
        "arm_base_rotation": rotation_vector(base.rotation).tolist(),
    }
    if tool is not None and np.abs(tool).max() > _SAME:
        reading.parameters["arm_tool"] = tool.tolist()
    if _are_papers(rows):
        given = [joint.limits for joint in joints if joint.limits is not None]
        if len(given) == len(joints):
            reading.parameters["arm_joint_limits"] = [list(ends) for ends in zip(*given, strict=True)]
        return
    limits = [_limits(reading, joint) for joint in joints]
    shown = [0.0] * len(joints) if posture is None else posture
    reading.parameters |= {
        "arm_joints": rows,
        "arm_joint_limits": [list(ends) for ends in zip(*limits, strict=True)],
        "arm_posture": [min(max(value, low), high) for value, (low, high) in zip(shown, limits, strict=True)],
    }
    tip = "" if "arm_tool" in reading.parameters else "; its tool is the origin of the last frame (arm_tool)"
    named = ", ".join(joint.name[:40] for joint in joints)
    reading.assumed.append(
        f"the platform carries an arm of {len(joints)} joint{'s' * (len(joints) > 1)} ({named}), as modified "
        f"Denavit-Hartenberg rows (arm_joints){tip}"
    )


def _chain(
    base: Frame, joints: Sequence[ArmJoint], tool: FloatArray | None
) -> tuple[list[dict[str, Any]], list[Body], Frame, FloatArray | None]:
    """Rows of the joints, bodies in their frames, frame of the first row, and the tool in the last frame."""
    rows = _rows_as_given(joints)
    if rows is not None:
        return rows, [joint.body or _NONE for joint in joints], base, tool
    frames = _common_normals(base, joints)
    places = list(_places(base, joints))
    steps = zip(itertools.pairwise(frames), joints, strict=True)
    bodies = [
        (joint.body or _NONE).seen_from(frame.back().then(place))
        for joint, frame, place in zip(joints, frames[1:], places, strict=True)
    ]
    if tool is not None:
        tool = frames[-1].back().then(places[-1]).then(Frame(tool, np.eye(3))).position
    return [_row(*pair, joint.kind) for pair, joint in steps], bodies, frames[0], tool


def is_short(joints: Sequence[object]) -> bool:
    """True if an arm has no more joints than the back-end knows."""
    return 0 < len(joints) <= MOST_JOINTS


def rotation_vector(rotation: FloatArray) -> FloatArray:
    """The rotation vector (3,) rad, also of half a turn."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(rotation).as_rotvec(), dtype=np.float64)


def _limits(reading: RobotReading, joint: ArmJoint) -> tuple[float, float]:
    """Limits of a joint: at most half a turn to each side without any, and no travel."""
    slides = KINDS[joint.kind] == "prismatic"
    if joint.limits is not None:
        return joint.limits
    what = "no travel" if slides else "half a turn to each side"
    reading.assumed.append(f"the joint '{joint.name[:40]}' of the arm has no limits in the file: {what}")
    return (0.0, 0.0) if slides else (-math.pi, math.pi)


def _rows_as_given(joints: Sequence[ArmJoint]) -> list[dict[str, Any]] | None:
    """Rows of frames that follow the convention; None where one does not."""
    rows: list[dict[str, Any]] = []
    for joint in joints:
        R, p = joint.pose.rotation, joint.pose.position
        alpha, offset = math.atan2(-R[1, 2], R[2, 2]), math.atan2(-R[0, 1], R[0, 0])
        ca, sa = math.cos(alpha), math.sin(alpha)
        misses = (R[0, 2], ca * p[1] + sa * p[2], *(joint.axis - [0.0, 0.0, 1.0]))
        if max(map(abs, misses)) > _SAME:
            return None
        rows.append(_record(joint.kind, float(p[0]), alpha, float(ca * p[2] - sa * p[1]), offset))
    return rows


def _are_papers(rows: Sequence[Mapping[str, Any]]) -> bool:
    """True for the table of the back-end's default arm."""
    if [row["kind"] for row in rows] != [joint.kind for joint in ARM_JOINTS]:
        return False
    names = ("a", "alpha", "d", "offset")
    pairs = zip(rows, ARM_JOINTS, strict=True)
    return all(abs(row[name] - getattr(joint, name)) <= _ALIKE for row, joint in pairs for name in names)


def _record(kind: str, a: float, alpha: float, d: float, offset: float) -> dict[str, Any]:
    return {"kind": KINDS[kind], "a": a, "alpha": alpha, "d": d, "offset": offset}


def _places(base: Frame, joints: Sequence[ArmJoint]) -> Iterator[Frame]:
    """Poses of the joints' children on the platform, at zero."""
    for joint in joints:
        base = base.then(joint.pose)
        yield base


def _common_normals(base: Frame, joints: Sequence[ArmJoint]) -> list[Frame]:
    """Frames 0 to n of the convention on the platform, the first one at the first joint of the file."""
    places = list(_places(base, joints))
    points = [place.position for place in places]
    axes = [place.rotation @ joint.axis for place, joint in zip(places, joints, strict=True)]
    x = _across(axes[0], places[0].rotation[:, 0])
    frames: list[Frame] = []
    for number, (point, z) in enumerate(zip(points, axes, strict=True)):
        origin = point
        if number + 1 < len(axes):
            origin, x = _normal(point, z, points[number + 1], axes[number + 1], x)
        else:
            x = _across(z, x)
        frames.append(Frame(origin, np.column_stack([x, np.cross(z, x), z])))
    return [Frame(points[0], frames[0].rotation), *frames]


def _normal(
    p: FloatArray, z: FloatArray, q: FloatArray, w: FloatArray, before: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Foot on the axis z through p of the common normal to the axis w through q, and its direction.

    Of parallel axes the normal through p; of axes that are one, the direction of the normal ``before``.
    """
    across, between = np.cross(z, w), q - p
    sine = float(np.linalg.norm(across))
    if sine < _PARALLEL:
        level = between - (between @ z) * z
        distance = float(np.linalg.norm(level))
        return p, level / distance if distance > _SAME else _across(z, before)
    along = float(np.cross(between, w) @ across) / sine**2
    return p + along * z, across / sine


def _across(z: FloatArray, x: FloatArray) -> FloatArray:
    """The direction nearest to x at right angles to z; any of them where x is along z."""
    level = x - (x @ z) * z
    if np.linalg.norm(level) < _PARALLEL:
        axis = np.eye(3)[int(np.argmin(np.abs(z)))]
        level = axis - (axis @ z) * z
    return np.asarray(level / np.linalg.norm(level), dtype=np.float64)


def _row(first: Frame, second: Frame, kind: str) -> dict[str, Any]:
    """The row that leads from a frame to the next one."""
    x, z, u, w = first.rotation[:, 0], first.rotation[:, 2], second.rotation[:, 0], second.rotation[:, 2]
    step = second.position - first.position
    alpha = math.atan2(float(np.cross(z, w) @ x), float(z @ w))
    offset = math.atan2(float(np.cross(x, u) @ w), float(x @ u))
    return _record(kind, float(step @ x), alpha, float(step @ w), offset)
