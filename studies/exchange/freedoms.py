"""Freedoms of an imported robot: what its file says, as far as its points and cables allow it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray
from models.hybrid_cable_robot.freedoms import FREEDOMS, NORMALS, ON_LINE, PLANAR, POINTS, Freedoms, Plane

THICKNESS = 1.0
"""Extent [m] of the space of a planar robot along the normal: volumes in m^3 are then areas in m^2."""
_FLAT = 1e-6  # of the extent of all points: as close as this they lie in a plane


class FittedFreedoms(NamedTuple):
    """Freedoms with the points (m, 3) m that go with them; ``told`` are sentences on what was assumed."""

    freedoms: Freedoms
    plane: Plane
    pulleys: FloatArray
    attachments: FloatArray
    told: Sequence[str]


def fitted_freedoms(
    freedoms: Freedoms,
    plane: Plane | None,
    pulleys: FloatArray,
    attachments: FloatArray,
    place: FloatArray | None = None,
) -> FittedFreedoms:
    """Return the freedoms that points (m, 3) m and their number allow.

    ``plane`` is None where the file does not say it, ``place`` (3,) m is where it has the platform. One whose
    cables meet in a point does not turn. One on fewer cables than freedoms stays in the plane in which all
    points lie, or is taken as upright.
    """
    told: list[str] = []
    found = _allowed(freedoms, pulleys, attachments, np.zeros(3) if place is None else place)
    if found != freedoms:
        told.append(_reason(freedoms, found, len(pulleys)))
    if found in PLANAR and plane is None:
        flat = plane_of(pulleys, attachments if place is None else attachments + place)
        plane = flat or "xy"
        told.append(
            f"the platform stays in the plane {plane}"
            + (", in which all points lie (plane)" if flat else ", as the format has it (plane)")
        )
    if found in POINTS and np.ptp(attachments, axis=0).max() > 0:
        told.append(
            "the platform does not turn, so that its cables are drawn to one point, its origin: each pulley "
            "is moved by as much as its attachment lies beside it, which keeps all directions and lengths"
        )
        pulleys, attachments = pulleys - attachments, np.zeros_like(attachments)
    return FittedFreedoms(found, plane or "xz", pulleys, attachments, told)


def _allowed(freedoms: Freedoms, pulleys: FloatArray, attachments: FloatArray, place: FloatArray) -> Freedoms:
    """Return the freedoms that the cables can hold, of those that the file names."""
    size = float(np.abs(np.ptp(attachments, axis=0)).max())
    is_point = size <= ON_LINE * (float(np.ptp(pulleys, axis=0).max()) or 1.0)
    if freedoms in POINTS:
        return freedoms
    too_few = len(pulleys) < FREEDOMS[freedoms]
    if freedoms in PLANAR or (too_few and plane_of(pulleys, attachments + place)):
        return "2T" if is_point else "1R2T"
    return "3T" if is_point or too_few else freedoms


def _reason(given: Freedoms, found: Freedoms, cables: int) -> str:
    """Return the sentence on freedoms other than the file's."""
    if found in PLANAR:
        why = "all points lie in one plane"
    elif cables >= FREEDOMS[given]:
        why = "all cables end in one point of the platform"
    else:
        why = f"{cables} cables cannot hold a body that turns: it hangs upright, tilting is not tested"
    return f"the motion pattern is {found} and not {given} (freedoms): {why}"


def plane_of(pulleys: FloatArray, attachments: FloatArray) -> Plane | None:
    """Return the plane of two axes in which pulleys and attachments (m, 3) m lie, if there is one."""
    points = np.concatenate([pulleys, attachments])
    size = float(np.ptp(points, axis=0).max())
    for plane, normal in NORMALS.items():
        if np.ptp(points[:, normal]) <= _FLAT * size:
            return plane
    return None


def flat_inertia(inertia: FloatArray, plane: Plane) -> FloatArray:
    """Return an inertia (3, 3) kg m^2 of which only the moment about the normal is given, as of a flat body.

    The moments about the two axes in the plane are then half of it each.
    """
    normal = NORMALS[plane]
    moment = float(inertia[normal, normal])
    if np.abs(inertia).sum() > moment:
        return inertia
    return np.diag([moment if axis == normal else moment / 2 for axis in range(3)])


def plane_space(
    lower: FloatArray, upper: FloatArray, plane: Plane, place: float
) -> tuple[FloatArray, FloatArray]:
    """Return corners (3,) m whose middle along the normal is the plane of the robot at ``place`` [m]."""
    normal = NORMALS[plane]
    lower, upper = lower.copy(), upper.copy()
    lower[normal], upper[normal] = place - THICKNESS / 2, place + THICKNESS / 2
    return lower, upper


def cables_cross(fitted: FittedFreedoms, place: FloatArray) -> bool:
    """Return True if two cables of a planar robot cross, the platform at ``place`` (3,) m, not turned.

    Cables that share an end do not cross.
    """
    axes = [axis for axis in range(3) if axis != NORMALS[fitted.plane]]
    starts, ends = fitted.pulleys[:, axes], (fitted.attachments + place)[:, axes]
    for first, second in itertools.combinations(range(len(starts)), 2):
        a, b, c, d = starts[first], ends[first], starts[second], ends[second]
        beside = [_side(a, b, c), _side(a, b, d)], [_side(c, d, a), _side(c, d, b)]
        if all(one * other < 0 for one, other in beside):
            return True
    return False


def _side(start: FloatArray, end: FloatArray, point: FloatArray) -> float:
    """Return the side of a line on which a point (2,) lies, 0 next to it; relative to the lengths."""
    along, beside = end - start, point - start
    area = float(along[0] * beside[1] - along[1] * beside[0])
    return 0.0 if abs(area) <= _FLAT * float(along @ along) else area
