"""Symmetries are found where they are, nowhere else, and change no result."""

import numpy as np
import pytest

from models.hybrid_cable_robot import MODEL
from models.hybrid_cable_robot.robot import changed_robot, robot_of
from models.hybrid_cable_robot.workspace_grid import cell_evaluation, grid_evaluation, workspace
from models.hybrid_cable_robot.workspace_grid.grid import grid_of
from models.hybrid_cable_robot.workspace_grid.symmetry import columns_of, keeps_robot, subgroup, symmetries

ORIGIN = {"weight_moment": "ignored"}  # the weight of the arm at rest is on no axis of symmetry
QUARTER = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
MIRROR = np.diag([-1.0, 1.0, 1.0])
PIVOT = {"center": [0.0, 0.0, -20.0, 0.0, 0.0, 0.0], "half_range": [4.0, 4.0, 1.0, 0.3, 0.3, 0.0]}


def found(preset, settings):
    parameters = MODEL.resolve(preset, settings)
    return len(symmetries(robot_of(parameters), grid_of(parameters)))


@pytest.mark.parametrize("orientations", ["nominal", "corners", "grid27"])
@pytest.mark.parametrize("cells", [7, 10])
@pytest.mark.parametrize("preset", ["constrained", "suspended", "robocab"])
def test_presets_have_four_symmetries(preset, cells, orientations):
    settings = {"cells": cells, "orientations": orientations, **ORIGIN}
    assert found(preset, settings) == 4


def test_constrained_layout_has_mirrors_and_suspended_layout_quarter_turns():
    constrained, suspended = (robot_of(MODEL.resolve(name, ORIGIN)) for name in ("constrained", "suspended"))
    assert keeps_robot(MIRROR, constrained)
    assert not keeps_robot(QUARTER, constrained)
    assert keeps_robot(QUARTER, suspended)
    assert not keeps_robot(MIRROR, suspended)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"wrench_set": {"center": [1.0, 0, -15, 0, 0, 0]}}, 2),
        ({"wrench_set": {"center": [0.0, 0, -15, 0.1, 0, 0]}}, 2),
        ({"wrench_set": {"center": [0.0, 0, -15, 0, 0, 0.1]}}, 2),
        ({"wrench_set": {"center": [1.0, 2.0, -15, 0, 0, 0]}}, 1),
        ({"wrench_set": {"center": [0.0, 0, -15, 0, 0, 0], "half_range": [1, 2, 0, 0, 0, 0]}}, 4),
        ({"space": [[-0.5, -0.5, -0.5], [0.6, 0.5, 0.5]]}, 2),
        ({"space": [[-0.5, -0.4, -0.5], [0.5, 0.5, 0.5]]}, 2),
        ({"space": [[-0.5, -0.5, -0.4], [0.5, 0.5, 0.5]]}, 4),
        ({"cable_stiffness": [1000.0] * 7 + [1000.1]}, 1),
        ({"cable_stiffness": [1.0, 2.0, 2.0, 1.0, 3.0, 4.0, 4.0, 3.0]}, 2),
    ],
)
def test_conditions_that_are_less_symmetric_leave_fewer(settings, expected):
    assert found("constrained", {"cells": 6, **ORIGIN, **settings}) == expected


def test_conditions_without_quarter_turns_leave_the_suspended_layout_half_turns():
    uneven = {"center": [0.0, 0, -15, 0, 0, 0], "half_range": [1, 2, 0, 0, 0, 0]}
    assert found("suspended", {"cells": 6, "wrench_set": uneven}) == 2
    assert found("suspended", {"cells": 6, **ORIGIN, "platform_half_size": [0.05, 0.04, 0.05]}) == 2
    assert found("suspended", {"cells": 6, **ORIGIN, "space": [[-0.5, -0.4, 0.0], [0.5, 0.4, 0.5]]}) == 2


@pytest.mark.parametrize("preset", ["constrained", "suspended"])
@pytest.mark.parametrize("field", ["pulleys", "attachments"])
@pytest.mark.parametrize("shift", [1e-9, 1e-3])
def test_perturbed_geometry_has_no_symmetry(preset, field, shift):
    parameters = MODEL.resolve(preset, {"cells": 6, **ORIGIN})
    robot, grid = robot_of(parameters), grid_of(parameters)
    for axis in range(3):
        points = getattr(robot, field).copy()
        points[2] += shift * np.array([0.3, 0.5, 0.7])
        points[5, axis] += shift
        assert len(symmetries(changed_robot(robot, **{field: points}), grid)) == 1


def test_orientations_can_break_a_symmetry():
    robot = robot_of(MODEL.resolve("suspended", {"orientations": "corners", **ORIGIN}))
    assert not keeps_robot(QUARTER, changed_robot(robot, rotations=robot.rotations[:-1]))


