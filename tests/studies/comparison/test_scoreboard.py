"""Leaders in objectives, their confidence, and the medians of safety."""

from dataclasses import replace
from statistics import median

import pytest

from dashboards.content.comparison.headline import scoreboard_table
from studies.comparison.comparison import Spread, compare_layouts, judged_margins
from studies.comparison.scoreboard import knee_designs, scoreboard
from studies.comparison.seed_tests import SeedTest
from studies.definition.study_file import parse_study
from studies.run.launch import run_study

HALVES = """
name = "halves"
model = "bnh"
seeds = [1, 2, 3, 4, 5]
[layouts.left.variables]
x1 = { lower = 0, upper = 2.5 }
x2 = { lower = 0, upper = 3 }
[layouts.right.variables]
x1 = { lower = 1, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[constraints]
c1 = { lower = 0 }
[search]
population = 8
generations = 2
"""


@pytest.fixture
def halves(store, study):
    return compare_layouts(store, study(HALVES))


@pytest.fixture
def study(store, inline, make_executor):
    return lambda text: run_study(store, parse_study(text), inline(make_executor()))


def the_test(first, second, winner, needed=None):
    return SeedTest(
        "best f1", "1", "minimize", first, second, (5, 5), (1.0, 2.0), None, 0.9, 0.01, winner, needed
    )


def score(comparison, *tests):
    return scoreboard(replace(comparison, seed_tests=tests)).objectives[0]


def test_scores_are_those_of_criteria_and_tests(halves):
    board = scoreboard(halves)
    criteria = {criterion.name: criterion for criterion in halves.criteria}
    for name, found in zip(("f1", "f2"), board.objectives, strict=True):
        assert found.objective == name
        assert found.best == criteria[f"best {name}"].values
        assert found.medians == criteria[f"median {name}"].values
        assert found.leader == criteria[f"best {name}"].winner
        assert {found.leader, found.second} == {"left", "right"}
        assert found.margin == criteria[f"best {name}"].margin
        assert found.test in halves.seed_tests
        assert found.seeds == (5, 5)
    assert {label for label in board.leads if label} == {found.leader for found in board.objectives}


def test_confidence_says_what_the_seeds_say(halves):
    leader = score(halves).leader
    other = "right" if leader == "left" else "left"
    assert score(halves, the_test(leader, other, leader)).confidence == "shown"
    assert score(halves, the_test(other, leader, other)).confidence == "contradicted"
    open_ = score(halves, the_test(leader, other, "", 12))
    assert (open_.confidence, open_.seeds_needed) == ("no difference shown", 12)
    few = score(halves)
    assert (few.confidence, few.seeds_needed, few.test) == ("too few seeds", 5, None)


def test_even_values_have_no_leader(halves):
    best = next(c for c in halves.criteria if c.name == "best f1")
    even = replace(best, winner="", margin=None, error=1e9)
    criteria = tuple(even if c is best else c for c in halves.criteria)
    found = score(replace(halves, criteria=criteria))
    assert (found.confidence, found.leader, found.second, found.seeds_needed) == ("even", "", "", None)


def test_a_layout_without_rivals_is_alone(halves):
    fronts = {**halves.fronts, "right": []}
    values = {
        c.name: replace(c, values={**c.values, "right": None}, winner="left", margin=None)
        for c in halves.criteria
    }
    found = score(replace(halves, fronts=fronts, criteria=tuple(values.values())))
    assert (found.confidence, found.leader, found.second) == ("alone", "left", "")


def test_what_is_bounded_counts_as_a_margin_of_safety(halves):
    (found,) = scoreboard(halves).safety
    assert (found.metric, found.limit, found.better) == ("c1", 0.0, "maximize")
    for label, front in halves.fronts.items():
        values = [design.metrics["c1"] for design in front]
        assert found.spreads[label] == Spread(
            min(values),
            pytest.approx(median(values)),  # pyrefly: ignore[bad-argument-type]
            max(values),
            len(front),
            0,
            0,
        )
    medians = {label: spread.median for label, spread in found.spreads.items()}
    assert found.leader == max(medians, key=lambda label: medians[label])
    assert not found.unsafe


def test_the_knee_is_a_design_of_the_front(halves):
    knees = knee_designs(halves)
    assert {label: design.layout for label, design in knees.items()} == {"left": "left", "right": "right"}
    for label, design in knees.items():
        front = halves.fronts[label]
        spans = [(min(d.objectives[i] for d in front), max(d.objectives[i] for d in front)) for i in range(2)]
        sums = {
            d.key: sum((v - low) / (high - low) for v, (low, high) in zip(d.objectives, spans, strict=True))
            for d in front
        }
        assert sums[design.key] == pytest.approx(min(sums.values()))


def test_of_the_variants_of_a_margin_one_is_judged():
    """The bound of the study, else the task, else 95 % of the workspace; never each of them."""
    variants = ["gap.q05", "gap.box", "gap.task", "force.q05", "force.box", "path_gap"]
    assert judged_margins(variants, {}) == {"gap.task", "force.q05", "path_gap"}
    assert judged_margins(variants, {"gap.box": 1, "f": 2}) == {"gap.box", "force.q05", "path_gap"}


ROBOTS = """
name = "robots"
model = "hybrid-cable-robot"
[parameters]
wrench_set = "gravity"
orientations = "nominal"
cells = 6
[layouts.suspended]
preset = "suspended"
[layouts.suspended.variables]
beta1 = { lower = "270 deg", upper = "360 deg" }
[objectives]
workspace_volume = "maximize"
"displacement_under_load.q95" = "minimize"
[constraints]
"interference_margin.q05" = { lower = "-10 mm" }
[search]
population = 6
generations = 1
"""


def test_safety_is_judged_by_margins_that_do_not_depend_on_the_grid(store, study):
    board = scoreboard(compare_layouts(store, study(ROBOTS)))
    limits = {score.metric: score.limit for score in board.safety}
    assert limits == {"interference_margin.q05": -0.01, "capacity_margin.q05": 0.0}
    unsafe = [each.unsafe for each in board.safety]
    assert unsafe == sorted(unsafe, reverse=True)


def test_the_numerical_error_stands_beside_the_best_value(store, study):
    comparison = compare_layouts(store, study(ROBOTS))
    board = scoreboard(comparison)
    (front,) = comparison.fronts.values()
    best = max(front, key=lambda design: design.metrics["workspace_volume"])
    (error,) = board.objectives[0].errors.values()
    assert error == best.metrics["workspace_volume_error"] > 0.0
    cell = scoreboard_table(comparison, board).rows[0][1]
    assert " ± " in cell.text
