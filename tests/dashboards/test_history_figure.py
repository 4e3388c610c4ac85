import numpy as np
import pytest

from dashboards.figures import history_figure
from studies.indicators import hypervolume


def test_every_run_is_measured_against_the_point_of_the_comparison(store, material, halves):
    found = material(halves)
    for run, history in zip(found.runs, found.histories, strict=True):
        assert (history.layout, history.seed) == (run.run.layout, run.run.seed)
        assert list(history.evaluations) == [generation.asked for generation in run.generations]
        expected = found.comparison.seed_hypervolumes[history.layout][history.seed]
        assert history.hypervolumes[-1] == pytest.approx(expected)
        assert list(history.hypervolumes) == sorted(history.hypervolumes)


def test_a_point_on_the_line_is_the_hypervolume_of_all_that_was_told_so_far(store, material, halves):
    found = material(halves)
    log = store.log(found.runs[0].run)[:3]
    told = np.concatenate([batch.objectives[batch.violations == 0] for batch in log])
    expected = hypervolume(told, np.array(found.comparison.reference_point))
    assert found.histories[0].hypervolumes[2] == pytest.approx(expected)


def test_one_line_per_run_and_one_legend_entry_per_layout(material, halves):
    found = material(halves)
    data = history_figure(found.histories)["data"]
    assert [trace["name"] for trace in data] == ["left", "left", "right", "right"]
    assert [trace["showlegend"] for trace in data] == [True, False, True, False]
    assert data[0]["x"] == [12, 24, 36, 48, 60]
    assert data[0]["line"] == data[1]["line"] != data[2]["line"]
    assert "seed 2" in data[1]["text"][0]


def test_nothing_finished_says_so():
    assert history_figure([])["layout"]["annotations"][0]["text"] == "no run has finished a generation yet"
