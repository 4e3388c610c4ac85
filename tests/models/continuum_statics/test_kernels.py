"""Whole rays of the compiled solver against single equilibria."""

import numpy as np
import pytest

from models.continuum_statics import equilibrium, rest, robot_of
from models.continuum_statics.continuation_kernels import LOST, REACHED, UNSTABLE, follow_rays
from tests.models.continuum_statics.robots import paper


def rays(parameters, rates, loads):
    count = len(rates)
    q = rest(parameters).q
    out = (
        np.full((count, len(loads), *q.shape), np.nan),
        np.full((count, len(loads)), np.nan),
        np.zeros(count, np.int64),
        np.zeros(count),
        np.zeros(count, np.int64),
    )
    pulls = np.full(parameters.cables, parameters.pretension)
    follow_rays(robot_of(parameters), pulls, np.asarray(rates, float), loads, q, *out)
    return out


def test_rays_are_rows_of_equilibria():
    parameters = paper(tip_mass=0.03, pretension=0.5)
    loads = np.linspace(0.0, 20.0, 41)
    rates = [[1.0, 0.3, 0.0], [0.0, 0.7, 1.0], [0.2, 0.0, 1.0]]
    states, mus, reached, ends, reasons = rays(parameters, rates, loads)
    assert reached.tolist() == [41] * 3
    assert reasons.tolist() == [REACHED] * 3
    assert ends.tolist() == [20.0] * 3
    for ray, rate in enumerate(rates):
        for k in (0, 7, 23, 40):
            found = equilibrium(parameters, loads[k] * np.array(rate))
            assert states[ray, k] == pytest.approx(found.q, abs=1e-9)
            assert mus[ray, k] == pytest.approx(found.mu_min, abs=1e-8)


def test_only_the_symmetric_ray_of_cable_1_is_lost_under_50_grams():
    parameters = paper(tip_mass=0.05)
    loads = np.linspace(0.0, 20.0, 161)
    tilt = np.tan(np.radians([0.0, 0.01, 1.0]))
    rates = np.stack([np.ones(3), tilt, np.zeros(3)], axis=1)
    _, mus, reached, ends, reasons = rays(parameters, rates, loads)
    assert reasons.tolist() == [UNSTABLE, REACHED, REACHED]
    assert ends[0] == pytest.approx(8.83, abs=0.02)
    assert reached[0] == np.count_nonzero(loads <= ends[0])
    assert np.isnan(mus[0, reached[0] :]).all()
    assert np.nanmin(mus[1:]) > 0.0


def test_rays_near_cable_1_fold_under_70_grams():
    parameters = paper(tip_mass=0.07)
    angles = np.radians([0.5, 1.0, 4.0])
    rates = np.stack([np.ones(3), np.tan(angles), np.zeros(3)], axis=1)
    _, _, reached, _, reasons = rays(parameters, rates, np.linspace(0.0, 20.0, 161))
    assert reasons.tolist() == [LOST, LOST, REACHED]
    assert reached[0] < 161


def test_a_start_that_is_not_stable_is_lost_at_once():
    parameters = paper(gravity="up", tip_mass=0.3)
    _, _, reached, ends, reasons = rays(parameters, [[1.0, 0.0, 0.0]], np.linspace(0.0, 20.0, 11))
    assert (reached[0], ends[0], reasons[0]) == (0, 0.0, UNSTABLE)


def test_a_ray_ends_at_a_fold_beside_another_stable_branch():
    """The other branch stands 0.1 rad beyond the fold, near enough for a correction to reach it."""
    parameters = paper(
        length=0.3038905906918582, backbone_diameter=0.0011863191665801077, tip_mass=0.05772358912039992,
        hole_radius=0.032217019432263065, gravity="down", pretension=0.5454609277083955,
        tie_disks=(3, 6, 2),
    )  # fmt: skip
    for steps in (161, 2001):
        loads = np.linspace(0.0, 20.0, steps)
        states, mus, reached, ends, reasons = rays(parameters, [[1.0, 0.0, 0.0]], loads)
        assert reasons.tolist() == [LOST]
        assert ends[0] == pytest.approx(14.2028, abs=1e-4)
        movements = np.abs(np.diff(states[0, : reached[0]], axis=0)).max(axis=(1, 2))
        assert movements.max() < 0.06
        assert mus[0, reached[0] - 1] < 0.15


def test_rays_of_a_rod_that_is_soft_to_twist_are_as_stable_as_single_states():
    parameters = paper(bending_stiffness=1e3, torsion_stiffness=1e-3)
    loads = np.linspace(0.0, 20.0, 21)
    _, mus, reached, _, reasons = rays(parameters, [[1.0, 0.4, 0.0]], loads)
    assert reasons.tolist() == [REACHED]
    assert reached.tolist() == [21]
    found = equilibrium(parameters, [20.0, 8.0, 0.0])
    assert found.stable
    assert mus[0, -1] == pytest.approx(found.mu_min, abs=1e-8)
