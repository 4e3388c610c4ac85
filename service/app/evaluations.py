"""The designs that the runs of a study evaluated, one by one, in pages and as numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from errors import AbsentError, UnknownNameError
from models import Model
from service.app.cache import etag_of, study_stamp
from service.app.context import Context
from service.app.paging import decoded, first_part
from service.app.runs import run_of
from service.resources.files import FloatStream
from service.resources.models import Page
from service.resources.parameters import (
    AskNumber,
    EndState,
    Failure,
    LayoutName,
    RunId,
    SeedNumber,
    StudyName,
)
from service.resources.results import AskedDesignResource
from studies.definition.derived_quantities import Derived, study_model
from studies.definition.study_definition import StudyDefinition, VariableTable
from studies.problem.problem import stored_definition
from studies.records import EvaluationState, RunRecord, StudyRecord
from studies.results.design_values import DesignReader, unit_of_path
from studies.results.fronts import choose_runs
from studies.store import Store
from studies.store.trials import Numbers, Trial, TrialFilter

STATES: tuple[EvaluationState, ...] = ("done", "infeasible", "failed")
"""The column ``state`` is the place of a design's state in this list."""
_FIXED = ("run", "generation", "ask_no", "state", "violation", "rung")
_PIECE = 2000


class EvaluationArray:
    """Designs in rows, in the order of runs and of asking; what is no number, or not there, is NaN.

    Columns are ``run`` (its place in the study's list of runs), ``generation``, ``ask_no``,
    ``state`` (its place in ``STATES``), ``violation``, ``rung`` (NaN in full), then variables, then metrics,
    which are NaN on a rung. A variable with options stands as the place of its value in the study file's
    list. Only designs that were asked for when the array was begun are in it, so that its shape is known
    before its rows. Of more rows than are wanted, every second, third and so on of each run is in it.
    """

    def __init__(
        self,
        store: Store,
        study: StudyRecord,
        runs: Sequence[RunRecord],
        columns: Sequence[str] = (),
        limit: int | None = None,
    ) -> None:
        definition = stored_definition(study)
        model = study_model(definition)
        self._store = store
        self._places = {run.id: float(study.runs.index(run)) for run in runs}
        self._layouts = {run.id: run.layout for run in runs}
        self._options = {layout: _options(study, layout) for layout in set(self._layouts.values())}
        self._readers = {
            layout: DesignReader(study, layout) for layout in dict.fromkeys(self._layouts.values())
        }
        paths = {layout: reader.paths for layout, reader in self._readers.items()}
        every = list(dict.fromkeys(path for found in paths.values() for path in found))
        metrics = {metric.name: metric.unit for metric in model.metrics}
        self._own = {layout: frozenset(found) for layout, found in paths.items()}
        chosen = _chosen([*_FIXED, *every, *metrics], columns)
        self._paths = [path for path in every if path in chosen]
        self._metrics = [name for name in metrics if name in chosen]
        units = {path: self._unit(model, definition, path) for path in self._paths}
        self._fixed = [name for name in _FIXED if name in chosen]
        self.columns = [*self._fixed, *self._paths, *self._metrics]
        self.units = [
            *("1" for _ in self._fixed),
            *units.values(),
            *(metrics[name] for name in self._metrics),
        ]
        self._derived = Derived.of(definition)
        self._reads = bool(self._derived.expressions) or any(
            reader.free or reader.conditional for reader in self._readers.values()
        )
        self._counts = store.trial_counts(runs)
        self._step = max(1, math.ceil(self.designs / limit)) if limit else 1
        self._stamp = study_stamp(study, self._counts)

    @property
    def designs(self) -> int:
        """Number of designs that the runs asked for, even where some of them are gone."""
        return sum(self._counts.values())

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return sum(math.ceil(count / self._step) for count in self._counts.values()), len(self.columns)

    @property
    def etag(self) -> str:
        """Changes whenever the array does; known before anything of it is read."""
        return etag_of(self._stamp, self.columns, self._step)

    def pieces(self) -> Iterator[bytes]:
        """The rows as little-endian float32, some at a time."""
        if self._reads:
            yield from self._read_pieces()
            return
        wanted = Numbers(self._paths, self._metrics, self._step)
        after: tuple[int, int] | None = None
        runs = list(self._places)
        while True:
            found = self._store.trial_values(TrialFilter(runs, after, _PIECE), wanted)
            rows = [self._row(row) for row in found if row[1] < self._counts.get(row[0], 0)]
            if rows:
                yield np.array(rows, dtype="<f4").tobytes()
            if len(found) < _PIECE:
                return
            after = (found[-1][0], found[-1][1])

    def _unit(self, model: Model, definition: StudyDefinition, path: str) -> str:
        layout = next(name for name, reader in self._readers.items() if path in reader.paths)
        return unit_of_path(model, definition, layout, path) or "1"

    def _read_pieces(self) -> Iterator[bytes]:
        """The rows, from whole designs: variables that are no parameters, and derived quantities, follow."""
        after: tuple[int, int] | None = None
        while True:
            found = self._store.trials(TrialFilter(list(self._places), after, _PIECE))
            wanted = [each for each in found if each.ask_no < self._counts.get(each.run_id, 0)]
            rows = [self._row(self._values(each)) for each in wanted if each.ask_no % self._step == 0]
            if rows:
                yield np.array(rows, dtype="<f4").tobytes()
            if len(found) < _PIECE:
                return
            after = (found[-1].run_id, found[-1].ask_no)

    def _values(self, trial: Trial) -> tuple[Any, ...]:
        """Numbers of a trial in the order of the columns, with derived ones."""
        read = self._readers[self._layouts[trial.run_id]].read(trial.parameters, trial.metrics, trial.point)
        return (
            trial.run_id, trial.ask_no, trial.generation, trial.state, trial.violation, trial.rung,
            *(read.variables.get(path) for path in self._paths),
            *(read.metrics.get(name) if trial.rung is None else None for name in self._metrics),
        )  # fmt: skip

    def _row(self, row: tuple[Any, ...]) -> list[float]:
        run_id, ask_no, generation, state, violation, rung, *values = row
        layout = self._layouts[run_id]
        own, options = self._own[layout], self._options[layout]
        on_rung = math.nan if rung is None else rung
        given = (self._places[run_id], generation, ask_no, STATES.index(state), violation, on_rung)
        fixed: dict[str, float] = dict(zip(_FIXED, given, strict=True))
        variables, metrics = values[: len(self._paths)], values[len(self._paths) :]
        return [
            *(fixed[name] for name in self._fixed),
            *(
                _number(value, options.get(path)) if path in own else math.nan
                for path, value in zip(self._paths, variables, strict=True)
            ),
            *(math.nan if value is None else value for value in metrics),
        ]


