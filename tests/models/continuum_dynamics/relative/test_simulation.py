"""Motion: where it ends, what energy it needs, how exactly cables keep their lengths, what must not matter."""

import math
from functools import cache

import numpy as np
import pytest

from errors import InputError
from models.continuum_dynamics import Drive
from models.continuum_dynamics.relative.simulation import simulate
from models.continuum_dynamics.relative.statics import static_solution
from tests.models.continuum_dynamics.robots import robot_with
from tests.oracles.runge_kutta import simulate_relative

RELEASE = {"times": [0.0, 0.1, 0.4], "lengths": [0.02, 0.02, 0.005]}


@cache
def one_cable(step=0.005, **changes):
    """The default robot with one cable that is pulled in one second."""
    robot = robot_with(hole_azimuths=[0.0], **changes)
    return robot, simulate(robot, [Drive(pull=0.024)], 2.0, step=step)


def test_damped_motion_ends_in_the_static_solution():
    robot = robot_with(mass_damping=6.0, gravity=(0.5, 0.0, 9.81))
    drives = [Drive(pull=0.014), Drive(pull=0.006, start=0.5, end=1.5), Drive("slack")]
    motion = simulate(robot, drives, 8.0)
    rest = static_solution(robot, [0.014, 0.006, 0.0], [True, True, False])
    assert motion.completed
    assert motion.states[-1] == pytest.approx(rest.q, abs=1e-6 * np.abs(rest.q).max())
    assert motion.tensions[-1] == pytest.approx(rest.tensions, rel=1e-6)
    assert motion.curvatures[-1] == pytest.approx(rest.curvatures, rel=1e-5)


def test_a_robot_at_rest_stays_there():
    robot = robot_with(gravity=(0.0, 2.0, 9.81))
    motion = simulate(robot, [Drive("locked"), Drive("slack"), Drive("absent")], 0.5)
    assert motion.states == pytest.approx(np.broadcast_to(motion.states[0], motion.states.shape), abs=1e-9)
    assert np.abs(motion.states[0]).max() > 0.01


@pytest.mark.parametrize("stiffness_damping", [0.0, 0.01])
def test_work_is_energy_and_dissipation(stiffness_damping):
    _, motion = one_cable(stiffness_damping=stiffness_damping)
    assert np.abs(motion.energy_balance.imbalance()).max() < 1e-6
    assert motion.energy_balance.work[-1] > 5e-3
    assert motion.energy_balance.dissipated[-1] > 1e-5


def test_work_is_energy_and_dissipation_where_a_cable_loosens_and_tautens():
    motion = simulate(robot_with(hole_azimuths=[0.0]), [Drive(**RELEASE)], 3.0, step=0.002)
    pulling = motion.tensions[:, 0] > 0.0
    assert pulling[0]
    assert np.count_nonzero(np.diff(pulling)) >= 2
    assert np.ptp(motion.energy_balance.kinetic) > 1e-3
    assert np.abs(motion.energy_balance.imbalance()).max() < 1e-5


def orders(errors):
    return np.log2(np.array(errors[:-1]) / errors[1:])


def test_the_residual_of_the_constraint_falls_with_the_third_power_of_the_step():
    residuals = [np.abs(one_cable(step)[1].loose).max() for step in (0.01, 0.005, 0.0025)]
    assert orders(residuals) == pytest.approx(3.0, abs=0.3)
    assert residuals[1] < 1e-6


def test_the_explicit_residual_falls_with_the_second_power_of_the_step():
    robot, residuals = robot_with(hole_azimuths=[0.0], disks=3), []
    for step in (0.002, 0.001, 0.0005):
        motion = simulate_relative(robot, [Drive(pull=0.02, end=2.0)], 2.0, step=step)
        residuals.append(np.abs(motion.loose).max())
    assert orders(residuals) == pytest.approx(2.0, abs=0.1)
    assert residuals[1] < 1e-8


def test_both_methods_find_the_same_motion():
    robot = robot_with(disks=3, gravity=(1.0, 0.0, 0.0))
    drives = [Drive(pull=0.02), Drive(pull=0.01, start=0.2, end=0.8), Drive("slack")]
    exact = simulate_relative(robot, drives, 1.0, step=0.0005)
    errors = []
    for step in (0.004, 0.002):
        tip = simulate(robot, drives, 1.0, step=step).positions[:, -1]
        every = round(step / 0.0005)
        errors.append(np.abs(tip - exact.positions[::every, -1]).max())
    assert orders(errors) == pytest.approx(2.0, abs=0.3)
    assert errors[1] < 1e-4


