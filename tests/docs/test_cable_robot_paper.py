"""Verdicts of the validation page: presets under every combination of conditions."""

from docs.cable_robot_paper import Judged, under_conditions
from models import Evaluation, Infeasible
from models.hybrid_cable_robot import MODEL

DESIGNS = {
    name: MODEL.resolve(name, {"cells": 6, "weight_moment": "ignored"})
    for name in ("constrained", "suspended")
}


def test_every_combination_is_evaluated_as_the_model_evaluates_it():
    # pyrefly: ignore[bad-argument-type]
    found = list(under_conditions(DESIGNS, {"wrench_set": ("gravity", "box"), "f_min": (0.0, 2.0)}))
    expected = [("gravity", 0.0), ("gravity", 2.0), ("box", 0.0), ("box", 2.0)]
    assert [tuple(one.conditions.values()) for one in found] == expected
    for one in found:
        for name in DESIGNS:
            design = MODEL.resolve(name, {"cells": 6, "weight_moment": "ignored", **one.conditions})
            assert one.outcomes[name] == MODEL.evaluate(design, "workspace", 0)


def judged(error=0.0, **volumes):
    outcomes = {
        name: Infeasible("too small", 1.0)
        if volume is None
        else Evaluation({"workspace_volume": volume, "workspace_volume_error": error, "F1": 1.0 / volume})
        for name, volume in volumes.items()
    }
    return Judged({}, outcomes)


def test_winner_is_the_best_by_the_metrics_sense_unless_even():
    assert judged(a=1.0, b=2.0).winner("workspace_volume") == "b"
    assert judged(a=1.0, b=2.0).winner("F1") == "b"
    assert judged(a=1.0, b=1.005).winner("workspace_volume") is None
    assert judged(a=1.0, b=1.1, error=0.2).winner("workspace_volume") is None
    assert judged(a=1.0, b=None).winner("workspace_volume") == "a"
    assert judged(a=None, b=None).winner("workspace_volume") is None
    assert judged(a=1.0, b=None).numbers("F1") == {"a": 1.0, "b": None}
