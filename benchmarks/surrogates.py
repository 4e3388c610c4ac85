"""Few designs: searches plain and pre-screened, and optuna-gp where PyTorch is installed; five seeds each.

Each figure is the share, in per cent, of the hypervolume of a dense front (``re24``, ``re33``), the ratio of
a pre-screened NSGA-II to a plain one with the same number of designs, or the least value that DE finds.
"""

from importlib.util import find_spec

import numpy as np

from benchmarks.problems import REFERENCES, Array, Problem, of_pymoo, problem, search
from benchmarks.real_world import RE24, RE33, VOLUMES
from benchmarks.timing import Figure
from studies.search.indicators import hypervolume

SEEDS = (1, 2, 3, 4, 5)
REAL_WORLD = {"re24": (RE24, 100), "re33": (RE33, 80)}
CASES = {
    "nsga2": ("nsga2", 10, 1), "nsga2, prescreening 10": ("nsga2", 8, 10),
    "nsga2, prescreening 50": ("nsga2", 8, 50), "moead": ("moead", 10, 1),
    "moead, prescreening 10": ("moead", 10, 10), "optuna-gp": ("optuna-gp", 8, 1),
}  # fmt: skip
FEW = 200
ONE_OBJECTIVE = ("sphere", "griewank", "rastrigin")
"""Problems of ten variables; Rastrigin's has a local minimum in each of a billion cells."""


def screened(asked: Problem, algorithm: str, seed: int, population: int, designs: int, factor: int) -> Array:
    """The front of a search that breeds ``factor`` children for each that it evaluates."""
    settings = {"prescreening": factor} if factor > 1 else {}
    return search(algorithm, asked, seed, population, designs, **settings)


def figures(small: bool = False) -> list[Figure]:
    seeds, share = (SEEDS[:1], 4) if small else (SEEDS, 1)
    rows: list[Figure] = []
    for name, (asked, whole) in REAL_WORLD.items():
        evaluations = whole // share
        point = np.full(asked.n_objectives, 1.1)
        for label, (algorithm, population, factor) in CASES.items():
            if algorithm == "optuna-gp" and find_spec("torch") is None:
                continue
            fronts = [screened(asked, algorithm, seed, population, evaluations, factor) for seed in seeds]
            shares = [100 * hypervolume(each, point) / VOLUMES[name] for each in fronts]
            rows += _spread(f"{name}, {evaluations} designs, {label}", shares, "% of the hypervolume")
    few = FEW // share
    for name in ("zdt1",) if small else REFERENCES:
        plain, chosen = (
            [
                hypervolume(
                    screened(problem(name), "nsga2", seed, 20, few, factor), np.array(REFERENCES[name])
                )
                for seed in seeds
            ]
            for factor in (1, 10)
        )
        rows += _spread(
            f"{name}, {few} designs, prescreening 10 over none",
            (100 * np.array(chosen) / np.median(plain)).tolist(),
            "% of the hypervolume",
        )
    for name in ONE_OBJECTIVE[:1] if small else ONE_OBJECTIVE:
        for factor in (1, 10):
            fronts = [screened(of_pymoo(name, n_var=10), "de", seed, 20, few, factor) for seed in seeds]
            label = f"{name}, {few} designs, de" + (f", prescreening {factor}" if factor > 1 else "")
            rows += _spread(label, [float(each.min()) for each in fronts], "least value")
    return rows


def _spread(what: str, values: list[float], unit: str) -> list[Figure]:
    """Median, least and greatest of five seeds."""
    return [
        (f"{what}, {label}", float(figure), unit)
        for label, figure in (("median", np.median(values)), ("least", min(values)), ("most", max(values)))
    ]
