"""Single precision before double: its errors stay far inside the bands that the prefilter allows for."""

import numpy as np
import pytest

from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.robot import load_case, robot_of
from models.hybrid_cable_robot.simd import compaction, execution_plan
from models.hybrid_cable_robot.simd.collision_source import DISTANCE_BAND
from models.hybrid_cable_robot.simd.kernels import kernels
from models.hybrid_cable_robot.simd.wrench_source import MARGIN_BAND
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from tests.models.hybrid_cable_robot.extended_precision import extended_margins


def run(kernel, positions, numbers, output="margin"):
    """An output of a kernel at positions (n, 3) m and how far it is to be trusted, (n,) each."""
    positions, count = np.ascontiguousarray(positions), len(positions)
    io = kernel.workspace(count)
    blocks = compaction.pack_positions(positions, np.arange(count), 0, count, io)
    kernel.run(io, numbers.astype(kernel.real), blocks)
    found = kernel.views(io)
    return found[output].ravel()[:count].astype(float), found["trusted"].ravel()[:count]


def margin_errors(robot, positions):
    """Greatest error of trusted margins over their trust, in the forces, and the share that is trusted."""
    light = execution_plan.scaled_loads(robot)
    worst, shares = 0.0, []
    for index, rotation in enumerate(robot.rotations):
        numbers = execution_plan.wrench_constants(robot, load_case(light, index), rotation)
        single, trust = run(kernels().wrench_prefilter, positions, numbers)
        double, sure = run(kernels().wrench, positions, numbers)
        trusted = trust > 0
        assert (sure[trusted] > 0).all()
        worst = max(worst, (np.abs(single - double)[trusted] / trust[trusted]).max(initial=0.0))
        shares.append(trusted.mean())
    return worst, np.mean(shares)


def distance_errors(robot, positions):
    """Greatest error of trusted distances, as a share of the greatest coordinate."""
    scale = max(np.abs(robot.pulleys).max(), np.abs(robot.attachments).max(), np.abs(positions).max())
    worst = 0.0
    for rotation in robot.rotations:
        numbers = execution_plan.distance_constants(robot, rotation)
        single, trusted = run(kernels().distance_prefilter, positions, numbers, "distance")
        double, sure = run(kernels().distance, positions, numbers, "distance")
        both = (trusted > 0) & (sure > 0)
        worst = max(worst, np.abs(single - double)[both].max(initial=0.0) / scale)
    return worst


def random_robot(seed):
    """Any eight cables, in a frame of .1 to 100 m, somewhere, with tensions of 1e-3 to 1e9 N."""
    rng = np.random.default_rng(seed)
    size, place = 10.0 ** rng.uniform(-1, 2), rng.uniform(-3, 3, 3) * (seed % 2)
    pulleys = rng.uniform(-1, 1, (8, 3))
    if seed % 3:  # four above, four below, about the corners of a box
        pulleys = np.sign(pulleys) * 0.7 + rng.normal(size=(8, 3)) * 0.1
    forces = 10.0 ** rng.uniform(-3, 9)
    settings = {
        "pulleys": (size * (pulleys + place)).tolist(),
        "attachments": (size * rng.uniform(-0.1, 0.1, (8, 3))).tolist(),
        "space": [(size * (place - 0.5)).tolist(), (size * (place + 0.5)).tolist()],
        "cable_stiffness": 1000.0,
        "f_max": forces,
        "wrench_set": {"center": [0.0, 0.0, -0.3 * forces, 0.0, 0.0, 0.0]},
        "orientations": "corners",
        "cells": 8,
    }
    return MODEL.resolve(None, settings)


@pytest.mark.parametrize("preset", ["constrained", "suspended", "robocab"])
@pytest.mark.parametrize("wrench_set", ["gravity", "box", "paper-extreme"])
def test_presets_keep_within_a_quarter_of_the_bands(preset, wrench_set):
    parameters = MODEL.resolve(preset, {"cells": 16, "wrench_set": wrench_set, "orientations": "grid27"})
    robot, grid = robot_of(parameters), grid_of(parameters)
    worst, share = margin_errors(robot, grid.centers())
    assert worst < 0.25 * MARGIN_BAND
    assert share > 0.8
    assert distance_errors(robot, grid.centers()) < 0.1 * DISTANCE_BAND


def test_random_robots_keep_within_a_tenth_of_the_bands():
    margins, distances, shares = [], [], []
    for seed in range(60):
        parameters = random_robot(seed)
        robot, grid = robot_of(parameters), grid_of(parameters)
        worst, share = margin_errors(robot, grid.centers())
        margins.append(worst)
        shares.append(share)
        distances.append(distance_errors(robot, grid.centers()))
    assert max(margins) < 0.1 * MARGIN_BAND
    assert max(distances) < 0.1 * DISTANCE_BAND
    assert np.mean(shares) > 0.5


def odd_robot(seed):
    """Eight cables anywhere, in a space of centimetres by metres, and positions close to pulleys and anywhere."""
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.uniform(-2, 1, 3)
    pulleys = size * rng.uniform(-1, 1, (8, 3))
    settings = {
        "pulleys": pulleys.tolist(),
        "attachments": (size * rng.uniform(-0.2, 0.2, (8, 3))).tolist(),
        "space": [(-size).tolist(), size.tolist()],
        "characteristic_length": 10.0 ** rng.uniform(-3, 2),
        "cable_stiffness": 1000.0,
        "wrench_set": "gravity",
        "orientations": "nominal",
    }
    near = pulleys[rng.integers(8, size=64)] + size * rng.normal(size=(64, 3)) * 0.02
    positions = np.vstack([near, size * rng.uniform(-1, 1, (64, 3))])
    return robot_of(MODEL.resolve(None, settings)), positions


def test_odd_robots_keep_within_half_of_the_band():
    margins = [margin_errors(*odd_robot(seed))[0] for seed in range(200)]
    assert max(margins) < 0.5 * MARGIN_BAND


@pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63, reason="prefilters: the processor has no extended precision"
)
def test_double_precision_is_off_by_less_than_what_counts_as_close():
    """Against the margins of an independent code with three more digits, near-singular poses included."""
    errors, tested = [], 0
    for seed in range(60):
        robot, positions = odd_robot(seed)
        load = load_case(execution_plan.scaled_loads(robot), 0)
        numbers = execution_plan.wrench_constants(robot, load, robot.rotations[0])
        found, sure = run(kernels().wrench, positions, numbers)
        trusted = sure > 0
        tested += trusted.sum()
        exact = extended_margins(robot, load, positions[trusted])
        errors.append(np.abs(found[trusted] - exact).max(initial=0.0))
    assert tested > 6_000
    assert max(errors) < 0.5 * compaction.CLOSE_MARGIN * load.tolerance
