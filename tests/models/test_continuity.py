"""Jumps along a line are told from steep slopes, corners and rounding."""

import math

import numpy as np
import pytest

from models import Infeasible, Metric, Parameters, model, quantity
from models.continuity import DesignSpace, jumps


class Plate(Parameters):
    side: float = quantity(0.3, unit="m", description="side", ge=0, le=1)


def found(function, *, error="", absent=None, where=""):
    metrics = [Metric("sag", "1", "sag", "minimize", error=error, absent=absent, jumps=where)]
    if error:
        metrics.append(Metric(error, "1", "error", "minimize"))

    def plate(design: Plate):
        return function(design.side)

    made = model(metrics=metrics, name="plate")(plate)
    return jumps(made, DesignSpace({"side": (0.0, 1.0)}), np.array([[0.0], [1.0]]))


@pytest.mark.parametrize(
    "function",
    [
        lambda side: {"sag": 3.0},
        lambda side: {"sag": math.sqrt(abs(side - 0.4321))},
        lambda side: {"sag": math.atan(1e3 * (side - 0.4321))},
        lambda side: {"sag": 1.0 + 1e-9 * math.floor(1e6 * side)},
        lambda side: {"sag": 1.0} if side < 0.4321 else Infeasible("too large", side),
    ],
)
def test_what_is_continuous_or_turns_infeasible_does_not_jump(function):
    assert found(function) == []


@pytest.mark.parametrize("step", [1.0, 0.2])
def test_a_step_is_found_at_its_place_also_on_a_slope(step):
    (jump,) = found(lambda side: {"sag": 2 * side + step * (side > 0.4321)})
    assert jump.settings["side"] == pytest.approx(0.4321, abs=1e-6)
    assert jump.after - jump.before == pytest.approx(step, abs=1e-5)
    assert str(jump).startswith("sag jumps from 0.86")


def test_stated_jumps_and_errors_excuse_a_jump():
    def step(side):
        return {"sag": float(side > 0.4321), "sag_error": 1.0}

    assert found(step, error="sag_error") == []
    assert found(lambda side: {"sag": step(side)["sag"]}, where="the plate buckles") == []
    assert len(found(lambda side: {**step(side), "sag_error": 0.9}, error="sag_error")) == 1


def test_a_metric_that_appears_does_not_jump():
    assert found(lambda side: {"sag": None if side < 0.4321 else 5.0}, absent=0.0) == []
