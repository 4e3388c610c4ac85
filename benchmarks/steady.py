"""Use of workers by a search in the steady state and by generations, on simulated clocks."""

import tempfile
from pathlib import Path

from benchmarks.engine import opener, study
from benchmarks.timing import Figure
from studies.records import Task
from studies.run.launch import run_study
from studies.store import Store
from tests.simulated_workers import SimulatedWorkers

WORKERS = 100


def seconds(task: Task) -> float:
    """One design in ten takes twenty times as long as the others."""
    return 20.0 if int(task.key[:8], 16) % 10 == 0 else 1.0


def figures() -> list[Figure]:
    rows: list[Figure] = []
    kinds = (("by generations", False, 10), ("in the steady state", True, 100))
    for name, asynchronous, generations in kinds:
        workers = SimulatedWorkers(WORKERS, seconds)
        given = study(0.0, generations)
        search = given.search.model_copy(update={"asynchronous": asynchronous})
        with tempfile.TemporaryDirectory() as folder, Store(str(Path(folder) / "store.db")) as store:
            run_study(store, given.model_copy(update={"search": search}), opener(workers))
        rows.append((f"use of {WORKERS} simulated workers, NSGA-II {name}", 100.0 * workers.use, "%"))
    return rows
