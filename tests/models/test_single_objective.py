"""A short search for one metric finds what its winner lacks."""

import math

from models import Infeasible, Metric, Parameters, model, quantity
from models.continuity import DesignSpace
from models.single_objective import Search, winner, winner_faults


class Plate(Parameters):
    side: float = quantity(0.5, unit="m", description="side", ge=0, le=1)
    cells: int = quantity(4, unit="1", description="cells", ge=1, le=1000, numerical=True)


SIDES = DesignSpace({"side": (0.1, 1.0)})
METRICS = [
    Metric("sag", "1", "sag", "minimize"),
    Metric("area", "1", "area", "maximize"),
    Metric("factor", "1", "factor", "maximize", safety_limit=1.0),
]


def made(sag, factor=lambda side: 2.0):
    def plate(design: Plate):
        if design.side > 0.9:
            return Infeasible("too large", design.side - 0.9)
        return {"sag": sag(design), "area": design.side**2, "factor": factor(design.side)}

    return model(metrics=METRICS, name="plate")(plate)


def faults(sag, search, **more):
    return winner_faults(made(sag, **more), search, {"cells": 1000})


def smooth(design):
    return 1 + (design.side - 0.6) ** 2


def test_a_winner_that_keeps_everything_has_no_faults():
    assert faults(smooth, Search("sag", SIDES, keeps={"area": 0.5})) == []
    assert abs(winner(made(smooth), Search("sag", SIDES))["side"] - 0.6) < 0.05


def test_a_search_for_sag_shrinks_the_plate_to_nothing_unless_its_area_is_limited():
    def sag(design):
        return design.side**4

    (fault,) = faults(sag, Search("sag", SIDES, keeps={"area": 0.5}))
    assert "area is 0.0" in fault
    assert faults(sag, Search("sag", SIDES, limits={"area": (0.15, math.inf)}, keeps={"area": 0.5})) == []


def test_a_winner_that_a_coarse_computation_flatters_is_found():
    (fault,) = faults(
        lambda design: smooth(design) - (design.side > 0.7) * 8 / design.cells, Search("sag", SIDES)
    )
    assert fault.startswith("the search for sag ends at {'side': 0.7")


def test_a_search_stays_within_the_limits_of_safety():
    found = winner(made(smooth, factor=lambda side: 0.5 / side), Search("sag", SIDES))
    assert found["side"] <= 0.5


def test_a_space_without_a_feasible_design_is_a_fault():
    assert "too large" in faults(smooth, Search("sag", DesignSpace({"side": (0.91, 1.0)})))[0]
