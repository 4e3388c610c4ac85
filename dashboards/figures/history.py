"""Growth of the hypervolume, with every run measured against the same point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboards.figures.axes import Figure, axis, empty, frame
from dashboards.formatting import number
from dashboards.palette import styles
from dashboards.templating import plotly_text, rounded
from studies.comparison.comparison import Comparison
from studies.comparison.entries import ComparisonEntry
from studies.records import RunRecord
from studies.search.dominance import Archive
from studies.search.indicators import FloatArray, hypervolume
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


MOST_NAMED = 12
"""More runs than these have one entry per layout in the legend."""


def history_figure(histories: Sequence[History], annotations: Sequence[Mapping[str, Any]] = ()) -> Figure:
    """One line per run, named by layout and seed.

    Layouts differ by colour and dash; of one layout alone, its seeds do. ``annotations`` are those of
    :func:`dashboards.figures.axes.conditions_mark`.
    """
    filled = [history for history in histories if history.evaluations]
    if not filled:
        return empty("no run has finished a generation yet")
    layouts = list(dict.fromkeys(history.layout for history in histories))
    alone = len(layouts) == 1
    looks = styles([_seed(history) for history in histories] if alone else layouts)
    named = len(filled) <= MOST_NAMED
    seen: set[str] = set()
    data: list[Figure] = []
    for history in filled:
        name = _seed(history) if alone else f"{history.layout}, {_seed(history)}"
        look = looks[_seed(history) if alone else history.layout]
        few = len(history.evaluations) <= 30
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers" if few else "lines",
                "name": plotly_text(name if named else history.layout),
                "legendgroup": history.layout,
                "showlegend": named or history.layout not in seen,
                "x": list(history.evaluations),
                "y": rounded(history.hypervolumes),
                "line": {"color": look.colour, "dash": look.dash, "width": 2},
                "marker": {"symbol": look.symbol, "size": 6},
                "opacity": 0.9,
                "text": _texts(history),
                "hoverinfo": "text",
            }
        )
        seen.add(history.layout)
    axes = {
        "xaxis": axis("evaluations asked for", rangemode="tozero"),
        "yaxis": axis("hypervolume, more is better", rangemode="tozero"),
    }
    return {"data": data, "layout": frame(**axes, showlegend=True, annotations=list(annotations))}


def _seed(history: History) -> str:
    return f"seed {history.seed}"


def _texts(history: History) -> list[str]:
    head = f"<b>{plotly_text(history.layout)}</b>, seed {history.seed}"
    return [
        f"{head}<br>generation {i}, {asked} evaluations<br>hypervolume {number(volume)}"
        for i, (asked, volume) in enumerate(zip(history.evaluations, history.hypervolumes, strict=True), 1)
    ]
