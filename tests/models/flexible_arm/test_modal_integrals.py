"""Integrals of links against other rules of integration, orthogonality and what a bar's moments must be."""

import math
from typing import get_args

import numpy as np
import pytest
from scipy.integrate import simpson

from models.flexible_arm.beam import Section, beam_modes
from models.flexible_arm.modal_integrals import gauss_rule, link_integrals, rigid_integrals
from models.flexible_arm.natural_frequencies import Ends
from tests.repetition import crossed

ENDS = get_args(Ends)
HEIGHTS = [5e-4, 0.0125, 0.3, 1.5]


def section(height, length=1.0, width=0.03):
    area, second = width * height, width * height**3 / 12
    return Section(length, 2e11 * second, 5 / 6 * 2e11 / 2.6 * area, area / 3.75e-4, second / 3.75e-4)


def integrals(ends, height, count, length=1.0, inertia=None):
    beam = section(height, length)
    modes = beam_modes(beam, ends, count)
    J = beam.J if inertia is None else inertia
    return beam, modes, link_integrals(beam, modes, J, 0.025, 125.0 * beam.EI / 2e11)


@pytest.mark.parametrize(("ends", "height", "count"), crossed(ENDS, HEIGHTS, [1, 12, 20]))
def test_modes_are_orthogonal(ends, height, count):
    """int mu W_j W_k + J Theta_j Theta_k is diagonal, and so is K, with the squares of the frequencies over it.

    Modes with the ends ff are measured from the first end, which adds the motion of the whole link with it.
    """
    _, modes, link = integrals(ends, height, count)
    start = modes.shapes([0.0])[0] if ends == "ff" else np.zeros(count)
    ce = link.ce - link.m0 * np.outer(start, start)
    sizes = np.sqrt(np.diag(ce))
    assert ce / np.outer(sizes, sizes) == pytest.approx(np.eye(count), abs=1e-11)
    speeds = sizes * modes.frequencies
    assert link.stiffness / np.outer(speeds, speeds) == pytest.approx(np.eye(count), abs=1e-11)


@pytest.mark.parametrize("height", HEIGHTS)
def test_free_modes_carry_no_momentum(height):
    """They are orthogonal to the rigid motions as well; what is left in a and b is that of their first end."""
    beam, modes, link = integrals("ff", height, 12)
    start = modes.shapes([0.0])[0]
    assert link.a + link.m0 * start == pytest.approx(0.0, abs=1e-11 * beam.mu)
    assert link.b + link.m1 * start == pytest.approx(0.0, abs=1e-11 * (beam.mu + 40 * beam.J))


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("height", [0.0125, 0.3])
def test_the_integrals_are_those_of_a_fine_simpson_rule(ends, height):
    beam, modes, link = integrals(ends, height, 6, length=0.7, inertia=2.9e-5)
    eta = np.linspace(0.0, 0.7, 4001)
    W, slope, strain, bend = modes.fields(eta)
    W = W - W[0]
    curvature = modes.shape_curvatures(eta)

    def over(values):
        return simpson(values, x=eta, axis=0)

    def products(values):
        return over(values[:, :, None] * values[:, None, :])

    expected = {
        "a": over(beam.mu * W),
        "b": over(beam.mu * eta[:, None] * W + 2.9e-5 * slope),
        "c": beam.mu * products(W),
        "ce": beam.mu * products(W) + 2.9e-5 * products(slope),
        "stiffness": beam.kAG * products(strain) + beam.EI * products(bend),
        "air": 0.025 * products(W),
        "structure": 125.0 * beam.EI / 2e11 * products(curvature),
        "end_shape": W[-1],
        "end_slope": slope[-1],
    }
    for name, values in expected.items():
        assert getattr(link, name) == pytest.approx(values, abs=1e-9 * np.abs(values).max() + 1e-11), name


