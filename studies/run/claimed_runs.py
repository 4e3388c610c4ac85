"""Claimed runs with what they evaluate: a search, or a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from studies.definition.study_definition import StudyDefinition
from studies.execution import Executor
from studies.problem.problem import Problem
from studies.records import Report, RunRecord
from studies.results.evaluation_plan import BATCH, EvaluationPlan
from studies.run.heartbeat import Heartbeat
from studies.run.plan_run import PlanRun
from studies.run.provenance import provenance
from studies.run.run import Run
from studies.store import Claim, Store


@dataclass(frozen=True, slots=True)
class SearchJob:
    """A claimed run with what it searches."""

    run: RunRecord
    claim: Claim
    definition: StudyDefinition
    problem: Problem

    @property
    def population(self) -> int:
        """Designs that it asks for at once."""
        return self.definition.search.population

    @property
    def has_kernels(self) -> bool:
        """True if its model compiles kernels."""
        return self.problem.model.has_kernels

    def prepare(self) -> None:
        """Load the kernels."""
        self.problem.model.prepare(self.problem.cost_class)

    def provenance(self) -> Mapping[str, Any]:
        """Versions and machine."""
        return provenance(self.problem.model, self.run.seed, self.definition.search.algorithm)

    def work(
        self,
        run: RunRecord,
        heartbeat: Heartbeat,
        store: Store,
        executor: Executor,
        should_stop: Callable[[], bool],
        report: Report,
    ) -> Run:
        """The search of ``run``, the record as it began."""
        return Run(
            self.definition, self.problem, run, self.claim, heartbeat, store, executor, should_stop, report
        )


@dataclass(frozen=True, slots=True)
class PlanJob:
    """A claimed job with what it evaluates."""

    run: RunRecord
    claim: Claim
    plan: EvaluationPlan[Any]
    has_kernels: bool = True

    @property
    def population(self) -> int:
        """Designs that it asks for at once."""
        return BATCH

    def prepare(self) -> None:
        """Load the kernels."""
        self.plan.prepare()

    def provenance(self) -> Mapping[str, Any]:
        """Nothing: each evaluation says which version of its model made it."""
        return {}

    def work(
        self,
        run: RunRecord,
        heartbeat: Heartbeat,
        store: Store,
        executor: Executor,
        should_stop: Callable[[], bool],
        report: Report,
    ) -> PlanRun:
        """The evaluations of ``run``, the record as it began."""
        return PlanRun(self.plan, run, self.claim, heartbeat, store, executor, should_stop, report)


Job = SearchJob | PlanJob


def is_plan(job: Job) -> bool:
    """True for a job that evaluates a plan, false for a search."""
    return isinstance(job, PlanJob)
