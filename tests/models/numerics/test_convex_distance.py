"""Distances of convex bodies and meshes beside coal, an independent code, and beside closed forms."""

import itertools

import numpy as np
import pytest

from models.hybrid_cable_robot.collisions.distances import segment_distance
from models.jit import entry
from models.numerics.convex_distance import BOX, CYLINDER, HULL, SEGMENT, Convex, convex_distance
from models.numerics.rotations import rotation_matrix
from models.numerics.triangle_trees import DEPTH, encloses, mesh_distance, mesh_fault, triangle_trees
from tests.left_out import package

KINDS = {"box": BOX, "cylinder": CYLINDER, "segment": SEGMENT, "hull": HULL, "triangle": HULL}
PAIRS = list(itertools.combinations_with_replacement(KINDS, 2))


@entry
def fill_distances(first, second, enough, found):
    """Distance of two bodies."""
    found[0] = convex_distance(first, second, enough, np.empty((4, 3)))


@entry
def fill_mesh_distances(tree, body, found):
    """Distances of a body from each mesh, and whether its middle is inside."""
    stack = np.empty(DEPTH, np.int64)
    for mesh in range(len(tree.roots)):
        found[0, mesh] = mesh_distance(tree, mesh, body, np.inf, np.empty((4, 3)), stack)
        place = (body.position[0], body.position[1], body.position[2])
        found[1, mesh] = encloses(tree, mesh, place, stack)


def distance(first, second, enough=np.inf):
    found = np.empty(1)
    fill_distances(first, second, enough, found)
    return found[0]


def random_body(random, name, spread=1.0):
    """A body of 1 cm to 1 m somewhere."""
    sizes = 10.0 ** random.uniform(-2.0, 0.0, 3)
    corners = {"hull": 12, "triangle": 3}.get(name, 1)
    points = random.normal(size=(corners, 3)) * sizes
    rotation, position = rotation_matrix(random.normal(size=3) * 2.0), random.normal(size=3) * spread
    size = {"segment": [0.0, sizes[1], 0.0], "cylinder": [sizes[0], sizes[1], 0.0]}.get(name, sizes)
    return Convex(KINDS[name], np.array(size), points, rotation, position)


def in_coal(coal, name, body):
    """The same body, with its place, in coal."""
    if name == "box":
        shape = coal.Box(*(2.0 * body.size))
    elif name == "cylinder":
        shape = coal.Cylinder(body.size[0], 2.0 * body.size[1])
    elif name == "segment":
        shape = coal.Capsule(0.0, 2.0 * body.size[1])
    elif name == "triangle":
        shape = mesh_in_coal(coal, body.points, [(0, 1, 2)])
    else:
        points = coal.StdVec_Vec3s()
        points.extend(list(body.points))
        shape = coal.Convex.convexHull(points, False, "")
    return shape, coal.Transform3s(body.rotation, body.position)


def mesh_in_coal(coal, vertices, faces):
    """A mesh in coal, which has no distances of single triangles."""
    model, points, sides = coal.BVHModelOBBRSS(), coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    points.extend(list(vertices))
    sides.extend([coal.Triangle(*map(int, face)) for face in faces])
    model.beginModel(len(faces), len(vertices))
    model.addSubModel(points, sides)
    model.endModel()
    return model


def distance_in_coal(coal, *pairs):
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance, request.gjk_max_iterations = 1e-10, 1000
    (first, at), (second, there) = pairs
    return coal.distance(first, at, second, there, request, result)


@pytest.mark.parametrize("names", PAIRS, ids="-".join)
def test_random_pairs_are_as_far_apart_as_in_coal(names):
    coal = package("coal", "distances beside coal")
    random, apart = np.random.default_rng(1), 0
    for number in range(1000):
        bodies = [random_body(random, name, 1.0 if number % 2 else 0.3) for name in names]
        expected = distance_in_coal(coal, *(in_coal(coal, *each) for each in zip(names, bodies, strict=True)))
        found = distance(*bodies)
        apart += expected > 1e-6
        np.testing.assert_allclose(found, max(expected, 0.0), atol=2e-6, err_msg=f"pair {number}")
        np.testing.assert_allclose(distance(*bodies[::-1]), found, atol=1e-9)
    assert apart > 20


def test_far_pairs_stop_early_with_a_distance_that_is_enough():
    random = np.random.default_rng(2)
    for _ in range(500):
        box, segment = (random_body(random, name) for name in ("box", "segment"))
        exact = distance(box, segment)
        for share in (0.3, 0.9, 1.1):
            found = distance(box, segment, share * exact)
            assert (share * exact <= found <= exact + 1e-12) if share < 1 else np.isclose(found, exact)


