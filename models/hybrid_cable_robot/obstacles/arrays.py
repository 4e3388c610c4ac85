"""Obstacles, floor, platform and the capsules around the arm as arrays for the kernels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.arm.kinematics import chain_of, forward_kinematics
from models.hybrid_cable_robot.arm.weight_moments import rest_posture
from models.hybrid_cable_robot.parameter_types import Point
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import pulley_points
from models.hybrid_cable_robot.shapes import Obstacle, Shape, TriangleMesh
from models.numerics.convex_distance import BOX, CYLINDER, HULL, SEGMENT
from models.numerics.rotations import rotation_matrix, turn
from models.numerics.triangle_trees import TriangleTree, triangle_trees

KINDS = {"box": BOX, "cylinder": CYLINDER, "capsule": SEGMENT, "mesh": HULL}
SHORTEST_LINK = 1e-9  # [m]: frames with the same origin have no capsule between them


class Solids(NamedTuple):
    """Solids around a robot, its platform and its arm: what all kernels of obstacles take.

    Attributes
    ----------
    kinds : (k,) int
        Of the obstacles, as in :mod:`models.numerics.convex_distance`.
    sizes : (k, 3) float, m
        Likewise.
    radii : (k,) float, m
        What lies around them: the radius of a capsule, 0 for others.
    rotations : (k, 3, 3) float
        Obstacle to world.
    positions : (k, 3) float, m
        In the world.
    meshes : (k,) int
        Number in ``tree`` of the obstacles that are meshes, -1 for others.
    tree : TriangleTree
    floor : float, m
        Height of the floor, minus infinity without one.
    platform_kind : int
    platform_size : (3,) float, m
    platform_points : (n, 3) float, m, platform frame
    platform_radius : float, m
        The same of the platform.
    cable_radii : (m,) float, m
    relief : float, m
        Length of the part of a cable next to its pulley that does not count for obstacles and floor, and of
        that next to the platform that does not count for the arm.
    capsules : (p, l, 2, 3) float, m, platform frame
        Ends of the capsules around the arm in each posture.
    capsule_radii : (l,) float, m
    wheel_pairs : (k, 2) int
        Cables whose wheels are tested against each other.
    clearance : float, m
        Gap that all must keep.
    check_obstacles, check_arm : bool
    """

    kinds: IntArray
    sizes: FloatArray
    radii: FloatArray
    rotations: FloatArray
    positions: FloatArray
    meshes: IntArray
    tree: TriangleTree
    floor: float
    platform_kind: int
    platform_size: FloatArray
    platform_points: FloatArray
    platform_radius: float
    cable_radii: FloatArray
    relief: float
    capsules: FloatArray
    capsule_radii: FloatArray
    wheel_pairs: IntArray
    clearance: float
    check_obstacles: bool
    check_arm: bool


def solids_of(parameters: HybridCableRobot) -> Solids:
    """The arrays of a parameter record."""
    obstacles = parameters.obstacles
    meshes = np.cumsum([each.mesh is not None for each in obstacles], dtype=np.int64)
    shape = parameters.platform_shape
    kind, size, radius = (
        (BOX, np.array(parameters.platform_half_size), 0.0) if shape is None else _size(shape)
    )
    capsules, capsule_radii = arm_capsules(parameters)
    return Solids(
        kinds=np.array([KINDS[each.kind] for each in obstacles], dtype=np.int64),
        sizes=np.array([_size(each)[1] for each in obstacles]).reshape(-1, 3),
        radii=np.array([_size(each)[2] for each in obstacles]),
        rotations=np.array([rotation_matrix(np.array(each.rotation)) for each in obstacles]).reshape(
            -1, 3, 3
        ),
        positions=np.array([each.position for each in obstacles]).reshape(-1, 3),
        meshes=np.where([each.mesh is not None for each in obstacles], meshes - 1, -1).astype(np.int64),
        tree=_tree(tuple(each for each in obstacles if each.mesh is not None)),
        floor=-np.inf if parameters.floor is None else parameters.floor,
        platform_kind=kind,
        platform_size=size,
        platform_points=np.zeros((1, 3)) if shape is None or shape.mesh is None else _hull(shape.mesh),
        platform_radius=radius,
        cable_radii=np.array(np.broadcast_to(parameters.cable_diameter, len(parameters.attachments))) / 2.0,
        relief=parameters.attachment_relief,
        capsules=capsules,
        capsule_radii=capsule_radii,
        wheel_pairs=wheel_pairs(parameters),
        clearance=parameters.obstacle_clearance,
        check_obstacles=parameters.check_obstacles and parameters.has_surroundings,
        check_arm=parameters.check_arm,
    )


def wheel_pairs(parameters: HybridCableRobot) -> IntArray:
    """Pairs (k, 2) of cables whose wheels may overlap as they swivel, if ``check_interference`` tests cables.

    A wheel of radius r reaches at most 2 r from its pulley point, which lies on it.
    """
    cables = len(parameters.attachments)
    radii = np.broadcast_to(parameters.pulley_radius, cables)
    if not parameters.check_interference or not np.any(radii):
        return np.empty((0, 2), dtype=np.int64)
    widths = np.broadcast_to(parameters.cable_diameter, cables)
    reaches = np.where(radii > 0.0, 2.0 * radii + widths / 2, -np.inf)
    first, second = np.triu_indices(cables, 1)
    points = pulley_points(parameters)
    near = np.linalg.norm(points[first] - points[second], axis=1) <= reaches[first] + reaches[second]
    return np.column_stack([first, second])[near]


def _size(shape: Shape) -> tuple[int, FloatArray, float]:
    """Kind and size of a shape, and the radius of a capsule around its segment."""
    half = (shape.length or 0.0) / 2.0
    radius = shape.radius or 0.0
    if shape.half_size is not None:
        return BOX, np.array(shape.half_size), 0.0
    if shape.kind == "capsule":
        return SEGMENT, np.array([0.0, half, 0.0]), radius
    return KINDS[shape.kind], np.array([radius, half, 0.0]), 0.0


@lru_cache(maxsize=16)  # a search makes the same obstacles anew for each design
def _tree(obstacles: tuple[Obstacle, ...]) -> TriangleTree:
    return triangle_trees([corners for each in obstacles for corners in mesh_corners(each)])


def mesh_corners(obstacle: Obstacle) -> Iterator[FloatArray]:
    """Corners (t, 3, 3) m of the triangles of an obstacle in the world, if it is a mesh."""
    if obstacle.mesh is not None:
        rotation = rotation_matrix(np.array(obstacle.rotation))
        vertices = np.array(obstacle.position) + np.array(obstacle.mesh.vertices) @ rotation.T
        yield vertices[np.array(obstacle.mesh.triangles)]


@lru_cache(maxsize=16)
def _hull(mesh: TriangleMesh) -> FloatArray:
    """Vertices (n, 3) m of the convex hull of a mesh."""
    from scipy.spatial import ConvexHull

    points = np.array(mesh.vertices)
    return points[ConvexHull(points).vertices]


def arm_capsules(parameters: HybridCableRobot) -> tuple[FloatArray, FloatArray]:
    """Ends (p, l, 2, 3) m of the arm's capsules in each posture, platform frame, and their radii (l,) m."""
    chosen = parameters.arm_postures
    listed = chosen is not None and chosen != "range"
    postures = np.array(chosen if listed else [rest_posture(parameters)])
    return capsules_at(parameters, postures)


