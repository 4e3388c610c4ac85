"""The pairs: their order on a motion with a closed form, and that their weights are consistent."""

import numpy as np
import pytest

from models.numerics.runge_kutta import pair_of

START = np.array([1.0, 0.0, 1.0])


def rates(y):
    """Rates of ``(exp(sin t), sin t, cos t)``."""
    return np.array([y[0] * y[2], y[2], -y[1]])


def step(pair, y, h):
    """One step by the tables; the state at its end and the rates of all stages and of the end."""
    K = np.zeros((len(pair.B) + 1, len(y)))
    for i in range(len(pair.B)):
        K[i] = rates(y + h * pair.A[i, :i] @ K[:i])
    end = y + h * pair.B @ K[:-1]
    K[-1] = rates(end)
    return end, K


@pytest.mark.parametrize(("method", "sizes"), [("dop853", (0.8, 0.4)), ("rkf45", (0.2, 0.1))])
def test_the_error_of_a_step_has_the_order_of_the_pair(method, sizes):
    pair = pair_of(method)
    errors = []
    for h in sizes:
        end, _ = step(pair, START, h)
        errors.append(abs(end[0] - np.exp(np.sin(h))))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(pair.order + 1, abs=0.7)


@pytest.mark.parametrize(("method", "order"), [("dop853", 6), ("rkf45", 5)])
def test_the_estimated_error_vanishes_with_its_order(method, order):
    pair = pair_of(method)
    found = []
    for h in (0.1, 0.05):
        _, K = step(pair, START, h)
        found.append(np.linalg.norm(h * pair.errors[0] @ K))
    assert np.log2(found[0] / found[1]) == pytest.approx(order, abs=0.7)


@pytest.mark.parametrize("method", ["dop853", "rkf45"])
def test_weights_are_those_of_a_quadrature(method):
    """On rates that depend on time alone, stages lie at the sums of their rows."""
    pair = pair_of(method)
    nodes = pair.A.sum(axis=1)
    for power in range(5):
        assert pair.B @ nodes**power == pytest.approx(1 / (power + 1), abs=1e-12)
    assert pair.errors.sum(axis=1) == pytest.approx([0.0, 0.0], abs=1e-12)
