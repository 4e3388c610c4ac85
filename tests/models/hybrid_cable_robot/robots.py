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
