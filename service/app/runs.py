"""The runs of a study: counts, messages, hypervolumes, generations, provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from dashboards.content.comparison.margins import point_text
from dashboards.content.front.fronts import nearest_designs
from errors import AbsentError, StoreFullError, TautlineError
from service.app.comparisons import compared_layouts
from service.app.context import Context
from service.app.paging import decoded, first_part, one_more
from service.resources.models import Page
from service.resources.parameters import RunId, StudyName
from service.resources.results import IndicatorsResource, RunIndicators
from service.resources.studies import GenerationResource, RunResource
from studies.definition.derived_quantities import study_model
from studies.problem.problem import stored_definition
from studies.records import ENDED, GenerationRecord, RunRecord, StudyRecord
from studies.results.fronts import Spread, run_volumes
from studies.run.fidelity import ASKED, DIFFERS, EVALUATED, RULED_OUT, TAKES
from studies.store import Store
from studies.store.run_lock import PASSING


class RunService:
    """The runs of a study."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def list(self, name: StudyName, *, cursor: str = "", limit: int | None = None) -> Page[RunResource]:
        """The runs, in the order of layouts and seeds in the study file."""
        (after,) = decoded(cursor, int) or (-1,)
        study = settled_study(self._context, name)
        part = first_part([run for run in study.runs if run.id > after], limit, lambda run: [run.id])
        return Page(items=_run_resources(self._context, study, part.items), next=part.next)

    def get(self, name: StudyName, run_id: RunId) -> RunResource:
        """One run with its counts."""
        study, run = run_of(self._context, name, run_id)
        return _run_resources(self._context, study, [run])[0]

    def generations(
        self, name: StudyName, run_id: RunId, *, cursor: str = "", limit: int | None = None
    ) -> Page[GenerationResource]:
        """The run's indicators after each generation."""
        (after,) = decoded(cursor, int) or (0,)
        _, run = run_of(self._context, name, run_id)
        part = first_part(
            self._store.generations(run, after, one_more(limit)), limit, lambda record: [record.number]
        )
        items = [GenerationResource.model_validate(record) for record in part.items]
        return Page(items=items, next=part.next)

    def provenance(self, name: StudyName, run_id: RunId) -> Page[dict[str, Any]]:
        """Versions, commit and host of the processes that worked on the run, an item for each of them."""
        return Page(items=self._store.provenance(run_of(self._context, name, run_id)[1]))

    def indicators(self, name: StudyName) -> IndicatorsResource:
        """Every run's hypervolume after each generation, against one point."""
        study = self._context.authorization.study(name)
        return self._context.cached("indicators", study, study.runs, lambda: self._indicators(study))

    def _indicators(self, study: StudyRecord) -> IndicatorsResource:
        from dashboards.figures import hypervolume_histories

        comparison = compared_layouts(self._context, study)
        return IndicatorsResource(
            study=comparison.study,
            reference_point=dict(zip(comparison.objectives, comparison.reference_point, strict=True)),
            runs=[
                RunIndicators(
                    layout=history.layout,
                    seed=history.seed,
                    designs=list(history.evaluations),
                    hypervolume=list(history.hypervolumes),
                )
                for history in hypervolume_histories(self._store, comparison)
            ],
        )


def run_of(context: Context, name: str, run_id: int) -> tuple[StudyRecord, RunRecord]:
    """A study and one of its runs; raises ``AbsentError``."""
    study = context.authorization.study(name)
    for run in study.runs:
        if run.id == run_id:
            return study, run
    raise AbsentError(f"study '{name}' has no run {run_id}")


def settled_study(context: Context, name: str) -> StudyRecord:
    """The study, once runs that shall pause or end, and whose process is gone or late, have done so."""
    study = context.authorization.study(name)
    if any(run.state in PASSING for run in study.runs):
        with suppress(StoreFullError):  # what there is can be read all the same
            context.store.settle()
        study = context.authorization.study(name)
    return study


# ---------------------------------------------------------------- hypervolumes


@dataclass(frozen=True, slots=True)
class Hypervolumes:
    """Hypervolumes by a run's number, the point in SI (None before a design is feasible), and spreads."""

    by_run: Mapping[int, float] = field(default_factory=dict[int, float])
    reference_point: dict[str, float] | None = None
    point: str = ""
    spread: tuple[Spread, ...] = ()


def hypervolumes(context: Context, study: StudyRecord) -> Hypervolumes:
    """The hypervolumes of all runs as they are now; computed once after each generation, and at the end."""
    # The point moves when the last run ends, which adds no generation.
    what = "volumes" if all(run.state in ENDED for run in study.runs) else "volumes so far"
    return context.cached(what, study, study.runs, lambda: _hypervolumes(context.store, study))


