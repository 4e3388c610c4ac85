"""Motion in the co-rotational form: where it ends, its energy, its orders, and the relative form beside it."""

import math
import tracemalloc
from functools import cache

import numpy as np
import pytest

from models.continuum_dynamics import Drive
from models.continuum_dynamics.corotational.simulation import simulate
from models.continuum_dynamics.corotational.statics import static_solution
from models.continuum_dynamics.integration import BLOCK
from models.continuum_dynamics.relative import simulation, statics
from tests.models.continuum_dynamics.robots import robot_with
from tests.oracles.runge_kutta import simulate_corotational

RELEASE = {"times": [0.0, 0.1, 0.4], "lengths": [0.02, 0.02, 0.005]}
HEAVY = {"disks": 2, "disk_mass": 0.1, "backbone_diameter": 2e-3, "hole_azimuths": [0.0]}
"""Stretches slowly enough for explicit steps of half a millisecond."""


@cache
def one_cable(step=0.002, **changes):
    """The default robot with one cable that is pulled in one second."""
    robot = robot_with(hole_azimuths=[0.0], **changes)
    return simulate(robot, [Drive(pull=0.024)], 2.0, step=step)


def orders(errors):
    return np.log2(np.array(errors[:-1]) / errors[1:])


@pytest.mark.parametrize("bowing", [pytest.param(True, marks=pytest.mark.soak), False])
def test_damped_motion_ends_in_the_static_solution(bowing):
    robot = robot_with(mass_damping=6.0, gravity=(0.5, 0.0, 9.81), bowing=bowing)
    drives = [Drive(pull=0.014), Drive(pull=0.006, start=0.5, end=1.5), Drive("slack")]
    motion = simulate(robot, drives, 8.0)
    rest = static_solution(robot, [0.014, 0.006, 0.0], [True, True, False])
    assert motion.completed
    assert motion.positions[-1] == pytest.approx(rest.positions, abs=1e-6 * 0.636)
    assert motion.states[-1] == pytest.approx(rest.q, abs=1e-6 * np.abs(rest.q).max())
    assert motion.tensions[-1] == pytest.approx(rest.tensions, rel=1e-6)
    assert motion.curvatures[-1] == pytest.approx(rest.curvatures, rel=1e-6)


def test_a_robot_at_rest_stays_there():
    robot = robot_with(gravity=(0.0, 2.0, 9.81))
    motion = simulate(robot, [Drive("locked"), Drive("slack"), Drive("absent")], 0.5)
    first = np.broadcast_to(motion.positions[0], motion.positions.shape)
    assert motion.positions == pytest.approx(first, abs=1e-9)
    assert np.abs(motion.states[0]).max() > 0.01


@pytest.mark.parametrize("stiffness_damping", [0.0, 0.01])
def test_work_is_energy_and_dissipation(stiffness_damping):
    motion = one_cable(stiffness_damping=stiffness_damping)
    assert np.abs(motion.energy_balance.imbalance()).max() < 1e-6
    assert motion.energy_balance.work[-1] > 5e-3
    assert motion.energy_balance.dissipated[-1] > 1e-5


def test_work_is_energy_and_dissipation_where_a_cable_loosens_and_tautens():
    motion = simulate(robot_with(hole_azimuths=[0.0]), [Drive(**RELEASE)], 3.0)
    pulling = motion.tensions[:, 0] > 0.0
    assert pulling[0]
    assert np.count_nonzero(np.diff(pulling)) >= 2
    assert np.abs(motion.energy_balance.imbalance()).max() < 1e-5
    assert (motion.tensions >= 0.0).all()
    assert motion.loose.min() > -1e-4


def test_the_residual_of_the_constraint_falls_with_the_third_power_of_the_step():
    residuals = [np.abs(one_cable(step).loose).max() for step in (0.008, 0.004, 0.002)]
    assert orders(residuals) == pytest.approx(3.0, abs=0.3)
    assert residuals[-1] < 1e-8


