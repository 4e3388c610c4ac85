"""Errors against measured positions: values by hand, interpolation in time, and what is refused."""

import numpy as np
import pytest

from errors import InputError
from models.continuum_dynamics import Drive
from models.continuum_dynamics.measured import measured_rows, simulated_rows, trajectory_errors
from models.continuum_dynamics.relative.simulation import simulate
from tests.models.continuum_dynamics.robots import robot_with

TIMES = np.arange(5.0)
# Two disks of a robot of 0.4 m: the first moves along x, the second along y and z.
POSITIONS = np.zeros((5, 3, 3))
POSITIONS[:, 1] = np.outer(TIMES, [0.01, 0.0, 0.0])
POSITIONS[:, 2] = np.outer(TIMES**2, [0.0, 0.01, -0.001])
POSITIONS[:, 1:, 2] += [0.2, 0.4]


def test_errors_are_those_computed_by_hand():
    measured = [
        [2.0, 2, 0.004, 0.04, 0.4],  # simulated: 0, 0.04, 0.396
        [0.5, 1, 0.007, 0.0, 0.2],  # simulated: 0.005, 0, 0.2
        [3.0, 1, 0.029, 0.001, 0.2],  # simulated: 0.03, 0, 0.2
        [1.5, 2, 0.0, 0.0205, 0.39775],  # simulated: 0, 0.0225, 0.39775
    ]
    found = trajectory_errors(measured, TIMES, POSITIONS, 0.4)
    assert found.differences == pytest.approx(
        np.array([[-0.004, 0, -0.004], [-0.002, 0, 0], [0.001, -0.001, 0], [0, 0.002, 0]]), abs=1e-15
    )
    assert found.disks == pytest.approx(np.array([[0.01, 0.005, 0.0], [0.01, 0.005, 0.01]]), abs=1e-15)
    assert found.tip == pytest.approx([0.01, 0.005, 0.01], abs=1e-15)


def test_a_disk_that_was_not_measured_has_no_error():
    found = trajectory_errors([[1.0, 1, 0.0, 0.0, 0.2]], TIMES, POSITIONS, 0.4)
    assert found.disks[0] == pytest.approx([0.05, 0.0, 0.0])
    assert np.isnan(found.tip).all()


def test_few_instants_are_joined_by_straight_lines():
    rows = measured_rows([[0.5, 2, 0.0, 0.0, 0.0]], 2, 1.0)
    assert simulated_rows(rows, TIMES[:2], POSITIONS[:2]) == pytest.approx(np.array([[0, 0.005, 0.3995]]))


def test_a_motion_has_no_error_against_itself_and_little_against_half_of_its_instants():
    robot = robot_with(disks=3, hole_azimuths=[0.0])
    motion = simulate(robot, [Drive(pull=0.02)], 1.0)
    rows = [[t, 2, *place] for t, place in zip(motion.times, motion.positions[:, 2], strict=True)]
    exact = trajectory_errors(rows, motion.times, motion.positions, 0.636)
    assert np.abs(exact.differences).max() < 1e-15
    half = trajectory_errors(rows, motion.times[::2], motion.positions[::2], 0.636)
    quarter = trajectory_errors(rows, motion.times[::4], motion.positions[::4], 0.636)
    assert np.abs(half.differences).max() < 1e-6
    assert np.abs(half.differences).max() < np.abs(quarter.differences).max() / 8


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ([-0.1, 1, 0.0, 0.0, 0.0], "outside the motion"),
        ([4.1, 1, 0.0, 0.0, 0.0], "0 to 4 s"),
        ([1.0, 0, 0.0, 0.0, 0.0], "no disk 0"),
        ([1.0, 3, 0.0, 0.0, 0.0], "from 1 to 2"),
        ([1.0, 1.5, 0.0, 0.0, 0.0], "no disk 1.5"),
    ],
)
def test_a_row_that_cannot_be_compared_is_refused(row, text):
    with pytest.raises(InputError, match=text) as caught:
        trajectory_errors([[1.0, 1, 0.0, 0.0, 0.0], row], TIMES, POSITIONS, 0.4)
    assert caught.value.place == ("measured", 1)


@pytest.mark.parametrize("measured", [[], [[1.0, 1, 0.0]], [[1.0, 1, 0.0, 0.0, float("nan")]]])
def test_what_is_no_table_of_positions_is_refused(measured):
    with pytest.raises(InputError, match="time, disk, x, y, z") as caught:
        trajectory_errors(measured, TIMES, POSITIONS, 0.4)
    assert caught.value.place == ("measured",)
