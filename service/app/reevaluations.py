"""The front of a study, evaluated again under the installed version of its model."""

from __future__ import annotations

from collections import Counter

from service.app.context import Context
from service.app.jobs import ask, state_of
from service.app.machines import Machines
from service.app.paging import part
from service.resources.models import Page
from service.resources.parameters import StudyName
from service.resources.reevaluation import EvaluatedResource, ReevaluatedResource, ReevaluationResource
from studies.records import EvaluationRecord
from studies.results.evaluation_plan import count_missing
from studies.results.reevaluation import FrontTasks, Outcome, Reevaluated, front_tasks
from studies.run.jobs import reevaluation


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
        front = front_tasks(self._store, name)
        if count_missing(front, self._store):
            ask(self._context, reevaluation(name), machines)
        return self._resource(name, front)

    def get(self, name: StudyName) -> ReevaluationResource:
        """The progress of the front's evaluation, and the outcomes of its designs."""
        return self._resource(name, self._front(name))

    def designs(
        self, name: StudyName, *, cursor: str = "", limit: int | None = None
    ) -> Page[ReevaluatedResource]:
        """The designs of the front as stored and as evaluated now; none before all are evaluated."""
        front = self._front(name)
        found = self._store.known(front.tasks)
        done = len(found) == len(front.tasks)
        items = [reevaluated_resource(one) for one in front.result(found)] if done else []
        return part(items, lambda one: f"{one.layout}/{one.stored.key}", limit, cursor)

    def _front(self, name: str) -> FrontTasks:
        return front_tasks(self._store, self._context.authorization.study(name).name)

    def _resource(self, study: str, front: FrontTasks) -> ReevaluationResource:
        """Read the state of the job, then the evaluations that are stored."""
        # Before the store is read: what ends meanwhile is stored then.
        state, message = state_of(self._context, reevaluation(study))
        found = self._store.known(front.tasks)
        # The command line may have done the rest.
        done = len(found) == len(front.tasks) and state in ("", "failed")
        outcomes: Counter[Outcome] = (
            Counter(one.outcome for one in front.result(found)) if done else Counter()
        )
        return ReevaluationResource(
            study=study,
            model=front.model.name,
            version=front.model.version,
            state="done" if done else state or "none",
            designs=len(front.tasks),
            evaluated=len(found),
            message="" if done else message,
            outcomes=dict(outcomes),
        )


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