def test_cables_never_push_and_are_loose_or_pull():
    robot = robot_with(gravity=(0.0, 0.0, 9.81), mass_damping=0.0, hole_azimuths=np.radians([0, 90, 180]))
    paid_out = Drive(times=[0.0, 1.0], lengths=[-0.03, -0.01])
    drives = [Drive(**RELEASE), Drive(pull=0.01, start=0.3, end=0.6), paid_out]
    motion = simulate(robot, drives, 2.0)
    assert motion.completed
    assert (motion.tensions >= 0.0).all()
    assert motion.loose.min() > -1e-4
    assert (motion.loose[motion.tensions == 0.0] > 1e-3).any()
    assert motion.loose[motion.tensions > 0.0].max() < 1e-4


def test_the_next_cable_moves_the_robot_120_degrees_further():
    robot = robot_with()
    drives = [Drive(pull=0.02), Drive(pull=0.005, start=0.3), Drive("slack")]
    first = simulate(robot, drives, 1.5)
    turned = simulate(robot, [drives[2], drives[0], drives[1]], 1.5)
    c, s = math.cos(2 * math.pi / 3), math.sin(2 * math.pi / 3)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    assert turned.positions == pytest.approx(first.positions @ turn.T, abs=1e-8)
    assert turned.tensions == pytest.approx(np.roll(first.tensions, 1, axis=1), abs=1e-6)


def test_a_free_robot_swings_with_the_energy_that_it_has():
    """Released by a cable, without damping; the method damps fast motions, less with shorter steps."""
    robot, losses = robot_with(hole_azimuths=[0.0], mass_damping=0.0, gravity=(0.0, 0.0, 9.81)), []
    release = Drive(times=[0.0, 0.1, 0.6], lengths=[0.02, 0.02, -0.2])
    for step in (0.002, 0.001):
        motion = simulate(robot, [release], 4.0, step=step)
        free, balance = motion.times > 0.7, motion.energy_balance
        assert not motion.tensions[free].any()
        energy = (balance.kinetic + balance.elastic + balance.gravity)[free]
        losses.append(np.ptp(energy) / np.ptp(balance.kinetic[free]))
    assert losses[1] < 1e-3
    assert orders(losses) == pytest.approx(2.0, abs=0.3)


@pytest.mark.parametrize("others", [Drive(pull=0.02), Drive("locked")])
def test_drives_that_work_against_each_other_end_the_motion(others):
    """Three cables that are held around a straight, inextensible backbone do not let it bend."""
    motion = simulate(robot_with(), [Drive(pull=0.02), others, others], 1.0)
    assert not motion.completed
    assert 0 < len(motion.times) < 201
    assert "no tensions hold the cables" in motion.reason
    assert len(motion.states) == len(motion.energy_balance.work) == len(motion.times)


def test_a_straight_robot_with_locked_cables_stays_straight():
    motion = simulate(robot_with(gravity=(0.0, 0.0, 9.81)), [Drive("locked")] * 3, 0.5)
    assert motion.completed
    assert not motion.states.any()


def test_an_explicit_step_that_is_too_long_is_noticed():
    motion = simulate_relative(robot_with(hole_azimuths=[0.0]), [Drive(pull=0.02)], 1.0, step=0.01)
    assert not motion.completed
    assert np.isfinite(motion.states).all()


def test_eight_cables_bend_a_hanging_robot():
    azimuths = np.radians(22.5 + 45.0 * np.arange(8))
    robot = robot_with(hole_azimuths=azimuths, gravity=(0.3, 0.0, 9.81), mass_damping=6.0)
    pulls = 0.02 * np.cos(azimuths) - 0.003
    motion, rest = simulate(robot, [Drive(pull=pull) for pull in pulls], 6.0), static_solution(robot, pulls)
    assert motion.completed
    assert (motion.tensions >= 0.0).all()
    assert motion.tensions[-1] == pytest.approx(rest.tensions, abs=1e-5)
    assert motion.states[-1] == pytest.approx(rest.q, abs=1e-5)


@pytest.mark.parametrize(
    ("changes", "place", "text"),
    [
        ({"duration": 0.0}, ("duration",), "not positive"),
        ({"step": -0.1}, ("step",), "not positive"),
        ({"duration": 1e9}, ("step",), "1 to 1000000"),
        ({"duration": 0.001}, ("step",), "has 0 steps"),
        ({"drives": [Drive()]}, ("drives",), "one per cable"),
    ],
)
def test_what_is_wrong_is_refused(changes, place, text):
    given = {"drives": [Drive()] * 3, "duration": 1.0, "step": 0.005, **changes}
    with pytest.raises(InputError, match=text) as caught:
        simulate(robot_with(), **given)
    assert caught.value.place == place


def test_a_robot_that_cannot_rest_at_the_start_is_refused():
    table = Drive(times=[0.0, 1.0], lengths=[0.02, 0.0])
    with pytest.raises(InputError, match="does not rest"):
        simulate(robot_with(), [table] * 3, 1.0)
