"""Triangle meshes as trees of boxes: faults of a mesh, its tree, and compiled distances from it.

Each node of a tree has the least box, with faces along the world's axes, around its triangles. A search looks
into the nearer half of a node first, and into none that is farther away than what it has found. For segments,
such as cables, a bound along one direction is enough to tell; other bodies have their distance from the box.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.arrays import FloatArray, IntArray
from models.jit import inner
from models.numerics.convex_distance import BOX, HULL, Convex, convex_distance, farthest_point
from models.numerics.vector_kernels import Vector, add, cross, dot, row, scale, turn

MOST_TRIANGLES = 20_000  # of a mesh: a study file holds each as numbers
LEAF = 4  # triangles in a leaf, at most
DEPTH = 64  # of a tree, at most; halves of n triangles need log2(n)
THIN = 1e-9  # height of a degenerate triangle, of the mesh's size
ASLANT = (0.5435241731, 0.6190117263, 0.5669871298)  # ray of the test of enclosure; along no usual edge


class TriangleTree(NamedTuple):
    """The trees of k meshes, their nodes one mesh after the other, each node before those below it.

    Attributes
    ----------
    roots : (k,) int
        The first node of each mesh.
    middles, half_sizes : (n, 3) float, m
        Boxes of the nodes, world frame.
    others : (n,) int
        The second of the two nodes below, of which the first is the next node; 0 for a leaf.
    firsts, counts : (n,) int
        Triangles of a leaf.
    triangles : (t, 3, 3) float, m
        Corners, world frame.
    origin : (3,) float
        Zeros.
    axes : (3, 3) float
        The identity.
    """

    roots: IntArray
    middles: FloatArray
    half_sizes: FloatArray
    others: IntArray
    firsts: IntArray
    counts: IntArray
    triangles: FloatArray
    origin: FloatArray
    axes: FloatArray


def mesh_fault(vertices: FloatArray, triangles: IntArray) -> str:
    """The fault of a mesh with vertices (n, 3) m and triangles (k, 3) of them; empty if there is none.

    Its surface must be closed: each edge belongs to two triangles.
    """
    outside = (triangles < 0) | (triangles >= len(vertices))
    if outside.any():
        number = int(np.argmax(outside.any(axis=1)))
        return (
            f"triangle {number} names vertices {triangles[number].tolist()}, but the vertices are numbered "
            f"from 0 to {len(vertices) - 1}"
        )
    corners = vertices[triangles]
    sides = np.roll(corners, -1, axis=1) - corners
    doubled = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    longest = np.linalg.norm(sides, axis=2).max(axis=1)
    size = float(np.ptp(vertices, axis=0).max()) if len(vertices) else 0.0
    thin = doubled <= THIN * size * longest
    if thin.any():
        number = int(np.argmax(thin))
        return f"triangle {number} is degenerate: its corners {corners[number].tolist()} m lie on one line"
    ends = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    edges, counts = np.unique(ends, axis=0, return_counts=True)
    if (counts != 2).any():
        number = int(np.argmax(counts != 2))
        count = int(counts[number])
        first, second = edges[number].tolist()
        return (
            f"the mesh is not closed: the edge from vertex {first} to vertex {second} belongs to "
            f"{count} triangle{'s' * (count > 1)}, and each edge of a closed mesh to two"
        )
    return ""


def triangle_trees(meshes: list[FloatArray]) -> TriangleTree:
    """The trees of meshes, each the corners (t, 3, 3) m of its triangles in the world."""
    roots: list[int] = []
    boxes: list[tuple[FloatArray, FloatArray]] = []
    links: list[tuple[int, int, int]] = []
    ordered: list[FloatArray] = []
    for triangles in meshes:
        roots.append(len(boxes))
        before = sum(len(each) for each in ordered)
        order = _add_node(triangles, np.arange(len(triangles)), before, boxes, links)
        ordered.append(triangles[order])
    lows, highs = (np.array([box[end] for box in boxes]).reshape(-1, 3) for end in (0, 1))
    others, firsts, counts = np.array(links, dtype=np.int64).reshape(-1, 3).T.copy()
    return TriangleTree(
        np.array(roots, dtype=np.int64),
        (lows + highs) / 2,
        (highs - lows) / 2,
        others,
        firsts,
        counts,
        np.concatenate([np.empty((0, 3, 3)), *ordered]),
        np.zeros(3),
        np.eye(3),
    )


def _add_node(
    triangles: FloatArray,
    chosen: IntArray,
    first: int,
    boxes: list[tuple[FloatArray, FloatArray]],
    links: list[tuple[int, int, int]],
) -> NDArray[np.int64]:
    """Add the node of the chosen triangles and those below it; the triangles in the order of the leaves."""
    corners = triangles[chosen].reshape(-1, 3)
    node = len(boxes)
    boxes.append((corners.min(axis=0), corners.max(axis=0)))
    links.append((0, first, len(chosen)))
    if len(chosen) <= LEAF:
        return chosen
    centers = triangles[chosen].mean(axis=1)
    axis = int(np.argmax(np.ptp(centers, axis=0)))
    order = chosen[np.argsort(centers[:, axis], kind="stable")]
    half = len(order) // 2
    below = _add_node(triangles, order[:half], first, boxes, links)
    links[node] = (len(boxes), first, 0)
    above = _add_node(triangles, order[half:], first + half, boxes, links)
    return np.concatenate([below, above])


class _Extent(NamedTuple):
    """A segment from ``start`` by ``step`` [m], or for other bodies the diagonal of the box around them."""

    is_segment: bool
    start: Vector
    step: Vector


@inner
def _extent(body: Convex) -> _Extent:
    """The extent of a body, world frame."""
    if body.kind == HULL and body.points.shape[0] == 2:
        first, last = row(body.points[0]), row(body.points[1])
        start = add(row(body.position), turn(body.rotation, first))
        return _Extent(True, start, turn(body.rotation, add(last, scale(-1.0, first))))
    low = (
        farthest_point(body, (-1.0, 0.0, 0.0))[0],
        farthest_point(body, (0.0, -1.0, 0.0))[1],
        farthest_point(body, (0.0, 0.0, -1.0))[2],
    )
    high = (
        farthest_point(body, (1.0, 0.0, 0.0))[0],
        farthest_point(body, (0.0, 1.0, 0.0))[1],
        farthest_point(body, (0.0, 0.0, 1.0))[2],
    )
    return _Extent(False, low, add(high, scale(-1.0, low)))


@inner
def _way_to(extent: _Extent, point: Vector) -> tuple[float, Vector]:
    """Distance [m] of a segment from a point, and the shortest way to it."""
    away, step = add(point, scale(-1.0, extent.start)), extent.step
    square = dot(step, step)
    share = min(max(dot(away, step) / square, 0.0), 1.0) if square > 0.0 else 0.0
    away = add(away, scale(-share, step))
    return math.sqrt(dot(away, away)), away


@inner
def _gap(extent: _Extent, tree: TriangleTree, node: int) -> float:
    """Lower bound [m] of the distance of a body from a node: of a segment, along the way to its middle."""
    half, middle, step = tree.half_sizes[node], row(tree.middles[node]), extent.step
    if extent.is_segment:
        distance, away = _way_to(extent, middle)
        reach = abs(away[0]) * half[0] + abs(away[1]) * half[1] + abs(away[2]) * half[2]
        return distance - reach / distance if distance > 0.0 else 0.0
    away = add(middle, scale(-1.0, extent.start))
    x = max(max(-away[0], away[0] - step[0]) - half[0], 0.0)
    y = max(max(-away[1], away[1] - step[1]) - half[1], 0.0)
    z = max(max(-away[2], away[2] - step[2]) - half[2], 0.0)
    return math.sqrt(x * x + y * y + z * z)


@inner
def _corner_gap(extent: _Extent, corners: FloatArray) -> float:
    """Lower bound [m] of the distance of a segment from a triangle: along the way to its middle."""
    a, b, c = row(corners[0]), row(corners[1]), row(corners[2])
    middle = scale(1.0 / 3.0, add(add(a, b), c))
    distance, away = _way_to(extent, middle)
    nearest = min(dot(a, away), dot(b, away), dot(c, away)) - dot(middle, away)
    return distance + nearest / distance if distance > 0.0 else 0.0


@inner
def mesh_distance(
    tree: TriangleTree, mesh: int, body: Convex, enough: float, simplex: FloatArray, stack: IntArray
) -> float:
    """Distance [m] of a body from the surface of a mesh, 0 where they touch, or ``enough`` [m] if it is less.

    ``simplex`` and ``stack`` are memory (4, 3) and (DEPTH,).
    """
    extent = _extent(body)
    least, count = enough, 1
    stack[0] = tree.roots[mesh]
    while count > 0 and least > 0.0:
        count -= 1
        node = stack[count]
        if _gap(extent, tree, node) >= least:
            continue
        half_size = tree.half_sizes[node]
        if not extent.is_segment:
            box = Convex(BOX, half_size, tree.axes, tree.axes, tree.middles[node])
            if convex_distance(box, body, least, simplex) >= least:
                continue
        if tree.others[node] == 0:
            for number in range(tree.firsts[node], tree.firsts[node] + tree.counts[node]):
                if extent.is_segment and _corner_gap(extent, tree.triangles[number]) >= least:
                    continue
                triangle = Convex(HULL, half_size, tree.triangles[number], tree.axes, tree.origin)
                least = min(least, convex_distance(triangle, body, least, simplex))
            continue
        nearer, farther = node + 1, tree.others[node]
        if _gap(extent, tree, farther) < _gap(extent, tree, nearer):
            nearer, farther = farther, nearer
        stack[count], stack[count + 1] = farther, nearer
        count += 2
    return least


@inner
def _ray_meets_box(point: Vector, middle: FloatArray, half_size: FloatArray) -> bool:
    """True if the ray from a point along ``ASLANT`` meets a box."""
    enter, leave = 0.0, math.inf
    for axis in range(3):
        step = ASLANT[axis]
        enter = max(enter, (middle[axis] - half_size[axis] - point[axis]) / step)
        leave = min(leave, (middle[axis] + half_size[axis] - point[axis]) / step)
    return enter <= leave


@inner
def _ray_meets_triangle(point: Vector, corners: FloatArray) -> bool:
    """The same of a triangle (3, 3) m (Moeller and Trumbore 1997)."""
    a = row(corners[0])
    first, second = add(row(corners[1]), scale(-1.0, a)), add(row(corners[2]), scale(-1.0, a))
    across = cross(ASLANT, second)
    volume = dot(first, across)
    if volume == 0.0:
        return False
    start = add(point, scale(-1.0, a))
    u = dot(start, across) / volume
    turned = cross(start, first)
    v = dot(ASLANT, turned) / volume
    return u >= 0.0 and v >= 0.0 and u + v <= 1.0 and dot(second, turned) / volume > 0.0


@inner
def encloses(tree: TriangleTree, mesh: int, point: Vector, stack: IntArray) -> bool:
    """True if a point [m] is inside the surface of a mesh: a ray leaves it an odd number of times."""
    inside, count = False, 1
    stack[0] = tree.roots[mesh]
    while count > 0:
        count -= 1
        node = stack[count]
        if not _ray_meets_box(point, tree.middles[node], tree.half_sizes[node]):
            continue
        if tree.others[node] == 0:
            for number in range(tree.firsts[node], tree.firsts[node] + tree.counts[node]):
                inside = inside != _ray_meets_triangle(point, tree.triangles[number])
            continue
        stack[count], stack[count + 1] = node + 1, tree.others[node]
        count += 2
    return inside
