"""The same problem on pymoo's own Dask runner and on Optuna's own database, per evaluation.

Both are so slow that a few generations or trials must do; figures are means over those.
"""

import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from distributed import Client
from numpy.typing import NDArray
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.problem import ElementwiseProblem
from pymoo.optimize import minimize
from pymoo.parallelization.dask import DaskParallelization

from benchmarks.timing import Figure

VARIABLES = 12
POPULATION = 100
GENERATIONS = 4
TRIALS = 60


def zdt1(x: Sequence[float], delay: float) -> tuple[float, float]:
    time.sleep(delay)
    g = 1 + 9 * sum(x[1:]) / (len(x) - 1)
    return x[0], g * (1 - (x[0] / g) ** 0.5)


class Elementwise(ElementwiseProblem):
    def __init__(self, delay: float, runner: Any) -> None:
        self.delay = delay
        super().__init__(n_var=VARIABLES, n_obj=2, xl=0.0, xu=1.0, elementwise_runner=runner)

    def _evaluate(
        self, x: NDArray[np.float64], out: dict[str, tuple[float, float]], *_: object, **__: object
    ) -> None:
        out["F"] = zdt1(x.tolist(), self.delay)


def pymoo_on_dask(client: Client, delay: float) -> Figure:
    problem = Elementwise(delay, DaskParallelization(client))
    minimize(problem, NSGA2(pop_size=POPULATION), ("n_gen", 1), seed=2)
    start = time.perf_counter()
    minimize(problem, NSGA2(pop_size=POPULATION), ("n_gen", GENERATIONS), seed=1)
    spent = time.perf_counter() - start
    name = f"pymoo's DaskParallelization, {POPULATION} x {GENERATIONS}, model of {1e3 * delay:g} ms"
    return name, 1e3 * spent / (POPULATION * GENERATIONS), "ms per evaluation"


def optuna_on_sqlite(folder: Path) -> Figure:
    logging.getLogger("optuna").setLevel(logging.WARNING)
    study = optuna.create_study(
        storage=f"sqlite:///{folder / 'optuna.db'}",
        directions=["minimize", "minimize"],
        sampler=optuna.samplers.NSGAIISampler(population_size=POPULATION, seed=1),
    )
    start = time.perf_counter()
    study.optimize(
        lambda trial: zdt1([trial.suggest_float(f"x{i}", 0, 1) for i in range(VARIABLES)], 0.0),
        n_trials=TRIALS,
    )
    spent = time.perf_counter() - start
    return f"Optuna NSGA-II with SQLite, first {TRIALS} trials", 1e3 * spent / TRIALS, "ms per evaluation"
