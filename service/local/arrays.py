"""What runs asked for as one array of numbers, however long: read from the store piece by piece."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from models import load
from models.fields import unit_at
from studies.definition import VariableTable
from studies.fronts import value_at, variable_paths
from studies.launch import stored_definition
from studies.records import EvaluationState, RunRecord, StudyRecord
from studies.store import Store
from studies.store.asked import Asked, AskedDesign

STATES: tuple[EvaluationState, ...] = ("done", "infeasible", "failed")
"""The column ``state`` is the place of a design's state in this list."""
_FIXED = ("run", "generation", "ask_no", "state", "violation")
_PIECE = 2000


class LoggedArray:
    """Designs in rows, in the order of runs and of asking; what is no number, or not there, is NaN.

    Columns are ``run`` (its place in the study's list of runs), ``generation``, ``ask_no``,
    ``state`` (its place in ``STATES``), ``violation``, then variables, then metrics. A variable with
    options stands as the place of its value in the study file's list. Only designs that were asked
    for when the array was begun are in it, so that its shape is known before its rows.
    """

    def __init__(self, store: Store, study: StudyRecord, runs: Sequence[RunRecord]) -> None:
        model = load(study.definition["model"])
        self._store = store
        self._places = {run.id: float(study.runs.index(run)) for run in runs}
        self._layouts = {run.id: run.layout for run in runs}
        self._options = {layout: _options(study, layout) for layout in set(self._layouts.values())}
        paths = {layout: variable_paths(study, layout) for layout in dict.fromkeys(self._layouts.values())}
        self._paths = list(dict.fromkeys(path for found in paths.values() for path in found))
        self._own = {layout: frozenset(found) for layout, found in paths.items()}
        self._metrics = [metric.name for metric in model.metrics]
        units = [unit_at(model.parameters, path) for path in self._paths]
        self.columns = [*_FIXED, *self._paths, *self._metrics]
        self.units = [
            *("1" for _ in _FIXED),
            *(unit if isinstance(unit, str) else "1" for unit in units),
            *(metric.unit for metric in model.metrics),
        ]
        self._asked = store.asked_counts(runs)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return sum(self._asked.values()), len(self.columns)

    def pieces(self) -> Iterator[bytes]:
        """The rows as little-endian float32, some at a time."""
        rows: list[list[float]] = []
        for design in self._designs():
            rows.append(self._row(design))
            if len(rows) == _PIECE:
                yield np.array(rows, dtype="<f4").tobytes()
                rows = []
        if rows:
            yield np.array(rows, dtype="<f4").tobytes()

    def _designs(self) -> Iterator[AskedDesign]:
        after: tuple[int, int] | None = None
        runs = list(self._places)
        while True:
            found = self._store.asked(Asked(runs, after, _PIECE))
            yield from (design for design in found if design.ask_no < self._asked.get(design.run_id, 0))
            if len(found) < _PIECE:
                return
            after = (found[-1].run_id, found[-1].ask_no)

    def _row(self, design: AskedDesign) -> list[float]:
        layout = self._layouts[design.run_id]
        own, options = self._own[layout], self._options[layout]
        metrics, parameters = design.metrics, design.parameters
        return [
            self._places[design.run_id],
            design.generation,
            design.ask_no,
            STATES.index(design.state),
            design.violation,
            *[
                _number(value_at(parameters, path), options.get(path)) if path in own else math.nan
                for path in self._paths
            ],
            *[_number(metrics.get(name), None) for name in self._metrics],
        ]


def _options(study: StudyRecord, layout: str) -> dict[str, list[Any]]:
    """The options of variables that have some, by path."""
    definition = stored_definition(study)
    own = definition.layouts[layout].variables if layout in definition.layouts else {}
    tables: dict[str, VariableTable] = {**definition.variables, **own}
    return {path: table.options for path, table in tables.items() if table.options is not None}


def _number(value: Any, options: list[Any] | None) -> float:
    """A value as a number; one of several options as its place among them when it is none itself."""
    if isinstance(value, float):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if options is not None and value in options:
        return float(options.index(value))
    return math.nan