def _hypervolumes(store: Store, study: StudyRecord) -> Hypervolumes:
    found = run_volumes(store, study)
    if found is None:
        return Hypervolumes()
    try:
        units = {metric.name: metric.unit for metric in study_model(stored_definition(study)).metrics}
    except TautlineError:  # the back-end is not installed any more
        units = {}
    names, values = list(found.point), list(found.point.values())
    senses = list(study.definition["objectives"].values())
    text = point_text(names, values, [units.get(name, "1") for name in names], senses)
    return Hypervolumes(found.by_run, dict(found.point), text, tuple(found.spread(study.runs)))


# ---------------------------------------------------------------- counts and messages

_MOST_LINES = 3


def _run_resources(context: Context, study: StudyRecord, runs: Sequence[RunRecord]) -> list[RunResource]:
    """One per run of the study, in the order given."""
    last = context.store.last_generations(runs)
    volumes = hypervolumes(context, study)
    return [_run_resource(context, study, run, last.get(run.id), volumes) for run in runs]


def _run_resource(
    context: Context, study: StudyRecord, run: RunRecord, last: GenerationRecord | None, volumes: Hypervolumes
) -> RunResource:
    reasons, warnings = ([], []) if last is None else _messages(context, study, run, last)
    return RunResource(
        id=run.id,
        layout=run.layout,
        seed=run.seed,
        state=run.state,
        **counts(last),
        hypervolume=volumes.by_run.get(run.id),
        reference_point=volumes.reference_point,
        point=volumes.point,
        owner=run.owner,
        message=run.message,
        reasons=reasons,
        warnings=warnings,
        notes=search_notes(last.notes if last is not None and last.notes is not None else {}),
    )


def search_notes(notes: Mapping[str, float | str]) -> list[str]:
    """Sentences on what a search says of its ladder of fidelities and of its surrogate."""
    said: list[str] = []
    if ASKED in notes:
        full, designs = (float(notes[name]) for name in (EVALUATED, ASKED))
        proved = float(notes.get(RULED_OUT, 0.0))
        said.append(
            f"{full:g} of {designs:g} designs {EVALUATED}" + (f", {proved:g} {RULED_OUT}" if proved else "")
        )
        costs = [
            f"{name.removesuffix(TAKES)} {value:.2g} s"
            for name, value in notes.items()
            if name.endswith(TAKES)
        ]
        if costs:
            said.append(f"median times: {', '.join(costs)}")
        rungs: dict[str, list[str]] = {}
        for name, value in notes.items():
            rung, _, of_what = name.partition(DIFFERS)
            if of_what:
                rungs.setdefault(rung, []).append(f"{of_what} {value:.3g}")
        said += [f"{rung} differs in {', '.join(values)} (SI)" for rung, values in rungs.items()]
    if "surrogate" in notes:
        errors = [
            f"{value:.2f}"
            for name, value in notes.items()
            if name.startswith("surrogate_error_") and not isinstance(value, str)
        ]
        shown = f", leave-one-out errors {', '.join(errors)} of each goal's spread" if errors else ""
        said.append(f"surrogate {notes['surrogate']}{shown}")
    return said


def counts(last: GenerationRecord | None) -> dict[str, int]:
    """Counts of a run until its last generation."""
    return {
        "generations": last.number if last else 0,
        "designs": last.asked if last else 0,
        "computed": last.computed if last else 0,
        "feasible": last.feasible if last else 0,
        "failed": last.failed if last else 0,
        "front": last.front_size if last else 0,
    }


def _messages(
    context: Context, study: StudyRecord, run: RunRecord, last: GenerationRecord
) -> tuple[list[str], list[str]]:
    """Reasons why designs were infeasible, and warnings of the model, the most frequent first.

    They are counted among all designs of a front, or of a run: once after each generation.
    """

    def count() -> tuple[list[str], list[str]]:
        reasons = context.store.reasons(run, _MOST_LINES) if not last.feasible else []
        warnings = context.store.warnings(run, _MOST_LINES) if last.front_size else []
        nearest = [] if last.feasible else nearest_designs(context.store, study, run, _MOST_LINES)
        return (
            [*(f"{number} x {reason or 'a constraint is broken'}" for reason, number in reasons), *nearest],
            [f"{number} on the front: {text}" for text, number in warnings],
        )

    return context.cached("messages", study, [run], count, stamp=(study.created, last.asked))
