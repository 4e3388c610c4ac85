"""The generated SIMD kernels against the scalar kernel, cell by cell; ``test_kernel`` has the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.hybrid_cable_robot import MODEL, cell_test_kernels
from models.hybrid_cable_robot.cell_results import empty_results
from models.hybrid_cable_robot.robot import TOLERANCE, robot_of
from models.hybrid_cable_robot.simd import driver
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch

CUSTOM = {"center": [1.0, -2.0, -15.0, 0.1, 0.0, 0.05], "half_range": [3.0, 0.0, 5.0, 0.0, 0.2, 0.1]}
PRESETS = ["constrained", "suspended", "robocab"]
COMPASS = np.arange(8) * np.pi / 4


def both(parameters, centers=None):
    """Results of the SIMD kernels and of the scalar kernel, and the cells left to the latter."""
    robot, grid = robot_of(parameters), grid_of(parameters)
    centers = grid.centers() if centers is None else centers
    every = parameters.index_domain == "cube"
    simd, scalar = empty_results(len(centers)), empty_results(len(centers))
    doubtful = driver.test_cells(robot, every, centers, wrench_scratch(robot), simd)
    cell_test_kernels.test_cells(robot, every, centers, wrench_scratch(robot), scalar)
    return simd, scalar, doubtful


def assert_same(simd, scalar, robot):
    forces = robot.tolerance / TOLERANCE
    np.testing.assert_array_equal(simd.verdicts, scalar.verdicts)
    np.testing.assert_allclose(simd.margins, scalar.margins, rtol=1e-12, atol=2e-12 * forces)
    np.testing.assert_allclose(simd.distances, scalar.distances, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(simd.conditions_j**2, scalar.conditions_j**2, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(simd.conditions_k, scalar.conditions_k, rtol=1e-12, atol=1e-14)


def assert_simd_equals_scalar(parameters, most=1.0):
    simd, scalar, doubtful = both(parameters)
    assert_same(simd, scalar, robot_of(parameters))
    assert doubtful.mean() <= most
    return simd


@pytest.mark.parametrize(
    ("preset", "orientations", "wrench_set"),
    [
        (PRESETS[(i + j) % 3], orientations, wrench_set)
        for i, orientations in enumerate(("nominal", "corners", "grid27"))
        for j, wrench_set in enumerate(("gravity", "box", "paper-extreme", CUSTOM))
    ],
    ids=str,
)
def test_simd_kernels_give_the_scalar_kernels_results_at_every_cell(preset, orientations, wrench_set):
    settings = {"cells": 18, "orientations": orientations, "wrench_set": wrench_set}
    assert_simd_equals_scalar(MODEL.resolve(preset, settings), most=0.02)


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
def test_simd_kernels_give_the_scalar_kernels_results_on_a_finer_grid(preset):
    assert_simd_equals_scalar(MODEL.resolve(preset, {"cells": 40}), most=0.005)


@pytest.mark.parametrize(
    "settings",
    [
        {"index_domain": "cube"},
        {"index_domain": "cube", "beta1": 0.0, "beta2": 0.0},
        {"f_min": 2.0, "f_max": 60.0, "cable_diameter": 0.09},
        {"check_platform": False, "check_interference": False},
        {"clearance": 0.06, "wrench_set": "gravity"},
        {"characteristic_length": 1.0, "cable_stiffness": 500.0},
        {"space": [[-0.7, -0.7, 0.1], [0.7, 0.7, 0.9]], "f_max": 1000.0, "index_domain": "cube"},
        {"attachments": [[0.05, 0.0, 0.0]] * 8, "index_domain": "cube"},
        {"beta1": np.pi / 4, "beta2": np.pi / 4, "wrench_set": {"center": [0.0] * 6}, "cells": 11},
        {"rotation_limit": 0.0, "cells": 11},
        {"rotation_limit": 1.0, "wrench_set": "gravity", "f_max": 300.0},
    ],
)
def test_simd_kernels_give_the_scalar_kernels_results_in_special_cases(settings):
    for preset in ("constrained", "suspended"):
        assert_simd_equals_scalar(MODEL.resolve(preset, {"cells": 10, **settings}))


def _flat(thickness):
    """Eight cables almost in a plane: nearly singular at every cell."""
    ring = np.column_stack([np.cos(COMPASS), np.sin(COMPASS), np.zeros(8)])
    twist = COMPASS + np.array([2, -2] * 4)
    platform = 0.1 * np.column_stack([np.cos(twist), np.sin(twist), np.zeros(8)])
    return {
        "pulleys": ring.tolist(),
        "attachments": platform.tolist(),
        "space": [[-0.1, -0.1, -thickness], [0.1, 0.1, thickness]],
        "wrench_set": {"center": [0.0] * 6},
        "cable_stiffness": 1.0,
        "check_platform": False,
        "check_interference": False,
    }


@pytest.mark.parametrize("thickness", [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1])
@pytest.mark.parametrize("orientations", ["nominal", "corners"])
def test_nearly_singular_designs_are_left_to_the_scalar_kernel(thickness, orientations):
    parameters = MODEL.resolve(None, {**_flat(thickness), "cells": 5, "orientations": orientations})
    simd, scalar, doubtful = both(parameters)
    assert_same(simd, scalar, robot_of(parameters))
    if thickness <= 1e-5 and orientations == "nominal":
        assert doubtful.all()


@given(seed=st.integers(0, 10**6), spread=st.sampled_from([0.0, 0.01, 0.3]))
def test_simd_kernels_give_the_scalar_kernels_results_for_random_designs(seed, spread):
    rng = np.random.default_rng(seed)
    pulleys = rng.uniform(-1, 1, (8, 3)) + spread * rng.normal(size=(8, 3))
    if seed % 2:  # four above, four below, in the corners of a box
        pulleys = np.sign(pulleys) * 0.7 + spread * rng.normal(size=(8, 3))
    settings = {
        "pulleys": pulleys.tolist(),
        "attachments": rng.uniform(-0.1, 0.1, (8, 3)).round(2).tolist(),
        "cable_stiffness": (10.0 ** rng.uniform(1, 4, 8)).tolist(),
        "orientations": ["nominal", "corners"][seed % 2],
        "wrench_set": ["gravity", CUSTOM, {"center": [0.0] * 6}][seed % 3],
        "f_min": [0.0, 2.0][seed % 2],
        "f_max": 200.0,
        "cells": 7,
        "index_domain": ["feasible", "cube"][seed // 2 % 2],
    }
    assert_simd_equals_scalar(MODEL.resolve(None, settings))


def test_a_load_on_the_boundary_is_decided_by_the_scalar_kernel():
    parameters = MODEL.resolve("constrained", {"cells": 12, "orientations": "nominal"})
    simd, _, _ = both(parameters)
    robot, grid = robot_of(parameters), grid_of(parameters)
    cell = int(np.nanargmax(simd.margins))
    best = simd.margins[cell]
    # A half range larger in one direction takes the margin of that facet to nothing.
    centers = grid.centers()[cell : cell + 1]
    low, high = 1.0, 3.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        loaded = robot._replace(f_max=robot.f_max / middle)
        out = empty_results(1)
        cell_test_kernels.test_cells(loaded, False, centers, wrench_scratch(loaded), out)
        low, high = (low, middle) if out.verdicts[0] == 1 else (middle, high)
    assert best > 0
    for factor in (low, high, 0.5 * (low + high)):
        loaded = robot._replace(f_max=robot.f_max / factor)
        simd, scalar = empty_results(1), empty_results(1)
        doubtful = driver.test_cells(loaded, False, centers, wrench_scratch(loaded), simd)
        cell_test_kernels.test_cells(loaded, False, centers, wrench_scratch(loaded), scalar)
        assert doubtful.all()
        np.testing.assert_array_equal(simd.verdicts, scalar.verdicts)


@pytest.mark.parametrize("nudge", [0.0, 1e-13, -1e-13, 1e-10, -1e-10])
def test_cables_at_the_limit_distance_are_decided_by_the_scalar_kernel(nudge):
    settings = {"cells": 10, "orientations": "nominal", "wrench_set": "gravity"}
    simd, _, _ = both(MODEL.resolve("suspended", settings))
    passing = np.flatnonzero(simd.verdicts == 0)
    limit = float(np.sort(simd.distances[passing])[len(passing) // 2])
    tied = MODEL.resolve("suspended", {**settings, "cable_diameter": limit + nudge})
    simd, scalar, doubtful = both(tied)
    assert_same(simd, scalar, robot_of(tied))
    assert doubtful[np.abs(scalar.distances - limit) < 5e-10].all()
    assert doubtful.any()


def test_a_cable_that_grazes_the_platform_is_decided_by_the_scalar_kernel():
    settings = {"cells": 9, "orientations": "nominal", "wrench_set": "gravity", "f_max": 1e4}
    # Half sizes that end, less the shrink, exactly at the attachments: every cable starts on a face.
    settings["platform_half_size"] = [0.05 + 1e-6] * 3
    parameters = MODEL.resolve("suspended", settings)
    simd, scalar, doubtful = both(parameters)
    assert_same(simd, scalar, robot_of(parameters))
    assert doubtful.any()


def test_cables_without_length_and_parallel_cables():
    pulleys = [
        [x, y, z]
        for z in (0.5, -0.5)
        for x, y in ((0.05, 0.05), (-0.05, 0.05), (-0.05, -0.05), (0.05, -0.05))
    ]
    attachments = [
        [x, y, z]
        for z in (0.05, -0.05)
        for x, y in ((0.05, 0.05), (-0.05, 0.05), (-0.05, -0.05), (0.05, -0.05))
    ]
    for space in ([[-0.5] * 3, [0.5] * 3], [[-1e-4, -1e-4, 0.4499], [1e-4, 1e-4, 0.4501]]):
        settings = {"pulleys": pulleys, "attachments": attachments, "cells": 9, "index_domain": "cube"}
        settings |= {"wrench_set": {"center": [0.0] * 6}, "space": space, "platform_half_size": [0.01] * 3}
        for orientations in ("nominal", "corners"):
            assert_simd_equals_scalar(MODEL.resolve(None, {**settings, "orientations": orientations}))


@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 700])
def test_blocks_that_are_not_full_change_nothing(count):
    parameters = MODEL.resolve("suspended", {"cells": 10})
    centers = grid_of(parameters).centers()[300 : 300 + count]
    simd, scalar, _ = both(parameters, centers)
    assert_same(simd, scalar, robot_of(parameters))


def test_no_cells_no_results():
    simd, _, doubtful = both(MODEL.resolve("suspended", {"cells": 10}), np.empty((0, 3)))
    assert len(simd.verdicts) == len(doubtful) == 0
