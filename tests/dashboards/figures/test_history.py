import numpy as np
import pytest

from dashboards.figures import History, history_figure
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


def test_every_line_names_its_run(halves_data):
    found = halves_data
    data = history_figure(found.histories)["data"]
    assert [trace["name"] for trace in data] == [
        "left, seed 1",
        "left, seed 2",
        "right, seed 1",
        "right, seed 2",
    ]
    assert all(trace["showlegend"] for trace in data)
    assert data[0]["x"] == [12, 24, 36, 48, 60]
    assert data[0]["line"] == data[1]["line"] != data[2]["line"]
    assert "seed 2" in data[1]["text"][0]


def test_seeds_of_one_layout_have_names_and_looks_of_their_own():
    histories = [History("default", seed, (12, 24), (1.0, 2.0)) for seed in (1, 2, 3)]
    data = history_figure(histories)["data"]
    assert [trace["name"] for trace in data] == ["seed 1", "seed 2", "seed 3"]
    assert len({trace["line"]["color"] for trace in data}) == 3


def test_of_many_runs_the_legend_has_one_entry_per_layout():
    histories = [History(name, seed, (12,), (1.0,)) for name in ("left", "right") for seed in range(7)]
    data = history_figure(histories)["data"]
    assert {trace["name"] for trace in data} == {"left", "right"}
    assert sum(trace["showlegend"] for trace in data) == 2


def test_nothing_finished_says_so():
    assert history_figure([])["layout"]["annotations"][0]["text"] == "no run has finished a generation yet"
