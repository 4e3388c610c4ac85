"""Compiled distances of convex bodies in space.

The algorithm of Gilbert, Johnson and Keerthi (IEEE J. Robotics and Automation 4(2), 1988): the distance of
two bodies is that of the origin from their Minkowski difference, found with simplices whose corners are
points of its surface. One kernel serves all pairs of segments, boxes, cylinders, triangles and convex hulls,
and stops as soon as it has proved that a pair is farther apart than another one.

A capsule is a segment, and a cable too, whose radius is taken off the distance.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from models.arrays import FloatArray
from models.jit import inner
from models.numerics.vector_kernels import Vector, add, cross, dot, row, scale, turn, turn_back

BOX, CYLINDER, SEGMENT, HULL = 0, 1, 2, 3  # kinds of bodies
ROUNDS = 200  # of the iteration; polytopes take a handful, cylinders some dozens
EXACT = 1e-14  # of the squared distance: what a further corner must gain
TOUCHING = 1e-12  # of the bodies' size: closer ones touch


class Convex(NamedTuple):
    """A convex body.

    Attributes
    ----------
    kind : int
        BOX, CYLINDER, SEGMENT or HULL.
    size : (3,) float, m
        Half sizes of a box; radius, half length and 0 of a cylinder; 0, half length and 0 of a segment.
        Cylinder and segment lie along the z axis of the body's frame.
    points : (n, 3) float, m
        Corners of a hull in the body's frame.
    rotation : (3, 3) float
        Body to world.
    position : (3,) float, m
        Origin of the body's frame in the world: the middle of all kinds but hulls.
    """

    kind: int
    size: FloatArray
    points: FloatArray
    rotation: FloatArray
    position: FloatArray


@inner
def farthest_point(body: Convex, direction: Vector) -> Vector:
    """The point [m] of the body that is farthest along a direction, world frame."""
    along = turn_back(body.rotation, direction)
    size = body.size
    if body.kind == BOX:
        point = (
            math.copysign(size[0], along[0]),
            math.copysign(size[1], along[1]),
            math.copysign(size[2], along[2]),
        )
    elif body.kind == HULL:
        best, most = 0, -math.inf
        for number in range(body.points.shape[0]):
            reach = dot(row(body.points[number]), along)
            if reach > most:
                best, most = number, reach
        point = row(body.points[best])
    else:
        across = math.sqrt(along[0] * along[0] + along[1] * along[1])
        share = size[0] / across if across > 0.0 else 0.0
        point = (share * along[0], share * along[1], math.copysign(size[1], along[2]))
    return add(row(body.position), turn(body.rotation, point))


@inner
def _nearest_on_edge(a: Vector, b: Vector) -> tuple[float, float]:
    """Weights of ``a`` and ``b`` in the point of their segment that is nearest to the origin."""
    edge = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    square = dot(edge, edge)
    share = min(max(-dot(a, edge) / square, 0.0), 1.0) if square > 0.0 else 0.0
    return 1.0 - share, share


@inner
def _nearest_on_triangle(a: Vector, b: Vector, c: Vector) -> Vector:
    """Weights of the corners in the point of a triangle that is nearest to the origin.

    It is inside where the origin is above the inside, else on an edge.
    """
    normal = cross(add(b, scale(-1.0, a)), add(c, scale(-1.0, a)))
    u, v, w = dot(normal, cross(b, c)), dot(normal, cross(c, a)), dot(normal, cross(a, b))
    if u > 0.0 and v > 0.0 and w > 0.0:
        total = u + v + w
        return u / total, v / total, w / total
    return _nearest_on_edges(a, b, c)


@inner
def _combined(a: Vector, b: Vector, c: Vector, weights: Vector) -> Vector:
    """The point with the weights of three corners."""
    return add(add(scale(weights[0], a), scale(weights[1], b)), scale(weights[2], c))


@inner
def _nearest_on_edges(a: Vector, b: Vector, c: Vector) -> Vector:
    """The same of the edges of a triangle."""
    u, v = _nearest_on_edge(a, b)
    best = (u, v, 0.0)
    point = _combined(a, b, c, best)
    least = dot(point, point)
    u, v = _nearest_on_edge(b, c)
    point = _combined(a, b, c, (0.0, u, v))
    if dot(point, point) < least:
        best, least = (0.0, u, v), dot(point, point)
    u, v = _nearest_on_edge(c, a)
    point = _combined(a, b, c, (v, 0.0, u))
    if dot(point, point) < least:
        best = (v, 0.0, u)
    return best


@inner
def _keep(simplex: FloatArray, weights: Vector, places: tuple[int, int, int]) -> int:
    """Move the corners with a weight to the front of the simplex, their number."""
    count = 0
    for weight, place in zip(weights, places):  # noqa: B905 - numba knows no strict
        if weight > 0.0:
            for axis in range(3):
                simplex[count, axis] = simplex[place, axis]
            count += 1
    return count


@inner
def _reduce(simplex: FloatArray, count: int, apart: bool) -> tuple[int, Vector]:
    """Keep the corners whose hull holds the point nearest to the origin: their number, and that point.

    0 corners where the origin is inside a tetrahedron. It is not where the bodies are known to be ``apart``,
    whatever rounding says of a flat tetrahedron.
    """
    a, b = row(simplex[0]), row(simplex[1])
    if count == 2:
        u, v = _nearest_on_edge(a, b)
        return _keep(simplex, (u, v, 0.0), (0, 1, 1)), add(scale(u, a), scale(v, b))
    c = row(simplex[2])
    if count == 3:
        weights = _nearest_on_triangle(a, b, c)
        return _keep(simplex, weights, (0, 1, 2)), _combined(a, b, c, weights)
    least, best, places = math.inf, (0.0, 0.0, 0.0), (-1, -1, -1)
    for p, q, r, s in ((0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 3, 1), (1, 2, 3, 0)):
        x, y, z, other = row(simplex[p]), row(simplex[q]), row(simplex[r]), row(simplex[s])
        normal = cross(add(y, scale(-1.0, x)), add(z, scale(-1.0, x)))
        if not apart and dot(normal, x) * dot(normal, add(x, scale(-1.0, other))) > 0.0:
            continue  # the origin is on the side of the fourth corner
        weights = _nearest_on_triangle(x, y, z)
        point = _combined(x, y, z, weights)
        if dot(point, point) < least:
            least, best, places = dot(point, point), weights, (p, q, r)
    if places[0] < 0:
        return 0, (0.0, 0.0, 0.0)
    x, y, z = row(simplex[places[0]]), row(simplex[places[1]]), row(simplex[places[2]])
    point = _combined(x, y, z, best)
    return _keep(simplex, best, places), point


@inner
def _difference(first: Convex, second: Convex, direction: Vector) -> Vector:
    """The point of ``first - second`` that is farthest along a direction."""
    point = farthest_point(second, scale(-1.0, direction))
    return add(farthest_point(first, direction), scale(-1.0, point))


@inner
def _is_corner(simplex: FloatArray, count: int, point: Vector) -> bool:
    for place in range(count):
        if simplex[place, 0] == point[0] and simplex[place, 1] == point[1] and simplex[place, 2] == point[2]:
            return True
    return False


@inner
def convex_distance(first: Convex, second: Convex, enough: float, simplex: FloatArray) -> float:
    """Distance [m] of two bodies, 0 where they touch; some number from ``enough`` [m] on if it is not less.

    ``simplex`` is memory (4, 3).
    """
    start = add(row(first.position), scale(-1.0, row(second.position)))
    point = _difference(first, second, scale(-1.0, start))
    for axis in range(3):
        simplex[0, axis] = point[axis]
    count, nearest, square, apart = 1, point, dot(point, point), False
    size = square
    for _ in range(ROUNDS):
        if square <= TOUCHING * TOUCHING * size:
            return 0.0
        point = _difference(first, second, scale(-1.0, nearest))
        size = max(size, dot(point, point))
        reach = dot(point, nearest)
        if reach > 0.0 and reach * reach >= enough * enough * square:
            return reach / math.sqrt(square)
        apart = apart or reach > EXACT * size
        if square - reach <= EXACT * square or _is_corner(simplex, count, point):
            break
        for axis in range(3):
            simplex[count, axis] = point[axis]
        count, nearer = _reduce(simplex, count + 1, apart)
        if count == 0:
            return 0.0
        if not dot(nearer, nearer) < square:
            break  # no digit is left to gain
        nearest, square = nearer, dot(nearer, nearer)
    return math.sqrt(square)


@inner
def overlap_along(first: Convex, second: Convex, direction: Vector) -> float:
    """Length [m] by which the first body would have to move along minus a unit vector to leave the second."""
    return dot(_difference(first, second, direction), direction)