def test_the_integrals_of_a_sine_are_known():
    """The paper's link, ends ss: a = 2 mu l / pi, c = mu l / 2, W'' = -(pi / l)^2 W; b has the slope's part."""
    beam, modes, link = integrals("ss", 0.0125, 1)
    ratio = 3.140333690109594  # of Theta, as table 2 prints it
    assert link.a[0] == pytest.approx(2 / math.pi, rel=1e-14)
    assert link.b[0] == pytest.approx(1 / math.pi, rel=1e-14)  # the slope's part cancels
    assert link.c[0, 0] == pytest.approx(0.5, rel=1e-14)
    assert link.ce[0, 0] == pytest.approx(0.5 + beam.J * ratio**2 / 2, rel=1e-14)
    assert link.air[0, 0] == pytest.approx(0.0125, rel=1e-14)
    assert link.structure[0, 0] == pytest.approx(125 * 4.8828125e-9 * math.pi**4 / 2, rel=1e-13)
    shear = math.pi - ratio
    energy = beam.kAG * shear**2 / 2 + beam.EI * (ratio * math.pi) ** 2 / 2
    assert link.stiffness[0, 0] == pytest.approx(energy, rel=1e-9)
    assert link.stiffness[0, 0] == pytest.approx(link.ce[0, 0] * modes.frequencies[0] ** 2, rel=1e-13)
    assert link.end_shape[0] == pytest.approx(0.0, abs=1e-15)
    assert link.end_slope[0] == pytest.approx(-ratio, rel=1e-14)


@pytest.mark.parametrize("ends", ENDS)
def test_a_link_that_bends_carries_its_rigid_moments(ends):
    beam, _, link = integrals(ends, 0.0125, 3, length=0.8, inertia=1e-3)
    assert (link.m0, link.m1) == pytest.approx((0.8 * beam.mu, 0.32 * beam.mu))
    assert link.m2 == pytest.approx(beam.mu * 0.8**3 / 3 + 0.8e-3)
    for matrix in (link.c, link.ce, link.stiffness, link.air, link.structure):
        assert (matrix == matrix.T).all()
        assert np.linalg.eigvalsh(matrix).min() > 0.0


def test_more_modes_extend_the_integrals_of_fewer():
    few, more = integrals("cf", 0.0125, 3)[2], integrals("cf", 0.0125, 20)[2]
    assert more.a[:3] == pytest.approx(few.a, abs=1e-12)
    assert more.ce[:3, :3] == pytest.approx(few.ce, abs=1e-11)
    assert more.stiffness[:3, :3] == pytest.approx(few.stiffness, abs=1e-9 * np.abs(few.stiffness).max())


@pytest.mark.parametrize("ends", ENDS)
def test_modes_take_up_the_share_of_a_rigid_motion_that_their_ends_allow(ends):
    """Parseval: a^T ce^-1 a comes to the mass from below; free modes leave a motion with the first end out."""
    _, _, link = integrals(ends, 0.0125, 60)
    shares = np.array([link.a[:k] @ np.linalg.solve(link.ce[:k, :k], link.a[:k]) for k in range(1, 61)])
    assert (np.diff(shares) > -1e-12).all()
    assert (shares < link.m0).all()
    assert shares[-1] == pytest.approx(link.m0, rel=0.02)


def test_a_rigid_link_has_no_modes():
    beam = section(0.0125)
    link = rigid_integrals(beam, beam.J)
    assert (link.m0, link.m1) == (beam.mu, beam.mu / 2)
    assert link.m2 == beam.mu / 3 + beam.J
    assert link.a.shape == link.b.shape == link.end_shape.shape == link.end_slope.shape == (0,)
    assert link.c.shape == link.ce.shape == link.stiffness.shape == link.air.shape == (0, 0)
    assert link.structure.shape == (0, 0)


def test_the_gauss_rule_has_its_length():
    eta, weights = gauss_rule(0.6, 40)
    assert len(eta) == 48
    assert weights.sum() == pytest.approx(0.6, rel=1e-14)
    assert weights @ eta**7 == pytest.approx(0.6**8 / 8, rel=1e-13)
