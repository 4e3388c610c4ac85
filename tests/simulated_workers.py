"""An executor with any number of workers and a clock of its own: no design takes longer than its model."""

import heapq
from collections import deque
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

from studies.execution import NO_LIMITS, Interrupted, Limits, Sink
from studies.execution.evaluation import evaluate_task
from studies.execution.evaluation_call import SPARE, Supply
from studies.records import Task


class SimulatedWorkers:
    """Evaluates designs in the order in which ``workers`` would finish them.

    Attributes
    ----------
    workers : int
    seconds : callable (Task) -> float
        Time of a design on a worker.
    stop_after : int, optional
        Interrupt the call when so many designs are finished.
    clock, busy : float
        Time since the beginning, and the workers' time that was spent on designs.
    """

    def __init__(
        self, workers: int, seconds: Callable[[Task], float], *, stop_after: int | None = None
    ) -> None:
        self.workers, self.seconds, self.stop_after = workers, seconds, stop_after
        self.clock = self.busy = 0.0
        self.finished: list[str] = []

    @property
    def use(self) -> float:
        """Share of the workers' time that designs took."""
        return self.busy / (self.workers * self.clock)

    def evaluate(
        self,
        tasks: Sequence[Task],
        sink: Sink,
        should_stop: Callable[[], bool],
        limits: Limits = NO_LIMITS,
        supply: Supply | None = None,
        **said: Any,
    ) -> None:
        del limits
        waiting, running = deque(tasks), list[tuple[float, int, Task]]()
        begun = 0
        while True:
            if should_stop() or (self.stop_after is not None and len(self.finished) >= self.stop_after):
                raise Interrupted
            room = self.workers + ceil(SPARE * self.workers) - len(waiting) - len(running)
            if supply is not None and room > 0:
                waiting.extend(supply(room))
            while waiting and len(running) < self.workers:
                task = waiting.popleft()
                heapq.heappush(running, (self.clock + self.seconds(task), begun, task))
                begun += 1
            if not running:
                return
            self.clock, _, task = heapq.heappop(running)
            self.busy += self.seconds(task)
            self.finished.append(task.key)
            sink([evaluate_task(task, "simulated")])
