"""What the engine adds to a model's own time: search, keys, Dask and store, per evaluation."""

import tempfile
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from studies.cluster import open_cluster
from studies.definition import StudyDefinition, parse_study
from studies.executor import DaskExecutor, Executor
from studies.launch import run_study
from studies.store import Store

from benchmarks.timing import Figure, best_seconds

STUDY = """
name = "overhead"
model = "zdt1"
[parameters]
x = [VALUES]
delay = DELAY
[variables]
VARIABLES
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 100
generations = GENERATIONS
"""
GENERATIONS = 30


def study(delay: float, generations: int) -> StudyDefinition:
    variables = "\n".join(f'"x.{i}" = {{ lower = 0, upper = 1 }}' for i in range(12))
    text = STUDY.replace("VALUES", ", ".join(["0.0"] * 12)).replace("VARIABLES", variables)
    return parse_study(text.replace("DELAY", str(delay)).replace("GENERATIONS", str(generations)))


def opener(executor: Executor) -> Callable[[], AbstractContextManager[Executor]]:
    @contextmanager
    def opened() -> Generator[Executor]:
        yield executor

    return opened


def figures() -> list[Figure]:
    rows: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder, open_cluster(2, None) as client:
        for name, delay in (("model of 0 ms, in the driver", 0.0), ("model of 2 ms, on Dask", 0.002)):
            executor = DaskExecutor(client)
            with Store(str(Path(folder) / f"{delay}.db")) as store:
                definition = study(delay, GENERATIONS)
                run_study(store, study(delay, 2).model_copy(update={"name": "warm"}), opener(executor))
                seconds = best_seconds(lambda s=store, d=definition, e=executor: run_study(s, d, opener(e)), 1)
                record = store.study("overhead")
                asked = store.generations(record.runs[0])[-1].asked
                rows.append((f"NSGA-II 100 x {GENERATIONS}, {name}", 1e3 * seconds / asked, "ms per evaluation, all in"))
                twin = definition.model_copy(update={"name": "cached"})
                again = best_seconds(lambda s=store, d=twin, e=executor: run_study(s, d, opener(e)), 1)
                rows.append(("the same again, every design from the store", 1e3 * again / asked, "ms per evaluation"))
    return rows