def test_segments_are_as_far_apart_as_their_definition_says():
    random = np.random.default_rng(3)
    for number in range(1000):
        first, second = (random_body(random, "segment") for _ in range(2))
        if number % 5 == 0:  # parallel
            second = second._replace(rotation=first.rotation)
        ends = [body.position + sign * body.size[1] * body.rotation[:, 2] for body in (first, second)
                for sign in (-1, 1)]  # fmt: skip
        np.testing.assert_allclose(distance(first, second), segment_distance(*ends), atol=1e-10)


def sphere(triangles=1280):
    """A unit sphere's triangles, with as many as the next subdivision has."""
    trimesh = package("trimesh", "meshes")
    mesh = trimesh.creation.icosphere(int(np.log2(triangles / 20) / 2))
    return np.array(mesh.vertices), np.array(mesh.faces)


@pytest.mark.parametrize("name", KINDS)
def test_meshes_are_as_far_away_as_in_coal(name):
    coal = package("coal", "distances beside coal")
    random = np.random.default_rng(4)
    vertices, faces = sphere()
    vertices = vertices * [0.6, 0.3, 1.0] + [0.1, 0.0, -0.2]
    model = mesh_in_coal(coal, vertices, faces)
    tree, apart = triangle_trees([vertices[faces]]), 0
    for _ in range(200):
        body = random_body(random, name)
        expected = distance_in_coal(coal, (model, coal.Transform3s.Identity()), in_coal(coal, name, body))
        found = np.empty((2, 1))
        fill_mesh_distances(tree, body, found)
        apart += expected > 1e-6
        np.testing.assert_allclose(found[0, 0], max(expected, 0.0), atol=2e-6)
    assert apart > 50


def test_the_hull_of_two_points_is_as_far_away_as_the_segment_between_them():
    """The search of a mesh bounds its nodes differently for the two."""
    random = np.random.default_rng(6)
    vertices, faces = sphere()
    tree, apart = triangle_trees([vertices[faces] * [0.6, 0.3, 1.0]]), 0
    for _ in range(300):
        segment = random_body(random, "segment")
        ends = (
            np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]) * segment.size[1] * random.choice([0.0, 1.0, 1.0])
        )
        hull = segment._replace(kind=HULL, points=ends)
        found, expected = np.empty((2, 1)), np.empty((2, 1))
        fill_mesh_distances(tree, hull, found)
        fill_mesh_distances(tree, segment._replace(size=np.array([0.0, ends[1, 2], 0.0])), expected)
        apart += expected[0, 0] > 1e-6
        np.testing.assert_allclose(found, expected, atol=1e-12)
    assert apart > 100


def test_points_inside_several_meshes():
    random = np.random.default_rng(5)
    vertices, faces = sphere()
    block = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    trimesh = package("trimesh", "meshes")
    cube = trimesh.convex.convex_hull(block)
    hollow = np.concatenate([2.0 * vertices[faces], vertices[faces][:, ::-1]])
    tree = triangle_trees([hollow, np.array(cube.vertices)[cube.faces]])
    for _ in range(1000):
        point = random.uniform(-2.2, 2.2, 3)
        radius = np.linalg.norm(point)
        if min(abs(radius - 1.0), abs(radius - 2.0)) < 0.02:
            continue
        body = random_body(random, "box")._replace(position=point, size=np.zeros(3))
        found = np.empty((2, 2))
        fill_mesh_distances(tree, body, found)
        assert found[1].tolist() == [1.0 < radius < 2.0, np.abs(point).max() < 1.0]
        outside = np.maximum(np.abs(point) - 1.0, 0.0)
        gap = np.linalg.norm(outside) if outside.any() else 1.0 - np.abs(point).max()
        np.testing.assert_allclose(found[0, 1], gap, atol=1e-10)


CUBE = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
CLOSED = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip


def test_faults_of_a_mesh_name_its_place():
    assert mesh_fault(CUBE, CLOSED) == ""
    assert "the edge from vertex 1 to vertex 3 belongs to 1 triangle," in mesh_fault(CUBE, CLOSED[:-1])
    strange = CLOSED.copy()
    strange[4, 1] = 8
    assert "triangle 4 names vertices [0, 8, 5]" in mesh_fault(CUBE, strange)
    flat = CLOSED.copy()
    flat[7] = [2, 7, 7]
    assert "triangle 7 is degenerate" in mesh_fault(CUBE, flat)
