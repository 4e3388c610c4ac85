"""Who computes a sweep of stored fronts: the server itself what takes a moment, workers the rest."""

from __future__ import annotations

from collections.abc import Callable

from errors import LimitError
from service.app.sandbox import Sandbox
from studies.execution import Interrupted, Limits
from studies.execution.base import ShouldStop
from studies.execution.evaluation_call import CostEstimate
from studies.records import SweepRecord
from studies.store import Store
from studies.sweep import carry_out, missing_tasks, read_plan

Sweeper = Callable[[SweepRecord, ShouldStop], None]
"""Computes what is missing of a stored sweep; raises ``Interrupted`` when it is told to stop."""

MOMENT_SECONDS = 10.0
"""What takes longer is left to workers, which need some seconds to start, on a busy machine 15 s."""
MOST_DESIGNS = 1000
"""Evaluations that a server may find quick enough; a plan of more is not looked at by it."""


class SandboxSweeper:
    """Computes a small sweep in the sandbox, whose kernels are loaded, and leaves all else to workers.

    Workers get what would take more than ``MOMENT_SECONDS`` as the designs so far did, a design that fails in
    the sandbox in a way that another try may mend, and everything while others compute there.

    Parameters
    ----------
    store : Store
        With the sweep.
    sandbox : Sandbox
        Where models compute for requests.
    workers : Sweeper
        Carries out what is left.
    """

    def __init__(self, store: Store, sandbox: Sandbox, workers: Sweeper) -> None:
        self._store = store
        self._sandbox = sandbox
        self._workers = workers

    def __call__(self, record: SweepRecord, should_stop: ShouldStop) -> None:
        """See :data:`Sweeper`; each evaluation is stored at once."""
        if not self._complete(record, should_stop):
            self._workers(record, should_stop)

    def _complete(self, record: SweepRecord, should_stop: ShouldStop) -> bool:
        """Compute as long as the rest takes a moment; whether nothing is left."""
        plan = read_plan(self._store, record)
        if plan.wanted > MOST_DESIGNS:
            return False
        limits = plan.definition.evaluation.limits.narrowed(Limits(MOMENT_SECONDS))
        missing = [task for _, tasks in missing_tasks(self._store, plan) for task in tasks]
        cost = CostEstimate()
        for left, task in zip(reversed(range(len(missing))), missing, strict=True):
            if should_stop():
                raise Interrupted
            try:
                found = self._sandbox.evaluate(task, limits)
            except LimitError:
                return False
            if not found.final:
                return False
            self._store.add_results([found])
            cost.learn([found.seconds])
            if cost.known and cost.fitting(MOMENT_SECONDS) < left:
                return False
        return True


def sweep_here(store: Store, record: SweepRecord, should_stop: ShouldStop) -> None:
    """Carry a sweep out with workers on this machine."""
    from studies.execution import open_executor

    carry_out(store, record, open_executor, should_stop)
