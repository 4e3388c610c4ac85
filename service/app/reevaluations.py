"""The front of a study, evaluated again under the installed version of its model."""

from __future__ import annotations

from collections import Counter
from functools import partial

from service.app.context import Context
from service.app.jobs import Machines, progress_of, queue
from service.app.paging import part
from service.resources.jobs import EvaluatedResource, ReevaluatedResource, ReevaluationResource
from service.resources.models import Page
from service.resources.parameters import StudyName
from studies.definition.derived_quantities import study_model
from studies.problem.problem import stored_definition
from studies.records import EvaluationRecord, StudyRecord
from studies.results.evaluation_plan import has_missing
from studies.results.reevaluation import Reevaluated, front_tasks
from studies.run.questions import answer, reevaluation


class ReevaluationService:
    """The front of a study, evaluated again under the installed version of its model."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store

    def start(self, name: StudyName, *, machines: Machines | None = None) -> ReevaluationResource:
        """Evaluate the front again under the installed version of the model, in the background.

        The evaluations are stored beside the old ones; nothing of the study changes. What is evaluated
        already is not computed again, so that the same request goes on with what was interrupted.
        """
        self._context.authorization.changeable(name)
        question, front = reevaluation(name), front_tasks(self._store, name)
        if machines is not None:
            machines.work(partial(answer, self._store, question))
        elif has_missing(front, self._store):
            queue(self._context, question, front.wanted)
        return self._resource(self._store.study(name))

    def get(self, name: StudyName) -> ReevaluationResource:
        """The progress of the front's evaluation, and the outcomes of its designs."""
        return self._resource(self._context.authorization.study(name))

    def designs(
        self, name: StudyName, *, cursor: str = "", limit: int | None = None
    ) -> Page[ReevaluatedResource]:
        """The designs of the front as stored and as evaluated now; none before all are evaluated."""
        front = front_tasks(self._store, self._context.authorization.study(name).name)
        found = self._store.known(front.tasks)
        done = len(found) == front.wanted
        items = [reevaluated_resource(one) for one in front.result(found)] if done else []
        return part(items, lambda one: f"{one.layout}/{one.stored.key}", limit, cursor)

    def _resource(self, study: StudyRecord) -> ReevaluationResource:
        """Read the row of the job, and only when nothing works on it the evaluations that are stored."""
        model = study_model(stored_definition(study))
        found = ReevaluationResource(
            study=study.name, model=model.name, version=model.version, state="none", designs=0, evaluated=0,
            message="", outcomes={},
        )  # fmt: skip
        # Before the store is read: what ends meanwhile is stored then.
        job = progress_of(self._context, reevaluation(study.name))
        if job.moves:
            known = {"designs": job.wanted, "evaluated": job.evaluated, "state": job.state}
            return found.model_copy(update={**known, "message": job.message})
        front = front_tasks(self._store, study.name)
        stored = self._store.known(front.tasks)
        known = {"designs": front.wanted, "evaluated": len(stored)}
        if len(stored) < front.wanted:
            return found.model_copy(update={**known, "state": job.state or "none", "message": job.message})
        # The command line may have done the rest of a job that failed.
        outcomes = Counter(one.outcome for one in front.result(stored))
        return found.model_copy(update={**known, "state": "done", "outcomes": dict(outcomes)})


def reevaluated_resource(one: Reevaluated) -> ReevaluatedResource:
    """A design as stored and as evaluated now."""
    return ReevaluatedResource(
        layout=one.layout, outcome=one.outcome, stored=_evaluated(one.stored), now=_evaluated(one.again)
    )


def _evaluated(record: EvaluationRecord) -> EvaluatedResource:
    return EvaluatedResource(
        key=record.key,
        model_version=record.task.model_version,
        state=record.state,
        reason=record.reason,
        metrics=dict(record.metrics),
    )
