"""Time of each algorithm per design, and the time that our side of ask and tell adds to pymoo's."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymoo.algorithms.moo.age2 import AGEMOEA2
from pymoo.algorithms.moo.moead import ParallelMOEAD
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.nsga3 import NSGA3
from pymoo.algorithms.moo.sms import SMSEMOA
from pymoo.algorithms.moo.unsga3 import UNSGA3
from pymoo.algorithms.soo.nonconvex.de import DE
from pymoo.core.problem import Problem
from pymoo.optimize import minimize

from benchmarks.timing import Figure
from studies.definition.space import DesignSpace, RealVariable
from studies.definition.study_definition import SearchTable
from studies.search import create_search
from studies.search.directions import reference_directions
from studies.search.registry import OURS

Array = NDArray[np.float64]
VARIABLES = 12
POPULATION = 100
GENERATIONS = 20
SPACE = DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(VARIABLES)))
FEW = {"optuna-tpe": 2, "optuna-nsga2": 4}  # generations of those that take milliseconds per design

PYMOO: dict[str, Callable[[], Any]] = {
    "nsga2": lambda: NSGA2(pop_size=POPULATION),
    "nsga3": lambda: NSGA3(reference_directions(POPULATION, 2), pop_size=POPULATION),
    "u-nsga3": lambda: UNSGA3(reference_directions(POPULATION, 2), pop_size=POPULATION),
    "age-moea2": lambda: AGEMOEA2(pop_size=POPULATION),
    "sms-emoa": lambda: SMSEMOA(pop_size=POPULATION),
    "moead": lambda: ParallelMOEAD(reference_directions(POPULATION, 2)),
    "de": lambda: DE(pop_size=POPULATION),
}


def objectives(points: Array, count: int) -> Array:
    """ZDT1, or its second objective alone."""
    g = 1 + 9 * points[:, 1:].mean(axis=1)
    values = np.stack([g * (1 - np.sqrt(points[:, 0] / g)), points[:, 0]], axis=1)
    return values[:, :count]


class OnPymoo(Problem):
    def __init__(self, count: int, constraints: int) -> None:
        super().__init__(n_var=VARIABLES, n_obj=count, n_ieq_constr=constraints, xl=0.0, xu=1.0)

    def _evaluate(self, x: Array, out: dict[str, Array], *_: object, **__: object) -> None:
        out["F"] = objectives(x, self.n_obj)
        if self.n_ieq_constr:
            out["G"] = np.zeros((len(x), 1))


def figures(small: bool = False) -> list[Figure]:
    rows: list[Figure] = []
    for name, algorithm in OURS.items():
        if not algorithm.learns or algorithm.extra is not None:
            continue
        count = min(2, algorithm.objectives[1])
        generations = 1 if small else FEW.get(name, GENERATIONS)
        ours, theirs = alternate(name, count, generations, 1 if small or name in FEW else 3)
        rows.append((f"{name}, ask and tell, population {POPULATION}", ours, "ms per evaluation"))
        if theirs is not None:
            rows.append((f"{name}, pymoo's own run", theirs, "ms per evaluation"))
    return rows


def alternate(name: str, count: int, generations: int, repeat: int) -> tuple[float, float | None]:
    """Milliseconds of processor per evaluation, ours and pymoo's: the best of some runs, in turns.

    So other work on the machine meets both.
    """
    constraints = int(OURS[name].constraints)
    run = ("n_gen", generations)
    ours, theirs = [], []
    for _ in range(repeat):
        ours.append(_seconds(lambda: _ask_and_tell(name, count, generations)))
        if name in PYMOO:
            theirs.append(_seconds(lambda: minimize(OnPymoo(count, constraints), PYMOO[name](), run, seed=1)))
    per_design = 1e3 / (generations * POPULATION)
    return per_design * min(ours), per_design * min(theirs) if theirs else None


def _ask_and_tell(name: str, count: int, generations: int) -> None:
    table = SearchTable(algorithm=name, population=POPULATION, generations=generations)
    search = create_search(table, SPACE, count, 1)
    for _ in range(generations):
        points = search.ask()
        search.tell(objectives(points, count), np.zeros(len(points)))


def _seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
