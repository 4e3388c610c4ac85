"""Algorithms by the name that study files use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from models.errors import InputError, UnknownNameError
from studies.definition import MAX_EVALUATIONS, SearchTable
from studies.search.base import Search
from studies.search.evolution import nsga2
from studies.search.sampling import full_grid, latin_hypercube, sobol
from studies.space import DesignSpace


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A search algorithm that study files can name.

    ``create(settings, space, n_objectives, seed)`` starts it; ``generational`` ones need
    ``generations`` or ``evaluations``, samplers ``evaluations``, the grid neither.
    """

    name: str
    summary: str
    create: Callable[[SearchTable, DesignSpace, int, int], Search]
    budget: tuple[str, ...]


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm(
            "nsga2",
            "Elitist genetic algorithm for two or three objectives (Deb et al. 2002).",
            nsga2,
            ("generations", "evaluations"),
        ),
        Algorithm("lhs", "Latin hypercube sample.", latin_hypercube, ("evaluations", "generations")),
        Algorithm("sobol", "Scrambled Sobol sequence.", sobol, ("evaluations", "generations")),
        Algorithm("grid", "Every combination of evenly spaced values.", full_grid, ()),
    )
}


def check_search(settings: SearchTable) -> None:
    """Raise ``InputError`` unless the algorithm exists and its budget is stated and allowed."""
    if settings.algorithm not in ALGORITHMS:
        raise UnknownNameError("algorithm", settings.algorithm, ALGORITHMS, "search.algorithm")
    needed = ALGORITHMS[settings.algorithm].budget
    if needed and settings.generations is None and settings.evaluations is None:
        raise InputError(f"needs {' or '.join(needed)} for {settings.algorithm}", "search")
    planned = settings.planned_evaluations
    if planned is not None and planned > MAX_EVALUATIONS:
        raise InputError(
            f"asks for {planned} designs per run; at most {MAX_EVALUATIONS} are allowed", "search"
        )


def create_search(settings: SearchTable, space: DesignSpace, n_objectives: int, seed: int) -> Search:
    """Start the algorithm that ``settings`` name."""
    return ALGORITHMS[settings.algorithm].create(settings, space, n_objectives, seed)
