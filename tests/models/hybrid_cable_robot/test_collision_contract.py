"""Every form of the collision tests against their definitions in ``collisions.distances``."""

import numpy as np
import pytest

from models.hybrid_cable_robot.bounds.block_kernels import block_scratch, decide_blocks
from models.hybrid_cable_robot.bounds.wrench_kernels import INSIDE, OUTSIDE
from models.hybrid_cable_robot.cell_results import INTERFERENCE, PLATFORM, WRENCH, empty_results
from models.hybrid_cable_robot.cell_test_kernels import test_cells as scalar_cells
from models.hybrid_cable_robot.collisions import distances
from models.hybrid_cable_robot.collisions.distance_kernels import cable_distance, platform_clearance
from models.hybrid_cable_robot.motion.path_collisions import fill_gaps
from models.hybrid_cable_robot.robot import changed_robot
from models.hybrid_cable_robot.simd import driver
from models.hybrid_cable_robot.wrench.capacity_kernels import wrench_scratch
from tests.models.hybrid_cable_robot.layouts import EIGHT, LAYOUTS, layout
from tests.oracles.cable_robot_certificates import decide_block, decide_cables, decide_platform
from tests.repetition import repeated

HALF = np.full(3, 1e-3)  # [m], half sides of the blocks


def strong(name):
    """The robot with cables that hold everything, and positions all over the space and close to the middle."""
    robot, positions = layout(name)
    positions = positions[::2]
    none = {"wrench_center": np.zeros(6), "wrench_range": np.zeros(6), "first_moments": np.zeros((1, 3))}
    robot = changed_robot(robot, **none, f_min=0.0, f_max=1.0)
    return robot, np.concatenate([positions, positions / 10, positions * [0.1, 0.1, 1.2]])


def defined(robot, positions, rotation):
    """Distances and clearances (n,) m by the definitions."""
    return (
        np.array([distances.least_cable_distance(robot, position, rotation) for position in positions]),
        np.array([distances.platform_clearance(robot, position, rotation) for position in positions]),
    )


@pytest.mark.parametrize("name", LAYOUTS)
def test_one_pose_and_a_path(name):
    robot, positions = strong(name)
    cables = np.empty((len(robot.pulleys), 7))
    for rotation in robot.rotations[::4]:
        distances, clearances = defined(robot, positions, rotation)
        found = [np.sqrt(cable_distance(robot, rotation, position, cables)) for position in positions]
        np.testing.assert_allclose(found, distances, atol=1e-12)
        found = [platform_clearance(robot, rotation, position) for position in positions]
        np.testing.assert_allclose(found, clearances, atol=1e-12)
        gaps = np.empty((2, len(positions)))
        turns = np.tile(rotation, (len(positions), 1, 1))
        fill_gaps(robot, turns, positions, gaps[0], gaps[1])
        np.testing.assert_allclose(gaps, [distances, clearances], atol=1e-12)


@pytest.mark.parametrize("name", repeated(LAYOUTS, quick=["constrained", "thick cables", "seven cables"]))
def test_cells(name):
    """Many positions at once: the scalar kernel, and with eight cables the vector kernels."""
    robot, positions = strong(name)
    each = [defined(robot, positions, rotation) for rotation in robot.rotations]
    distances, clearances = (np.min(part, axis=0) for part in zip(*each, strict=True))
    for test in (scalar_cells, driver.test_cells)[: 2 if name in EIGHT else 1]:
        found = empty_results(len(positions))
        test(robot, False, positions, wrench_scratch(robot), found)
        tested = found.verdicts != WRENCH
        cut = (clearances < 0.0) & robot.check_platform
        np.testing.assert_array_equal(found.verdicts[tested] == PLATFORM, cut[tested])
        apart = tested & (found.verdicts != PLATFORM)
        np.testing.assert_allclose(found.distances[apart], distances[apart], atol=1e-12)
        np.testing.assert_array_equal(
            found.verdicts[apart] == INTERFERENCE, distances[apart] <= robot.touching
        )
        assert apart.any()


@pytest.mark.parametrize("name", ["constrained", "suspended", "thick cables", "seven cables"])
def test_blocks(name):
    """A block's proof holds at its centre, and the compiled proof is that in plain numpy."""
    robot, positions = strong(name)
    robot, positions = changed_robot(robot, rotations=robot.rotations[:1]), positions[::2]
    rotation, verdict = robot.rotations[0], np.empty(1, np.int8)
    distances, clearances = defined(robot, positions, rotation)
    for position, distance, clearance in zip(positions, distances, clearances, strict=True):
        proved = np.zeros((1, 1), np.uint8)
        decide_blocks(robot, position[None], HALF, proved, block_scratch(robot), verdict)
        assert verdict[0] == decide_block(robot, position, HALF)
        cables = decide_cables(robot, position, HALF, rotation)
        assert cables != INSIDE or distance > robot.touching
        assert cables != OUTSIDE or distance <= robot.touching
        platform = decide_platform(robot, position, HALF, rotation)
        assert platform != INSIDE or clearance >= 0.0
        assert platform != OUTSIDE or clearance < 0.0
