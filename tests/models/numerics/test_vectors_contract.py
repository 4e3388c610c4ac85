"""Every form of rotations and products of vectors, compiled and for many at once, against one definition."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from models.continuum_statics import chain_kernels
from models.jit import entry
from models.numerics import rotations, vector_kernels

RANDOM = np.random.default_rng(7)
CASES = [
    (RANDOM.normal(size=3) * size, *RANDOM.normal(size=(2, 3)))
    for size in (0.0, 1e-9, 1e-3, 0.4, 1.0, 3.1, 6.0)
]  # a rotation vector [rad] and two vectors


@entry
def kernel_products(R, a, b):
    one, other = vector_kernels.row(a), vector_kernels.row(b)
    return (
        vector_kernels.turn(R, one),
        vector_kernels.turn_back(R, one),
        vector_kernels.cross(one, other),
        vector_kernels.add(one, vector_kernels.scale(2.0, other)),
        vector_kernels.length(one),
    )


@entry
def row_products(R, a):
    rows = np.zeros((2, 12))
    rows[1, 2:11] = R.ravel()
    vector = vector_kernels.row(a)
    return chain_kernels.turn(rows, 1, 2, vector), chain_kernels.turn_back(rows, 1, 2, vector)


@pytest.mark.parametrize(("vector", "a", "b"), CASES)
def test_rotation_matrices(vector, a, b):
    """``rotation_matrix`` is the definition, and scipy's the same."""
    R = rotations.rotation_matrix(vector)
    np.testing.assert_allclose(R, Rotation.from_rotvec(vector).as_matrix(), rtol=0, atol=1e-15 * 4)
    many = rotations.rotation_matrices(np.array([[vector, a], [b, -vector]]))
    np.testing.assert_allclose(many[0, 0], R, rtol=0, atol=1e-15 * 4)
    np.testing.assert_allclose(many[1, 1], R.T, rtol=0, atol=1e-15 * 4)


@pytest.mark.parametrize(("vector", "a", "b"), CASES)
def test_products(vector, a, b):
    R = rotations.rotation_matrix(vector)
    turned, back, crossed, added, length = kernel_products(R, a, b)
    for forms, expected in (
        ((turned, row_products(R, a)[0], rotations.turn(R, a)), R @ a),
        ((back, row_products(R, a)[1], rotations.turn_back(R, a)), R.T @ a),
        ((crossed, rotations.cross(a, b)), np.cross(a, b)),
        ((added,), a + 2.0 * b),
        ((length,), np.linalg.norm(a)),
    ):
        for found in forms:
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)


def test_products_of_many_broadcast():
    R = rotations.rotation_matrices(np.array([vector for vector, _, _ in CASES]))
    a = CASES[0][1]
    for k, each in enumerate(R):
        np.testing.assert_allclose(rotations.turn(R, a)[k], each @ a, rtol=0, atol=1e-14)
        np.testing.assert_allclose(rotations.turn_back(R, a)[k], each.T @ a, rtol=0, atol=1e-14)
    columns = np.cross(a, np.eye(3))
    np.testing.assert_allclose(rotations.cross(a, np.eye(3)), columns, rtol=0, atol=1e-14)
