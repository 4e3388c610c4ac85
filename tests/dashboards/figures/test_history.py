import numpy as np
import pytest

from dashboards.figures import History, history_figure
from dashboards.figures.history import seed_quartiles
from studies.search.indicators import hypervolume


def test_every_run_is_measured_against_the_point_of_the_comparison(store, report_data, halves):
    found = report_data(halves)
    for run, history in zip(found.runs, found.histories, strict=True):
        assert (history.layout, history.seed) == (run.run.layout, run.run.seed)
        assert list(history.evaluations) == [generation.asked for generation in run.generations]
        expected = found.comparison.seed_hypervolumes[history.layout][history.seed]
        assert history.hypervolumes[-1] == pytest.approx(expected)
        assert list(history.hypervolumes) == sorted(history.hypervolumes)


def test_a_point_on_the_line_is_the_hypervolume_of_all_designs_so_far(store, report_data, halves):
    found = report_data(halves)
    log = store.log(found.runs[0].run)[:3]
    told = np.concatenate([batch.objectives[batch.violations == 0] for batch in log])
    expected = hypervolume(told, np.array(found.comparison.reference_point))
    assert found.histories[0].hypervolumes[2] == pytest.approx(expected)


def test_seeds_hide_behind_one_entry_and_each_layout_has_one(halves_data):
    data = history_figure(halves_data.histories)["data"]
    shown = [(trace["name"], trace.get("visible", True)) for trace in data if trace.get("showlegend", True)]
    assert shown == [("each seed", "legendonly"), ("left", True), ("right", True)]
    assert [trace["name"] for trace in data if trace.get("visible")] == [
        "left, seed 1",
        "left, seed 2",
        "right, seed 1",
        "right, seed 2",
        "each seed",
    ]
    assert data[0]["x"] == [12, 24, 36, 48, 60]


def test_the_median_is_that_of_the_seeds_that_got_so_far():
    volumes = {1: (1.0, 2.0, 3.0), 2: (2.0, 6.0, 9.0), 3: (4.0, 7.0)}
    histories = [History("a", seed, (10, 20, 30)[: len(y)], y) for seed, y in volumes.items()]
    numbers, quartiles, counts = seed_quartiles(histories)
    assert (numbers, counts) == ([10, 20, 30], [3, 3, 2])
    assert quartiles[1].tolist() == [2.0, 6.0, 6.0]
    assert quartiles[::2, 0].tolist() == [1.5, 3.0]


def test_between_two_generations_a_seed_has_what_it_had():
    numbers, quartiles, _ = seed_quartiles(
        [History("a", 1, (10, 30), (1.0, 3.0)), History("a", 2, (20, 30), (4.0, 5.0))]
    )
    assert numbers == [10, 20, 30]
    assert quartiles[1].tolist() == [0.5, 2.5, 4.0]


def test_a_single_seed_is_a_line_with_the_name_of_its_layout():
    (trace,) = history_figure([History("default", 1, (12, 24), (1.0, 2.0))])["data"]
    assert (trace["name"], trace["showlegend"], "visible" in trace) == ("default", True, False)


def test_nothing_finished_says_so():
    assert history_figure([])["layout"]["annotations"][0]["text"] == "no run has finished a generation yet"
