"""Proofs that a position passes every test at all rotations within the limit: boxes of rotations, halved.

What is to be proved, the *claims*: no cable cuts the platform, no two cables touch, lengths and speeds of
cables keep their limits, and each corner of each box of wrenches is held. A box of rotations settles the
claims that it can, by :mod:`.rotated_geometry_kernels` and :mod:`.tension_law_kernels`; the parts of the box,
halved along its longer axes, take over those that stay open. A test that fails at the centre of a box, or at
its *aim*, where first order makes it most likely, settles the position, too. After ``DEPTH`` halvings what
is still open is undecided.

The *total orientation* of a position is the greatest angle in every direction: every rotation by at most
this angle passes, about any axis. The ball of these rotation vectors is proved like a box, without the parts
of the cube around it that lie outside. Of a sequence of balls whose radii differ by a step, the last one that
is proved is found by bisection.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.bodies import GRAVITY
from models.hybrid_cable_robot.bounds.rotated_geometry_kernels import GEOMETRY, TOUCHING, fails, is_shown
from models.hybrid_cable_robot.bounds.rotation_kernels import (
    Turned,
    fill_cables,
    fill_derivatives,
    fill_turns,
    new_turned,
)
from models.hybrid_cable_robot.bounds.tension_law_kernels import Law, find_center, find_tight_cables, new_law
from models.hybrid_cable_robot.cables.geometry_kernels import fill_matrix
from models.hybrid_cable_robot.cell_results import PASSED, UNPROVED, WRENCH
from models.hybrid_cable_robot.robot import Load, Robot
from models.hybrid_cable_robot.wrench.capacity_kernels import Scratch, matrix_margin, wrench_scratch
from models.jit import entry, inner
from models.numerics.rotation_kernels import rotated
from models.numerics.vector_kernels import Vector, add, cross, length, put, row, scale, turn

DEPTH = 4  # halvings for the cells of a grid
FINE_DEPTH = 6  # halvings for single positions
LONG = 0.5  # axes longer than this share of the longest are halved
FALL = -float(GRAVITY[2])


class Proof(NamedTuple):
    """Memory for proofs.

    Attributes
    ----------
    depth : int
        Greatest number of halvings.
    ball : bool
        Whether only the ball within the whole box counts.
    turned : Turned
    law : Law
    scratch : Scratch
    aimed : (3, 3) float
        The rotation at the aim of a box.
    corners : (v, 6) float, N
        Corners of the box of wrenches less its centre, torques divided by L.
    center : (6,) float, N
        Centre of the wrenches at a rotation.
    starts : (c + p, m) float, N
        Tensions that held each claim's wrench last, and those that held the centre of each posture's.
    places, halves : (s, 3) float
        Stack of boxes, as shares of the whole one.
    depths : (s,) int
    open : (s, 4 + p * v) bool
        Claims that are open in them.
    """

    depth: int
    ball: bool
    turned: Turned
    law: Law
    scratch: Scratch
    aimed: FloatArray
    corners: FloatArray
    center: FloatArray
    starts: FloatArray
    places: FloatArray
    halves: FloatArray
    depths: IntArray
    open: NDArray[np.bool_]


def new_proof(robot: Robot, depth: int = DEPTH, *, ball: bool = False) -> Proof:
    """Memory for the proofs of a robot's positions."""
    cables, boxes = len(robot.pulleys), 7 * depth + 8
    half_range = robot.load_range * robot.rows
    signs = np.meshgrid(*([-1.0, 1.0] if half > 0.0 else [0.0] for half in half_range), indexing="ij")
    corners = np.column_stack([each.ravel() for each in signs]) * half_range
    claims = len(GEOMETRY) + len(corners) * len(robot.first_moments)
    return Proof(
        depth=depth,
        ball=ball,
        turned=new_turned(cables),
        law=new_law(robot, len(corners)),
        scratch=wrench_scratch(robot),
        aimed=np.zeros((3, 3)),
        corners=corners,
        center=np.zeros(6),
        starts=np.empty((claims + len(robot.first_moments), cables)),
        places=np.zeros((boxes, 3)),
        halves=np.zeros((boxes, 3)),
        depths=np.zeros(boxes, np.int64),
        open=np.zeros((boxes, claims), np.bool_),
    )


