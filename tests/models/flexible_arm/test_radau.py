"""Radau IIA: its coefficients, its order and stability, and its compiled step against the equations of stages."""

import math

import numpy as np
import pytest

from models.flexible_arm.contact import friction_of
from models.flexible_arm.contact_jacobian_kernels import settling_rate
from models.flexible_arm.integration import Integration
from models.flexible_arm.motion import Touch
from models.flexible_arm.motion_kernels import new_scratch
from models.flexible_arm.radau import DAMPING, STAGES, collocation
from models.flexible_arm.radau_kernels import new_radau, radau_step
from models.jit import entry
from tests.oracles.flexible_arm_equations import end_jacobians, state_rates

from .arms import arm, contact

START = np.array([1.0, 0.0, 1.0])
METHOD = collocation()


def rates(y):
    """Rates of ``(exp(sin t), sin t, cos t)``."""
    return np.stack([y[..., 0] * y[..., 2], y[..., 2], -y[..., 1]], axis=-1)


def stages(h):
    """The stages of a step from START, by repetition."""
    Y = np.tile(START, (STAGES, 1))
    for _ in range(200):
        Y = START + h * METHOD.Q @ rates(Y)
    return Y


def exact(t):
    return np.array([math.exp(math.sin(t)), math.sin(t), math.cos(t)])


def test_integrals_and_weights_are_those_of_polynomials():
    for power in range(STAGES):
        integral = METHOD.nodes ** (power + 1) / (power + 1)
        assert METHOD.Q @ METHOD.nodes**power == pytest.approx(integral, abs=1e-14)
        assert METHOD.start @ METHOD.nodes**power == pytest.approx(float(power == 0), abs=1e-11)
    for power in range(2 * STAGES - 1):
        assert METHOD.Q[-1] @ METHOD.nodes**power == pytest.approx(1 / (power + 1), abs=1e-14)
    assert METHOD.nodes[-1] == 1.0


def test_the_damping_of_the_error_is_the_real_eigenvalue_of_the_integrals():
    values = np.linalg.eigvals(METHOD.Q)
    assert values[np.abs(values.imag) < 1e-9].real == pytest.approx([DAMPING], abs=1e-12)


@pytest.mark.parametrize("z", [-0.1, -10.0, -1e6, 3j, 300j, -5 + 40j])
def test_it_is_stable_with_steps_of_any_size(z):
    growth = np.linalg.solve(np.eye(STAGES) - z * METHOD.Q, np.ones(STAGES))[-1]
    assert abs(growth) <= 1.0
    if abs(z) > 1e5:
        assert abs(growth) < 1e-4
    if abs(z) < 1:
        assert growth == pytest.approx(np.exp(z), abs=1e-14)


