"""A search algorithm as study files see it: its name, its limits, its settings and its start.

What a study file does not set has the value of the library that an algorithm comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from errors import InputError, Place, UnknownNameError
from studies.definition.study_definition import MAX_EVALUATIONS, MAX_OBJECTIVES, MAX_VARIABLES, SearchTable
from studies.search.base import Search, Start, SteadySearch
from studies.search.directions import count_directions

Value = int | float | str
_PLACE: Place = ("search", "settings")


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of an algorithm.

    Parameters
    ----------
    name, meaning : str
    default : str
        What it is when it is not set, in words.
    least, most : float
        The range of a number, both ends included.
    whole : bool
        Whether it is a whole number.
    choices : tuple of str
        The words that it may be, instead of a range.
    only : tuple of (str, str), optional
        Another setting and the value of it for which this one means anything; that is its default, too.
    """

    name: str
    meaning: str
    default: str
    least: float = 0.0
    most: float = 1.0
    whole: bool = False
    choices: tuple[str, ...] = ()
    only: tuple[str, str] | None = None

    @property
    def allowed(self) -> str:
        """Allowed values, in words."""
        if self.choices:
            return " or ".join(f"'{choice}'" for choice in self.choices)
        return f"a {'whole ' * self.whole}number from {self.least:g} to {self.most:g}"

    def check(self, value: Value) -> None:
        """Raise ``InputError`` for a value that it cannot have."""
        if isinstance(value, str) or self.choices:
            good = value in self.choices
        else:
            good = self.least <= value <= self.most and (not self.whole or isinstance(value, int))
        if not good:
            shown = f"'{value}'" if isinstance(value, str) else f"{value:g}"
            text = f"{shown}: must be {self.allowed} ({self.meaning})"
            raise InputError(text, (*_PLACE, self.name))


def check_settings(algorithm: str, known: Sequence[Setting], given: Mapping[str, Value]) -> None:
    """Raise ``InputError`` for a setting that an algorithm does not have, or a value out of range."""
    by_name = {setting.name: setting for setting in known}
    for name, value in given.items():
        if not known:
            raise InputError(f"{algorithm} has no settings; remove them", _PLACE)
        if name not in by_name:
            raise UnknownNameError(f"setting of {algorithm}", name, by_name, (*_PLACE, name))
        setting = by_name[name]
        setting.check(value)
        if setting.only is not None:
            other, wanted = setting.only
            if given.get(other, wanted) != wanted:
                text = f'belongs to {other} = "{wanted}", and the study sets {other} = "{given[other]}"'
                raise InputError(text, (*_PLACE, name))


def genetic(eta: str, probability: str) -> tuple[Setting, ...]:
    """The settings of pymoo's genetic algorithms, which differ in the defaults of their crossover."""
    return (
        Setting("crossover", "how two parents make children", "sbx", choices=("sbx", "uniform")),
        Setting("crossover_probability", "share of pairs that are crossed", probability),
        Setting(
            "crossover_eta", "how close children stay to their parents: the larger, the closer", eta,
            1.0, 1000.0, only=("crossover", "sbx"),
        ),
        Setting(
            "mutation_eta", "how close a mutated value stays to the old one: the larger, the closer", "20",
            1.0, 100.0,
        ),
        Setting("mutation_probability", "share of designs that may be mutated", "0.9"),
        Setting(
            "mutation_rate", "share of variables of such a design that change", "1 by number of variables"
        ),
    )  # fmt: skip


PRESCREENING = (
    Setting(
        "prescreening", "children bred for each that is evaluated; Gaussian processes choose among them",
        "1, no choice", 1.0, 50.0, whole=True,
    ),
)  # fmt: skip
NEIGHBOURS = (
    Setting("neighbours", "problems that share designs with each other", "20", 2.0, 2000.0, whole=True),
    Setting("neighbour_mating", "share of parents that are neighbours", "0.9"),
)
DIFFERENTIAL = (
    Setting(
        "variant", "which designs a difference is added to", "DE/best/1/bin",
        choices=("DE/best/1/bin", "DE/rand/1/bin", "DE/best/1/exp", "DE/rand/1/exp"),
    ),
    Setting("weight", "factor of the difference between two designs", "0.5", 0.0, 2.0),
    Setting("crossover_rate", "share of variables that are taken from the changed design", "0.2"),
)  # fmt: skip
STRATEGY = (
    Setting("step", "standard deviation of the first generation, as a share of each range", "0.3", 0.001),
)
PARZEN = (
    Setting("startup", "random designs before the first estimate", "10", 1.0, 2000.0, whole=True),
    Setting("candidates", "designs among which the estimate chooses", "24", 1.0, 1000.0, whole=True),
)
GAUSSIAN = (
    Setting("startup", "designs of a Sobol sequence before the first process", "10", 2.0, 500.0, whole=True),
)
OPTUNA_GENETIC = (
    Setting("crossover_probability", "share of children with two parents", "0.9"),
    Setting("swapping_probability", "share of variables that come from the second parent", "0.5"),
    Setting("mutation_rate", "share of variables that change", "1 by number of variables"),
)


Budget = Literal["generations", "evaluations", "wall_time"]
ENDLESS: tuple[Budget, ...] = ("generations", "evaluations", "wall_time")
"""Budgets of a search that would go on for ever."""
LARGE_POPULATION = 2_000
"""Populations beyond it would take gigabytes or minutes per generation in most algorithms."""


@dataclass(frozen=True, slots=True)
class Extra:
    """Part of Tautline that is installed apart: its name, a module of its package, the package in words."""

    name: str
    module: str
    package: str

    def require(self, what: str) -> None:
        """Raise ``InputError`` where the package is missing that ``what`` needs."""
        if find_spec(self.module) is None:
            text = f"{what} needs {self.package}, which is not installed: pip install 'tautline[{self.name}]'"
            raise InputError(f"{text}; the other algorithms need nothing more", ("search", "algorithm"))


GP = Extra("gp", "torch", "PyTorch (5.5 GB with its CUDA libraries)")


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A search algorithm that study files can name.

    Parameters
    ----------
    name, summary : str
        The summary ends with where the algorithm was published.
    suits : str
        What somebody has who should take it: a row of the table in ``docs/guide/algorithms.md``.
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
    asynchronous : bool
        True where ``create`` makes a :class:`~studies.search.base.SteadySearch` of settings that want one.
    extra : Extra, optional
        Package that it needs beside those of Tautline.
    """

    name: str
    summary: str
    suits: str
    create: Callable[[Start], Search | SteadySearch]
    budget: tuple[Budget, ...] = ENDLESS
    objectives: tuple[int, int] = (1, MAX_OBJECTIVES)
    constraints: bool = True
    most_designs: int = MAX_EVALUATIONS
    most_population: int = LARGE_POPULATION
    most_variables: int = MAX_VARIABLES
    directions: Literal["", "niches", "members"] = ""
    learns: bool = True
    fixed: str = ""
    settings: tuple[Setting, ...] = ()
    asynchronous: bool = False
    extra: Extra | None = None

    def population(self, settings: SearchTable, n_objectives: int) -> int:
        """Designs per generation, as the algorithm rounds what the study states."""
        if self.directions == "members":
            return count_directions(settings.population, n_objectives)
        return settings.population
