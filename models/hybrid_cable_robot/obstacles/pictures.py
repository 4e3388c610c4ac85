"""Obstacles, floor, platform and the arm's capsules as pictures and other programs show them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.arrays import FloatArray, IntArray
from models.hybrid_cable_robot.obstacles.arrays import capsules_at
from models.hybrid_cable_robot.parameters import HybridCableRobot
from models.hybrid_cable_robot.robot import pulley_points
from models.hybrid_cable_robot.shapes import Shape
from models.numerics.rotations import rotation_matrix
from models.scene import Box, Surface

SECTIONS = 24  # of a drawn cylinder or capsule
_SQUARE = np.array([[0, 1, 2], [0, 2, 3]])


def surrounding_solids(parameters: HybridCableRobot) -> Iterator[Box | Surface]:
    """The obstacles and the floor, which reaches as far as the space and the pulleys."""
    for number, each in enumerate(parameters.obstacles, 1):
        place, rotation = np.array(each.position), rotation_matrix(np.array(each.rotation))
        yield drawn(f"obstacle {number}", each, place, rotation)
    if parameters.floor is not None:
        (x, y), (right, back) = floor_corners(parameters)
        z = parameters.floor
        corners = np.array([[x, y, z], [right, y, z], [right, back, z], [x, back, z]])
        yield Surface("floor", corners, _SQUARE, solid=True)


def floor_corners(parameters: HybridCableRobot) -> tuple[FloatArray, FloatArray]:
    """Lower and upper corner (2,) m of the drawn part of the floor."""
    points = np.concatenate([np.array(parameters.space), pulley_points(parameters)])[:, :2]
    return points.min(axis=0), points.max(axis=0)


def platform_solid(parameters: HybridCableRobot, position: FloatArray) -> Box | Surface:
    """The platform at a position (3,) m, not turned."""
    if parameters.platform_shape is None:
        return Box("platform", position, np.eye(3), np.array(parameters.platform_half_size))
    return drawn("platform", parameters.platform_shape, position, np.eye(3))


def arm_solid(parameters: HybridCableRobot, position: FloatArray, angles: FloatArray) -> Surface:
    """The capsules of the arm at joint coordinates (n,), the platform at a position (3,) m, not turned."""
    parts: list[tuple[FloatArray, IntArray]] = []
    (capsules,), radii = capsules_at(parameters, angles[None])
    for (start, end), radius in zip(capsules, radii, strict=True):
        step, middle = end - start, position + (start + end) / 2
        vertices, triangles = _round(float(radius), float(np.linalg.norm(step)), capped=True)
        parts.append((middle + vertices @ _along(step).T, triangles))
    sizes = np.cumsum([0, *(len(vertices) for vertices, _ in parts[:-1])])
    triangles = [each + size for (_, each), size in zip(parts, sizes, strict=True)]
    return Surface(
        "arm capsules", np.concatenate([each for each, _ in parts]), np.concatenate(triangles), solid=True
    )


def drawn(name: str, shape: Shape, position: FloatArray, rotation: FloatArray) -> Box | Surface:
    """A shape at a place; a round one as a surface of triangles."""
    if shape.half_size is not None:
        return Box(name, position, rotation, np.array(shape.half_size))
    if shape.mesh is not None:
        vertices, triangles = np.array(shape.mesh.vertices), np.array(shape.mesh.triangles)
    else:
        vertices, triangles = _round(shape.radius or 0.0, shape.length or 0.0, capped=shape.kind == "capsule")
    return Surface(name, position + vertices @ rotation.T, triangles, solid=True)


def _round(radius: float, length: float, *, capped: bool) -> tuple[FloatArray, IntArray]:
    """Vertices (n, 3) m and triangles of a cylinder, or of a capsule, in its frame."""
    from trimesh import creation

    if capped:
        mesh = creation.capsule(length, radius, (SECTIONS, SECTIONS))
    else:
        mesh = creation.cylinder(radius, length, sections=SECTIONS)
    vertices = np.array(mesh.vertices)
    return vertices - (vertices.min(axis=0) + vertices.max(axis=0)) / 2, np.array(mesh.faces)


def _along(step: FloatArray) -> FloatArray:
    """A rotation (3, 3) that takes z along a vector (3,); none where that has no length."""
    length = np.linalg.norm(step)
    if not length:
        return np.eye(3)
    z = step / length
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)
