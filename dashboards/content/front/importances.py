"""Importances of variables, from the stored designs of each layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboards.content.drawing import Plot
from dashboards.figures.importance import importance_figure
from dashboards.formatting import counted
from errors import InputError
from models.parameter_names import parameter_words, words
from models.parameters import Parameters
from studies.problem.problem import Setup
from studies.results.variable_importance import LayoutImportances, MetricImportances, variable_importances
from studies.store import Store

IMPORTANCE_NOTE = (
    "From the designs that the study has evaluated. Importance is what tells the best tenth of them from "
    "all; the shares of all variables sum to 1. The rank correlation is 1 where the metric always rises with "
    "the variable, and \N{MINUS SIGN}1 where it always falls. A search asks most often near its front, so "
    "this is a hint where to look; Analyse computes Sobol indices over the whole design space."
)

WEAK = 0.1
"""A rank correlation below which no direction is told."""


@dataclass(frozen=True, slots=True)
class ImportanceSection:
    """The figures of a layout, and sentences on the objectives that have none."""

    layout: str
    plots: Sequence[Plot]
    remarks: Sequence[str]


def read_importances(store: Store, setup: Setup) -> list[LayoutImportances]:
    """Importances for each layout's objectives; none where the installed back-end refuses the study."""
    if setup.refusal:
        return []
    objectives = tuple(setup.definition.objectives)
    try:
        return [variable_importances(store, setup.study.name, layout, objectives) for layout in setup.layouts]
    except InputError:  # other variables than those that were stored
        return []


def importance_sections(
    found: Sequence[LayoutImportances], record: type[Parameters]
) -> list[ImportanceSection]:
    """A section for each layout; ``record`` is that of the back-end, whose parameters vary."""
    return [
        ImportanceSection(
            one.layout,
            [
                _plot(f"importance-{place}-{number}", one.layout, metric, record, several=len(found) > 1)
                for number, metric in enumerate(one.metrics, 1)
                if metric.variables
            ],
            [f"{words(metric.metric)}: {metric.remark}." for metric in one.metrics if metric.remark],
        )
        for place, one in enumerate(found, 1)
    ]


def _plot(
    identity: str, layout: str, found: MetricImportances, record: type[Parameters], *, several: bool
) -> Plot:
    title = f"{words(found.metric)}, {layout}" if several else words(found.metric)
    caption = f"{counted(found.designs, 'design')}. {_leader(found, record)}".rstrip()
    return Plot(identity, title, caption, importance_figure(found, record))


def _leader(found: MetricImportances, record: type[Parameters]) -> str:
    """The most important variable in words, and which way it moves the metric."""
    shares = [one for one in found.variables if one.importance is not None]
    if not shares:
        return ""
    first = max(shares, key=lambda one: one.importance or 0.0)
    text = f"Most important is {parameter_words(record, first.variable)} ({first.importance or 0.0:.2f})"
    if first.correlation is None or abs(first.correlation) < WEAK:
        return f"{text}; the metric neither rises nor falls with it."
    return f"{text}; the metric {'rises' if first.correlation > 0 else 'falls'} with it."
