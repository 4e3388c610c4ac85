"""Colours of layouts mean layouts: figures of variables, statistics and sides have others."""

import json

import numpy as np
import pytest

from dashboards.figures.importance import importance_figure
from dashboards.figures.robots import robots_figure
from dashboards.figures.slice import slice_figure
from dashboards.figures.sobol_indices import sobol_figure
from dashboards.figures.tornado import tornado_figure
from dashboards.palette import COLOURS
from studies.results.variable_importance import metric_importances
from studies.uncertainty.robust_design import Bar
from tests.dashboards.figures.test_importance_figures import Rods, designs_of
from tests.dashboards.figures.test_sobol_indices import indices_of

FIGURES = {
    "importance": lambda: importance_figure(metric_importances(designs_of(), "f", "1", "minimize"), Rods),
    "slice": lambda: slice_figure(designs_of(), Rods, "f", "1", "minimize", "length"),
    "slice over two": lambda: slice_figure(designs_of(), Rods, "f", "1", "minimize", "length", "rods"),
    "Sobol indices": lambda: sobol_figure(["a", "b"], indices_of([0.3, 0.5], [0.4, 0.6])),
    "tornado": lambda: tornado_figure("f", "1", 1.0, [Bar("a", 1e-3, 0.9, 1.2)]),
    "robots": lambda: robots_figure("f", "1", 0.5, np.linspace(0.0, 1.0, 40), {"mean": 0.5, "q05": 0.1}),
}


@pytest.mark.parametrize("name", FIGURES)
def test_what_is_no_layout_has_no_colour_of_a_layout(name):
    figure = FIGURES[name]()
    assert figure["data"]
    drawn = json.dumps(figure).upper()
    assert [colour for colour in COLOURS if colour.upper() in drawn] == []
