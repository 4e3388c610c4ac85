"""Facts that a verdict on objectives alone hides: shared quantities, numerical error, other metrics."""

from dataclasses import replace

import pytest

from dashboards.content.comparison.headline import (
    median_mark,
    not_optimised_note,
    not_optimised_sentences,
    not_optimised_table,
)
from dashboards.content.comparison.margins import criteria_table
from dashboards.content.report.verdict import verdict
from models import Evaluation, Metric, load, registry
from studies.comparison.comparison import Spread
from studies.definition.objectives import SharedQuantity, shared_quantities

METRICS = (
    Metric("volume", "m**3", "what it reaches", "maximize", ("plain",), error="volume_error"),
    Metric("volume_error", "m**3", "numerical error of volume", "minimize", ("plain",)),
    Metric("F2", "1", "cost for the volume", "minimize", ("plain",), contains=("volume",)),
    Metric("F3", "1", "F2 with weights", "minimize", ("plain",), contains=("F2",)),
    Metric("gap", "m", "least gap between two cables", "maximize", ("plain",), safety_limit=0.0),
    Metric("force", "N", "what is left", "maximize", ("plain",), absent=0.0),
)
STUDY = """
name = "volumes"
model = "bnh"
seeds = [1, 2]
[variables]
x1 = { lower = 0, upper = 1 }
[layouts.narrow.parameters]
x2 = 0
[layouts.wide.parameters]
x2 = 1
[objectives]
volume = "maximize"
F3 = "minimize"
[search]
algorithm = "lhs"
population = 12
evaluations = 12
"""


def evaluate(parameters):
    """Both layouts reach the same but for a thousandth; the wide one costs less, and its cables touch."""
    x, wide = parameters.x1, parameters.x2
    volume = 2 + x + 0.001 * wide
    gap = 0.035 - 0.037 * wide
    force = None if wide == 0 and x > 0.5 else 3.0 + wide
    metrics = {"volume": volume, "volume_error": 0.01, "F2": x, "F3": x - wide, "gap": gap, "force": force}
    return Evaluation(metrics)


@pytest.fixture
def volumes(monkeypatch, report_data):
    """The study of a model in which the volume has an error and stands in F2, which stands in F3."""
    model = replace(load("bnh"), metrics=METRICS, stages={"plain": evaluate})
    load.cache_clear()
    entry = type("Entry", (), {"name": "bnh", "value": "here", "load": lambda self: model})()
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    yield report_data(STUDY)
    load.cache_clear()


def test_objectives_that_contain_a_quantity_are_named_with_it_at_any_depth(volumes):
    assert volumes.comparison.shared == (SharedQuantity("volume", ("volume", "F3")),)
    text = " ".join(verdict(volumes))
    assert (
        "not independent: F3 contains the volume, which is an objective itself, so it counts 2 times." in text
    )


def test_a_quantity_that_only_repeats_another_is_not_named_again():
    model = replace(load("bnh"), metrics=METRICS)
    assert shared_quantities(model, ["F2", "F3"]) == (SharedQuantity("F2", ("F2", "F3")),)
    assert shared_quantities(model, ["volume", "gap"]) == ()
    circle = (replace(METRICS[0], contains=("F2",)), replace(METRICS[2], contains=("volume", "unknown")))
    found = shared_quantities(replace(model, metrics=circle), ["volume", "F2"])
    assert {each.quantity for each in found} == set()


def test_values_within_their_numerical_error_are_even(volumes):
    rows = {c.name: c for c in volumes.comparison.criteria}
    best = rows["best volume"]
    assert best.values["wide"] > best.values["narrow"]
    assert (best.winner, best.margin, best.error, best.even) == ("", None, 0.01, True)
    assert rows["best F3"].winner == "wide"
    assert rows["best F3"].error is None
    shown = {row[0].text: row for row in criteria_table(volumes.comparison).rows}["best volume"]
    assert [cell.mark for cell in shown] == [""] * len(shown)
    assert "even within the numerical error of 0.01 m³" in [cell.text for cell in shown]
    text = " ".join(verdict(volumes))
    assert "in every objective" not in text
    assert "even within the numerical error of 0.01 m³" in text


def test_what_was_not_optimised_is_shown_and_limits_of_safety_are_marked(volumes):
    found = not_optimised_table(volumes.comparison)
    rows = {row[0].text: row for row in found.rows}
    assert list(rows) == ["volume error", "F2", "gap", "force"]
    _, narrow, wide, better, limit = rows["gap"]
    assert (narrow.text, narrow.mark) == ("35.00 mm", "")
    assert (wide.text, wide.mark) == ("\N{MINUS SIGN}2.000 mm", "bad")
    sizes = {label: len(front) for label, front in volumes.comparison.fronts.items()}
    assert (
        wide.note
        == f"\N{MINUS SIGN}2 to \N{MINUS SIGN}2 mm; beyond the limit in {sizes['wide']} of {sizes['wide']} designs"
    )
    assert (better.text, limit.text) == ("more", "0 mm")
    assert "have no value" in rows["force"][1].note
    text = " ".join(verdict(volumes))
    assert f"On the front of wide, designs are beyond the safety limit of gap ({sizes['wide']} of" in text
    assert "Among what was not optimised, narrow has the better median of gap" in text


def test_a_smaller_numerical_error_is_no_merit(volumes):
    comparison = volumes.comparison
    changed = tuple(
        replace(each, spreads={**each.spreads, "wide": replace(each.spreads["wide"], median=0.001)})
        if each.name == "volume_error"
        else each
        for each in comparison.not_optimised
    )
    assert [each.name for each in changed if each.is_error] == ["volume_error"]
    text = " ".join(not_optimised_sentences(replace(comparison, not_optimised=changed)))
    assert "has the better median of" in text
    assert "volume error" not in text


def test_a_metric_that_no_design_has_is_named_and_takes_no_row(volumes):
    comparison = volumes.comparison
    missing = tuple(
        replace(metric, spreads=dict.fromkeys(metric.spreads)) if metric.name in ("F2", "force") else metric
        for metric in comparison.not_optimised
    )
    without = replace(comparison, not_optimised=missing)
    assert [row[0].text for row in not_optimised_table(without).rows] == ["volume error", "gap"]
    assert not_optimised_note(without).endswith("No design on a front has F2 or force.")
    assert "No design" not in not_optimised_note(comparison)


def test_a_lead_in_hypervolume_is_no_ratio(volumes):
    row = next(c for c in volumes.comparison.criteria if c.name == "hypervolume")
    assert row.winner == "wide"
    assert row.margin is None
    text = " ".join(verdict(volumes))
    assert "wide is ahead of narrow (by how much depends on the reference point)" in text
    assert "times as much" not in text


@pytest.mark.parametrize(("median", "unsafe", "mark"), [(3.0, 0, ""), (3.0, 2, "unsure"), (-1.0, 5, "bad")])
def test_only_a_median_beyond_the_limit_is_red(median, unsafe, mark):
    spread = Spread(least=-2.0, median=median, greatest=4.0, designs=9, missing=0, unsafe=unsafe)
    assert median_mark(spread, 0.0, "maximize") == mark
    mirrored = Spread(least=-4.0, median=-median, greatest=2.0, designs=9, missing=0, unsafe=unsafe)
    assert median_mark(mirrored, 0.0, "minimize") == mark
