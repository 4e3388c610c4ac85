"""Fits: known parameters from noisy positions, intervals, and what a measurement cannot tell."""

import math

import numpy as np
import pytest

from errors import InputError
from models.continuum_dynamics import Drive
from models.continuum_dynamics.fit import fit, fit_measured
from models.continuum_dynamics.formulation import simulate as simulate_record
from models.continuum_dynamics.parameters import ContinuumDynamics
from models.continuum_dynamics.relative.simulation import simulate
from models.continuum_dynamics.relative.statics import static_solution
from tests.models.continuum_dynamics.robots import robot_with

TIMES = np.linspace(0.0, 3.0, 40)
TRUE = {"mass_damping": 2.5, "youngs_modulus": 65e9}


def moved(values):
    """Middle and tip of a robot that is pulled in half a second: (80, 3)."""
    robot = robot_with(disks=4, hole_azimuths=[0.0], gravity=(0.0, 0.0, 9.81), **values)
    motion = simulate(robot, [Drive(pull=0.02, end=0.5)], 3.0, step=0.01)
    at = np.searchsorted(motion.times, TIMES - 1e-9)
    return motion.positions[at][:, [2, 4]].reshape(-1, 3)


def decay(values):
    """A point that swings along x and sinks along z, in closed form."""
    damped = np.exp(-values["damping"] * TIMES) * np.cos(values["frequency"] * TIMES)
    return np.stack([damped, 0.0 * TIMES, np.exp(-values.get("other", 1.0) * TIMES)], axis=1)


def noisy(positions, deviation, seed):
    return positions + deviation * np.random.default_rng(seed).normal(size=positions.shape)


def test_damping_and_stiffness_are_recovered_within_their_intervals():
    found = fit(moved, noisy(moved(TRUE), 1e-3, 1), {"mass_damping": 1.0, "youngs_modulus": 40e9})
    true = np.array(list(TRUE.values()))
    assert found.names == tuple(TRUE)
    assert (found.intervals[:, 0] < true).all()
    assert (true < found.intervals[:, 1]).all()
    assert found.values == pytest.approx(true, rel=0.02)
    assert found.deviation == pytest.approx(1e-3, rel=0.15)
    assert found.warnings == ()


def test_exact_positions_give_exact_parameters():
    found = fit(moved, moved(TRUE), {"mass_damping": 4.0, "youngs_modulus": 90e9})
    assert found.values == pytest.approx(list(TRUE.values()), rel=1e-5)
    assert np.abs(found.residuals).max() < 1e-7


def test_errors_are_those_of_linear_least_squares():
    """The positions are linear in the logarithms; the closed form is that of Seber and Lee, chapter 3."""
    rng = np.random.default_rng(3)
    design = rng.normal(size=(30, 2))

    def linear(values):
        return (design @ np.log([values["a"], values["b"]])).reshape(10, 3)

    target = noisy(linear({"a": 2.0, "b": 0.5}), 0.01, 4)
    found = fit(linear, target, {"a": 1.0, "b": 1.0})
    exact, square, *_ = np.linalg.lstsq(design, target.ravel(), rcond=None)
    covariance = square[0] / 28 * np.linalg.inv(design.T @ design)
    spread = np.sqrt(np.diag(covariance))
    assert np.log(found.values) == pytest.approx(exact, abs=1e-8)
    assert found.standard_errors == pytest.approx(np.exp(exact) * spread, rel=1e-6)
    reach = 2.0484071 * spread  # 97.5 % of Student's t with 28 degrees of freedom
    assert np.log(found.intervals) == pytest.approx(np.stack([exact - reach, exact + reach], 1), abs=1e-8)
    assert found.correlation[0, 1] == pytest.approx(covariance[0, 1] / math.prod(spread), rel=1e-5)


@pytest.mark.soak
def test_intervals_hold_the_values_as_often_as_they_say():
    """Both values in 60 noisy records of the robot; 95 % of 120 are 114, with a deviation of 2.4."""
    exact, inside = moved(TRUE), 0
    for seed in range(60):
        found = fit(moved, noisy(exact, 1e-3, seed), TRUE)
        true = np.array(list(TRUE.values()))
        inside += int(((found.intervals[:, 0] < true) & (true < found.intervals[:, 1])).sum())
    assert 105 <= inside <= 120


def test_intervals_of_a_closed_form_hold_the_values_as_often_as_they_say():
    """Both values in 200 noisy records; 95 % of 400 are 380, with a deviation of 4.4."""
    true, inside = {"damping": 0.8, "frequency": 6.0}, 0
    for seed in range(200):
        found = fit(decay, noisy(decay(true), 0.02, seed), true)
        at = np.array(list(true.values()))
        inside += int(((found.intervals[:, 0] < at) & (at < found.intervals[:, 1])).sum())
    assert 365 <= inside <= 395


def rest(values):
    """Disks at rest under one cable, without gravity."""
    robot = robot_with(disks=4, hole_azimuths=[0.0], **values)
    return static_solution(robot, [0.02]).positions