def test_the_explicit_residual_falls_with_the_second_power_of_the_step():
    robot, residuals = robot_with(**HEAVY), []
    for step in (0.0004, 0.0002, 0.0001):
        motion = simulate_corotational(robot, [Drive(pull=0.02)], 1.0, step=step)
        assert motion.completed
        residuals.append(np.abs(motion.loose).max())
    assert orders(residuals) == pytest.approx(2.0, abs=0.2)


def test_both_methods_find_the_same_motion():
    robot, drives = robot_with(**HEAVY), [Drive(pull=0.02)]
    exact, errors = simulate_corotational(robot, drives, 1.0, step=0.0002), []
    for step in (0.008, 0.004):
        tip = simulate(robot, drives, 1.0, step=step).positions[:, -1]
        every = round(step / 0.0002)
        errors.append(np.abs(tip - exact.positions[::every, -1]).max())
    assert orders(errors) == pytest.approx(2.0, abs=0.3)
    assert errors[1] < 1e-4


def settling(motion, final):
    """Time of the last instant at which the tip is 2 % of the length from where it ends."""
    away = np.linalg.norm(motion.positions[:, -1] - final, axis=1) > 0.02 * 0.636
    return motion.times[np.flatnonzero(away)[-1]]


@pytest.mark.parametrize("pull", [0.024, pytest.param(0.012, marks=pytest.mark.soak)])
def test_both_forms_agree_within_one_percent(pull):
    """On settling time, overshoot and peak tension, with a mass damping of 1/s."""
    robot, drives = robot_with(hole_azimuths=[0.0]), [Drive(pull=pull)]
    found, other = simulate(robot, drives, 8.0), simulation.simulate(robot, drives, 8.0)
    ends = static_solution(robot, [pull]), statics.static_solution(robot, [pull])
    tips = [rest.positions[-1] for rest in ends]
    assert settling(found, tips[0]) == pytest.approx(settling(other, tips[1]), rel=0.01)
    peaks = [
        (motion.positions[:, -1, 0].max() - tip[0]) / 0.636
        for motion, tip in zip((found, other), tips, strict=True)
    ]
    assert peaks[0] == pytest.approx(peaks[1], rel=0.01)
    assert found.tensions.max() == pytest.approx(other.tensions.max(), rel=0.01)


def test_a_free_robot_swings_with_the_energy_that_it_has():
    """Released by a cable, without damping; the method damps fast motions, with second or third order."""
    robot, losses = robot_with(hole_azimuths=[0.0], mass_damping=0.0, gravity=(0.0, 0.0, 9.81)), []
    release = Drive(times=[0.0, 0.1, 0.6], lengths=[0.02, 0.02, -0.2])
    for step in (0.002, 0.001):
        motion = simulate(robot, [release], 3.0, step=step)
        free, balance = motion.times > 0.7, motion.energy_balance
        assert not motion.tensions[free].any()
        energy = (balance.kinetic + balance.elastic + balance.gravity)[free]
        losses.append(np.ptp(energy) / np.ptp(balance.kinetic[free]))
    assert losses[1] < 2e-3
    assert 1.7 < orders(losses)[0] < 3.3


def test_a_free_robot_keeps_its_energy_exactly_in_small_explicit_steps():
    robot = robot_with(**{**HEAVY, "mass_damping": 0.0, "gravity": (3.0, 0.0, 9.81)})
    release = Drive(times=[0.0, 0.1, 0.3], lengths=[0.005, 0.005, -0.1])
    motion = simulate_corotational(robot, [release], 1.0, step=0.00005)
    free, balance = motion.times > 0.4, motion.energy_balance
    assert not motion.tensions[free].any()
    energy = (balance.kinetic + balance.elastic + balance.gravity)[free]
    assert np.ptp(energy) < 1e-5 * np.ptp(balance.kinetic[free])


def test_the_next_cable_moves_the_robot_120_degrees_further():
    """Up to the fourth-order terms that ``test_elements.py`` states."""
    robot = robot_with()
    drives = [Drive(pull=0.02), Drive(pull=0.005, start=0.3), Drive("slack")]
    first = simulate(robot, drives, 1.5)
    turned = simulate(robot, [drives[2], drives[0], drives[1]], 1.5)
    c, s = math.cos(2 * math.pi / 3), math.sin(2 * math.pi / 3)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    assert turned.positions == pytest.approx(first.positions @ turn.T, abs=5e-6)
    assert turned.tensions == pytest.approx(np.roll(first.tensions, 1, axis=1), abs=1e-4)


