"""Values that a record accepts, and for which a model raises, are found by its contract and by `models check`."""

import re
from typing import Literal

import pytest
from pydantic import Field

from models import Infeasible, Metric, Parameters, load, model, quantity
from models.conformance import boundary_designs, boundary_faults, repetition_fault
from models.testing import ModelContract


class Spring(Parameters):
    wire: float = quantity(1.0, unit="m", description="wire", ge=0, le=4)
    turns: int = quantity(3, unit="1", description="turns", gt=0, lt=9)
    ends: Literal["open", "closed"] = Field("open", description="ends")
    closed: bool = Field(False, description="closed")
    free: float = quantity(1.0, unit="m", description="a length without bounds")
    steps: int = quantity(4, unit="1", description="steps", ge=0, le=9, numerical=True)


METRICS = [Metric("rate", "N/m", "rate", "minimize")]


def made(function):
    return model(metrics=METRICS, name="spring")(function)


def test_each_end_and_each_option_is_a_design():
    def spring(design: Spring):
        return {"rate": design.wire}

    found = [(name, value) for name, value, _ in boundary_designs(made(spring))]
    assert found == [
        ("wire", 0.0),
        ("wire", 4.0),
        ("turns", 1),
        ("turns", 8),
        ("ends", "closed"),
        ("closed", True),
    ]
    assert boundary_faults(made(spring)) == []


@pytest.mark.parametrize(
    ("body", "match"),
    [
        (lambda design: {"rate": 1 / design.wire}, r"raises for wire = 0.0, .*ZeroDivisionError.*line \d+\)"),
        (
            lambda design: {"rate": float("nan") if design.turns == 8 else 1.0},
            "raises for turns = 8, .*rate = nan",
        ),
        (lambda design: {"rate": {"open": 1.0}[design.ends]}, "raises for ends = 'closed'.*KeyError"),
        (
            lambda design: {} if design.closed else {"rate": 1.0},
            "raises for closed = True.*left out the metric",
        ),
    ],
)
def test_a_value_that_raises_is_named_with_its_line(body, match):
    def spring(design: Spring):
        return body(design)

    (fault,) = boundary_faults(made(spring))
    assert re.search(match, fault)


def test_infeasible_is_no_fault():
    def spring(design: Spring):
        return {"rate": 1 / design.wire} if design.wire else Infeasible("no wire", 1.0)

    assert boundary_faults(made(spring)) == []


def test_the_contract_of_models_finds_it():
    def spring(design: Spring):
        return {"rate": 1 / design.wire}

    contract = ModelContract()
    contract.model = made(spring)
    with pytest.raises(AssertionError, match=r"spring raises for wire = 0\.0"):
        contract.test_values_that_the_record_accepts_do_not_raise()


def test_a_model_that_draws_without_a_seed_is_found():
    count = iter(range(9))

    def spring(design: Spring):
        return {"rate": design.wire + next(count)}

    assert "gives other results when it evaluates a design again" in repetition_fault(made(spring))
    assert repetition_fault(load("bnh")) == ""
