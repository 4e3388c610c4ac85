"""Measures originals for ``reference/algorithms.md``: ``python -m docs.compare_originals``, some minutes.

With names of algorithms behind it, their rows alone are measured again.

Every algorithm and the library that it comes from search the same problems on the unit cube, with the same
budget, population and seeds. Shares are of the hypervolume of all that both found, measured against a point
beyond the front of a sample.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from scipy.stats import mannwhitneyu, qmc

from benchmarks.problems import Array, Problem, front, of_pymoo
from docs.algorithm_tables import PAGE, write
from studies.definition.study_definition import SearchTable
from studies.search import create_search
from studies.search.directions import reference_directions
from studies.search.indicators import beyond_worst, hypervolume
from studies.search.registry import OURS

SEVERAL: Mapping[str, Mapping[str, int]] = {
    **{name: {} for name in ("zdt1", "zdt2", "zdt3", "zdt4", "zdt6", "kursawe", "bnh", "osy", "tnk")},
    **{name: {"n_var": 10, "n_obj": 3} for name in ("dtlz1", "dtlz2", "dtlz3", "dtlz4", "dtlz7")},
}
CLASSICS = ("sphere", "rosenbrock", "rastrigin", "ackley", "griewank", "schwefel")
ONE = {name: {"n_var": 8} for name in CLASSICS}
PROBLEMS = {**SEVERAL, **ONE}
SEEDS = range(1, 6)
POPULATION, DESIGNS = 40, 400
FEWER = {"optuna-tpe": 60, "optuna-nsga2": 200, "grid": 1000}
LEVEL = 0.05
HEAD = (
    "| algorithm | original | problems | ours | original's | better | worse | equal runs |",
    "|---|---|---:|---:|---:|---:|---:|---:|",
)
Search = Callable[[Problem, int], Array]


def ours(name: str) -> Search:
    """The front that our search finds."""

    def search(asked: Problem, seed: int) -> Array:
        table = _table(name, asked)
        left = FEWER.get(name, DESIGNS)
        found, own = [], create_search(table, asked.space, asked.n_objectives, seed)
        while left > 0 and len(points := own.ask()[:left]):
            left -= len(points)
            objectives, violations = asked.evaluate(points)
            found.append(objectives[violations == 0.0])
            if left > 0:
                own.tell(objectives, violations)
        return front(np.concatenate(found))

    return search


def _table(name: str, asked: Problem) -> SearchTable:
    if name == "grid":
        return SearchTable(algorithm=name, points=_points(asked))
    own: dict[str, Any] = {} if name == "optuna-tpe" else {"population": POPULATION}
    return SearchTable(algorithm=name, evaluations=FEWER.get(name, DESIGNS), **own)


def _points(asked: Problem) -> int:
    """Values of each variable whose grid has no more than a thousand designs."""
    return max(int(FEWER["grid"] ** (1 / len(asked.space)) + 1e-9), 2)


def _sampled(asked: Problem, points: Array) -> Array:
    objectives, violations = asked.evaluate(points)
    return front(objectives[violations == 0.0])


def of_pymoo_itself(make: Callable[[int], Any]) -> Search:
    """The front that ``pymoo.optimize.minimize`` finds."""
    from pymoo.core.problem import Problem as Theirs
    from pymoo.optimize import minimize

    def search(asked: Problem, seed: int) -> Array:
        found: list[Array] = []

        class OnCube(Theirs):
            def _evaluate(self, x: Array, out: dict[str, Array], *_: object, **__: object) -> None:
                out["F"], violations = asked.evaluate(x)
                if asked.constrained:
                    out["G"] = violations[:, None]
                found.append(out["F"][violations == 0.0])

        cube = OnCube(
            n_var=len(asked.space),
            n_obj=asked.n_objectives,
            n_ieq_constr=int(asked.constrained),
            xl=0.0,
            xu=1.0,
        )
        with suppress(ZeroDivisionError):  # AGE-MOEA-II where designs coincide: what it found until then
            minimize(cube, make(asked.n_objectives), ("n_eval", DESIGNS), seed=seed)
        return front(np.concatenate(found)[:DESIGNS])

    return search


def of_pymoo_class(module: str, name: str, *, directions: bool = False) -> Search:
    """One of pymoo's algorithms with its own settings, and our reference directions where it takes some."""

    def make(n_objectives: int) -> Any:
        kind = getattr(import_module(f"pymoo.algorithms.{module}"), name)
        size = {} if name == "MOEAD" else {"pop_size": POPULATION}
        given = (reference_directions(POPULATION, n_objectives),) if directions else ()
        return kind(*given, **size)

    return of_pymoo_itself(make)


