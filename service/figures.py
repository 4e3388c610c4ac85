"""The figures of pages and reports, for notebooks: from a store on this machine, or from a server.

A figure is a plain dictionary, ``{"data": [...], "layout": {...}}``, as Plotly draws it. In a notebook,
``plotly.graph_objects.Figure(figure)`` shows it and lets one change it; ``plotly.io.write_image`` and
others take it as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.app.context import Context
from service.app.services import Services, StoreServices
from service.resources.figures import FigureResource
from studies.store import Store

__all__ = ["compared", "draw", "named", "robot", "verdict_map"]

Source = Store | Services
"""An open store, or a ``tautline.Client``."""


def named(
    source: Source, study: str | Sequence[str], *, across_conditions: bool = False
) -> Mapping[str, str]:
    """Titles by name of the present figures of a study, or of the comparison of several.

    Fronts are there once a design is on one. ``across_conditions`` is as in :func:`compared`.
    """
    operations = _operations(source)
    if isinstance(study, str):
        return {figure.figure: figure.title for figure in operations.figures.list(study).items}
    found = operations.comparisons.studies(study, across_conditions=across_conditions)
    return {figure.figure: figure.title for figure in found.figures}


def draw(source: Source, study: str, figure: str = "front-1") -> dict[str, Any]:
    """A figure of a study by its name: ``front-1``, ``parallel``, ``history``; see :func:`named`.

    Raises ``AbsentError`` when there is none of that name, with those that there are.
    """
    return _plain(_operations(source).figures.get(study, figure))


def compared(
    source: Source, studies: Sequence[str], figure: str = "front-1", *, across_conditions: bool = False
) -> dict[str, Any]:
    """A figure of several studies together, or of one study's layouts: ``front-1``, ``spread``, ``history``.

    Raises ``InputError`` when the studies have no objective in common. Raises ``ConditionsDifferError`` when
    they have other loads, limits, resolutions or versions, unless ``across_conditions`` is true.
    """
    comparisons = _operations(source).comparisons
    return _plain(comparisons.figure(studies, figure, across_conditions=across_conditions))


def robot(source: Source, study: str, key: str) -> dict[str, Any]:
    """The 3D view of a design that the study asked for, by its key or the first letters of it.

    ``data`` is empty where the back-end has nothing to draw.
    """
    return _plain(_operations(source).designs.figure(key, study))


def verdict_map(source: Source, study: str, sweep: int, criterion: str = "") -> dict[str, Any]:
    """Plot the winners of a criterion under the conditions of a sweep; by default the first criterion."""
    return _plain(_operations(source).sweeps.figure(study, sweep, criterion))


def _operations(source: Source) -> Services:
    return StoreServices(Context(store=source)) if isinstance(source, Store) else source


def _plain(figure: FigureResource) -> dict[str, Any]:
    return {"data": figure.data, "layout": figure.layout}
