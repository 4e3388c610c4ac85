"""Growth of the hypervolume, with every run measured against the same point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.formatting import number
from dashboards.palette import INK, Style, styles
from dashboards.templating import plotly_text, rounded
from studies.comparison.comparison import Comparison
from studies.comparison.entries import ComparisonEntry
from studies.records import RunRecord
from studies.search.dominance import Archive
from studies.search.indicators import QUARTILES, FloatArray, hypervolume
from studies.store import Store


@dataclass(frozen=True, slots=True)
class History:
    """One run: hypervolume after each generation over designs asked for so far."""

    layout: str
    seed: int
    evaluations: tuple[int, ...]
    hypervolumes: tuple[float, ...]


def hypervolume_histories(store: Store, comparison: Comparison) -> list[History]:
    """Recompute every compared run's hypervolume from its log against the comparison's reference point."""
    signs = np.array([1.0 if sense == "minimize" else -1.0 for sense in comparison.senses])
    reference = np.array(comparison.reference_point) * signs
    return [_history(store, run, entry, reference) for entry in comparison.entries for run in entry.runs]


def _history(store: Store, run: RunRecord, entry: ComparisonEntry, reference: FloatArray) -> History:
    archive = Archive(len(reference))
    evaluations: list[int] = []
    volumes: list[float] = []
    asked = 0
    for batch in store.log(run):
        feasible = batch.violations == 0
        numbers = asked + np.flatnonzero(feasible)
        changed = any(archive.add(batch.objectives[feasible][:, entry.columns], numbers))
        asked += len(batch.keys)
        evaluations.append(asked)
        volumes.append(hypervolume(archive.objectives, reference) if changed or not volumes else volumes[-1])
    never_falling = np.maximum.accumulate(volumes).tolist()  # one over directions may, within its error
    return History(entry.label, run.seed, tuple(evaluations), tuple(never_falling))


MOST_MARKED = 30
"""Longer lines have no mark at each point."""
EACH = "each seed"
"""Entry of the legend that shows and hides the lines of the seeds."""


def history_figure(histories: Sequence[History], annotations: Sequence[Mapping[str, Any]] = ()) -> Figure:
    """Median and quartiles of each layout's seeds; the line of each seed hides behind an entry of the legend.

    A layout with one seed is its line. ``annotations`` are those of
    :func:`dashboards.figures.axes.conditions_mark`.
    """
    filled = [history for history in histories if history.evaluations]
    if not filled:
        return empty("no run has finished a generation yet")
    looks = styles(dict.fromkeys(history.layout for history in histories))
    seeds = {layout: [each for each in filled if each.layout == layout] for layout in looks}
    data = [_line(each, looks[each.layout], hidden=len(seeds[each.layout]) > 1) for each in filled]
    several = {layout: found for layout, found in seeds.items() if len(found) > 1}
    if several:
        data.append({**_SEEDS, "type": "scatter", "mode": "lines", "name": EACH, "x": [None], "y": [None]})
    for layout, found in several.items():
        data += _band(layout, found, looks[layout])
    axes = {
        "xaxis": axis("evaluations asked for", rangemode="tozero"),
        "yaxis": axis("hypervolume, more is better", rangemode="tozero"),
    }
    return {"data": data, "layout": frame(**axes, showlegend=True, annotations=list(annotations))}


_SEEDS: Figure = {"legendgroup": EACH, "visible": "legendonly", "line": {"color": INK, "width": 1}}


def _line(history: History, look: Style, *, hidden: bool) -> Figure:
    """One seed; ``hidden`` where a median stands for it."""
    name = f"{history.layout}, seed {history.seed}" if hidden else history.layout
    return {
        **(_SEEDS if hidden else {"legendgroup": plotly_text(history.layout)}),
        "type": "scatter",
        "mode": "lines+markers" if len(history.evaluations) <= MOST_MARKED else "lines",
        "name": plotly_text(name),
        "showlegend": not hidden,
        "x": list(history.evaluations),
        "y": rounded(history.hypervolumes),
        "line": {"color": look.colour, "dash": look.dash, "width": 1 if hidden else 2},
        "marker": {"symbol": look.symbol, "size": 6},
        "text": _texts(history),
        "hoverinfo": "text",
    }


def seed_quartiles(histories: Sequence[History]) -> tuple[list[int], FloatArray, list[int]]:
    """Numbers of evaluations; quartiles (3, n) over the seeds that got so far; and how many these are."""
    numbers = sorted({asked for history in histories for asked in history.evaluations})
    values = np.full((len(histories), len(numbers)), np.nan)
    for row, history in zip(values, histories, strict=True):
        place = np.searchsorted(history.evaluations, numbers, side="right") - 1
        known = np.where(place >= 0, np.array(history.hypervolumes)[place], 0.0)
        row[:] = np.where(np.array(numbers) <= history.evaluations[-1], known, np.nan)
    return numbers, np.nanpercentile(values, QUARTILES, axis=0), np.isfinite(values).sum(axis=0).tolist()


def _band(layout: str, histories: Sequence[History], look: Style) -> list[Figure]:
    """The area between the quartiles of the seeds, and the line of their median."""
    numbers, (lower, median, upper), counts = seed_quartiles(histories)
    name = plotly_text(layout)
    shared = {"type": "scatter", "legendgroup": name, "name": name}
    area = {
        **shared, "mode": "lines", "fill": "toself", "opacity": 0.4, "showlegend": False, "hoverinfo": "skip",
        "x": [*numbers, *reversed(numbers)], "y": rounded([*lower, *reversed(upper)]),
        "line": {"color": look.colour, "width": 0},
    }  # fmt: skip
    line = {
        **shared, "mode": "lines+markers" if len(numbers) <= MOST_MARKED else "lines",
        "x": numbers, "y": rounded(median), "hoverinfo": "text",
        "line": {"color": look.colour, "dash": look.dash, "width": 2},
        "marker": {"symbol": look.symbol, "size": 6},
        "text": [
            f"<b>{name}</b>, {count} seeds<br>{asked} evaluations<br>median {number(middle)}"
            f"<br>quartiles {number(low)} to {number(high)}"
            for asked, count, low, middle, high in zip(numbers, counts, lower, median, upper, strict=True)
        ],
    }  # fmt: skip
    return [area, line]


def _texts(history: History) -> list[str]:
    head = f"<b>{plotly_text(history.layout)}</b>, seed {history.seed}"
    return [
        f"{head}<br>generation {i}, {asked} evaluations<br>hypervolume {number(volume)}"
        for i, (asked, volume) in enumerate(zip(history.evaluations, history.hypervolumes, strict=True), 1)
    ]