def test_matrices_found_to_a_tolerance_are_used_as_a_group():
    """A force of 2e-12 N is kept by quarter turns, whose half turn changes it by too much: no group."""
    settings = {"cells": 12, "wrench_set": {"center": [2e-12, 0, -21.935, 0, 0, 0]}}
    parameters = MODEL.resolve("suspended", settings)
    robot, grid = robot_of(parameters), grid_of(parameters)
    turns = [T for T in (QUARTER, QUARTER @ QUARTER, QUARTER.T) if keeps_robot(T, robot)]
    assert len(turns) == 2
    group = symmetries(robot, grid)
    assert all(any(np.array_equal(S @ T, U) for U in group) for S in group for T in group)
    straight = {**settings, "wrench_set": {"center": [0, 0, -21.935, 0, 0, 0]}}
    near, exact = (
        MODEL.evaluate(MODEL.resolve("suspended", each), "detail", 0) for each in (settings, straight)
    )
    assert near.counters == exact.counters
    assert near.metrics["inscribed_box"] == exact.metrics["inscribed_box"]


def test_any_set_of_matrices_leaves_a_group():
    square = [np.linalg.matrix_power(QUARTER, k) @ M for M in (np.eye(3), MIRROR) for k in range(4)]
    for bits in range(256):
        found = [T for place, T in enumerate(square) if bits >> place & 1]
        group = subgroup(found)
        assert all(any(np.array_equal(S @ T, U) for U in group) for S in group for T in group)
        assert all(any(np.array_equal(T, S) for S in [*found, np.eye(3)]) for T in group)
    assert len(subgroup(square)) == 8


def test_orbits_cover_the_columns_once():
    for preset, cells in (("constrained", 9), ("suspended", 10), ("suspended", 9)):
        parameters = MODEL.resolve(preset, {"cells": cells, **ORIGIN})
        grid = grid_of(parameters)
        columns = columns_of(symmetries(robot_of(parameters), grid), grid)
        assert len(columns.orbit) == cells**2
        np.testing.assert_array_equal(columns.orbit[columns.chosen], np.arange(len(columns.chosen)))
        for image in columns.images:
            np.testing.assert_array_equal(columns.orbit[image], columns.orbit)


def flat(cells):
    """Results of a grid's cells, z fastest."""
    return cells._replace(**{name: values.ravel() for name, values in cells._asdict().items()})


@pytest.mark.parametrize("preset", ["constrained", "suspended", "robocab"])
@pytest.mark.parametrize(
    "settings",
    [
        {"cells": 20},
        {"cells": 34},  # enough cells to plan by a sample, for all blocks
        {"cells": 21, "index_domain": "cube"},
        {"cells": 15, "orientations": "nominal", "wrench_set": "gravity"},
        {"cells": 10, "orientations": "grid27", "wrench_set": PIVOT},
        {"cells": 14, "beta1": np.pi / 4, "beta2": np.pi / 4, "wrench_set": {"center": [0.0] * 6}},
        {"cells": 12, "space": [[-0.4, -0.3, 0.0], [0.4, 0.3, 0.4]], "cable_diameter": 0.05},
    ],
)
def test_results_with_symmetry_equal_those_without(monkeypatch, preset, settings):
    monkeypatch.setattr("models.hybrid_cable_robot.workspace_grid.grid.BLOCK", 900)
    parameters = MODEL.resolve(preset, {**ORIGIN, **settings})
    robot, grid = robot_of(parameters), grid_of(parameters)
    every = parameters.index_domain == "cube"
    assert len(symmetries(robot, grid)) >= 2
    folded = flat(workspace.tested_cells(parameters))
    plain = cell_evaluation.evaluate_cells(robot, grid.centers(), every_index=every)
    np.testing.assert_array_equal(folded.verdicts, plain.verdicts)
    np.testing.assert_allclose(folded.margins, plain.margins, rtol=1e-11, atol=1e-10)
    np.testing.assert_allclose(folded.distances, plain.distances, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(folded.conditions_j**2, plain.conditions_j**2, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(folded.conditions_k, plain.conditions_k, rtol=1e-12, atol=1e-14)


def test_cells_too_close_to_call_stand_for_themselves_alone():
    settings = {"cells": 10, "orientations": "nominal", "wrench_set": "gravity", **ORIGIN}
    parameters = MODEL.resolve("suspended", settings)
    grid = grid_of(parameters)
    distances = workspace.tested_cells(parameters).distances
    known = np.unique(distances[~np.isnan(distances)])
    limit = float(known[len(known) // 2])
    tied = robot_of(MODEL.resolve("suspended", {**settings, "cable_diameter": limit}))
    columns = grid_evaluation.orbits(tied, grid)
    parts = list(grid_evaluation.tested_parts(tied, grid, columns, every_index=False))
    assert any(part.single for part in parts)
    folded = flat(grid_evaluation.all_results(grid, columns, parts))
    plain = cell_evaluation.evaluate_cells(tied, grid.centers(), every_index=False)
    np.testing.assert_array_equal(folded.verdicts, plain.verdicts)
