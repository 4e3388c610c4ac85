"""States at rest beside the path of loading: antagonists, robots that stand and fall, and free turns."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from scipy.optimize import minimize

from models.continuum_dynamics import MODEL, corotational, relative
from models.continuum_dynamics.relative.statics import shortenings
from models.continuum_dynamics.robot import stiffnesses
from models.contract import Evaluation
from tests.models.continuum_dynamics.robots import robot_with
from tests.oracles.relative_motion import cable_forms, energies, weight_forces

GREENHILL = 7.8373  # weight per length times length^3 by EI, at which a rod that stands falls


def standing_rod(load, disks=10):
    """A rod of 1 m without disks and cables, with ``load`` times the weight of Greenhill."""
    robot = robot_with(disks=disks, length=1.0, disk_mass=1e-9, hole_azimuths=[0.0])
    weight = load * GREENHILL * robot.EI  # [N/m]
    return robot._replace(gravity=np.array([0.0, 0.0, -weight / (6450 * math.pi / 4 * 1e-6)]))


@pytest.mark.parametrize("load", [0.97, 0.5])
def test_a_rod_lighter_than_greenhills_stands(load):
    found = relative.static_solution(standing_rod(load), [0.0], [False])
    assert found.stable
    assert found.positions[-1] == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)


def fallen_tip(load):
    """Distance from the axis and height [m] of the tip of a rod that stands and has fallen."""

    def slopes(s, y):
        theta, rate = y[:2]
        bend = -load * GREENHILL * (1 - s) * np.sin(theta)
        return np.array([rate, bend, np.sin(theta), np.cos(theta)])

    s = np.linspace(0.0, 1.0, 101)
    exact = solve_bvp(slopes, lambda a, b: np.array([a[0], b[1], a[2], a[3]]), s,
                      np.array([2 * s, 2 * (1 - s), s / 2, s / 2]), tol=1e-9, max_nodes=100_000)  # fmt: skip
    assert exact.success
    assert abs(exact.y[0, -1]) > 0.5
    return exact.y[2:, -1]


def test_a_heavier_rod_falls_where_the_elastica_is_and_may_turn_freely():
    found = relative.static_solution(standing_rod(2.0, 20), [0.0], [False])
    assert found.stable
    tip = found.positions[-1]
    assert [math.hypot(tip[0], tip[1]), tip[2]] == pytest.approx(fallen_tip(2.0), abs=5e-3)


def test_antagonists_that_jam_on_the_way_rest_at_its_end():
    robot = robot_with(hole_azimuths=[0.0, math.pi])
    for form in (relative, corotational):
        found = form.static_solution(robot, [40e-3, -39.2e-3])
        assert found.stable
        assert found.q[:, 1].sum() == pytest.approx(3.0185, rel=5e-4)
        assert found.loose == pytest.approx([0.0, 4.0e-3], abs=1e-4)
        assert found.tensions[1] == 0.0


THIN = {"length": 0.4, "hole_radius": 0.01, "disk_radius": 0.012, "disks": 4, "gravity": (0.0, 0.0, -9.81)}


@pytest.mark.parametrize(("diameter", "pulls", "held"), [
    (0.3e-3, [0.01, 0.0, 0.0], [True, False, False]),
    (0.5e-3, [0.02, -0.01, -0.01], [True, True, True]),
    (0.4e-3, [0.005, 0.003, -0.004], [True, True, True]),
])  # fmt: skip
def test_thin_robots_that_stand_rest_where_the_energy_is_least(diameter, pulls, held):
    """Forces balance, and a general minimiser finds nothing lower nearby."""
    robot = robot_with(backbone_diameter=diameter, **THIN)
    found = relative.static_solution(robot, pulls, held)
    assert found.stable
    gradient = stiffnesses(robot) * found.q.ravel() - weight_forces(robot, found.q)
    scale = np.abs(weight_forces(robot, found.q)).max()
    balance = gradient + found.tensions @ cable_forms(robot, found.q).slopes
    assert balance == pytest.approx(0.0, abs=1e-8 * scale)

    def energy(q):
        still = energies(robot, q.reshape(-1, 3), np.zeros((4, 3)))
        return still.elastic + still.gravity

    def loose(q):
        return (shortenings(robot, cable_forms(robot, q.reshape(-1, 3))) - pulls)[held]

    start = found.q.ravel() + 0.02 * np.random.default_rng(0).normal(size=12)
    limits = {"type": "ineq", "fun": lambda q: 1e3 * loose(q)}
    other = minimize(
        lambda q: energy(q) / scale, start, method="SLSQP", constraints=limits, options={"maxiter": 60}
    )
    assert loose(found.q.ravel()).min() > -1e-11
    assert found.energy / scale < other.fun + 1e-4


def test_an_evaluation_says_that_the_rest_is_stable_and_where_the_tip_lies():
    settings = {**THIN, "backbone_diameter": 0.4e-3, "gravity": "up",
                "drives": [{"pull": 0.01}, {"state": "slack"}, {"state": "slack"}]}  # fmt: skip
    outcome = MODEL.evaluate(MODEL.resolve(None, settings), "rest", 0)
    assert isinstance(outcome, Evaluation)
    assert outcome.metrics["stable"] == 1.0
    assert outcome.metrics["tip_z"] < 0.0
    assert not outcome.warnings
