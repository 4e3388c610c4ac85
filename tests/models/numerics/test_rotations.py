"""Rotation vectors: the compiled functions against the definition, and against each other."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import bernoulli

from models.jit import entry
from models.numerics import rotation_kernels
from models.numerics.rotation_kernels import (
    inverse_coefficients,
    rotated,
    vector_between,
    vector_load,
    vector_rate,
)
from models.numerics.rotations import rotation_matrix, rotation_vector, velocity_matrix
from models.numerics.vector_kernels import put, row


@entry
def evaluate(r, w, R, back, rate, load, coefficients):
    """All functions of a rotation vector (3,)."""
    eta = inverse_coefficients(r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
    coefficients[0], coefficients[1] = eta
    rotated(row(r), np.eye(3), R)
    put(back, vector_between(np.eye(3), R))
    put(rate, vector_rate(row(r), eta[0], row(w)))
    put(load, vector_load(row(r), eta[0], row(w)))


def evaluated(r, w):
    R, back, rate, load, coefficients = np.empty((3, 3)), *(np.empty(3) for _ in range(3)), np.empty(2)
    evaluate(r, w, R, back, rate, load, coefficients)
    return R, back, rate, load, coefficients


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-4, 0.3, 0.499, 0.501, 1.5, 3.0])
def test_kernels_compute_what_the_definition_does(size):
    way, w = np.array([2.0, -1.0, 2.0]) / 3, np.array([0.3, 0.5, -0.7])
    R, back, rate, load, _ = evaluated(size * way, w)
    inverse = np.linalg.inv(velocity_matrix(size * way))
    assert pytest.approx(rotation_matrix(size * way), abs=1e-15) == R
    assert back == pytest.approx(size * way, abs=3e-15)
    assert rotation_vector(R) == pytest.approx(size * way, abs=3e-15)
    assert rate == pytest.approx(inverse @ w, abs=1e-14)
    assert load == pytest.approx(inverse.T @ w, abs=1e-14)


def test_the_coefficients_are_those_of_bernoulli():
    numbers = bernoulli(16)
    factorial = Fraction(1)
    for k in range(1, 9):
        factorial *= (2 * k - 1) * 2 * k
        assert rotation_kernels.ETA[k - 1] == pytest.approx(abs(numbers[2 * k]) / float(factorial), rel=1e-14)


@pytest.mark.parametrize("square", [0.01, 0.2, 0.26, 2.0])
def test_the_slope_of_the_coefficient_is_its_derivative(square):
    way, h = np.array([0.6, 0.0, 0.8]), 1e-4
    ahead, behind, here = (evaluated(np.sqrt(at) * way, way)[4] for at in (square + h, square - h, square))
    assert (ahead[0] - behind[0]) / (2 * h) == pytest.approx(here[1], rel=1e-6)