@inner
def _turn_to_aim(robot: Robot, box: int, known: Proof) -> bool:
    """Fill the rotation at the aim in a box; False where it lies outside the ball that counts."""
    vector: Vector = (0.0, 0.0, 0.0)
    square = 0.0
    for k in range(robot.spans.shape[0]):
        share = known.places[box, k] + known.halves[box, k] * known.turned.aim[k]
        square += share * share
        vector = add(vector, scale(share, row(robot.spans[k])))
    for axis in range(3):
        for other in range(3):
            known.aimed[axis, other] = 1.0 if axis == other else 0.0
    rotated(vector, known.aimed, known.aimed)
    return not known.ball or square <= 1.0


@inner
def _fill_center(robot: Robot, posture: int, rotation: FloatArray, out: FloatArray) -> Vector:
    """Fill the scaled centre (6,) of a posture's wrenches at a rotation (3, 3); its first moment."""
    s = turn(rotation, row(robot.first_moments[posture]))
    for axis in range(3):
        out[axis] = robot.wrench_center[axis]
        out[3 + axis] = robot.wrench_center[3 + axis] / robot.length_scale
    _add_fall(out, s, FALL / robot.length_scale)
    return s


@inner
def _fill_moment(robot: Robot, posture: int, known: Proof) -> float:
    """Fill the centre of a posture's wrenches and its derivatives along the turns; ``|s| g / L`` [N]."""
    turned, out, factor = known.turned, known.law.moment, FALL / robot.length_scale
    s = _fill_center(robot, posture, turned.rotation, out[0])
    for line in range(1, 10):
        for axis in range(6):
            out[line, axis] = 0.0
    pair = 4
    for k in range(3):
        first = cross(row(turned.turns[k]), s)
        _add_fall(out[1 + k], first, factor)
        for j in range(k, 3):
            second = cross(row(turned.turns[j]), s)
            bent = add(cross(row(turned.turns[k]), second), cross(row(turned.turns[j]), first))
            _add_fall(out[pair], scale(0.5, bent), factor)
            pair += 1
    return length(s) * factor


@inner
def _add_fall(out: FloatArray, s: Vector, factor: float) -> None:
    """Add ``s x (0, 0, -factor)`` to the torque of a wrench."""
    out[3] -= factor * s[1]
    out[4] += factor * s[0]


@inner
def _cannot_hold(
    robot: Robot, position: FloatArray, posture: int, rotation: FloatArray, known: Proof
) -> bool:
    """True if the wrenches of a posture are not held at a rotation (3, 3)."""
    if not fill_matrix(robot, rotation, position, known.scratch.W):
        return True
    _fill_center(robot, posture, rotation, known.center)
    load = Load(
        known.center, robot.load_range, robot.f_min, robot.f_max, robot.lower, robot.upper, robot.own_limits,
        robot.rows, robot.rank, robot.tolerance,
    )  # fmt: skip
    return matrix_margin(load, -robot.tolerance, known.scratch) < -robot.tolerance


@inner
def _center_tensions(robot: Robot, known: Proof, place: int) -> bool:
    """Find the analytic centre of the tensions that hold ``law.wrench``, from where it was found last."""
    law = known.law
    for cable in range(law.center.shape[0]):
        law.center[cable] = known.starts[place, cable]
    found = find_center(law, known.turned.rays.W, robot.tolerance)
    for cable in range(law.center.shape[0]):
        middle = 0.5 * (law.limits[cable, 0] + law.limits[cable, 1])
        known.starts[place, cable] = law.center[cable] if found else middle
    return found


@inner
def _settle_together(
    robot: Robot, known: Proof, posture: int, heft: float, claims: NDArray[np.bool_]
) -> None:
    """Settle the claims (v,) of those corners of a posture's wrenches that the G of their centre shows."""
    law, corners = known.law, known.corners
    for line in range(6):
        law.wrench[line] = law.moment[0, line]
    if not _center_tensions(robot, known, known.open.shape[1] + posture):
        return
    for corner in range(corners.shape[0]):
        for line in range(6):
            law.wrenches[line, corner] = law.moment[0, line] + corners[corner, line]
        for cable in range(law.center.shape[0]):
            tension = law.center[cable]
            for i in range(law.rows.shape[0]):
                tension -= law.gains[cable, i] * corners[corner, law.rows[i]]
            law.tensions[cable, corner] = tension
    find_tight_cables(law, known.turned, heft, 10.0 * robot.tolerance, corners.shape[0])
    for corner in range(corners.shape[0]):
        claims[corner] &= law.tight[corner] >= 0


