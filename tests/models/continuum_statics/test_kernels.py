"""The compiled solver's parts against LAPACK, and whole rays against single equilibria."""

import numpy as np
import pytest

from models.continuum_statics import ContinuumStatics, equilibrium, rest, robot
from models.continuum_statics.following_kernels import LOST, REACHED, UNSTABLE, follow_rays
from models.jit import entry
from models.numerics.small_matrices import factorise, load_factor, smallest, solve_factored


@entry
def smallest_of(A):
    n = len(A)
    return smallest(A, n, np.empty(n), np.empty(n))


@entry
def solved(A, b, stride, scale):
    U = np.empty_like(A)
    count = load_factor(A, stride, 0.0, scale, U)
    negative = factorise(U, count, stride, scale)
    x = b[:count].copy()
    solve_factored(U, count, x)
    return negative, x


def symmetric(rng, n):
    A = rng.normal(size=(n, n))
    return A + A.T


@pytest.mark.parametrize("n", [1, 2, 3, 6, 18, 60])
def test_smallest_eigenvalue_is_lapacks(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        A = symmetric(rng, n)
        assert smallest_of(A.copy()) == pytest.approx(np.linalg.eigvalsh(A)[0], abs=1e-13 * n)


def test_smallest_eigenvalue_of_special_matrices():
    assert smallest_of(np.zeros((4, 4))) == 0.0
    assert smallest_of(np.diag([3.0, 1.0, 2.0])) == pytest.approx(1.0, abs=1e-15)
    assert smallest_of(np.eye(5)) == pytest.approx(1.0, abs=1e-15)
    assert smallest_of(np.ones((6, 6))) == pytest.approx(0.0, abs=1e-14)
    assert smallest_of(np.diag([1e-12, 1.0, 1e6])) == pytest.approx(1e-12, abs=1e-9)


@pytest.mark.parametrize("n", [1, 3, 18])
def test_factors_solve_and_count_the_eigenvalues_that_are_not_positive(n):
    rng = np.random.default_rng(n)
    for shift in (0.0, 3.0, 30.0):
        A, b = symmetric(rng, n) + shift * np.eye(n), rng.normal(size=n)
        negative, x = solved(A, b, 1, np.ones(n))
        assert negative == np.count_nonzero(np.linalg.eigvalsh(A) <= 0)
        assert A @ x == pytest.approx(b, abs=1e-8)


def test_factors_of_every_third_row():
    rng = np.random.default_rng(0)
    A, b = symmetric(rng, 9) + 20 * np.eye(9), rng.normal(size=9)
    _, x = solved(A, b, 3, np.ones(9))
    assert A[::3, ::3] @ x == pytest.approx(b[:3], abs=1e-12)


def test_soft_rows_beside_stiff_ones_are_no_rounding():
    rng = np.random.default_rng(1)
    scale = np.tile([1e6, 1e6, 1e-9], 3)
    root, A = np.sqrt(scale), symmetric(rng, 9) + 20 * np.eye(9)
    x = rng.normal(size=9) / root
    negative, found = solved(A * np.outer(root, root), root * (A @ (root * x)), 1, scale)
    assert negative == 0
    assert found * root == pytest.approx(x * root, abs=1e-12)
    assert solved((A - 40 * np.eye(9)) * np.outer(root, root), root, 1, scale)[0] > 0


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
    follow_rays(robot(parameters), pulls, np.asarray(rates, float), loads, q, *out)
    return out


def test_rays_are_rows_of_equilibria():
    parameters = ContinuumStatics(tip_mass=0.03, pretension=0.5)
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
    parameters = ContinuumStatics(tip_mass=0.05)
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
    parameters = ContinuumStatics(tip_mass=0.07)
    angles = np.radians([0.5, 1.0, 4.0])
    rates = np.stack([np.ones(3), np.tan(angles), np.zeros(3)], axis=1)
    _, _, reached, _, reasons = rays(parameters, rates, np.linspace(0.0, 20.0, 161))
    assert reasons.tolist() == [LOST, LOST, REACHED]
    assert reached[0] < 161


def test_a_start_that_is_not_stable_is_lost_at_once():
    parameters = ContinuumStatics(gravity="up", tip_mass=0.3)
    _, _, reached, ends, reasons = rays(parameters, [[1.0, 0.0, 0.0]], np.linspace(0.0, 20.0, 11))
    assert (reached[0], ends[0], reasons[0]) == (0, 0.0, UNSTABLE)


def test_a_ray_ends_at_a_fold_beside_another_stable_branch():
    """The other branch stands 0.1 rad beyond the fold, near enough for a correction to reach it."""
    parameters = ContinuumStatics(
        length=0.3038905906918582, rod_diameter=0.0011863191665801077, tip_mass=0.05772358912039992,
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
    parameters = ContinuumStatics(bending_stiffness=1e3, torsion_stiffness=1e-3)
    loads = np.linspace(0.0, 20.0, 21)
    _, mus, reached, _, reasons = rays(parameters, [[1.0, 0.4, 0.0]], loads)
    assert reasons.tolist() == [REACHED]
    assert reached.tolist() == [21]
    found = equilibrium(parameters, [20.0, 8.0, 0.0])
    assert found.stable
    assert mus[0, -1] == pytest.approx(found.mu_min, abs=1e-8)
