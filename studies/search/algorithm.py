"""A search algorithm as study files see it: its name, its limits, and its start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from studies.definition.study_definition import MAX_EVALUATIONS, MAX_OBJECTIVES, MAX_VARIABLES, SearchTable
from studies.search.base import Search, Start
from studies.search.directions import count_directions
from studies.search.settings import Setting

Budget = Literal["generations", "evaluations", "wall_time"]
ENDLESS: tuple[Budget, ...] = ("generations", "evaluations", "wall_time")
"""Budgets of a search that would go on for ever."""
LARGE_POPULATION = 2_000
"""Populations beyond it would take gigabytes or minutes per generation in most algorithms."""


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

    def population(self, settings: SearchTable, n_objectives: int) -> int:
        """Designs per generation, as the algorithm rounds what the study states."""
        if self.directions == "members":
            return count_directions(settings.population, n_objectives)
        return settings.population
