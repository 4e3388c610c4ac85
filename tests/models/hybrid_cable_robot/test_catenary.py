"""Elastic catenaries: against published values, their differential equation, and both limits."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from models.hybrid_cable_robot.cables.catenary import (
    LEAST_PULL,
    catenary,
    catenary_flexibility,
    catenary_span,
)

STIFF = np.inf


def numbers(*values):
    return [np.array(value, float) for value in values]


def random_cables(count, seed):
    rng = np.random.default_rng(seed)
    x, z = rng.uniform(0, 10, count), rng.uniform(-10, 10, count)
    weight = 10 ** rng.uniform(-6, 1, count)
    tension = LEAST_PULL * weight * np.hypot(x, z) * 10 ** rng.uniform(0, 5, count)
    return x, z, tension, weight, tension * 10 ** rng.uniform(-0.5, 5, count)


def test_values_of_independent_codes():
    horizontal, weight, half = 20.4429624, 1.0, 10.1 / 2  # level, ten metres wide, stiff
    assert catenary_span(*numbers(horizontal, -half, 10.1, weight, STIFF))[0] == pytest.approx(10, rel=1e-9)
    found = catenary(*numbers(10.0, 0.0, np.hypot(horizontal, half), weight, STIFF))
    assert found.unstretched == pytest.approx(10.1, rel=1e-9)
    assert found.sag == pytest.approx(0.6145116, rel=1e-6)
    span = catenary_span(*numbers(2.4732854, 5.3228208 - 1.036 * 6.98, 6.98, 1.036, 560e3))
    assert span == pytest.approx([5.3, 2.65], rel=1e-7)


def test_the_cable_obeys_its_differential_equation():
    for x, z, tension, weight, axial in zip(*random_cables(20, 1), strict=True):
        found = catenary(*numbers(x, z, tension, weight, axial))

        def slope(s, _, found=found, weight=weight, axial=axial):
            force = np.array([found.horizontal, found.vertical + weight * s])
            pull = np.linalg.norm(force)
            return force / pull * (1 + pull / axial)

        path = solve_ivp(
            slope, (0, float(found.unstretched)), [0, 0], rtol=1e-11, atol=1e-12, dense_output=True
        )
        assert path.y[:, -1] == pytest.approx([x, z], abs=1e-8 * np.hypot(x, z))
        assert np.hypot(found.horizontal, found.vertical) == pytest.approx(tension, rel=1e-12)
        points = path.sol(np.linspace(0, float(found.unstretched), 4001))
        apart = np.abs(points[0] * z - points[1] * x) / np.hypot(x, z)
        assert found.sag == pytest.approx(apart.max(), rel=1e-4, abs=1e-9 * np.hypot(x, z))
        far = slope(found.unstretched, None)
        assert found.far_tension == pytest.approx((np.linalg.norm(far) - 1) * axial, rel=1e-6)


def test_every_tight_cable_is_found_also_steep_and_light_ones():
    x, z, tension, weight, axial = random_cables(20_000, 2)
    x[::50] = 0.0
    found = catenary(x, z, tension, weight, axial)
    reached = catenary_span(*found[:3], weight, axial)
    assert np.hypot(reached[0] - x, reached[1] - z).max() < 2e-6  # a vertical one leans by STEEPEST
    assert np.hypot(reached[0] - x, reached[1] - z)[x > 0].max() < 1e-11
    assert (found.unstretched > 0).all()


def test_limits_of_straight_cables_and_of_the_parabola():
    found = catenary(*numbers(3.0, 4.0, 10.0, 1e-12, STIFF))
    assert (found.horizontal, found.vertical) == pytest.approx((6.0, 8.0), rel=1e-11)
    assert found.unstretched == pytest.approx(5.0, rel=1e-12)
    for tension, order in ((100.0, 1e-3), (1000.0, 1e-5)):
        flat = catenary(*numbers(10.0, 0.0, tension, 1.0, STIFF))
        assert flat.sag == pytest.approx(1.0 * 10.0**2 / (8 * tension), rel=3 * order)
    stretched = catenary(*numbers(3.0, 4.0, 10.0, 1e-12, 100.0))
    assert stretched.unstretched == pytest.approx(5.0 / 1.1, rel=1e-11)


def test_a_cable_is_pulled_by_no_less_than_twice_its_weight():
    slack, least = (catenary(*numbers(3.0, 4.0, pull, 2.0, 1e6)) for pull in (0.0, 2 * 2.0 * 5.0))
    assert slack == least


def test_flexibility_is_the_derivative_of_the_span():
    x, z, tension, weight, axial = random_cables(50, 3)
    found = catenary(x, z, tension, weight, axial)
    H, V, L0 = found[:3]
    exact = catenary_flexibility(H, V, L0, weight, axial)
    assert exact == pytest.approx(np.swapaxes(exact, -1, -2))
    step = 1e-5 * tension
    for column, (dH, dV) in enumerate(((step, 0 * step), (0 * step, step))):
        ahead, behind = (catenary_span(H + s * dH, V + s * dV, L0, weight, axial) for s in (1, -1))
        slopes = (np.array(ahead) - np.array(behind)) / (2 * step)
        scale = np.abs(exact).max(axis=(-1, -2))
        assert np.abs(slopes.T - exact[..., column]).max(axis=-1) / scale == pytest.approx(0, abs=1e-5)
