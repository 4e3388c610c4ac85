"""The designs that the runs of a study evaluated, one by one, in pages and as numbers."""

from __future__ import annotations

from collections.abc import Sequence

from errors import AbsentError
from service.app.context import Context
from service.app.evaluation_array import EvaluationArray
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
from studies.records import RunRecord
from studies.results.design_values import DesignReader
from studies.results.fronts import choose_runs
from studies.store.trials import Trial, TrialFilter

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
    )
