"""A server computes a sweep of stored fronts: itself what takes a moment, by workers the rest.

Where several servers share a store, the lease of a sweep gives it to one of them; the others see it running.
"""

from __future__ import annotations

from collections.abc import Callable

from errors import LimitError, TautlineError
from service.app.sandbox import Sandbox
from studies.execution import Interrupted, Limits
from studies.execution.base import ShouldStop
from studies.execution.evaluation_call import CostEstimate
from studies.records import SweepRecord
from studies.store import Store
from studies.uncertainty.sweep import carry_out, claimed, missing_tasks, read_plan

ComputeSweep = Callable[[SweepRecord, ShouldStop], None]
"""Computes what is missing of a stored sweep; raises ``Interrupted`` when it is told to stop."""

MOMENT_SECONDS = 10.0
"""Longest computation here; workers do longer ones, and need some seconds to start, if busy 15 s."""
MOST_DESIGNS = 1000
"""Evaluations that a server may find quick enough; a plan of more is not looked at by it."""


class SandboxFirst:
    """Computes a small sweep in the sandbox, whose kernels are loaded, and leaves all else to workers.

    Workers get what would take more than ``MOMENT_SECONDS`` as the designs so far did, a design that fails in
    the sandbox in a way that another try may mend, and everything while others compute there.

    Parameters
    ----------
    store : Store
        With the sweep.
    sandbox : Sandbox
        Where models compute for requests.
    workers : ComputeSweep
        Carries out what is left.
    """

    def __init__(self, store: Store, sandbox: Sandbox, workers: ComputeSweep) -> None:
        self._store = store
        self._sandbox = sandbox
        self._workers = workers

    def __call__(self, record: SweepRecord, should_stop: ShouldStop) -> None:
        """See :data:`ComputeSweep`; each evaluation is stored at once."""
        with claimed(self._store, record, should_stop) as to_be_left:
            complete = self._complete(record, to_be_left)
        if not complete:
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


def compute_here(store: Store, record: SweepRecord, should_stop: ShouldStop) -> None:
    """Carry a sweep out with workers on this machine."""
    from studies.execution import open_executor

    carry_out(store, record, open_executor, should_stop)


def compute_while_wanted(
    store: Store, record: SweepRecord, compute: ComputeSweep, should_stop: ShouldStop
) -> None:
    """Compute a sweep as long as it is stored and no other process computes it.

    One that was deleted and asked for again meanwhile has another number, and is computed in its place.
    """
    wanted: SweepRecord | None = record
    while wanted is not None:
        try:
            compute(wanted, should_stop)
            wanted = None
        except (Interrupted, TautlineError):
            before, wanted = wanted.id, store.sweeps.with_digest(record.study, record.digest)
            if wanted is not None and wanted.claimed:
                return  # by another process, which goes on
            if should_stop() or (wanted is not None and wanted.id == before):
                raise