@inner
def _holds(robot: Robot, known: Proof, claim: int, corner: int, heft: float) -> bool:
    """True if a corner of the wrenches is held at every rotation of the box."""
    law = known.law
    for line in range(6):
        law.wrench[line] = law.wrenches[line, 0] = law.moment[0, line] + known.corners[corner, line]
    if not _center_tensions(robot, known, claim):
        put(known.turned.aim, (0.0, 0.0, 0.0))
        return False
    for cable in range(law.center.shape[0]):
        law.tensions[cable, 0] = law.center[cable]
    find_tight_cables(law, known.turned, heft, 10.0 * robot.tolerance, 1)
    cable = law.tight[0]
    for k in range(3):
        aside = law.rates[k, cable, 0] * law.sides[0] > 0.0
        known.turned.aim[k] = 0.0 if cable < 0 else (-1.0 if aside else 1.0)
    return cable < 0


@inner
def _distance(spans: FloatArray, box: int, share: float, known: Proof) -> float:
    """Distance of a box from the middle of the whole one, as a share of its half side.

    That of the nearest point where ``share`` is 1, that of the centre where it is 0.
    """
    square = 0.0
    for k in range(spans.shape[0]):
        square += max(abs(known.places[box, k]) - share * known.halves[box, k], 0.0) ** 2
    return math.sqrt(square)


@inner
def _is_new(spans: FloatArray, box: int, known: Proof) -> bool:
    """True if the centre of a box counts and has not been tested before, as that of the whole box has."""
    return known.depths[box] > 0 and not (known.ball and _distance(spans, box, 0.0, known) > 1.0)


@inner
def _settle_geometry(robot: Robot, position: FloatArray, box: int, known: Proof, can: bool) -> int:
    """Settle the claims of the geometry; the verdict of a test that fails at centre or aim, else PASSED."""
    turned, claims = known.turned, known.open[box]
    for claim in range(len(GEOMETRY)):
        if not claims[claim]:
            continue
        if _is_new(robot.spans, box, known) and fails(robot, position, claim, turned.rotation, turned):
            return GEOMETRY[claim]
        claims[claim] = not (can and is_shown(robot, position, claim, turned))
        aimed = claims[claim] and can and claim == TOUCHING and _turn_to_aim(robot, box, known)
        if aimed and fails(robot, position, claim, known.aimed, turned):
            return GEOMETRY[claim]
    return PASSED


@inner
def _settle_posture(
    robot: Robot, position: FloatArray, box: int, posture: int, known: Proof, can: bool
) -> int:
    """Settle the claims of a posture; WRENCH where one is not held at centre or aim, else PASSED."""
    corners, claims = known.corners.shape[0], known.open[box]
    first = len(GEOMETRY) + posture * corners
    wanted = known.open[box, first : first + corners].sum()
    if not wanted:
        return PASSED
    heft = _fill_moment(robot, posture, known)
    turned = known.turned
    if _is_new(robot.spans, box, known) and _cannot_hold(robot, position, posture, turned.rotation, known):
        return WRENCH
    if can and corners > 1:
        _settle_together(robot, known, posture, heft, claims[first : first + corners])
    for corner in range(corners):
        if not (can and claims[first + corner]):
            continue
        claims[first + corner] = not _holds(robot, known, first + corner, corner, heft)
        aimed = claims[first + corner] and _turn_to_aim(robot, box, known)
        if aimed and _cannot_hold(robot, position, posture, known.aimed, known):
            return WRENCH
        if claims[first + corner] and known.depths[box] < known.depth:
            break
    return PASSED


@inner
def _settle(robot: Robot, position: FloatArray, box: int, known: Proof) -> int:
    """Settle the claims of a box; the verdict of a test that fails at its centre or aim, else PASSED.

    The centre of the whole box has been tested before.
    """
    turned = known.turned
    can = fill_turns(robot.spans, known.places[box], known.halves[box], turned)
    can = can and fill_cables(robot, position, turned)
    verdict = _settle_geometry(robot, position, box, known, can)
    if can:
        fill_derivatives(robot, turned)
    for posture in range(robot.first_moments.shape[0]):
        if verdict == PASSED:
            verdict = _settle_posture(robot, position, box, posture, known, can)
    return verdict


