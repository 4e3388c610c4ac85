"""Every form of the wrench test against its definition, ``wrench.capacity.capacity_margin``."""

import numpy as np
import pytest

from models.hybrid_cable_robot.bounds.block_kernels import block_scratch, decide_blocks
from models.hybrid_cable_robot.bounds.wrench_kernels import INSIDE, OUTSIDE
from models.hybrid_cable_robot.cables.geometry import scaled_wrench_matrix
from models.hybrid_cable_robot.cell_results import PASSED, WORST_MARGIN, WRENCH, empty_results
from models.hybrid_cable_robot.cell_test_kernels import best_margin
from models.hybrid_cable_robot.cell_test_kernels import test_cells as scalar_cells
from models.hybrid_cable_robot.robot import TOLERANCE, load_case
from models.hybrid_cable_robot.simd import driver
from models.hybrid_cable_robot.wrench.capacity_kernels import matrix_margin, wrench_scratch
from models.hybrid_cable_robot.wrench.facet_kernels import facet_scratch, margin_any
from tests.models.hybrid_cable_robot.layouts import (
    EIGHT,
    HELD_SOMEWHERE,
    LAYOUTS,
    at_the_limit,
    defined_margins,
    layout,
    layout_margins,
    rotation_of,
)
from tests.oracles.cable_robot_certificates import decide_block

HALF = np.full(3, 1e-3)  # [m], half sides of the blocks


def free_of_collisions(robot):
    """The robot with the wrench test alone."""
    return robot._replace(check_platform=False, check_interference=False)


def statuses_and_margins(test, robot, positions):
    """Status (n,) and margin (n,) N by one of the two tests of cells."""
    found = empty_results(len(positions))
    test(robot, False, positions, wrench_scratch(robot), found)
    return found.verdicts, found.margins


@pytest.mark.parametrize("name", LAYOUTS)
def test_one_pose(name):
    """The scalar kernel, and the facets that it falls back on."""
    robot, positions = layout(name)
    expected, forces = layout_margins(name), robot.tolerance / TOLERANCE
    scratch, facets = wrench_scratch(robot), facet_scratch(len(robot.pulleys))
    for case, margins in enumerate(expected):
        load = load_case(robot, case)
        for position, margin in zip(positions, margins, strict=True):
            scratch.W[:] = scaled_wrench_matrix(robot, position, rotation_of(robot, case))
            assert matrix_margin(load, -np.inf, scratch) == pytest.approx(margin, abs=1e-9 * forces)
            assert margin_any(scratch.W, load, -np.inf, facets) == pytest.approx(margin, abs=1e-9 * forces)


@pytest.mark.parametrize("name", LAYOUTS)
def test_least_margin_over_the_loads(name):
    robot, positions = layout(name)
    expected = np.maximum(layout_margins(name).min(axis=0), WORST_MARGIN)
    found = [
        best_margin(robot, position[None], WORST_MARGIN, wrench_scratch(robot)) for position in positions
    ]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * robot.tolerance / TOLERANCE)


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        *((name, False) for name in LAYOUTS),
        *((name, True) for name in HELD_SOMEWHERE),
    ],
)
def test_cells(name, limit):
    """Many positions at once: the scalar kernel, and with eight cables the vector kernel."""
    robot, positions = layout(name)
    robot = free_of_collisions(robot)
    robot = at_the_limit(robot, positions) if limit else robot
    expected = (defined_margins(robot, positions) if limit else layout_margins(name)).min(axis=0)
    decided = np.abs(expected) > robot.tolerance
    assert decided.sum() >= len(positions) - 1
    for test in (scalar_cells, driver.test_cells)[: 2 if name in EIGHT else 1]:
        statuses, margins = statuses_and_margins(test, robot, positions)
        held = statuses == PASSED
        np.testing.assert_array_equal(held[decided], expected[decided] > 0.0)
        np.testing.assert_array_equal(statuses[~held], WRENCH)
        np.testing.assert_allclose(
            margins[held], expected[held], rtol=0, atol=1e-9 * robot.tolerance / TOLERANCE
        )


@pytest.mark.parametrize("name", ["constrained", "suspended", "postures", "seven cables"])
def test_blocks(name):
    """A block's proof holds at its centre, and the compiled proof is that in plain numpy."""
    robot, positions = layout(name)
    robot = free_of_collisions(robot)._replace(rotations=robot.rotations[:1])
    postures = len(robot.first_moments)
    robot = robot._replace(load_centers=robot.load_centers[:postures])
    verdicts = np.empty(len(positions), np.int8)
    for i, position in enumerate(positions):
        proved = np.zeros((1, 1), np.uint8)
        decide_blocks(robot, position[None], HALF, proved, block_scratch(robot), verdicts[i : i + 1])
        assert verdicts[i] == decide_block(robot, position, HALF)
    margins = defined_margins(robot, positions).min(axis=0)
    assert (margins[verdicts == INSIDE] > 0.0).all()
    assert (margins[verdicts == OUTSIDE] < 0.0).all()
    assert (verdicts != 0).sum() > len(positions) // 2
