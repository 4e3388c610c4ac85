"""What the generated kernels need to know of robot, load and orientation, in the order they read it."""

from __future__ import annotations

import numpy as np

from models.hybrid_cable_robot.cells.arrays import Checks, Load, Shape
from models.hybrid_cable_robot.cells.verdicts import TOLERANCE
from models.hybrid_cable_robot.geometry import FloatArray
from models.hybrid_cable_robot.lanes.collision import PAIRS

FAR = 1e30  # [m^2], added to the squared distance of pairs that do not count


def relative(load: Load) -> Load:
    """The load in units of the forces involved, so that single precision has room for any."""
    forces = load.tolerance / TOLERANCE
    return Load(
        load.center / forces, load.half_range / forces, load.f_min / forces, load.f_max / forces, TOLERANCE
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
    counted = set(map(tuple, checks.pairs.tolist()))
    far = np.array([0.0 if pair in counted else FAR for pair in PAIRS])
    return np.concatenate([(shape.pulleys - turned).ravel(), turned.ravel(), far])


def index_constants(shape: Shape, checks: Checks) -> FloatArray:
    """Constants of the index kernel, which looks at the nominal orientation only."""
    turned = shape.attachments @ shape.rotations[0].T
    stiffness = checks.stiffness / checks.stiffness.max()
    return np.concatenate(
        [(shape.pulleys - turned).ravel(), (turned / shape.length_scale).ravel(), stiffness]
    )
