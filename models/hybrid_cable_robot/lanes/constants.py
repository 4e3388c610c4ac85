"""What the generated kernels need to know of robot, load and orientation, in the order they read it."""

from __future__ import annotations

import numpy as np

from models.hybrid_cable_robot.cells.arrays import Checks, Load, Loads, Shape
from models.hybrid_cable_robot.cells.verdicts import TOLERANCE
from models.hybrid_cable_robot.geometry import FloatArray


def relative(loads: Loads) -> Loads:
    """The loads in units of the forces involved, so that single precision has room for any."""
    forces = loads.tolerance / TOLERANCE
    return Loads(
        loads.centers / forces,
        loads.half_range / forces,
        loads.f_min / forces,
        loads.f_max / forces,
        TOLERANCE,
    )


def wrench_constants(shape: Shape, load: Load, rotation: FloatArray) -> FloatArray:
    """Constants of the wrench kernel at an orientation (3, 3)."""
    turned = shape.attachments @ rotation.T
    half_difference, half_sum = 0.5 * (load.f_max - load.f_min), 0.5 * (load.f_max + load.f_min)
    parts = (shape.pulleys - turned, turned / shape.length_scale, load.center, load.half_range)
    return np.concatenate([*(part.ravel() for part in parts), [half_difference, half_sum]])


def platform_constants(shape: Shape, checks: Checks, rotation: FloatArray) -> FloatArray:
    """Constants of the platform kernel at an orientation (3, 3)."""
    goals = shape.pulleys @ rotation - shape.attachments
    return np.concatenate([part.ravel() for part in (rotation, goals, shape.attachments, checks.half_size)])


def collision_constants(shape: Shape, checks: Checks, rotation: FloatArray) -> FloatArray:
    """Constants of the collision kernel at an orientation (3, 3)."""
    turned = shape.attachments @ rotation.T
    return np.concatenate([(shape.pulleys - turned).ravel(), turned.ravel(), checks.reliefs])


def index_constants(shape: Shape, checks: Checks) -> FloatArray:
    """Constants of the index kernel, which looks at the nominal orientation only."""
    turned = shape.attachments @ shape.rotations[0].T
    stiffness = checks.stiffness / checks.stiffness.max()
    return np.concatenate(
        [(shape.pulleys - turned).ravel(), (turned / shape.length_scale).ravel(), stiffness]
    )
