"""Equilibria that are known without the code: circles, the elastica, and what must not matter."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from models.continuum_statics import disks, equilibrium
from tests.models.continuum_statics.robots import paper

FREE = {"gravity": (0.0, 0.0, 0.0)}


def common_bend(parameters, tension):
    """Root of EI/L a + T d/da [2 (L/a - r) sin(a/2)] = 0: without gravity every segment bends by it."""
    L, r = parameters.gap, parameters.hole_radius

    def moment(a):
        slope = -2 * L / a**2 * math.sin(a / 2) + (L / a - r) * math.cos(a / 2)
        return parameters.bending / L * a + tension * slope

    return brentq(moment, 1e-6, 2.0, xtol=1e-15)


@pytest.mark.parametrize("tension", [0.5, 5.0, 20.0])
def test_without_gravity_all_segments_bend_alike(tension):
    parameters = paper(**FREE)
    found = equilibrium(parameters, [tension, 0, 0])
    bend = common_bend(parameters, tension)
    assert found.q[:, 0] == pytest.approx(-bend, abs=1e-11)
    assert found.q[:, 1:] == pytest.approx(0.0, abs=1e-12)
    assert found.stable


def test_the_known_bend_under_five_newton():
    bend = common_bend(paper(**FREE), 5.0)
    assert bend == pytest.approx(0.2247325, abs=5e-8)
    assert -equilibrium(paper(**FREE), [5.0, 0, 0]).q[0, 0] == pytest.approx(bend, abs=1e-9)


def test_short_segments_bend_as_the_moment_tells():
    """With more disks the curvature comes to T r / EI."""
    exact = 5.0 * 0.028 / paper().bending
    errors = []
    for segments in (6, 12, 24):
        parameters = paper(**FREE, disks=segments, length=0.48)
        bend = -equilibrium(parameters, [5.0, 0, 0]).q[0, 0]
        errors.append(abs(bend / parameters.gap - exact))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.1)


def elastica_tip(load):
    """Fall of the tip over the length of a cantilever under a dead load P L^2 / EI = ``load``, by shooting."""

    def rod(_, y):
        return [y[1], -load * math.cos(y[0]), math.sin(y[0])]

    def shot(curvature):
        return solve_ivp(rod, (0, 1), [0.0, curvature, 0.0], rtol=1e-12, atol=1e-12)

    start = brentq(lambda c: shot(c).y[1, -1], 0.0, 2 * load, xtol=1e-14)
    return shot(start).y[2, -1]


def test_a_cantilever_comes_to_the_elastica_at_second_order():
    exact = elastica_tip(1.0)
    assert exact == pytest.approx(0.301721, abs=5e-7)
    errors = []
    for segments in (4, 8, 16, 32):
        parameters = paper(
            disks=segments, length=1.0, bending_stiffness=1.0, disk_mass=0.0, tip_mass=1.0,
            gravity=(0.0, -1.0, 0.0),
        )  # fmt: skip
        errors.append(abs(-equilibrium(parameters, [0, 0, 0]).tip[1] - exact))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx(2.0, abs=0.05)
    assert errors[-1] < 2e-4


def test_splitting_gaps_converges_at_second_order():
    tips, margins = [], []
    for arcs in (1, 2, 4, 8):
        found = equilibrium(paper(tip_mass=0.03, arcs_per_gap=arcs), [6.0, 2.0, 0.0])
        assert found.stable
        tips.append(found.tip)
        margins.append(found.mu_min)
    steps = np.linalg.norm(np.diff(tips, axis=0), axis=1)
    assert steps[0] < 0.01 * 0.48
    assert steps[1] / steps[2] == pytest.approx(4.0, rel=0.1)
    changes = np.abs(np.diff(margins))
    assert changes[0] > changes[1] > changes[2]
    assert changes[2] < 2e-3


@pytest.mark.parametrize(("planar", "ratio"), [(True, 4.0), (False, 2.0)])
def test_the_margin_converges_at_second_order_in_the_plane_and_at_first_beside_twist(planar, ratio):
    """An arc twists at its end, not along it: that leaves an error of first order out of the plane."""
    margins = [
        equilibrium(
            paper(tip_mass=0.03, disks=3, length=0.24, arcs_per_gap=arcs, planar=planar),
            [5, 0, 0],
        ).mu_min
        for arcs in (4, 8, 16)
    ]
    steps = np.diff(margins)
    assert steps[0] / steps[1] == pytest.approx(ratio, rel=0.1)


def test_mu_min_does_not_depend_on_the_number_of_segments_and_lambda_min_does():
    found = [equilibrium(paper(**FREE, length=0.48, disks=n), [2.0, 0, 0]) for n in (12, 24)]
    assert found[1].mu_min == pytest.approx(found[0].mu_min, rel=0.02)
    assert found[1].lambda_min == pytest.approx(2 * found[0].lambda_min, rel=0.05)


@pytest.mark.parametrize("angle", [0.3, 2.0, -2.9])
def test_turning_gravity_and_holes_about_z_turns_the_robot(angle):
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    azimuths = paper().hole_azimuths
    straight = paper(tip_mass=0.03, gravity=(0.5, -9.0, 2.0), tie_disks=(6, 4, 2))
    turned = straight.model_copy(
        update={
            "gravity": tuple(turn @ straight.gravity),
            "hole_azimuths": tuple(azimuth + angle for azimuth in azimuths),
        }
    )
    first, second = (equilibrium(p, [3.0, 8.0, 4.0]) for p in (straight, turned))
    assert first.stable
    assert second.tip == pytest.approx(turn @ first.tip, abs=1e-10)
    assert disks(turned, second.q).positions == pytest.approx(
        disks(straight, first.q).positions @ turn.T, abs=1e-10
    )
    assert second.energy == pytest.approx(first.energy, abs=1e-12)
    assert second.lambda_min == pytest.approx(first.lambda_min, abs=1e-11)
    assert second.mu_min == pytest.approx(first.mu_min, abs=1e-11)