def of_cma(asked: Problem, seed: int) -> Array:
    """The front of all that the package cma asks for, from the middle of the cube."""
    import cma

    settings = {"bounds": [0.0, 1.0], "popsize": POPULATION, "seed": seed, "verbose": -9, "verb_log": 0}
    strategy = cma.CMAEvolutionStrategy(np.full(len(asked.space), 0.5), 0.3, settings)
    found: list[Array] = []
    for _ in range(DESIGNS // POPULATION):
        points = strategy.ask()
        objectives, _ = asked.evaluate(np.array(points))
        strategy.tell(points, objectives[:, 0].tolist())
        found.append(objectives)
    return front(np.concatenate(found))


def of_optuna(name: str) -> Search:
    """The front that ``Study.optimize`` finds, design by design."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def search(asked: Problem, seed: int) -> Array:
        samplers = {
            "optuna-tpe": lambda: optuna.samplers.TPESampler(seed=seed),
            "optuna-nsga2": lambda: optuna.samplers.NSGAIISampler(population_size=POPULATION, seed=seed),
        }
        found: list[Array] = []

        def evaluate(trial: optuna.Trial) -> tuple[float, ...]:
            point = [trial.suggest_float(f"x{i:02}", 0.0, 1.0) for i in range(len(asked.space))]
            objectives, violations = asked.evaluate(np.array([point]))
            trial.set_constraint("violation", float(violations[0]))
            found.append(objectives[violations == 0.0])
            return tuple(objectives[0].tolist())

        study = optuna.create_study(directions=["minimize"] * asked.n_objectives, sampler=samplers[name]())
        study.optimize(evaluate, n_trials=FEWER[name])
        return front(np.concatenate(found))

    return search


def of_scipy(kind: type[qmc.QMCEngine]) -> Search:
    """The front of scipy's sample."""

    def search(asked: Problem, seed: int) -> Array:
        with warnings.catch_warnings(action="ignore"):  # 400 is no power of two
            return _sampled(asked, kind(len(asked.space), rng=np.random.default_rng(seed)).random(DESIGNS))

    return search


def of_numpy(asked: Problem, _: int) -> Array:
    """The front of a full grid."""
    axis = np.linspace(0.0, 1.0, _points(asked))
    axes = np.meshgrid(*[axis] * len(asked.space), indexing="ij")
    return _sampled(asked, np.stack(axes, axis=-1).reshape(-1, len(asked.space)))


ORIGINALS: Mapping[str, tuple[str, Callable[[], Search]]] = {
    "nsga2": ("pymoo", lambda: of_pymoo_class("moo.nsga2", "NSGA2")),
    "nsga3": ("pymoo", lambda: of_pymoo_class("moo.nsga3", "NSGA3", directions=True)),
    "u-nsga3": ("pymoo", lambda: of_pymoo_class("moo.unsga3", "UNSGA3", directions=True)),
    "age-moea2": ("pymoo", lambda: of_pymoo_class("moo.age2", "AGEMOEA2")),
    "sms-emoa": ("pymoo", lambda: of_pymoo_class("moo.sms", "SMSEMOA")),
    "moead": ("pymoo, serial", lambda: of_pymoo_class("moo.moead", "MOEAD", directions=True)),
    "de": ("pymoo", lambda: of_pymoo_class("soo.nonconvex.de", "DE")),
    "cma-es": ("cma", lambda: of_cma),
    "optuna-tpe": ("optuna", lambda: of_optuna("optuna-tpe")),
    "optuna-nsga2": ("optuna", lambda: of_optuna("optuna-nsga2")),
    "lhs": ("scipy", lambda: of_scipy(qmc.LatinHypercube)),
    "sobol": ("scipy", lambda: of_scipy(qmc.Sobol)),
    "grid": ("numpy", lambda: of_numpy),
}


@cache
def _case(name: str) -> tuple[Problem, Array]:
    """A problem, and the point against which its fronts are measured."""
    asked = of_pymoo(name, **PROBLEMS[name])
    return asked, beyond_worst(_sampled(asked, qmc.LatinHypercube(len(asked.space), rng=1).random(1000)))


def _cases(name: str) -> list[str]:
    least, most = OURS[name].objectives
    found = []
    for case in PROBLEMS:
        asked, _ = _case(case)
        fits = least <= asked.n_objectives <= most and (OURS[name].constraints or not asked.constrained)
        too_many = name == "grid" and 2 ** len(asked.space) > FEWER["grid"]
        if fits and not too_many:
            found.append(case)
    return found


def rows(names: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Name and row of each algorithm."""
    for name in names:
        package, make = ORIGINALS[name]
        mine, theirs, cases = ours(name), make(), _cases(name)
        shares: list[tuple[float, float]] = []
        better = worse = same = 0
        for case in cases:
            asked, point = _case(case)
            one, other = ([side(asked, seed) for seed in SEEDS] for side in (mine, theirs))
            same += sum(_is_same(a, b) for a, b in zip(one, other, strict=True))
            best = hypervolume(front(np.concatenate([*one, *other])), point) or 1.0
            a, b = ([hypervolume(each, point) / best for each in side] for side in (one, other))
            shares.append((float(np.median(a)), float(np.median(b))))
            better += _is_above(a, b)
            worse += _is_above(b, a)
        ours_mean, theirs_mean = np.mean(shares, axis=0)
        row = (
            f"| `{name}` | {package} | {len(cases)} | {100 * ours_mean:.1f} | {100 * theirs_mean:.1f} "
            f"| {better} | {worse} | {same} of {len(cases) * len(SEEDS)} |"
        )
        yield name, row


def _is_same(one: Array, other: Array) -> bool:
    return one.shape == other.shape and np.allclose(np.sort(one, axis=0), np.sort(other, axis=0), rtol=1e-12)


def _is_above(one: list[float], other: list[float]) -> bool:
    return bool(mannwhitneyu(one, other, alternative="greater").pvalue < LEVEL / 2)


def main() -> int:
    """Put the table, or the rows named on the command line, between its markers."""
    table = PAGE.read_text(encoding="utf-8").partition("<!-- table originals")[2]
    found = {name: row for row, name in re.findall(r"^(\| `([\w-]+)` .*)", table, re.MULTILINE)}
    for name, row in rows(sys.argv[1:] or ORIGINALS):
        print(row, flush=True)
        found[name] = row
    write(originals=[*HEAD, *(found[name] for name in ORIGINALS if name in found)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
