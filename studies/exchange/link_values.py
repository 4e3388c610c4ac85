"""Numbers, directions, orientations and inertias as URDF and SDF write them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.numerics.rotations import rotation_matrix
from studies.exchange.imported_robot import FloatArray, RobotReading, number

_MOMENTS = ((0, 0, "ixx"), (1, 1, "iyy"), (2, 2, "izz"), (0, 1, "ixy"), (0, 2, "ixz"), (1, 2, "iyz"))
_SHOWN = 60  # characters of a text


def numbers(reading: RobotReading, text: str, count: int) -> FloatArray:
    """Return the numbers (count,) of a text; raises ``InputError`` for any other text."""
    parts = text.split(maxsplit=count)
    try:
        values = [number(part) for part in parts]
    except ValueError:
        values = []
    if len(values) != count:
        raise reading.fault(f"'{text[:_SHOWN]}' is not {count} finite numbers")
    return np.array(values)


def direction(reading: RobotReading, text: str, joint: str) -> FloatArray:
    """Return the axis (3,) of a joint, of length 1; raises ``InputError`` for one without length."""
    axis = numbers(reading, text, 3)
    length = float(np.linalg.norm(axis))
    if not length:
        raise reading.fault(f"the joint '{joint[:_SHOWN]}' has an axis of length 0")
    return axis / length


def rotation_of(angles: FloatArray) -> FloatArray:
    """Return the rotation (3, 3) of roll, pitch and yaw (3,) rad: turns about the fixed axes x, y and z."""
    if not angles.any():
        return np.eye(3)
    roll, pitch, yaw = (rotation_matrix(angle * axis) for angle, axis in zip(angles, np.eye(3), strict=True))
    return yaw @ pitch @ roll


def tensor_of(reading: RobotReading, given: Callable[[str], str | None]) -> FloatArray:
    """Return an inertia (3, 3) kg m^2 from its entries ``ixx`` to ``iyz``, of which absent ones are 0."""
    tensor = np.zeros((3, 3))
    for i, j, name in _MOMENTS:
        tensor[i, j] = tensor[j, i] = numbers(reading, given(name) or "0", 1)[0]
    return tensor
