"""Questions about stored studies that take evaluations: asked as jobs, and answered.

A job is a run that searches nothing. It stands in the queue for a runner, or is worked on by its caller; the
same question again is the same job, which goes on with what is not stored.

The way of a job: a service asks here; :mod:`studies.store.jobs` writes its row; :mod:`studies.run.runner`
claims it from the queue, reads its question here, and hands it to :mod:`studies.run.pool`, which works it
off; the plan stands in :mod:`studies.uncertainty` or :mod:`studies.results`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Literal

from errors import StateError
from studies.execution import Interrupted
from studies.execution.evaluation import one_blas_thread
from studies.problem.problem import check, stored_definition
from studies.records import Progress, RunKind, RunRecord, StudyRecord, SweepMode, SweepRecord
from studies.results.evaluation_plan import EvaluationPlan, count_missing
from studies.results.reevaluation import FrontTasks, Reevaluated, front_tasks
from studies.run.launch import OpenExecutor, claim_patiently, resume_study, work_on
from studies.run.pool import ENDINGS, PlanJob
from studies.store import Store, this_process
from studies.uncertainty.global_sensitivity import GlobalSensitivity, SpaceIndices
from studies.uncertainty.robust_design import DesignSamples, RobustDesign, RobustOptions
from studies.uncertainty.sweep import Grid, grid_points, is_searched, read_plan, store_sweep, study_under


def make_studies(store: Store, record: SweepRecord) -> SweepRecord:
    """Store the studies that search for a sweep, each once, as drafts: no runner begins them yet."""
    study = store.study(record.study)
    definition = stored_definition(study)
    for condition in grid_points(record.grid):
        if condition.number not in record.studies:
            own = study_under(definition, record, condition)
            made = store.create_study(own, check(own), owner=study.owner, launch=False)
            store.sweeps.add_study(record.id, condition.number, made.name)
    return store.sweeps.find(record.study, record.id)


def queue_studies(store: Store, record: SweepRecord, *, most_running: int | None = None) -> None:
    """Queue what is not finished of the studies that search for a sweep, for a runner.

    Raises ``LimitError`` when the owner would have more than ``most_running`` studies at work; those of one
    sweep count as one.
    """
    for name in record.studies.values():
        if not is_searched(store.study(name)):
            store.queue_study(name, most_running=most_running)


def search_sweep(
    store: Store,
    record: SweepRecord,
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool],
    report: Callable[[int, int, StudyRecord | None], None],
) -> SweepRecord:
    """Make and run the studies of a sweep; ``report`` gets how many are searched, of how many, and the last.

    Raises ``Interrupted`` when ``should_stop()`` becomes true.
    """
    made = make_studies(store, record)
    names = [made.studies[condition.number] for condition in grid_points(record.grid)]
    left = [name for name in names if not is_searched(store.study(name))]
    done = len(names) - len(left)
    report(done, len(names), None)
    if not left:
        return made
    one_blas_thread()
    problem = next(iter(check(stored_definition(store.study(left[0]))).values()))
    problem.model.prepare(problem.cost_class)
    with open_executor() as executor:
        for name in left:
            ended = resume_study(store, name, lambda: nullcontext(executor), should_stop)
            if should_stop():
                raise Interrupted
            done += 1
            report(done, len(names), ended)
    return made


AS_STATED = RobustOptions()


@dataclass(frozen=True, slots=True)
class Count:
    """Progress of a question: ``done`` of ``wanted``, those that were stored before included."""

    done: int
    wanted: int
    of: Literal["evaluations", "conditions"] = "evaluations"
    message: str = ""


ReportCount = Callable[[Count], None]


def quiet(_: Count) -> None:
    """Report to nobody."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the study ``study``; ``request`` is what of it is stored, plain values.

    See :func:`reevaluation`, :func:`robust`, :func:`sensitivity` and :func:`swept` for the kinds.
    """

    study: str
    kind: RunKind
    request: Mapping[str, Any]

    def plan(self, store: Store) -> EvaluationPlan[Any]:
        """The evaluations that answer it; raises ``InputError`` where the installed model refuses them."""
        return _PLANS[self.kind](store, self.study, self.request)


def reevaluation(study: str) -> Question:
    """The front of a study under the installed version of its model."""
    return Question(study, "reevaluation", {})


def robust(study: str, key: str, options: RobustOptions) -> Question:
    """The design ``key``, whole, of a study under its tolerances."""
    return Question(study, "robust", {"key": key, "options": options.document()})


def sensitivity(study: str, layout: str | None, rows: int, seed: int) -> Question:
    """Sobol indices to the variables of a layout."""
    return Question(study, "sensitivity", {"layout": layout, "rows": rows, "seed": seed})


def swept(record: SweepRecord) -> Question:
    """The stored fronts of a study under the conditions of a sweep."""
    return Question(record.study, "sweep", {"sweep": record.id})


def question_of(job: RunRecord) -> Question:
    """The question that a stored job answers."""
    return Question(job.study, job.kind, job.request)


def _reevaluation(store: Store, study: str, _: Mapping[str, Any]) -> FrontTasks:
    return front_tasks(store, study)


def _robust(store: Store, study: str, request: Mapping[str, Any]) -> DesignSamples:
    options = RobustOptions.read(request["options"])
    return DesignSamples(store, store.study(study), request["key"], options)


def _sensitivity(store: Store, study: str, request: Mapping[str, Any]) -> GlobalSensitivity:
    return GlobalSensitivity(store.study(study), request["layout"], request["rows"], request["seed"])


def _sweep(store: Store, study: str, request: Mapping[str, Any]) -> EvaluationPlan[SweepRecord]:
    return read_plan(store, store.sweeps.find(study, request["sweep"]))


_PLANS: Mapping[RunKind, Callable[[Store, str, Mapping[str, Any]], EvaluationPlan[Any]]] = {
    "reevaluation": _reevaluation,
    "robust": _robust,
    "sensitivity": _sensitivity,
    "sweep": _sweep,
}


# ------------------------------------------------------------------ answered by the caller


def answer(
    store: Store,
    question: Question,
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool] = lambda: False,
    report: ReportCount = quiet,
) -> Any:
    """Evaluate what is not stored with workers of the caller's own, store it, and answer.

    Raises ``InputError`` when the installed version refuses the study, ``LeaseError`` while another process
    works on the same question, ``StateError`` when somebody pauses or cancels it, and ``Interrupted`` when
    ``should_stop()`` becomes true; results until then are stored.
    """
    plan = question.plan(store)
    missing, wanted = count_missing(plan, store), plan.wanted
    found = Count(wanted - missing, wanted)
    report(found)
    if missing:
        ended = _worked_on(store, question, plan, open_executor, should_stop, report, found)
        if ended.state != "done":
            if ended.state == "paused" and (should_stop() or ended.message == ENDINGS["paused"][1]):
                raise Interrupted
            raise StateError(f"job {ended.id} is {ended.state}: {ended.message}")
    return plan.answer(store)


def _worked_on(
    store: Store,
    question: Question,
    plan: EvaluationPlan[Any],
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool],
    report: ReportCount,
    found: Count,
) -> RunRecord:
    """The job as it was left by this process."""
    job = store.jobs.ask(question.study, question.kind, question.request, wanted=plan.wanted, queued=False)
    claimed = claim_patiently(
        lambda: store.claim_runs([job], this_process()),
        should_stop,
        lambda text: report(replace(found, message=text)),
    )

    def show(progress: Progress) -> None:
        if progress.phase == "evaluating":
            report(Count(progress.asked, progress.planned))

    work_on(store, [PlanJob(run, claim, plan) for run, claim in claimed], open_executor, should_stop, show)
    return store.jobs.find(question.study, job.id)


def reevaluate_front(
    store: Store, name: str, open_executor: OpenExecutor, should_stop: Callable[[], bool] = lambda: False
) -> list[Reevaluated]:
    """Evaluate the joint front of each layout under the installed version, and compare the two.

    Raises ``LeaseError`` while another process does so, and ``StateError`` when somebody pauses or stops
    it; results until then are stored.
    """
    return answer(store, reevaluation(name), open_executor, should_stop)


def evaluate_robust_design(
    store: Store,
    name: str,
    key: str,
    open_executor: OpenExecutor,
    options: RobustOptions = AS_STATED,
    should_stop: Callable[[], bool] = lambda: False,
) -> RobustDesign:
    """Evaluate the robots of a design of a study; ``key`` may be the first characters of one.

    Raises ``InputError`` for a faulty option, ``LeaseError`` while another process does the same, and
    ``StateError`` when somebody pauses or stops it; results until then are stored.
    """
    whole = store.find_evaluation(key).key
    return answer(store, robust(name, whole, options), open_executor, should_stop)


def evaluate_sensitivity(
    store: Store,
    name: str,
    open_executor: OpenExecutor,
    layout: str | None = None,
    rows: int = 64,
    seed: int = 0,
) -> SpaceIndices:
    """Evaluate designs of a layout over its ranges, and return its Sobol indices.

    ``rows``, a power of two, is the number of designs in each of the two matrices of samples, from ``seed``.
    Raises ``InputError`` for a study that has no such layout.
    """
    return answer(store, sensitivity(name, layout, rows, seed), open_executor)


def sweep(
    store: Store,
    name: str,
    over: Grid,
    open_executor: OpenExecutor,
    mode: SweepMode = "reevaluate",
    should_stop: Callable[[], bool] = lambda: False,
    report: ReportCount = quiet,
) -> SweepRecord:
    """Evaluate the fronts of a study, or search anew, under each condition of a grid.

    ``over`` maps parameters by dotted path to their values, in SI or as text with a unit; ``mode`` is
    ``reevaluate`` or ``search``. The same sweep again goes on where it stopped. Raises ``InputError`` for a
    grid that the study cannot have, before anything is stored.
    """
    return carry_out(store, store_sweep(store, name, over, mode), open_executor, should_stop, report)


def carry_out(
    store: Store,
    record: SweepRecord,
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool] = lambda: False,
    report: ReportCount = quiet,
) -> SweepRecord:
    """Compute what is missing of a stored sweep; see :func:`answer`."""
    if record.mode == "reevaluate":
        return answer(store, swept(record), open_executor, should_stop, report)

    def show(done: int, wanted: int, ended: StudyRecord | None) -> None:
        message = "" if ended is None else f"{ended.description}: {ended.state}"
        report(Count(done, wanted, "conditions", message))

    return search_sweep(store, record, open_executor, should_stop, show)