def _chosen(known: list[str], wanted: Sequence[str]) -> frozenset[str]:
    for name in wanted:
        if name not in known:
            raise UnknownNameError("column", name, known, ("column",))
    return frozenset(wanted or known)


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


_EVERY = 2**62
"""A limit where there is none."""


class EvaluationService:
    """The designs that the runs of a study evaluated, in the order of runs and of asking."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def list(
        self,
        name: StudyName,
        *,
        layout: LayoutName = None,
        seed: SeedNumber = None,
        state: EndState = None,
        kind: Failure = None,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[AskedDesignResource]:
        """Every design that the runs asked for, in the order of runs and of asking."""
        after = decoded(cursor, int, int)
        study = self._context.authorization.study(name)
        runs = {run.id: run for run in choose_runs(study, layout, seed)}
        place = None if after is None else (after[0], after[1])
        wanted = TrialFilter(list(runs), place, _EVERY if limit is None else limit + 1, state, kind)
        part = first_part(self._store.trials(wanted), limit, lambda design: [design.run_id, design.ask_no])
        readers = {layout: DesignReader(study, layout) for layout in {run.layout for run in runs.values()}}
        items = [
            _resource(runs[design.run_id], readers[runs[design.run_id].layout], design)
            for design in part.items
        ]
        return Page(items=items, next=part.next)

    def get(self, name: StudyName, run_id: RunId, ask_no: AskNumber) -> AskedDesignResource:
        """One design that a run asked for, with its key, which the array does not have."""
        study, run = run_of(self._context, name, run_id)
        found = self._store.trials(TrialFilter((run_id,), (run_id, ask_no - 1), 1))
        if not found or found[0].ask_no != ask_no:
            raise AbsentError(f"run {run_id} of study '{name}' has no design {ask_no}")
        return _resource(run, DesignReader(study, run.layout), found[0])

    def array(
        self,
        name: StudyName,
        *,
        layout: LayoutName = None,
        seed: SeedNumber = None,
        columns: Sequence[str] = (),
        limit: int | None = None,
    ) -> FloatStream:
        """The designs as numbers in these ``columns``, none for all of them.

        Of more than ``limit`` rows, every second, third and so on is there.
        """
        study = self._context.authorization.study(name)
        return EvaluationArray(self._store, study, choose_runs(study, layout, seed), columns, limit)


def _resource(run: RunRecord, reader: DesignReader, design: Trial) -> AskedDesignResource:
    values = reader.read(design.parameters, design.metrics, design.point)
    return AskedDesignResource(
        layout=run.layout,
        seed=run.seed,
        generation=design.generation,
        ask_no=design.ask_no,
        key=design.key,
        state=design.state,
        kind=design.kind,
        reason=design.reason or reader.undefined(design.state, values.metrics),
        variables=values.variables,
        linked=values.linked,
        metrics=values.metrics,
        violation=design.violation,
        rung=design.rung,
    )
