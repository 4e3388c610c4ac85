"""Robots of a few numbers, for tests of single kernels."""

import itertools

import numpy as np

from models.hybrid_cable_robot import HybridCableRobot
from models.hybrid_cable_robot.robot import robot_of


def bare_robot(pulleys, attachments, rotation=None, **changes):
    """Cables from ``pulleys`` (m, 3) m to ``attachments`` (m, 3) m with torques divided by 1 m."""
    pulleys, attachments = (np.array(points, float) for points in (pulleys, attachments))
    cables = len(pulleys)
    pairs = np.array(list(itertools.combinations(range(cables), 2)), np.int64).reshape(-1, 2)
    return robot_of(HybridCableRobot(), np.zeros(6))._replace(
        pulleys=pulleys,
        attachments=attachments,
        rotations=np.ascontiguousarray(np.eye(3) if rotation is None else rotation)[None],
        length_scale=1.0,
        wheels=np.zeros(cables),
        swivels=np.tile([0.0, 0.0, 1.0], (cables, 1)),
        lower=np.ones(cables),
        upper=np.ones(cables),
        length_limits=np.tile([0.0, np.inf], (cables, 1)),
        slimness=np.zeros(len(pairs)),
        pairs=pairs,
        **{"stiffness": np.ones(cables), "reliefs": np.zeros((len(pairs), 2)), **changes},
    )


CORNERS = [[x, y, 1.0] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
CRANE = {
    "freedoms": "3T", "pulleys": CORNERS, "attachments": [[0, 0, 0]] * 4, "wrench_set": "gravity",
    "space": [[-1.5, -1.5, -1], [1.5, 1.5, 1.2]], "cells": 11, "f_max": 1e5,
}  # fmt: skip
RING = [[-1, 0, 0], [0.5, 0.8, 0], [0.6, -0.9, 0]]
POINT = {
    "freedoms": "2T", "plane": "xy", "pulleys": RING, "attachments": [[0, 0, 0]] * 3, "f_max": 1e6,
    "wrench_set": {"center": [0] * 6, "half_range": [1, 1, 0, 0, 0, 0]}, "cells": 24, "check_interference": False,
    "space": [[-1.2, -1.2, -0.1], [1.2, 1.2, 0.1]],
}  # fmt: skip
SQUARE = [[-1, 0, -1], [-1, 0, 1], [1, 0, 1], [1, 0, -1]]
BODY = {
    "freedoms": "1R2T", "pulleys": SQUARE, "platform_half_size": [0.1, 0.1, 0.05], "f_max": 200.0, "f_min": 1.0,
    "attachments": [[-0.1, 0, 0.05], [-0.1, 0, -0.05], [0.1, 0, -0.05], [0.1, 0, 0.05]], "cells": 14,
    "space": [[-1, -0.1, -1], [1, 0.1, 1]], "check_interference": False, "orientations": "corners",
}  # fmt: skip
TRIANGLES = [[-1, -1, 1], [1, -1, 1], [0, 1, 1], [-1, -1, -1], [1, -1, -1], [0, 1, -1]]
BAR = {
    "freedoms": "2R3T", "pulleys": TRIANGLES, "attachments": [[0, 0, 0.1]] * 3 + [[0, 0, -0.1]] * 3,
    "space": [[-1, -1, -1], [1, 1, 1]], "cells": 8, "f_max": 300.0, "wrench_set": "gravity",
    "check_interference": False,
}  # fmt: skip
PATTERNS = {"3T": CRANE, "2T": POINT, "1R2T": BODY, "2R3T": BAR}
