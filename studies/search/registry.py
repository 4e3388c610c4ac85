"""Algorithms by the name that study files use: ours, and those that other distributions offer.

Another package adds an algorithm by an entry point in the group ``tautline.algorithms`` whose name is the
algorithm's and whose value is the :class:`~studies.search.algorithm.Algorithm`: see
``docs/guide/adding-an-algorithm.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from errors import AlgorithmLoadError, UnknownNameError
from studies.definition.study_definition import MAX_OBJECTIVES, MAX_POPULATION
from studies.search.algorithm import (
    DIFFERENTIAL,
    GAUSSIAN,
    GP,
    NEIGHBOURS,
    OPTUNA_GENETIC,
    PARZEN,
    PRESCREENING,
    STRATEGY,
    Algorithm,
    Budget,
    genetic,
)
from studies.search.base import Search, Start

ENTRY_POINT_GROUP = "tautline.algorithms"
_PLACE = ("search", "algorithm")
_SAMPLE: tuple[Budget, ...] = ("evaluations", "generations")


def _made_by(module: str, function: str) -> Callable[[Start], Search]:
    """``studies.search.module.function``, imported when the first search is made.

    ``tautline study list`` starts 0.3 s sooner without pymoo and scipy.
    """

    def create(start: Start) -> Search:
        return getattr(import_module(f"studies.search.{module}"), function)(start)

    return create


OURS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm(
            "nsga2",
            "Genetic algorithm, by dominance and crowding; Deb, Pratap, Agarwal, Meyarivan, IEEE Trans. "
            "Evol. Comput. 6(2) 2002.",
            "two or three objectives, and designs that take less than a minute",
            _made_by("multi_objective", "nsga2"),
            most_population=MAX_POPULATION,
            settings=(*genetic("15", "0.9"), *PRESCREENING),
            asynchronous=True,
        ),
        Algorithm(
            "nsga3",
            "Genetic algorithm, niches around reference directions; Deb, Jain, IEEE Trans. Evol. Comput. "
            "18(4) 2014.",
            "four or more objectives",
            _made_by("multi_objective", "nsga3"),
            objectives=(2, MAX_OBJECTIVES),
            directions="niches",
            settings=(*genetic("30", "1"), *PRESCREENING),
            asynchronous=True,
        ),
        Algorithm(
            "u-nsga3",
            "NSGA-III with selection inside the niches; Seada, Deb, IEEE Trans. Evol. Comput. 20(3) 2016.",
            "many objectives and a population larger than the number of reference directions",
            _made_by("multi_objective", "unsga3"),
            directions="niches",
            settings=(*genetic("30", "1"), *PRESCREENING),
        ),
        Algorithm(
            "age-moea2",
            "Genetic algorithm that estimates the front's shape; Panichella, Proc. GECCO 2022.",
            "two to four objectives, and you want an evenly covered front",
            _made_by("multi_objective", "age_moea2"),
            objectives=(2, MAX_OBJECTIVES),
            settings=(*genetic("15", "0.9"), *PRESCREENING),
        ),
        Algorithm(
            "sms-emoa",
            "Genetic algorithm that keeps what contributes hypervolume; Beume, Naujoks, Emmerich, Eur. J. "
            "Oper. Res. 181(3) 2007.",
            "two to four objectives, and you want an evenly covered front",
            _made_by("multi_objective", "sms_emoa"),
            objectives=(2, 4),
            settings=(*genetic("15", "0.9"), *PRESCREENING),
            asynchronous=True,
        ),
        Algorithm(
            "moead",
            "One scalar problem per reference direction; Zhang, Li, IEEE Trans. Evol. Comput. 11(6) 2007.",
            "two or more objectives without constraints, to be solved as weighted problems",
            _made_by("multi_objective", "moead"),
            objectives=(2, MAX_OBJECTIVES),
            constraints=False,
            directions="members",
            settings=(*genetic("20", "1"), *NEIGHBOURS, *PRESCREENING),
        ),
        Algorithm(
            "de",
            "Differential evolution, DE/best/1/bin; Storn, Price, J. Global Optim. 11 1997.",
            "one objective with many local optima, or whole numbers or options",
            _made_by("single_objective", "differential_evolution"),
            objectives=(1, 1),
            settings=(*DIFFERENTIAL, *PRESCREENING),
            asynchronous=True,
        ),
        Algorithm(
            "cma-es",
            "Evolution strategy that learns the shape of the landscape; Hansen, Ostermeier, Evol. Comput. "
            "9(2) 2001.",
            "one objective that is smooth, and real variables",
            _made_by("single_objective", "CmaEs"),
            objectives=(1, 1),
            settings=STRATEGY,
        ),
        Algorithm(
            "optuna-tpe",
            "Bayesian, by Parzen estimators; Bergstra et al., Proc. NIPS 2011; Ozaki et al., J. Artif. "
            "Intell. Res. 73 2022.",
            "a budget of a few hundred designs because each takes minutes",
            _made_by("optuna_search", "tpe"),
            most_designs=2_000,
            settings=PARZEN,
            most_variables=100,
            asynchronous=True,
        ),
        Algorithm(
            "optuna-gp",
            "Bayesian, by Gaussian processes and expected hypervolume improvement; Daulton, Balandat, "
            "Bakshy, Adv. Neural Inf. Process. Syst. 33 2020.",
            "a budget of 50 to 300 designs because each takes many minutes",
            _made_by("optuna_gp", "OptunaGp"),
            most_designs=500,
            most_population=100,
            most_variables=50,
            settings=GAUSSIAN,
            extra=GP,
        ),
        Algorithm(
            "optuna-nsga2",
            "NSGA-II with uniform crossover, by Optuna; Akiba et al., Proc. KDD 2019.",
            "mostly options that have no order",
            _made_by("optuna_search", "nsga2_of_optuna"),
            most_designs=10_000,
            settings=OPTUNA_GENETIC,
            most_variables=200,
            asynchronous=True,
        ),
        Algorithm(
            "lhs",
            "Latin hypercube sample; McKay, Beckman, Conover, Technometrics 21(2) 1979.",
            "no knowledge yet of which variables matter",
            _made_by("sampling", "latin_hypercube"),
            _SAMPLE,
            most_population=MAX_POPULATION,
            learns=False,
            fixed="draws other designs when their number changes (a sobol sample can be extended)",
        ),
        Algorithm(
            "sobol",
            "Scrambled Sobol sequence; Owen, J. Complexity 14(4) 1998.",
            "a sample that you may want to extend, or to integrate over",
            _made_by("sampling", "sobol"),
            _SAMPLE,
            most_population=MAX_POPULATION,
            learns=False,
        ),
        Algorithm(
            "grid",
            "Every combination of evenly spaced values.",
            "one or two variables, and you want to see the whole range",
            _made_by("sampling", "full_grid"),
            (),
            most_population=MAX_POPULATION,
            learns=False,
            fixed="has evaluated every design of its grid, and more points make another grid",
        ),
    )
}


def names() -> tuple[str, ...]:
    """All algorithms that are installed, ours first."""
    others = sorted({entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)} - OURS.keys())
    return (*OURS, *others)


def installed() -> Iterator[Algorithm]:
    """All algorithms that can be loaded."""
    for name in names():
        with suppress(AlgorithmLoadError):
            yield load(name)


@cache
def load(name: str) -> Algorithm:
    """The algorithm called ``name``.

    Raises ``UnknownNameError`` with the nearest name, and ``AlgorithmLoadError`` for one of another package
    that does not import or is no algorithm; the others can be used all the same.
    """
    if name in OURS:
        return OURS[name]
    entry = _entry(name)
    if entry is None:
        advice = "one of another package must be installed where the study runs"
        raise UnknownNameError("algorithm", name, names(), _PLACE, advice)
    return _of_package(entry)


def package_of(name: str) -> str:
    """The distribution of another's that offers an algorithm, with its version; empty for ours."""
    entry = None if name in OURS else _entry(name)
    if entry is None:
        return ""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value


def _entry(name: str) -> EntryPoint | None:
    return next((entry for entry in entry_points(group=ENTRY_POINT_GROUP) if entry.name == name), None)


def _of_package(entry: EntryPoint) -> Algorithm:
    try:
        algorithm = entry.load()
    except (Exception, SystemExit) as error:
        raise AlgorithmLoadError(
            f"the algorithm '{entry.name}' cannot be loaded from {entry.value}: {type(error).__name__}: "
            f"{error}; correct the package that offers it, or uninstall it",
            _PLACE,
        ) from error
    if not isinstance(algorithm, Algorithm) or algorithm.name != entry.name:
        raise AlgorithmLoadError(
            f"the entry point '{entry.name}' must lead to an Algorithm of that name, but {entry.value} is "
            "none",
            _PLACE,
        )
    return algorithm
