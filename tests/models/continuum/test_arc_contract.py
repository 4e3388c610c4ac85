"""Every implementation of an arc and of a chain of arcs, against closed forms and against each other."""

import math

import numpy as np
import pytest

from models.continuum.arc import arc
from models.continuum.chain import chain_frames, chains_of_states
from models.continuum_statics import chain_kernels
from models.continuum_statics.chain_kernels import COLUMNS, END, FRAME, LOCAL, SHIFTS, TURNS, tips
from models.jit import entry
from models.numerics.rotations import rotation_matrix

L = 0.08  # [m]


@entry
def placed(q, length, arcs):
    for k in range(len(q)):
        chain_kernels.shape_arc(q, k, arcs)
        chain_kernels.place_arc(q, k, length, arcs)


def kernel_rows(q):
    """The kernel's row of each arc of a state (n, 3)."""
    arcs = np.zeros((len(q) + 1, COLUMNS))
    arcs[0, [FRAME, FRAME + 4, FRAME + 8]] = 1.0
    placed(np.ascontiguousarray(q, float), L, arcs)
    return arcs


def by_definition(q):
    frames = chain_frames([arc(angles, L) for angles in q])
    return frames.positions, frames.rotations


def by_many(q):
    positions, rotations = chains_of_states(L, np.array([q, q], float))
    np.testing.assert_array_equal(positions[0], positions[1])
    return positions[1], rotations[1]


def by_kernel(q):
    rows = kernel_rows(q)
    rotations = rows[:, FRAME : FRAME + 9].reshape(-1, 3, 3)
    ends = np.einsum("kab,kb->ka", rotations[:-1], rows[:-1, END : END + 3])
    return np.concatenate([np.zeros((1, 3)), np.cumsum(ends, axis=0)]), rotations


CHAINS = {"definition": by_definition, "many states": by_many, "kernel": by_kernel}


@pytest.fixture(params=CHAINS)
def chain(request):
    return CHAINS[request.param]


@pytest.mark.parametrize("theta", [0.0, 1e-9, 1e-4, 0.3, math.pi / 2, math.pi, 3.3])
@pytest.mark.parametrize("direction", [0.0, 0.7, math.pi / 2, 4.0])
def test_one_arc_is_a_piece_of_a_circle(chain, theta, direction):
    """The radius is L / theta, in the plane across the axis of bending; without curvature it is straight."""
    alpha, beta, gamma = theta * math.cos(direction), theta * math.sin(direction), 0.4
    aside = L * (theta / 2 if theta < 1e-6 else 2 * math.sin(theta / 2) ** 2 / theta)
    ahead = L * (1.0 if theta < 1e-6 else math.sin(theta) / theta)
    positions, rotations = chain(np.array([[alpha, beta, gamma]]))
    expected = [aside * math.sin(direction), -aside * math.cos(direction), ahead]
    assert positions[1] == pytest.approx(expected, abs=1e-15)
    turned = rotation_matrix(np.array([alpha, beta, 0.0])) @ rotation_matrix(np.array([0.0, 0.0, gamma]))
    assert rotations[1] == pytest.approx(turned, abs=1e-14)


@pytest.mark.parametrize("size", [1e-9, 0.5, 1.5])
def test_all_chains_are_the_definitions(chain, size):
    rng = np.random.default_rng(1)
    for _ in range(20):
        q = size * rng.normal(size=(7, 3))
        for found, expected in zip(chain(q), by_definition(q), strict=True):
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)
        assert tips(L, q[None])[0] == pytest.approx(by_definition(q)[0][-1], abs=1e-14)


def test_a_planar_chain_is_a_polygon_on_a_circle(chain):
    """n equal arcs that bend by t each lie on one circle of radius L / t."""
    count, t = 6, 0.3
    positions, _ = chain(np.tile([t, 0.0, 0.0], (count, 1)))
    angles = t * np.arange(count + 1)
    circle = L / t * np.stack([0 * angles, np.cos(angles) - 1, np.sin(angles)], axis=1)
    np.testing.assert_allclose(positions, circle, rtol=0, atol=1e-15)


@pytest.mark.parametrize("q", [(0.0, 0.0, 0.0), (1e-7, -2e-7, 0.1), (0.6, -0.4, 0.9), (2.9, 1.0, -1.0)])
def test_derivatives_are_those_of_finite_differences_in_definition_and_kernel(q):
    q, h = np.array(q), 1e-6
    given, row = arc(q, L), kernel_rows(q[None])[0]
    for i in range(3):
        step = h * np.eye(3)[i]
        before, after = arc(q - step, L), arc(q + step, L)
        w = given.turns[i]
        assert given.shifts[i] == pytest.approx((after.p - before.p) / (2 * h), abs=1e-10)
        spin = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        assert spin @ given.R == pytest.approx((after.R - before.R) / (2 * h), abs=1e-8)
    assert row[LOCAL : LOCAL + 9].reshape(3, 3) == pytest.approx(given.R, abs=1e-14)
    assert row[TURNS : TURNS + 9].reshape(3, 3) == pytest.approx(given.turns, abs=1e-14)
    assert row[SHIFTS : SHIFTS + 9].reshape(3, 3) == pytest.approx(given.shifts, abs=1e-14)
