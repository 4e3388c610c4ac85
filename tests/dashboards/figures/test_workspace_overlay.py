"""Two workspaces over each other, in the colours of their layouts, with volumes in words and numbers."""

import itertools

import numpy as np

from dashboards.figures import workspace_overlay_figure
from dashboards.palette import style_of
from models.scene import Points, Scene


def block(start):
    """A cube of 1 m of 4 x 4 x 4 cells, which starts at x = ``start``."""
    places = np.array(list(itertools.product(range(4), repeat=3)), float)
    return Scene((Points("workspace", places / 4 + [start, 0.0, 0.0], np.full(3, 0.25)),))


def test_the_volumes_of_two_blocks_are_three_numbers_with_an_error():
    figure = workspace_overlay_figure(["left", "right"], [block(0.0), block(0.6)], [0, 1])
    numbers = {each["label"]: each["text"] for each in figure["layout"]["meta"]["numbers"]}
    assert numbers == {"left only": "0.6 m³", "right only": "0.6 m³", "both": "0.4 m³"}
    assert "each to within 1.5 m³" in figure["layout"]["meta"]["caption"]  # 12 faces, an eighth of a metre
    colours = {trace["legendgroup"]: trace["color"] for trace in figure["data"] if "color" in trace}
    assert colours == {"workspace of left": style_of(0).colour, "workspace of right": style_of(1).colour}


def test_a_design_without_cells_has_nothing_to_lay_over():
    figure = workspace_overlay_figure(["left", "none"], [block(0.0), Scene(())], [0, 1])
    assert figure["data"] == []
