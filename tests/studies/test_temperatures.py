"""Temperatures of a study file: bounds are temperatures, tolerances, offsets and spreads are differences."""

import numpy as np
import pytest

import tautline
from errors import InputError
from models import registry
from studies.definition.study_file import parse_study
from studies.problem.problem import check

MODEL = '''
from models import Metric, Parameters, model, quantity


class P(Parameters):
    temperature: float = quantity(300.0, unit="K", description="temperature", ge=0, le=1000)
    other: float = quantity(300.0, unit="K", description="another temperature", ge=0, le=1000)


@model(metrics=[Metric("t", "K", "the temperature again", "minimize")])
def bath(design: P):
    """Gives its temperature back."""
    return {"t": design.temperature}
'''
STUDY = """
name = "bath"
model = "bath"
[variables]
temperature = { lower = "20 degC", upper = "30 degC", drives = [{ parameter = "other", offset = "9 degF" }] }
[tolerances]
temperature = { normal = "2 degC" }
[robust]
samples = 64
[expressions]
warmer = "t + 5 [UNIT]"
[objectives]
robust.t.q95 = "minimize"
[constraints]
warmer = { lower = "20 degC" }
robust.t.sd = { upper = "3 degC" }
[search]
population = 8
generations = 2
"""


@pytest.fixture(autouse=True)
def bath(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_users", {})
    registry.load.cache_clear()
    path = tmp_path / "bath.py"
    path.write_text(MODEL, encoding="utf-8")
    tautline.use_model(path)
    yield
    registry.load.cache_clear()


@pytest.mark.parametrize("unit", ["K", "delta_degC"])
def test_differences_are_differences(unit):
    problem = check(parse_study(STUDY.replace("UNIT", unit)))["default"]
    (variable,) = problem.space.variables
    assert (variable.lower, variable.upper) == pytest.approx((293.15, 303.15))
    (tolerance,) = problem.uncertainty.tolerances
    assert tolerance.width == pytest.approx(2.0)
    limits = {constraint.metric: constraint for constraint in problem.constraints}
    assert limits["warmer"].lower == pytest.approx(293.15)
    assert limits["robust.t.sd"].upper == pytest.approx(3.0)
    parameters = problem.tasks(np.array([[0.5]]))[0].parameters
    assert parameters["other"] == pytest.approx(parameters["temperature"] + 5.0)


def test_a_number_that_may_be_either_is_refused_with_the_word_for_it():
    with pytest.raises(InputError) as refused:
        check(parse_study(STUDY.replace("UNIT", "degC")))
    assert "5 [delta_degC] for a difference, 278.15 [K] for a temperature" in str(refused.value)
