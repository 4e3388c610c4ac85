"""Studies from file to finished runs: store first, then compile, then search run by run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from models.errors import DivergedError, StoreError
from studies.definition import StudyDefinition, define
from studies.execution import Executor, Interrupted
from studies.execution.evaluation import one_blas_thread
from studies.problem import Problem, build_problems
from studies.progress import Progress, Report, silent
from studies.provenance import provenance
from studies.records import UNFINISHED, RunRecord, RunState, StudyRecord
from studies.run import Run, TooManyFailuresError
from studies.search import check_search
from studies.store import Store, this_process

OpenExecutor = Callable[[], AbstractContextManager[Executor]]


def check(definition: StudyDefinition) -> dict[str, Problem]:
    """Everything that can be known to be wrong before a run; the problems by layout."""
    check_search(definition.search)
    return build_problems(definition)


def run_study(
    store: Store,
    definition: StudyDefinition,
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool] = lambda: False,
    report: Report = silent,
) -> StudyRecord:
    """Run a study, or go on with it where it was left; a finished one is returned at once.

    Raises ``InputError`` before anything is written; afterwards every way of ending is a state of
    the runs. ``should_stop`` leaves the run at hand ``paused``.
    """
    study = store.create_study(definition, check(definition))
    return _go_on(store, study, open_executor, should_stop, report)


def resume_study(
    store: Store,
    name: str,
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool] = lambda: False,
    report: Report = silent,
) -> StudyRecord:
    """Go on with a stored study; see :func:`run_study`."""
    return _go_on(store, store.study(name), open_executor, should_stop, report)


def stored_definition(study: StudyRecord) -> StudyDefinition:
    """The definition that a study was stored with."""
    return define(dict(study.definition))


def _go_on(
    store: Store,
    study: StudyRecord,
    open_executor: OpenExecutor,
    should_stop: Callable[[], bool],
    report: Report,
) -> StudyRecord:
    """Work on what is unfinished, as the stored definition says: the order of its tables counts too."""
    definition = stored_definition(study)
    problems = check(definition)
    waiting = [run for run in study.runs if run.state in UNFINISHED]
    if waiting:
        one_blas_thread()
        store.require_free(waiting)
        first = waiting[0]
        report(Progress(first.layout, first.seed, "compiling"))
        problem = problems[first.layout]
        problem.model.prepare(problem.cost_class)
        report(Progress(first.layout, first.seed, "starting"))
        with open_executor() as executor:
            for run in waiting:
                state = _one_run(store, run, definition, problems[run.layout], executor, should_stop, report)
                if state == "paused":
                    break
    return store.study(study.name)


def _one_run(
    store: Store,
    run: RunRecord,
    definition: StudyDefinition,
    problem: Problem,
    executor: Executor,
    should_stop: Callable[[], bool],
    report: Report,
) -> RunState:
    """Claim a run, work on it, and leave it in the state that says how it ended."""
    record = provenance(problem.model, run.seed)
    claim = store.claim_run(run, this_process(), record)
    if claim is None:
        return store.run(run).state  # another process finished it meanwhile
    work = Run(definition, problem, store.run(run), claim, store, executor, should_stop, report)
    state: RunState = "done"
    try:
        work.go()
        message = work.outcome
    except Interrupted:
        state, message = "paused", "interrupted; resume it to go on"
    except TooManyFailuresError as error:
        state, message = "failed", str(error)
    except DivergedError as error:
        state, message = "diverged", str(error)
    except StoreError:
        raise  # the run's state is in the store, which does not answer, or belongs to another process
    except Exception as error:
        store.leave_run(claim, "paused", f"stopped by {type(error).__name__}: {error}")
        raise
    store.leave_run(claim, state, message)
    report(Progress(run.layout, run.seed, "left", state=state, message=message))
    return state