class _Capsule(NamedTuple):
    """A capsule between points (3,) m of the frames of two links, 0 for the arm's base."""

    links: tuple[int, int]
    ends: tuple[Point, Point]
    radius: float


def capsules_at(parameters: HybridCableRobot, postures: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ends (p, l, 2, 3) m of the capsules at postures (p, n), platform frame, and their radii (l,) m."""
    given = parameters.arm_capsules
    capsules = (
        tuple(_derived_capsules(parameters))
        if given is None
        else tuple(_Capsule((each.link, each.link), (each.start, each.end), each.radius) for each in given)
    )
    positions, rotations = forward_kinematics(postures, parameters.arm_joints)
    positions = np.concatenate([np.zeros((len(postures), 1, 3)), positions], axis=1)
    rotations = np.concatenate([np.tile(np.eye(3), (len(postures), 1, 1, 1)), rotations], axis=1)
    ends = np.array([each.ends for each in capsules]).reshape(-1, 2, 3)
    links = np.array([each.links for each in capsules], dtype=np.int64).reshape(-1, 2)
    placed = positions[:, links] + turn(rotations[:, links], ends)
    base = rotation_matrix(np.array(parameters.arm_base_rotation))
    place = np.array(parameters.arm_base_position)
    return place + placed @ base.T, np.array([each.radius for each in capsules])


def _derived_capsules(parameters: HybridCableRobot) -> Iterator[_Capsule]:
    """Capsules from joint to joint, from the base on, and from the last joint to the tool.

    Without a tool of its own, to the last link's centre of mass.
    """
    chain, count = chain_of(parameters.arm_joints), len(parameters.arm_joints)
    radii = np.broadcast_to(parameters.arm_radii, count).tolist()
    none = (0.0, 0.0, 0.0)
    for joint, (origin, slides) in enumerate(zip(chain.origins, chain.sliding, strict=True)):
        if slides or np.linalg.norm(origin) > SHORTEST_LINK:
            yield _Capsule((joint, joint + 1), (none, none), radii[max(joint - 1, 0)])
    if count:
        tool = parameters.arm_tool if any(parameters.arm_tool) else parameters.arm_links[-1].centre_of_mass
        if np.linalg.norm(tool) > SHORTEST_LINK:
            yield _Capsule((count, count), (none, tool), radii[-1])
