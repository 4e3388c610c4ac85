"""Algorithms by the name that study files use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Literal

from studies.definition import MAX_EVALUATIONS, MAX_OBJECTIVES, MAX_POPULATION, MAX_VARIABLES, SearchTable
from studies.search.base import Search, Start
from studies.search.directions import count_directions
from studies.search.settings import (
    DIFFERENTIAL,
    NEIGHBOURS,
    OPTUNA_GENETIC,
    PARZEN,
    STRATEGY,
    Setting,
    genetic,
)

Budget = Literal["generations", "evaluations", "wall_time"]
_ENDLESS: tuple[Budget, ...] = ("generations", "evaluations", "wall_time")
_SAMPLE: tuple[Budget, ...] = ("evaluations", "generations")
_LARGE = 2_000
"""Populations beyond it would take gigabytes or minutes per generation in all but NSGA-II."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A search algorithm that study files can name.

    Parameters
    ----------
    name, summary : str
        The summary ends with where the algorithm was published.
    suits : str
        What somebody has who should take it: a row of the table in ``docs/algorithms.md``.
    create : callable (Start) -> Search
    budget : tuple of str
        Keys of the study file of which one is needed; empty when the space decides how many designs
        there are.
    objectives : (int, int)
        The least and the greatest number of objectives.
    constraints : bool
        Whether it takes constraints.
    most_designs, most_population, most_variables : int
        Limits that keep its own time and memory bounded.
    directions : {"", "niches", "members"}
        What reference directions mean: niches of the population, or its members, whose number
        then is the population.
    learns : bool
        False for samples and the grid, whose designs do not depend on results.
    fixed : str
        Why a finished search cannot go on, where its designs depend on the budget; empty where a larger
        budget only asks for more.
    settings : tuple of Setting
        What ``[search.settings]`` may set.
    """

    name: str
    summary: str
    suits: str
    create: Callable[[Start], Search]
    budget: tuple[Budget, ...] = _ENDLESS
    objectives: tuple[int, int] = (1, MAX_OBJECTIVES)
    constraints: bool = True
    most_designs: int = MAX_EVALUATIONS
    most_population: int = _LARGE
    most_variables: int = MAX_VARIABLES
    directions: Literal["", "niches", "members"] = ""
    learns: bool = True
    fixed: str = ""
    settings: tuple[Setting, ...] = ()

    def population(self, settings: SearchTable, n_objectives: int) -> int:
        """Designs per generation, as the algorithm rounds what the study states."""
        if self.directions == "members":
            return count_directions(settings.population, n_objectives)
        return settings.population


def _made_by(module: str, function: str) -> Callable[[Start], Search]:
    """``studies.search.module.function``, imported when the first search is made.

    ``tautline study list`` starts 0.3 s sooner without pymoo and scipy.
    """

    def create(start: Start) -> Search:
        return getattr(import_module(f"studies.search.{module}"), function)(start)

    return create


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm(
            "nsga2",
            "Genetic algorithm, by dominance and crowding; Deb, Pratap, Agarwal, Meyarivan, IEEE Trans. "
            "Evol. Comput. 6(2) 2002.",
            "two or three objectives, and designs that take less than a minute",
            _made_by("multi_objective", "nsga2"),
            most_population=MAX_POPULATION,
            settings=genetic("15", "0.9"),
        ),
        Algorithm(
            "nsga3",
            "Genetic algorithm, niches around reference directions; Deb, Jain, IEEE Trans. Evol. Comput. "
            "18(4) 2014.",
            "four or more objectives",
            _made_by("multi_objective", "nsga3"),
            objectives=(2, MAX_OBJECTIVES),
            directions="niches",
            settings=genetic("30", "1"),
        ),
        Algorithm(
            "u-nsga3",
            "NSGA-III with selection inside the niches; Seada, Deb, IEEE Trans. Evol. Comput. 20(3) 2016.",
            "many objectives and a population larger than the number of reference directions",
            _made_by("multi_objective", "unsga3"),
            directions="niches",
            settings=genetic("30", "1"),
        ),
        Algorithm(
            "age-moea2",
            "Genetic algorithm that estimates the front's shape; Panichella, Proc. GECCO 2022.",
            "two to four objectives, and you want an evenly covered front",
            _made_by("multi_objective", "age_moea2"),
            objectives=(2, MAX_OBJECTIVES),
            settings=genetic("15", "0.9"),
        ),
        Algorithm(
            "sms-emoa",
            "Genetic algorithm that keeps what contributes hypervolume; Beume, Naujoks, Emmerich, Eur. J. "
            "Oper. Res. 181(3) 2007.",
            "two to four objectives, and you want an evenly covered front",
            _made_by("multi_objective", "sms_emoa"),
            objectives=(2, 4),
            settings=genetic("15", "0.9"),
        ),
        Algorithm(
            "moead",
            "One scalar problem per reference direction; Zhang, Li, IEEE Trans. Evol. Comput. 11(6) 2007.",
            "two or more objectives without constraints, to be solved as weighted problems",
            _made_by("multi_objective", "moead"),
            objectives=(2, MAX_OBJECTIVES),
            constraints=False,
            directions="members",
            settings=(*genetic("20", "1"), *NEIGHBOURS),
        ),
        Algorithm(
            "de",
            "Differential evolution, DE/best/1/bin; Storn, Price, J. Global Optim. 11 1997.",
            "one objective with many local optima, or whole numbers or options",
            _made_by("single_objective", "differential_evolution"),
            objectives=(1, 1),
            settings=DIFFERENTIAL,
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
        ),
        Algorithm(
            "optuna-nsga2",
            "NSGA-II with uniform crossover, by Optuna; Akiba et al., Proc. KDD 2019.",
            "mostly options that have no order",
            _made_by("optuna_search", "nsga2_of_optuna"),
            most_designs=10_000,
            settings=OPTUNA_GENETIC,
            most_variables=200,
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
