from dataclasses import replace

import pytest

import models
from errors import InputError
from models.metrics import Metric
from studies.definition.study_file import parse_study
from studies.problem.problem import check

BOUNDS = """
name = "bounds"
model = "hybrid-cable-robot"
[variables]
f_min = { lower = 1, upper = 5 }
[objectives]
workspace_volume_lower = "maximize"
[search]
generations = 1
"""

LIMITED = """
name = "limited"
model = "faulty"
[parameters]
threshold = 1.5
[variables]
x = { lower = 0, upper = 1 }
[objectives]
limited = "minimize"
[constraints]
limited = { upper = 1 }
[search]
generations = 1
"""


@pytest.fixture
def limited(monkeypatch):
    """A back-end with a metric whose absence counts as the parameter 'threshold'."""
    metric = Metric("limited", "1", "absent below x = 0.05", "minimize", ("plain",), absent="threshold")
    model = replace(models.load("faulty"), metrics=(metric,))
    monkeypatch.setattr("studies.definition.stored_model.load", lambda _: model)


def test_a_metric_that_no_design_can_have_is_refused():
    with pytest.raises(InputError, match="needs the parameter 'bounds'") as error:
        check(parse_study(BOUNDS))
    assert error.value.place == ("objectives", "workspace_volume_lower")
    check(parse_study(BOUNDS.replace("[variables]", "[parameters]\nbounds = true\n[variables]")))
    check(parse_study(BOUNDS.replace("[variables]", "[variables]\nbounds = { options = [true, false] }")))


@pytest.mark.usefixtures("limited")
def test_an_absent_metric_counts_as_the_parameter_that_the_layout_fixes():
    problem = check(parse_study(LIMITED))["default"]
    assert problem.minimised({"limited": None}) == [1.5]
    assert problem.minimised({"limited": 0.5}) == [0.5]
    assert problem.violation({"limited": None}) == 0.5
    assert problem.violation({"limited": 0.5}) == 0.0


@pytest.mark.usefixtures("limited")
def test_the_parameter_that_stands_in_cannot_vary():
    text = LIMITED.replace("[parameters]\nthreshold = 1.5\n", "").replace(
        "[objectives]", "threshold = { lower = 1, upper = 2 }\n[objectives]"
    )
    with pytest.raises(InputError, match="cannot vary") as error:
        check(parse_study(text))
    assert error.value.place == ("objectives", "limited")
