"""Tensions of the cables in a scene, in closed form: a cube of pulleys around a cube of attachments."""

import math

import numpy as np
import pytest

from models.hybrid_cable_robot import MODEL
from models.scene import Line

CORNERS = np.array([[x, y, z] for z in (1.0, -1.0) for x in (1.0, -1.0) for y in (1.0, -1.0)])
F_MIN, F_MAX = 1.0, 60.0


def cables(weight):
    """Cables along the diagonals of a cube, which hold a weight [N] and nothing else."""
    parameters = MODEL.resolve(
        None,
        {
            "pulleys": (0.8 * CORNERS).tolist(), "attachments": (0.05 * CORNERS).tolist(),
            "cable_stiffness": 1000.0, "cells": 5, "space": [[-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]],
            "wrench_set": {"center": [0, 0, -weight, 0, 0, 0]}, "orientations": "nominal",
            "f_min": F_MIN, "f_max": F_MAX, "check_platform": False, "check_interference": False,
        },
    )  # fmt: skip
    return [shape for shape in MODEL.scene(parameters).shapes if isinstance(shape, Line) and shape.number]


def test_the_upper_cables_share_the_weight_and_the_lower_ones_are_dashed_at_their_least():
    found = cables(20.0)
    assert [line.number for line in found] == list(range(1, 9))
    upper = F_MIN + 20.0 / 4 * math.sqrt(3)  # four cables, each 1/sqrt(3) upwards, hold weight and pull
    assert [line.value for line in found] == pytest.approx([upper] * 4 + [F_MIN] * 4)
    assert [line.dashed for line in found] == [False] * 4 + [True] * 4
    assert all(line.value_range.tolist() == [F_MIN, F_MAX] for line in found)


def test_a_weight_that_no_tensions_hold_leaves_the_cables_without_values():
    found = cables(1.01 * 4 * (F_MAX - F_MIN) / math.sqrt(3))
    assert [(line.value, line.dashed) for line in found] == [(None, False)] * 8