def test_a_record_at_rest_does_not_tell_damping_or_stiffness():
    """Without weight, the length of the cable alone gives the bend."""
    found = fit(rest, noisy(rest(TRUE), 1e-3, 0), {"mass_damping": 1.0, "youngs_modulus": 40e9})
    assert np.isinf(found.standard_errors).all()
    assert np.isinf(found.intervals[:, 1]).all()
    assert np.isnan(found.correlation).all()
    assert found.warnings[0].startswith("mass_damping has no effect")
    assert found.warnings[1].startswith("youngs_modulus has no effect")
    assert np.abs(found.residuals).max() < 5e-3


def test_a_parameter_beside_one_without_effect_is_told():
    found = fit(decay, noisy(decay({"damping": 0.8, "frequency": 6.0}), 0.01, 0),
                {"damping": 0.5, "frequency": 6.2, "mass": 1.0})  # fmt: skip
    assert found.values[:2] == pytest.approx([0.8, 6.0], rel=0.05)
    assert np.isfinite(found.standard_errors).tolist() == [True, True, False]
    assert [text[:18] for text in found.warnings] == ["mass has no effect"]


def test_two_parameters_that_act_as_one_are_named():
    def product(values):
        return decay({"damping": values["a"] * values["b"], "frequency": 6.0, "other": values["c"]})

    target = noisy(product({"a": 2.0, "b": 0.4, "c": 1.5}), 0.01, 0)
    found = fit(product, target, {"a": 1.0, "b": 1.0, "c": 1.0})
    assert found.values[0] * found.values[1] == pytest.approx(0.8, rel=0.05)
    assert found.values[2] == pytest.approx(1.5, rel=0.05)
    assert np.isinf(found.standard_errors).tolist() == [True, True, False]
    assert len(found.warnings) == 1
    assert "do not tell a, b apart" in found.warnings[0]


def test_two_parameters_that_act_nearly_alike_are_named():
    def nearly(values):
        return decay({"damping": values["a"] + 1.1 * values["b"] ** 1.05, "frequency": 6.0})

    found = fit(nearly, noisy(nearly({"a": 0.4, "b": 0.4}), 1e-3, 0), {"a": 0.5, "b": 0.5})
    assert len(found.warnings) == 1
    assert "a" in found.warnings[0]


def test_a_value_at_its_bound_is_named():
    target = decay({"damping": 0.8, "frequency": 6.0})
    found = fit(decay, target, {"damping": 0.4, "frequency": 6.0}, {"damping": (0.1, 0.5)})
    assert found.values[0] == pytest.approx(0.5, rel=1e-3)
    assert "damping lies at its bound of 0.5" in found.warnings[0]


@pytest.mark.parametrize(
    ("start", "bounds", "place", "text"),
    [
        ({}, None, ("start",), "no parameter"),
        ({"damping": 0.0, "frequency": 1.0}, None, ("start", "damping"), "not positive"),
        ({"damping": 1.0, "frequency": 1.0}, {"mass": (1.0, 2.0)}, ("bounds", "mass"), "not fitted"),
        (
            {"damping": 1.0, "frequency": 1.0},
            {"damping": (2.0, 3.0)},
            ("bounds", "damping"),
            "hold the first",
        ),
        ({"damping": 1.0, "frequency": 1.0}, {"damping": (2.0, 1.0)}, ("bounds", "damping"), "let them rise"),
        ({str(i): 1.0 for i in range(120)}, None, ("measured",), "more than 120"),
    ],
)
def test_what_cannot_be_fitted_is_refused(start, bounds, place, text):
    with pytest.raises(InputError, match=text) as caught:
        fit(decay, np.zeros((40, 3)), start, bounds)
    assert caught.value.place == place


def test_another_number_of_positions_is_refused():
    with pytest.raises(InputError, match="one per row"):
        fit(decay, np.zeros((39, 3)), {"damping": 1.0, "frequency": 1.0})


DESIGN = {
    "disks": 4, "gravity": "down", "duration": 2.0, "step": 0.01, "mass_damping": 2.5,
    "drives": [{"pull": 0.02, "end": 0.5}, {"state": "slack"}, {"state": "slack"}],
}  # fmt: skip


def record(**changes):
    return ContinuumDynamics.model_validate({**DESIGN, **changes})


def with_measured(design, every=5):
    motion = simulate_record(design)
    rows = [
        {"time": motion.times[k], "disk": disk, **dict(zip("xyz", motion.positions[k, disk], strict=True))}
        for k in range(0, len(motion.times), every)
        for disk in (2, 4)
    ]
    return tuple(rows)


def test_a_record_is_fitted_to_its_measured_positions():
    measured = with_measured(record(youngs_modulus=80e9))
    begun = record(measured=measured, mass_damping=1.0)
    found = fit_measured(begun, ["mass_damping", "youngs_modulus"], {"mass_damping": (0.1, 50.0)})
    assert found.values == pytest.approx([2.5, 80e9], rel=1e-5)
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("changes", "names", "place", "text"),
    [
        ({}, ["density"], ("names", 0), "parameter to fit"),
        ({}, ["mass_damping"], ("measured",), "nothing was measured"),
        (
            {"measured": [{"time": 1.0, "disk": 1, "x": 0.0, "y": 0.0, "z": 0.1}]},
            ["stiffness_damping"],
            ("start", "stiffness_damping"),
            "not positive",
        ),
    ],
)
def test_a_record_that_cannot_be_fitted_is_refused(changes, names, place, text):
    with pytest.raises(InputError, match=text) as caught:
        fit_measured(record(**changes), names)
    assert caught.value.place == place
