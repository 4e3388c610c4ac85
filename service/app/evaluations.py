"""The designs that the runs of a study evaluated, one by one, in pages and as numbers."""

from __future__ import annotations

from collections.abc import Sequence

from errors import AbsentError
from service.app.context import Context
from service.app.evaluation_array import EvaluationArray
from service.app.paging import decoded, first_part
from service.app.runs import run_of
from service.resources.models import Page
from service.resources.results import AskedDesignResource
from studies.design_values import DesignReader
from studies.fronts import choose_runs
from studies.records import EvaluationState, FailureKind, RunRecord
from studies.store.trials import Trial, TrialFilter

_EVERY = 2**62
"""A limit where there is none."""


class EvaluationService:
    """See :class:`service.operations.EvaluationOperations`."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def list(
        self,
        name: str,
        *,
        layout: str | None = None,
        seed: int | None = None,
        state: EvaluationState | None = None,
        kind: FailureKind | None = None,
        cursor: str = "",
        limit: int | None = None,
    ) -> Page[AskedDesignResource]:
        """The designs; ``kind`` is the kind of failure."""
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

    def get(self, name: str, run_id: int, ask_no: int) -> AskedDesignResource:
        """One of them."""
        study, run = run_of(self._context, name, run_id)
        found = self._store.trials(TrialFilter((run_id,), (run_id, ask_no - 1), 1))
        if not found or found[0].ask_no != ask_no:
            raise AbsentError(f"run {run_id} of study '{name}' has no design {ask_no}")
        return _resource(run, DesignReader(study, run.layout), found[0])

    def array(
        self,
        name: str,
        *,
        layout: str | None = None,
        seed: int | None = None,
        columns: Sequence[str] = (),
        limit: int | None = None,
    ) -> EvaluationArray:
        """The designs as numbers in these ``columns``, none for all of them."""
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
