"""Measures tables of ``reference/algorithms.md``: ``python -m docs.compare_algorithms``, some minutes.

Every algorithm searches every test problem with several seeds; shares are of the hypervolume of all
that any of them found.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.problems import REFERENCES, Array, front, problem, search, volume
from docs.algorithm_tables import write
from studies.search.registry import OURS

POPULATION = 40
SEEDS = range(1, 6)
EVALUATIONS = 1_000
SLOW = "optuna-tpe"
SINGLE = ("sphere", "rosenbrock", "rastrigin", "wall")


def several(evaluations: int, skip: frozenset[str]) -> Iterable[str]:
    """Median share of the hypervolume, and half the range between the quartiles, per problem."""
    offered = [name for name, a in OURS.items() if a.budget and a.objectives[1] > 1 and a.extra is None]
    names = [name for name in offered if name not in skip]
    found: dict[tuple[str, str], list[Array]] = {}
    seconds = dict.fromkeys(names, 0.0)
    for case in REFERENCES:
        asked = problem(case)
        for name in names:
            if asked.constrained and not OURS[name].constraints:
                continue
            start = time.process_time()
            found[name, case] = [search(name, problem(case), seed, POPULATION, evaluations) for seed in SEEDS]
            seconds[name] += (time.process_time() - start) / (len(SEEDS) * len(REFERENCES))
    best = {
        case: volume(
            case, front(np.concatenate([f for (_, of), runs in found.items() if of == case for f in runs]))
        )
        for case in REFERENCES
    }
    yield f"| algorithm | {' | '.join(REFERENCES)} | seconds |"
    yield f"|---|{'---:|' * (len(REFERENCES) + 1)}"
    for name in names:
        cells = [
            _share([volume(case, f) / best[case] for f in found[name, case]])
            if (name, case) in found
            else "-"
            for case in REFERENCES
        ]
        yield f"| `{name}` | {' | '.join(cells)} | {seconds[name]:.2g} |"


def _share(values: Sequence[float]) -> str:
    low, middle, high = np.percentile(np.array(values) * 100, [25, 50, 75])
    return f"{middle:.1f} ± {(high - low) / 2:.1f}"


def one(evaluations: int) -> Iterable[str]:
    """Median of the least objective on problems of one objective and ten variables."""
    names = [name for name, a in OURS.items() if a.budget and a.objectives[0] == 1 and a.extra is None]
    names.remove(SLOW)
    yield f"| algorithm | {' | '.join(SINGLE)} |"
    yield f"|---|{'---:|' * len(SINGLE)}"
    for name in names:
        cells = [
            f"{np.median([_least(name, case, seed, evaluations) for seed in SEEDS]):.2g}" for case in SINGLE
        ]
        yield f"| `{name}` | {' | '.join(cells)} |"


def _least(name: str, case: str, seed: int, evaluations: int) -> float:
    from studies.definition.space import DesignSpace, RealVariable
    from studies.definition.study_definition import SearchTable
    from studies.search import create_search

    space = DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(10)))
    table = SearchTable(algorithm=name, population=20, evaluations=evaluations)
    ours, least, left = create_search(table, space, 1, seed), np.inf, evaluations
    while left > 0 and len(points := ours.ask()[:left]):
        left -= len(points)
        values, broken = _one_objective(case, points)
        least = min(least, values[broken == 0.0].min(initial=np.inf))
        if left > 0:
            ours.tell(values[:, None], broken)
    return float(least)


def _one_objective(case: str, points: Array) -> tuple[Array, Array]:
    """The classics, with their optimum off the middle; ``wall`` is a sphere behind an inequality."""
    x = 4.0 * (points - 0.37)
    if case == "rosenbrock":
        x = x + 1.0
        return (100 * (x[:, 1:] - x[:, :-1] ** 2) ** 2 + (1 - x[:, :-1]) ** 2).sum(axis=1), np.zeros(len(x))
    if case == "rastrigin":
        return (x**2 + 10 - 10 * np.cos(2 * np.pi * x)).sum(axis=1), np.zeros(len(x))
    broken = np.maximum(0.5 - x[:, 0], 0.0) if case == "wall" else np.zeros(len(x))
    return (x**2).sum(axis=1), broken


def main() -> int:
    """Put the tables between their markers."""
    write(large=several(EVALUATIONS, frozenset({SLOW, "moead"})), one=one(EVALUATIONS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
