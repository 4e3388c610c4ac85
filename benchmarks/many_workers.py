"""Use of many workers: a thousand that sleep in the place of a model, and a hundred on simulated clocks.

The thousand are threads of one Dask worker, which answer with all metrics of a cable robot; the scheduler
shares the driver's process and its time. The hundred show how many wait for the slowest of a generation.
"""

import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from distributed import LocalCluster

from benchmarks.engine import opener, study
from benchmarks.timing import Figure
from models import load
from studies.execution import dask_client, open_executor
from studies.execution.evaluation import Outcome, task_of
from studies.execution.messages import REPLY, Reply
from studies.execution.worker import TaskChunk
from studies.records import EvaluationRecord, Task
from studies.run.launch import run_study
from studies.store import Store
from tests.simulated_workers import SimulatedWorkers

WORKERS = 1000
SECONDS = 10.0
EACH = 6


def slept(chunk: TaskChunk, seconds: float) -> bytes:
    """The reply to a chunk whose designs took ``seconds`` each."""
    names = [metric.name for metric in load(chunk.tasks[0].model).metrics_of(chunk.tasks[0].cost_class)]
    time.sleep(seconds * len(chunk.tasks))
    done = Outcome("done", metrics=dict.fromkeys(names, 1.0), seconds=seconds, finished=time.time())
    return REPLY.dump_json(Reply("thread", [(number, done) for number in range(len(chunk.tasks))]))


def figures(small: bool = False) -> list[Figure]:
    if small:
        return [*_one_driver(4, 0.01), *_steady(10)]
    return [*_one_driver(WORKERS, SECONDS), *_steady(SIMULATED)]


def _one_driver(workers: int, seconds: float) -> list[Figure]:
    model = load("hybrid-cable-robot")
    plain = model.resolve("constrained", {}).model_dump(mode="json")
    first = task_of(model, plain, model.cost_classes[0], 0)
    tasks = [replace(first, key=f"{number:064x}") for number in range(EACH * workers + workers)]
    sent, dask_client.evaluate_on_worker = dask_client.evaluate_on_worker, partial(slept, seconds=seconds)
    try:
        with (
            LocalCluster(
                n_workers=1, threads_per_worker=workers, host="127.0.0.1", dashboard_address=None
            ) as cluster,
            open_executor(None, cluster.scheduler_address) as executor,
        ):
            found: list[EvaluationRecord] = []
            executor.evaluate(tasks[:workers], found.extend, lambda: False)  # the time of a design is learnt
            begin, used = time.monotonic(), time.process_time()
            executor.evaluate(tasks[workers:], found.extend, lambda: False)
            wall, used = time.monotonic() - begin, time.process_time() - used
    finally:
        dask_client.evaluate_on_worker = sent
    if len(found) != len(tasks):
        raise RuntimeError(f"{len(found)} of {len(tasks)} designs came back")
    count = EACH * workers
    return [
        (f"{workers} workers, designs of {seconds:g} s", 100 * count * seconds / (workers * wall), "% used"),
        ("the same, driver and scheduler", 1e3 * used / count, "ms of processor per design"),
    ]


SIMULATED = 100


def time_of(task: Task) -> float:
    """One design in ten takes twenty times as long as the others."""
    return 20.0 if int(task.key[:8], 16) % 10 == 0 else 1.0


def _steady(count: int) -> list[Figure]:
    rows: list[Figure] = []
    kinds = (("by generations", False, count // 10), ("in the steady state", True, count))
    for name, asynchronous, generations in kinds:
        workers = SimulatedWorkers(count, time_of)
        given = study(0.0, generations)
        search = given.search.model_copy(update={"asynchronous": asynchronous})
        with tempfile.TemporaryDirectory() as folder, Store(str(Path(folder) / "store.db")) as store:
            run_study(store, given.model_copy(update={"search": search}), opener(workers))
        rows.append((f"use of {count} simulated workers, NSGA-II {name}", 100.0 * workers.use, "%"))
    return rows