def test_a_small_pull_against_locked_cables_compresses_the_backbone():
    """The relative form ends here: its backbone is as long as it is."""
    drives = [Drive(pull=1e-4), Drive("locked"), Drive("locked")]
    motion = simulate(robot_with(), drives, 1.5)
    rest = static_solution(robot_with(), [1e-4, 0.0, 0.0])
    assert motion.completed
    assert (motion.tensions[1:] > 0.0).all()
    assert motion.tensions[-1] == pytest.approx(rest.tensions, rel=5e-3)
    assert motion.tensions.max() < 1.0
    assert motion.positions[-1, -1, 2] < 0.636 - 3e-5
    other = simulation.simulate(robot_with(), drives, 1.5)
    assert not other.completed
    assert "no tensions hold the cables" in other.reason


def test_drives_that_work_against_each_other_end_the_motion():
    motion = simulate(robot_with(), [Drive(pull=0.02), Drive("locked"), Drive("locked")], 1.0)
    assert not motion.completed
    assert 0 < len(motion.times) < 501
    assert "work against each other" in motion.reason
    assert len(motion.states) == len(motion.rates) == len(motion.energy_balance.work) == len(motion.times)


def test_eight_cables_bend_a_hanging_robot():
    azimuths = np.radians(22.5 + 45.0 * np.arange(8))
    robot = robot_with(hole_azimuths=azimuths, gravity=(0.3, 0.0, 9.81), mass_damping=6.0)
    pulls = 0.02 * np.cos(azimuths) - 0.003
    motion, rest = simulate(robot, [Drive(pull=pull) for pull in pulls], 6.0), static_solution(robot, pulls)
    assert motion.completed
    assert (motion.tensions >= 0.0).all()
    assert motion.tensions[-1] == pytest.approx(rest.tensions, abs=1e-5)
    assert motion.positions[-1] == pytest.approx(rest.positions, abs=1e-6)


def test_an_explicit_step_that_is_too_long_is_noticed():
    motion = simulate_corotational(robot_with(hole_azimuths=[0.0]), [Drive(pull=0.02)], 1.0, step=0.002)
    assert not motion.completed
    assert np.isfinite(motion.positions).all()


@pytest.mark.parametrize("form", [simulate, simulation.simulate])
def test_progress_is_told_block_by_block(form):
    shares = []
    form(robot_with(), [Drive("slack")] * 3, 2.0, step=0.002, progress=shares.append)
    assert len(shares) == math.ceil(1001 / BLOCK)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.mark.parametrize("form", [simulate, simulation.simulate])
def test_an_exception_in_progress_ends_the_simulation(form):
    """As Ctrl-C does, which Python notices between two blocks."""

    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        form(robot_with(), [Drive("slack")] * 3, 60.0, step=0.002, progress=stop)


@pytest.mark.parametrize("form", [simulate, simulation.simulate])
def test_a_minute_of_motion_needs_little_memory(form):
    robot, drives = robot_with(), [Drive("slack")] * 3
    tracemalloc.start()
    form(robot, drives, 6.0, step=0.002)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 10 * peak < 300e6


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40))
def test_random_drives_keep_the_energy_balance_and_never_push(seed):
    rng = np.random.default_rng(seed)
    robot = robot_with(
        disks=int(rng.integers(2, 16)), gravity=rng.normal(size=3) * 4, mass_damping=float(rng.uniform(0, 3)),
        stiffness_damping=float(rng.choice([0.0, 0.01])), bowing=bool(rng.integers(2)),
    )  # fmt: skip
    drives = [Drive(pull=float(rng.uniform(-0.02, 0.015)), end=float(rng.uniform(0.5, 2))) for _ in range(2)]
    motion = simulate(robot, [*drives, Drive("slack")], 4.0)
    assert motion.completed
    assert (motion.tensions >= 0.0).all()
    assert np.abs(motion.energy_balance.imbalance()).max() < 1e-4
