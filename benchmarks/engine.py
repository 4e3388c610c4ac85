"""The engine's own time beside a model's: search, keys, Dask and store, per evaluation."""

import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from distributed import Client, LocalCluster

from benchmarks import other_programs
from benchmarks.timing import Figure, best_seconds
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import parse_study
from studies.execution import Executor, open_executor
from studies.records import Progress
from studies.run.launch import run_study
from studies.store import Store

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
REPEATED = 5


def study(delay: float, generations: int) -> StudyDefinition:
    variables = "\n".join(f'"x.{i}" = {{ lower = 0, upper = 1 }}' for i in range(12))
    text = STUDY.replace("VALUES", ", ".join(["0.0"] * 12)).replace("VARIABLES", variables)
    return parse_study(text.replace("DELAY", str(delay)).replace("GENERATIONS", str(generations)))


def opener(executor: Executor) -> Callable[[], AbstractContextManager[Executor]]:
    @contextmanager
    def opened() -> Generator[Executor]:
        yield executor

    return opened


def figures(small: bool = False) -> list[Figure]:
    generations, repeated = (3, 1) if small else (GENERATIONS, REPEATED)
    # Not before the model is measured: pymoo makes numba compile, and then it is too late to say for what.
    from benchmarks import searches

    rows: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, delay in (("model of 0 ms, beside the driver", 0.0), ("model of 2 ms, on Dask", 0.002)):
            with Store(str(Path(folder) / f"{delay}.db")) as store, open_executor(2) as executor:
                rows += _overhead(name, store, delay, executor, generations, repeated)
        with Store(str(Path(folder) / "replay.db")) as store, open_executor(2) as executor:
            rows.append(_replay(store, executor, generations))
        with local_client() as client:
            rows.append(other_programs.pymoo_on_dask(client, 0.0))
            rows.append(other_programs.pymoo_on_dask(client, 0.002))
        rows.append(other_programs.optuna_on_sqlite(Path(folder)))
    return [*rows, *searches.figures(small)]


@contextmanager
def local_client() -> Generator[Client]:
    """A cluster of two workers, as pymoo's users start one."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def _overhead(
    name: str, store: Store, delay: float, executor: Executor, generations: int, repeated: int
) -> list[Figure]:
    """Studies with a seed each, then the same under other names, which find every design in the store.

    The model's time is in both figures.
    """
    definition = study(delay, generations)
    run_study(store, study(delay, 2).model_copy(update={"name": "warm-up", "seeds": [0]}), opener(executor))

    def run(name: str) -> float:
        names, seeds = (f"{name}-{i}" for i in range(repeated)), iter(range(1, repeated + 1))
        return best_seconds(
            lambda: run_study(
                store,
                definition.model_copy(update={"name": next(names), "seeds": [next(seeds)]}),
                opener(executor),
            ),
            repeated,
        )

    first, second = run("overhead"), run("again")
    asked = store.generations(store.study("overhead-0").runs[0])[-1].asked
    return [
        (f"NSGA-II 100 x {generations}, {name}", 1e3 * first / asked, "ms per evaluation"),
        ("the same again, every design from the store", 1e3 * second / asked, "ms per evaluation"),
    ]


def _replay(store: Store, executor: Executor, generations: int) -> Figure:
    """A run paused before its last generation, resumed: from the first replayed generation to the last."""
    seen: list[Progress] = []
    paused = run_study(
        store, study(0.0, generations), opener(executor),
        lambda: bool(seen) and seen[-1].generation == generations - 1, seen.append,
    )  # fmt: skip
    if paused.state != "paused":
        raise RuntimeError(f"the run was {paused.state} before it could be paused")
    times: list[tuple[float, int]] = []

    def note(report: Progress) -> None:
        if report.phase == "replaying":
            times.append((time.perf_counter(), report.asked))

    run_study(store, study(0.0, generations), opener(executor), report=note)
    (begin, before), (end, after) = times[0], times[-1]
    return (
        f"replay of NSGA-II 100 x {generations}",
        1e3 * (end - begin) / (after - before),
        "ms per evaluation",
    )
