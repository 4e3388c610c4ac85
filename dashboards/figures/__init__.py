"""Figures as plain Plotly dictionaries, made by pure functions from stored records.

Show one in a notebook with ``plotly.io.show(figure)``; pages and reports hand the same
dictionaries to plotly.js.
"""

from dashboards.figures.attainment import attainment_figure
from dashboards.figures.axes import Figure, conditions_mark, mark_text
from dashboards.figures.front import (
    FrontFigure,
    best_value_figure,
    front_figure_3d,
    front_figures,
    matrix_figure,
    pair_figure,
)
from dashboards.figures.history import History, history_figure, hypervolume_histories
from dashboards.figures.hypervolume_spread import spread_figure
from dashboards.figures.motion import scene_motion_figure
from dashboards.figures.parallel_coordinates import parallel_figure
from dashboards.figures.plotly_options import CONFIG, PLOT_SETTINGS, packed
from dashboards.figures.scene import has_extent, scene_bounds, scene_figure, scene_summary
from dashboards.figures.verdict_map import verdict_map_figure
from dashboards.figures.workspace_overlay import workspace_overlay_figure

__all__ = [
    "CONFIG",
    "PLOT_SETTINGS",
    "Figure",
    "FrontFigure",
    "History",
    "attainment_figure",
    "best_value_figure",
    "conditions_mark",
    "front_figure_3d",
    "front_figures",
    "has_extent",
    "history_figure",
    "hypervolume_histories",
    "mark_text",
    "matrix_figure",
    "packed",
    "pair_figure",
    "parallel_figure",
    "scene_bounds",
    "scene_figure",
    "scene_motion_figure",
    "scene_summary",
    "spread_figure",
    "verdict_map_figure",
    "workspace_overlay_figure",
]
