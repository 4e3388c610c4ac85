"""Hypervolumes of a study's runs: one point for all of them."""

from dataclasses import replace

import numpy as np
import pytest

from studies.comparison.comparison import compare_layouts
from studies.definition.study_file import parse_study
from studies.results.fronts import run_volumes
from studies.run.launch import run_study
from studies.search.indicators import hypervolume


@pytest.fixture
def three_seeds(store, bnh_study, inline, make_executor):
    text = bnh_study.replace("seeds = [1]", "seeds = [3, 5, 6]").replace("generations = 6", "generations = 3")
    return run_study(store, parse_study(text), inline(make_executor()))


def test_the_seed_that_is_worst_against_its_own_point_may_be_the_best(store, three_seeds):
    measured = run_volumes(store, three_seeds)
    own = {run_id: last.hypervolume for run_id, last in store.last_generations(three_seeds.runs).items()}
    assert min(own, key=own.__getitem__) == max(measured.by_run, key=measured.by_run.__getitem__)
    seeds = {run.id: run.seed for run in three_seeds.runs}
    assert seeds[max(measured.by_run, key=measured.by_run.__getitem__)] == 3


def test_runs_that_go_on_are_measured_against_one_point_beyond_their_own(store, three_seeds):
    first, *others = three_seeds.runs
    measured = run_volumes(store, replace(three_seeds, runs=(replace(first, state="running"), *others)))
    points = np.array([run.reference_point for run in three_seeds.runs])
    assert measured.point == {"f1": points[:, 0].max(), "f2": points[:, 1].max()}
    assert not measured.stated
    for run in three_seeds.runs:
        front = store.front_places(run).objectives
        assert measured.by_run[run.id] == hypervolume(front, points.max(axis=0))


def test_runs_that_have_ended_are_measured_against_the_point_of_their_comparison(store, three_seeds):
    measured, compared = run_volumes(store, three_seeds), compare_layouts(store, three_seeds)
    assert tuple(measured.point.values()) == compared.reference_point
    by_seed = {run.seed: measured.by_run[run.id] for run in three_seeds.runs}
    assert by_seed == compared.seed_hypervolumes["default"]


def test_the_spread_over_seeds_is_known_of_one_layout_too(store, three_seeds):
    measured = run_volumes(store, three_seeds)
    (spread,) = measured.spread(three_seeds.runs)
    values = sorted(measured.by_run.values())
    assert (spread.layout, spread.seeds) == ("default", 3)
    assert [spread.least, spread.median, spread.greatest] == values


def test_a_stated_point_is_the_one_of_all_runs(store, bnh_study, inline, make_executor):
    text = (
        bnh_study.replace("seeds = [1]", "seeds = [1, 2]")
        + "[indicators.reference_point]\nf1 = 200\nf2 = 60\n"
    )
    study = run_study(store, parse_study(text), inline(make_executor()))
    measured = run_volumes(store, study)
    assert (measured.stated, measured.point) == (True, {"f1": 200.0, "f2": 60.0})
    last = store.last_generations(study.runs)
    assert {run_id: one.hypervolume for run_id, one in last.items()} == measured.by_run


def test_before_a_design_is_feasible_there_is_no_point(store, bnh_study, inline, make_executor):
    queued = store.create_study(parse_study(bnh_study), ["default"])
    assert run_volumes(store, queued) is None


def test_a_run_that_found_nothing_dominates_nothing(store, inline, make_executor):
    text = """
    name = "halves"
    model = "faulty"
    [variables]
    x = { lower = 0, upper = 1 }
    y = { lower = 0, upper = 1 }
    [layouts.some.parameters]
    shape = "round"
    [layouts.never.parameters]
    fault = "infeasible"
    threshold = 0.0
    [layouts.never.variables]
    x = { lower = 0.1, upper = 1 }
    [objectives]
    f1 = "minimize"
    f2 = "maximize"
    [search]
    population = 8
    generations = 2
    """
    study = run_study(store, parse_study(text), inline(make_executor()))
    measured = run_volumes(store, study)
    volumes = {run.layout: measured.by_run[run.id] for run in study.runs}
    assert volumes["never"] == 0.0 < volumes["some"]
