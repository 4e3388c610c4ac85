"""Margins past their limit of safety: of the variants of each, one judges a design."""

from models.metrics import Metric
from studies.comparison.comparison import unsafe_margins

METRICS = [
    Metric("clearance.q05", "m", "clearance", "maximize", safety_limit=0.0),
    Metric("clearance.task", "m", "clearance over the task", "maximize", safety_limit=0.0),
    Metric("strain", "1", "strain", "minimize", safety_limit=0.1),
    Metric("mass", "kg", "mass", "minimize"),
]


def names(values, bounded=()):
    return [each.name for each in unsafe_margins(METRICS, bounded, values)]


def test_of_the_variants_of_a_margin_one_judges_a_design():
    values = {"clearance.q05": -0.1, "clearance.task": 0.2, "strain": 0.2, "mass": 9.0}
    assert names(values) == ["strain"]
    assert names(values, ["clearance.q05"]) == ["clearance.q05", "strain"]
    assert names({"clearance.q05": -0.1, "clearance.task": None, "strain": 0.1}) == ["clearance.q05"]