@inner
def _push_parts(spans: FloatArray, box: int, top: int, known: Proof) -> int:
    """Put the parts of a box with its open claims on the stack, over it; the new height of the stack."""
    place, half = known.turned.work[0], known.turned.work[1]
    longest = 0.0
    for k in range(spans.shape[0]):
        place[k], half[k] = known.places[box, k], known.halves[box, k]
        longest = max(longest, half[k] * length(row(spans[k])))
    parts, depth = 1, known.depths[box]
    for k in range(spans.shape[0]):
        if half[k] * length(row(spans[k])) > LONG * longest:
            parts *= 2
    for part in range(parts):
        target, bits = top + part, part
        for k in range(spans.shape[0]):
            known.places[target, k], known.halves[target, k] = place[k], half[k]
            if half[k] * length(row(spans[k])) > LONG * longest:
                known.halves[target, k] = 0.5 * half[k]
                known.places[target, k] += (0.5 if bits & 1 else -0.5) * half[k]
                bits >>= 1
        known.depths[target] = depth + 1
        for claim in range(known.open.shape[1]):
            known.open[target, claim] = known.open[top, claim]
    return top + parts


@inner
def _begin(robot: Robot, known: Proof) -> None:
    """Put the whole box with all claims on the stack."""
    known.depths[0] = 0
    for k in range(3):
        known.places[0, k], known.halves[0, k] = 0.0, 1.0
    for claim in range(known.open.shape[1]):
        known.open[0, claim] = True
    for place in range(known.starts.shape[0]):
        for cable in range(known.starts.shape[1]):
            known.starts[place, cable] = 0.5 * (known.law.limits[cable, 0] + known.law.limits[cable, 1])
    known.open[0, 0], known.open[0, 1] = robot.check_platform, robot.check_interference
    known.open[0, 2], known.open[0, 3] = (
        robot.has_limits,
        robot.has_limits and math.isfinite(robot.rate_limit),
    )


@inner
def _prove(robot: Robot, position: FloatArray, known: Proof) -> tuple[int, int]:
    """PASSED, UNPROVED or the verdict of the test that fails, and the number of boxes examined."""
    _begin(robot, known)
    top, boxes, verdict = 1, 0, PASSED
    while top:
        top -= 1
        boxes += 1
        if known.ball and _distance(robot.spans, top, 1.0, known) > 1.0:
            continue
        found = _settle(robot, position, top, known)
        if found != PASSED:
            return found, boxes
        if known.open[top].any():
            if known.depths[top] < known.depth:
                top = _push_parts(robot.spans, top, top, known)
            else:
                return UNPROVED, boxes
    return verdict, boxes


@entry
def exclude_unproved(robot: Robot, positions: FloatArray, known: Proof, verdicts: NDArray[np.int8]) -> int:
    """Exclude positions (n, 3) m that have passed at some rotations, but are not proved to pass at all.

    Returns the number of boxes of rotations examined.
    """
    total = 0
    for cell in range(positions.shape[0]):
        if verdicts[cell] == PASSED:
            verdicts[cell], boxes = _prove(robot, positions[cell], known)
            total += boxes
    return total


@inner
def _proves_ball(robot: Robot, position: FloatArray, axes: FloatArray, angle: float, known: Proof) -> bool:
    """True if a position passes after every rotation by at most ``angle`` [rad]."""
    for k in range(axes.shape[0]):
        put(robot.spans[k], scale(angle, row(axes[k])))
    return _prove(robot, position, known)[0] == PASSED


@entry
def least_total_orientation(
    robot: Robot, positions: FloatArray, axes: FloatArray, step: float, steps: int, known: Proof
) -> float:
    """Least total orientation [rad] of positions (n, 3) m that pass where the platform is not turned.

    ``axes`` (k, 3) are those about which the platform turns, ``robot.spans`` (k, 3) is memory. Angles are
    multiples of ``step`` [rad], at most ``steps`` of them.
    """
    reached = steps
    for index in range(positions.shape[0]):
        least, most, middle = 0, reached + 1, reached
        while most - least > 1:
            if _proves_ball(robot, positions[index], axes, middle * step, known):
                least = middle
            else:
                most = middle
            middle = (least + most) // 2
        reached = least
    return reached * step
