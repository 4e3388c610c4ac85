"""One job: the evaluations of a plan, those that are stored left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from studies.execution import Executor, Interrupted
from studies.records import EvaluationRecord, Progress, Report, RunRecord
from studies.results.evaluation_plan import EvaluationPlan
from studies.run.heartbeat import Heartbeat, Leash
from studies.run.run import TaskResults
from studies.store import Claim, Store


class PlanRun:
    """A claimed job at work; see :class:`~studies.run.run.Run`.

    Every evaluation is stored as soon as it is there, so that a job that was killed goes on with the rest.
    """

    def __init__(
        self,
        plan: EvaluationPlan[Any],
        record: RunRecord,
        claim: Claim,
        heartbeat: Heartbeat,
        store: Store,
        executor: Executor,
        should_stop: Callable[[], bool],
        report: Report,
    ) -> None:
        self._plan, self._record, self._claim = plan, record, claim
        self._store, self._executor, self._report = store, executor, report
        self._leash = Leash(claim, heartbeat, should_stop)
        self.has_results = False
        """True if any result was computed since this process took the job up."""

    def execute(self) -> None:
        """Evaluate what is not stored; raises ``Interrupted`` on request."""
        before = 0
        for tasks in self._plan.batches():
            if self._leash() and not self._leash.may_go_on():
                raise Interrupted
            self._evaluate(TaskResults(self._store, self._claim, tasks), before)
            before += len(tasks)

    @property
    def outcome(self) -> str:
        """A sentence on how the job ended."""
        return f"{self._plan.wanted} evaluations are stored"

    def _evaluate(self, results: TaskResults, before: int) -> None:
        wanted = self._plan.wanted

        def sink(records: list[EvaluationRecord]) -> None:
            done = results.take_of_job(records, before)
            self.has_results |= bool(records)
            run = self._record
            self._report(
                Progress(
                    run.layout, run.seed, "evaluating", done, wanted, done / wanted, study=run.study,
                    job=run.id,
                )
            )  # fmt: skip

        sink([])
        while missing := results.missing:
            if self._leash() and not self._leash.may_go_on():
                raise Interrupted
            try:
                self._executor.evaluate(missing, sink, self._leash, self._plan.limits)
            except Interrupted:
                if not self._leash.may_go_on():
                    raise
