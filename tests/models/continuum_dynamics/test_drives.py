"""Ramps and tables of wound lengths, and what is refused."""

import numpy as np
import pytest

from errors import InputError, UnknownNameError
from models.continuum_dynamics import Drive, greatest_pull
from models.continuum_dynamics.drives import rise_time, sampled
from tests.models.continuum_dynamics.robots import robot_with

ROBOT = robot_with(hole_azimuths=[0.0])
TABLE = {"times": [0.5, 1.0, 1.7, 2.0], "lengths": [0.0, 0.01, 0.02, 0.005]}


def one(drive, times):
    found = sampled(greatest_pull(ROBOT), [drive], np.asarray(times, float))
    return found.pulls[0], found.speeds[0], found.accelerations[0]


@pytest.mark.parametrize("drive", [Drive(pull=0.024, start=0.5, end=2.0), Drive(**TABLE)])
def test_speed_and_acceleration_are_the_derivatives_of_the_length(drive):
    times, h = np.linspace(0.51, 1.99, 60) + 1e-3, 1e-5
    before, _, _ = one(drive, times - h)
    pulls, speeds, accelerations = one(drive, times)
    after, _, _ = one(drive, times + h)
    assert speeds == pytest.approx((after - before) / (2 * h), abs=1e-8)
    assert accelerations == pytest.approx((after - 2 * pulls + before) / h**2, abs=1e-5)


@pytest.mark.parametrize("drive", [Drive(pull=0.024, start=0.5, end=2.0), Drive(**TABLE)])
def test_a_drive_rests_before_its_start_and_after_its_end(drive):
    pulls, speeds, accelerations = one(drive, [0.0, 0.4999, 2.0001, 9.0])
    last = 0.024 if drive.times is None else 0.005
    assert pulls == pytest.approx([0.0, 0.0, last, last], abs=1e-16)
    assert not speeds.any()
    assert not accelerations.any()


def test_a_ramp_starts_and_ends_without_acceleration():
    pulls, speeds, accelerations = one(Drive(pull=0.024), [1e-6, 0.5, 1 - 1e-6])
    assert pulls[1] == pytest.approx(0.012, abs=1e-15)
    assert speeds == pytest.approx([0.0, 0.024 * 15 / 8, 0.0], abs=1e-10)
    assert accelerations == pytest.approx(0.0, abs=2e-6)


def test_a_table_passes_through_its_rows_with_continuous_speed():
    knots = np.array(TABLE["times"])
    assert one(Drive(**TABLE), knots)[0] == pytest.approx(TABLE["lengths"], abs=1e-15)
    before, after = (one(Drive(**TABLE), knots[1:-1] + side)[1] for side in (-1e-9, 1e-9))
    assert before == pytest.approx(after, abs=1e-6)
    rest = one(Drive(**TABLE), knots[[0, -1]])
    assert rest[1] == pytest.approx([0.0, 0.0], abs=1e-12)


def test_a_table_stays_within_its_rows():
    drive = Drive(times=(0.0, 2.0, 2.5, 2.7, 3.2), lengths=(0.0, 0.024, 0.024, 0.0, 0.0))
    lengths = one(drive, np.linspace(0.0, 3.2, 641))[0]
    assert lengths.min() == 0.0
    assert lengths.max() == 0.024
    assert np.all(lengths[400:501] == 0.024)


def test_only_driven_and_locked_cables_are_held():
    drives = [Drive(pull=0.01), Drive("locked"), Drive("slack"), Drive("absent")]
    robot = robot_with(hole_azimuths=[0.0, 1.0, 2.0, 3.0])
    found = sampled(greatest_pull(robot), drives, np.array([0.0, 2.0]))
    assert found.held.tolist() == [True, True, False, False]
    assert found.pulls.tolist() == [[0.0, 0.01], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("drive", "place", "text"),
    [
        (Drive(pull=0.01, start=1.0, end=1.0), ("end",), "jumps by 0.01 m at 1 s"),
        (Drive(pull=0.01, start=2.0, end=1.0), ("end",), "before its start"),
        (Drive(pull=np.nan), ("pull",), "not finite"),
        (Drive(pull=0.5), ("pull",), "more than the robot has"),
        (Drive(times=[0.0, 1.0], lengths=[0.0, 0.5]), ("lengths",), "more than the robot has"),
        (
            Drive(times=[0.0, 1.0, 1.0], lengths=[0.0, 0.0, 0.1]),
            ("times", 2),
            "the drive jumps: 1 s follows 1 s",
        ),
        (
            Drive(times=[0.0, 1.0, 0.5], lengths=[0.0, 0.0, 0.1]),
            ("times", 2),
            "out of order: 0.5 s follows 1 s",
        ),
        (Drive(times=[0.0, 1.0], lengths=[0.0]), ("lengths",), "one per time"),
        (Drive(times=[0.0, np.inf], lengths=[0.0, 0.0]), ("times",), "finite"),
        (Drive(times=[0.0], lengths=[0.0]), ("times",), "at least two"),
        (Drive(times=[0.0, 1.0]), ("lengths",), "give both"),
        (Drive(pull=0.01, **TABLE), ("pull",), "beside a table"),
        (Drive("locked", pull=0.01), ("state",), "is not wound"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(drive, place, text):
    with pytest.raises(InputError, match=text) as caught:
        sampled(greatest_pull(ROBOT), [drive], np.zeros(1))
    assert caught.value.place == ("drives", 0, *place)


def test_an_unknown_state_and_a_wrong_number_of_drives_are_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'locked'"):
        sampled(greatest_pull(ROBOT), [Drive("lockd")], np.zeros(1))
    with pytest.raises(InputError, match="1 cables; got 2 drives"):
        sampled(greatest_pull(ROBOT), [Drive(), Drive()], np.zeros(1))


def test_the_greatest_pull_is_the_shortening_at_half_a_turn_of_every_element():
    chord = 2 * (0.0636 / np.pi - 0.0125)
    assert greatest_pull(ROBOT) == pytest.approx([10 * (0.0636 - chord)], rel=1e-12)
    wide = robot_with(hole_azimuths=[0.0], hole_radius=0.03, disk_radius=0.04)
    assert greatest_pull(wide) == pytest.approx([0.636], rel=1e-12)  # the disks meet before


def test_a_rise_time_is_that_of_the_ramp_that_is_as_far_and_as_fast():
    assert rise_time(Drive(pull=-0.02, start=0.5, end=0.8)) == pytest.approx(0.3)
    ramp = one(Drive(pull=0.02, end=0.3), np.linspace(0.0, 0.3, 3001))
    assert rise_time(Drive(pull=0.02, end=0.3)) == pytest.approx(1.875 * 0.02 / ramp[1].max())
    assert rise_time(Drive(**TABLE)) == pytest.approx(1.875 * 0.02 / 0.05)
    for still in (Drive("locked"), Drive("slack"), Drive(), Drive(times=[0.0, 1.0], lengths=[0.01, 0.01])):
        assert rise_time(still) == np.inf
