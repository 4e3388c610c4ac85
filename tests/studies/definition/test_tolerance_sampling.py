"""Robots drawn from tolerances: distributions, correlation, the same ones for every design and process."""

import math
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from errors import InputError
from models import load
from studies.definition.tolerance_sampling import (
    REPLICATES,
    Correlated,
    Tolerance,
    Uncertainty,
    read_uncertainty,
    samples_of,
    uncertainty_of,
)

NORMAL = Tolerance("a", "normal", 2.0)
UNIFORM = Tolerance("b", "uniform", 3.0)
CUT = Tolerance("c", "normal", 2.0, truncate=1.0)


@pytest.mark.parametrize("method", ["sobol", "monte-carlo"])
def test_errors_have_their_distributions(method):
    drawn = samples_of(Uncertainty((NORMAL, UNIFORM, CUT), samples=4096, method=method)).errors
    laws = [stats.norm(scale=2), stats.uniform(-3, 6), stats.truncnorm(-0.5, 0.5, scale=2)]
    for column, law in zip(drawn.T, laws, strict=True):
        assert stats.kstest(column, law.cdf).pvalue > 0.01
    assert np.abs(drawn[:, 1]).max() <= 3
    assert np.abs(drawn[:, 2]).max() <= 1


def test_deviations_are_those_of_the_distributions():
    plan = Uncertainty((NORMAL, UNIFORM, CUT), (Correlated(("d", "e"), ((4.0, 1.0), (1.0, 9.0))),))
    cut = stats.truncnorm(-0.5, 0.5, scale=2).std()
    assert plan.deviations == pytest.approx([2, math.sqrt(3), cut, 2, 3])


def test_correlated_errors_have_their_covariance():
    covariance = ((4.0, -1.5, 0.0), (-1.5, 1.0, 0.2), (0.0, 0.2, 2.0))
    drawn = samples_of(Uncertainty((), (Correlated(("a", "b", "c"), covariance),), samples=8192)).errors
    assert np.cov(drawn.T) == pytest.approx(np.array(covariance), abs=0.03)


def test_errors_may_move_together_wholly():
    group = Correlated(("a", "b"), ((1.0, 2.0), (2.0, 4.0)))
    drawn = samples_of(Uncertainty((), (group,), samples=64)).errors
    assert drawn[:, 1] == pytest.approx(2 * drawn[:, 0])


def test_replicates_are_scrambled_independently():
    drawn = samples_of(Uncertainty((UNIFORM,), samples=64))
    blocks = drawn.errors[:, 0].reshape(REPLICATES, -1)
    assert drawn.replicates.tolist() == np.repeat(range(REPLICATES), 8).tolist()
    assert len({tuple(block) for block in blocks}) == REPLICATES
    # each replicate is a net: one point in each eighth of the range
    assert (np.sort(np.floor((blocks + 3) / 6 * 8)) == np.arange(8)).all()


def test_every_process_draws_the_same():
    plan = Uncertainty((NORMAL, CUT), samples=32, seed=7)
    code = (
        "import json, sys; from studies.definition.tolerance_sampling import *;"
        "print([x.hex() for x in samples_of(uncertainty_of(json.loads(sys.argv[1]))).errors.ravel().tolist()])"
    )
    import json

    told = subprocess.run(
        [sys.executable, "-c", code, json.dumps(plan.document)], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == str([x.hex() for x in samples_of(plan).errors.ravel().tolist()])
    other = Uncertainty((NORMAL, CUT), samples=32, seed=8)
    assert not (samples_of(other).errors == samples_of(plan).errors).any()


def test_a_document_says_all_of_it():
    plan = Uncertainty(
        (NORMAL, CUT), (Correlated(("d", "e"), ((4.0, 1.0), (1.0, 9.0))),), 128, "monte-carlo", 3,
        ("x",), (), {"x": "y + 1"}, {"y": 0.0}, {"x": "minimize"}, {"t": 1.0},
    )  # fmt: skip
    assert uncertainty_of(plan.document) == plan
    assert read_uncertainty(plan.document).expressions == {"x": "y + 1"}


def test_a_robot_is_the_design_with_errors_added():
    model = load("hybrid-cable-robot")
    record = model.resolve("constrained", {})
    plain = record.model_dump(mode="json")
    plan = Uncertainty((
        Tolerance("pulleys.0.2", "normal", 1e-3),
        Tolerance("f_max", "uniform", 0.1, relative=True),
        Tolerance("beta1", "normal", 1e-3),
    ))  # fmt: skip
    made = plan.robot(model, plain, np.array([0.01, -0.1, 0.0]))
    assert plain["pulleys"] is None, "the design is as it was"
    arranged = model.implied["pulleys"](record)
    assert made["pulleys"][0] == pytest.approx([*arranged[0][:2], arranged[0][2] + 0.01])
    assert made["pulleys"][1:] == arranged[1:]
    assert made["f_max"] == pytest.approx(0.9 * plain["f_max"])
    turned = plan.robot(model, plain, np.array([0.0, 0.0, 0.1]))
    other = model.resolve("constrained", {"beta1": plain["beta1"] + 0.1})
    assert turned["pulleys"] == model.implied["pulleys"](other), "pulleys follow from angles with errors"


def test_pulleys_of_an_arrangement_are_those_that_it_implies():
    model = load("hybrid-cable-robot")
    for preset in ("constrained", "suspended"):
        record = model.resolve(preset, {"cells": 6})
        listed = {**record.model_dump(mode="json"), "pulleys": model.implied["pulleys"](record)}
        one, other = (
            model.evaluate(each, "workspace") for each in (record, model.parameters.model_validate(listed))
        )
        assert one == other


def test_a_number_that_a_design_does_not_have_is_named():
    model = load("hybrid-cable-robot")
    plain = model.resolve("constrained", {}).model_dump(mode="json")
    with pytest.raises(InputError, match=r"pulleys\.20\.0"):
        Uncertainty((Tolerance("pulleys.20.0", "normal", 1.0),)).robot(model, plain, np.zeros(1))