def test_a_step_has_order_13_and_its_estimate_order_8():
    errors, estimates = [], []
    for h in (2.0, 1.0):
        Y = stages(h)
        errors.append(np.abs(Y[-1] - exact(h)).max())
        estimates.append(np.abs(DAMPING * h * (rates(START) - METHOD.start @ rates(Y))).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(14, abs=1.5)
    assert np.log2(estimates[0] / estimates[1]) == pytest.approx(8, abs=1.0)
    assert errors[1] < 1e-3 * estimates[1]


def test_the_dense_output_runs_through_the_stages():
    Y, h = stages(0.5), 0.5
    F = h * METHOD.dense @ rates(Y)
    for share, expected in [(0.0, START), *zip(METHOD.nodes, Y, strict=True), (0.3, exact(0.15))]:
        value = np.zeros(3)
        for row in range(STAGES):
            value = (value + F[STAGES - 1 - row]) * (share if row % 2 == 0 else 1.0 - share)
        assert START + value == pytest.approx(expected, abs=1e-9)


def lying(law="coulomb"):
    """A bent arm of two links in the ground with its three ends, of which one slides fast."""
    chain = arm("ss", "cf", count=2)
    rule = contact()._replace(friction=friction_of(law, 1.2, 1.5))
    z = np.array([0.3, -4e-5, 0.001, -0.002, 1e-3, -2e-4, 1e-4, 5e-5])
    v = np.array([3e-5, -1e-3, 0.01, 0.02, 0.1, -0.2, 0.03, 0.01])
    y = np.concatenate([z, v, np.zeros(4 + 2 * 3)])
    return chain, rule, Touch(np.array([1, 0, 1]), np.array([0.2, 0.0, 0.01])), y


@entry
def fill_jacobian(arm, contact, touch, y, scratch, at):
    return settling_rate(arm, contact, touch, y, scratch, at)


def test_the_stiff_part_of_the_jacobian_is_that_of_the_definition():
    """Accelerations with the ground less those without, by the rates."""
    chain, rule, touch, y = lying()
    N, at = len(y[:8]), new_radau(chain).jacobian
    rate = fill_jacobian(chain, rule, touch, y, new_scratch(chain), at)
    count = int(at.count[0])
    assert list(at.ends[:count]) == [0, 2]
    loose = Touch(np.zeros(3, np.int64), touch.speeds)

    def of_the_ground(state):
        return (state_rates(chain, rule, touch, state) - state_rates(chain, rule, loose, state))[N : 2 * N]

    step, columns = 1e-7, []
    for n in range(N):
        more, less = y.copy(), y.copy()
        more[N + n] += step
        less[N + n] -= step
        columns.append((of_the_ground(more) - of_the_ground(less)) / (2 * step))
    B = at.columns[: 2 * count].T
    G = np.zeros((4, 4))
    for k in range(2):
        G[k, k], G[k, 2 + k], G[2 + k, 2 + k] = at.slopes[k]
    J = np.einsum("ka,kan->kn", at.directions[:4], end_jacobians(chain, y[:N])[[0, 2, 0, 2]])
    found, expected = B @ G @ J, np.array(columns).T
    assert found == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())
    delassus = J @ B
    assert at.delassus[:4, :4] == pytest.approx(delassus, abs=1e-9)
    assert delassus == pytest.approx(delassus.T, abs=1e-9)
    fastest = np.abs(np.linalg.eigvals(delassus @ np.diag(np.diag(G)))).max()
    assert fastest <= 1.001 * rate < 3 * fastest


@entry
def stepped(arm, contact, touch, y, h, rate, allowed, scratch, radau, end):
    return radau_step(arm, contact, touch, y, h, rate, allowed, scratch, radau, end)


@pytest.mark.parametrize("law", ["ambrosio", "coulomb", "stribeck"])
def test_a_compiled_step_solves_the_equations_of_its_stages(law):
    """The rates of all stages are those of the numpy definition, in states that the rates make."""
    chain, rule, touch, y = lying(law)
    N, h, radau, end = 8, 2e-5, new_radau(chain), np.zeros(len(y))
    rate = state_rates(chain, rule, touch, y)
    allowed = np.full(len(y), 1e-9)
    allowed[2 * N + 4 :] = np.inf
    fill_jacobian(chain, rule, touch, y, new_scratch(chain), radau.jacobian)
    error = stepped(chain, rule, touch, y, h, rate, allowed, new_scratch(chain), radau, end)
    assert math.isfinite(error)
    assert h * 1.2 * 30 / 1e-4 > 5  # a step of the pair would be unstable
    states = y + h * METHOD.Q @ radau.rates
    for state, found in zip(states, radau.rates, strict=True):
        state[N : 2 * N] = found[:N]
        assert found == pytest.approx(state_rates(chain, rule, touch, state), rel=1e-9, abs=1e-7)
    rates_of_stages = y[N : 2 * N] + h * METHOD.Q @ radau.rates[:, N : 2 * N]
    assert radau.rates[:, :N] == pytest.approx(rates_of_stages, abs=1e-10)
    assert end[: 2 * N] == pytest.approx(states[-1, : 2 * N], abs=1e-12)
    assert end[2 * N :] == pytest.approx(states[-1, 2 * N :], abs=1e-15)


def test_a_motion_goes_over_to_implicit_steps_and_back():
    """A link that falls level and slides sticks during the impact; in flight the pair goes on."""
    chain = arm("rigid")
    z = np.array([0.0, 0.01, 0.0])
    rule = contact()._replace(friction=friction_of("coulomb", 2.0))
    run = Integration(chain, rule, z, np.array([0.02, -2.0, 0.0]), rtol=1e-9)
    methods = []
    for until in np.arange(0.0045, 0.0085, 1e-4):
        run.advance_to(until)
        methods.append(int(run.step.method[0]))
    assert methods[0] == methods[-1] == 0
    assert sum(methods) > 5
