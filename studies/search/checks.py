"""Checks of a search before it starts, and the number of designs that it will ask for."""

from __future__ import annotations

from typing import cast

import numpy as np

from errors import InputError, Place
from studies.definition.grid import Grid
from studies.definition.space import DesignSpace
from studies.definition.study_definition import MAX_EVALUATIONS, SearchTable
from studies.search.algorithm import Algorithm, check_settings
from studies.search.base import FloatArray, Search, Start, SteadySearch
from studies.search.directions import count_directions
from studies.search.registry import installed, load, package_of
from studies.search.wrappers import Guarded, UntilExhausted, finite_size

MAX_NUMBERS = 100_000_000
"""Samples are drawn whole: designs x variables, 800 MB."""


def check_search(settings: SearchTable) -> None:
    """Raise ``InputError`` unless the algorithm exists and its budget is stated and allowed."""
    algorithm = load(settings.algorithm)
    if algorithm.extra is not None:
        algorithm.extra.require(algorithm.name)
    check_settings(algorithm.name, algorithm.settings, settings.settings)
    if algorithm.budget and all(getattr(settings, key) is None for key in algorithm.budget):
        *others, last = algorithm.budget
        raise InputError(f"needs {', '.join(others)} or {last} for {algorithm.name}", ("search",))
    if settings.asynchronous and not algorithm.asynchronous:
        able = ", ".join(each.name for each in installed() if each.asynchronous)
        raise InputError(
            f"{algorithm.name} works by generations; remove asynchronous, or choose one of {able}",
            ("search", "asynchronous"),
        )
    if settings.asynchronous and settings.settings.get("prescreening", 1) != 1:
        text = "chooses among the children of a generation; remove it, or remove asynchronous"
        raise InputError(text, ("search", "settings", "prescreening"))
    if settings.from_ and not algorithm.budget:
        raise InputError(
            f"{algorithm.name} evaluates its own list of designs; remove from", ("search", "from")
        )
    if settings.population > algorithm.most_population:
        raise InputError(
            f"{settings.population} is too large for {algorithm.name}; at most {algorithm.most_population}",
            ("search", "population"),
        )


def first_generation(settings: SearchTable, n_objectives: int) -> int:
    """Number of designs in the first generation, or in the first batch."""
    return load(settings.algorithm).population(settings, n_objectives)


def check_fit(settings: SearchTable, space: DesignSpace, n_objectives: int, n_constraints: int) -> None:
    """Raise ``InputError`` unless the algorithm suits the problem and its effort is bounded."""
    algorithm = load(settings.algorithm)
    _check_goals(algorithm, n_objectives, n_constraints)
    if len(space) > algorithm.most_variables:
        raise InputError(
            f"{algorithm.name} takes at most {algorithm.most_variables} variables; the study has "
            f"{len(space)}",
            ("search", "algorithm"),
        )
    if algorithm.directions and count_directions(settings.population, n_objectives) == 0:
        raise InputError(
            f"{algorithm.name} needs at least {n_objectives} for {n_objectives} objectives, one per "
            f"reference direction; it is {settings.population}",
            ("search", "population"),
        )
    _check_size(algorithm, settings, space, n_objectives)


def check_initial(settings: SearchTable, n_objectives: int, count: int, place: Place) -> None:
    """Raise ``InputError`` for initial designs that have no room in the first generation."""
    algorithm = load(settings.algorithm)
    if count and not algorithm.budget:
        raise InputError(f"{algorithm.name} evaluates its own list of designs; remove initial", place)
    room = algorithm.population(settings, n_objectives)
    if count > room:
        raise InputError(
            f"has {count} designs, but the first generation of {algorithm.name} holds {room}; raise "
            "search.population or give fewer",
            place,
        )


def _check_goals(algorithm: Algorithm, n_objectives: int, n_constraints: int) -> None:
    least, most = algorithm.objectives
    if not least <= n_objectives <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        raise InputError(
            f"{algorithm.name} takes {allowed} objective{'s' * (most > 1)}, the study has {n_objectives}; "
            f"for {n_objectives} choose one of {_suited(n_objectives, constrained=n_constraints > 0)}",
            ("search", "algorithm"),
        )
    if n_constraints and not algorithm.constraints:
        raise InputError(
            f"{algorithm.name} takes no constraints, the study has {n_constraints}; choose one of "
            f"{_suited(n_objectives, constrained=True)}",
            ("search", "algorithm"),
        )


def _suited(n_objectives: int, *, constrained: bool) -> str:
    """The algorithms that take such goals, by name."""
    return ", ".join(
        algorithm.name
        for algorithm in installed()
        if algorithm.objectives[0] <= n_objectives <= algorithm.objectives[1]
        and (algorithm.constraints or not constrained)
    )


def _check_size(algorithm: Algorithm, settings: SearchTable, space: DesignSpace, n_objectives: int) -> None:
    designs = stated_designs(settings, space, n_objectives)
    if designs == 0:
        raise InputError(
            "no design of the grid satisfies the constraints on variables; raise points, or choose another "
            "algorithm",
            ("search", "points"),
        )
    if designs is not None and designs > algorithm.most_designs:
        if algorithm.name == "grid":
            shape = " x ".join(str(n) for n in space.grid_shape(settings.points)[:12])
            raise InputError(
                f"the full grid has {shape} = {designs:.3g} designs; at most {MAX_EVALUATIONS} are allowed: "
                "lower points or choose lhs or sobol",
                ("search", "points"),
            )
        raise InputError(
            f"asks for {designs} designs per run; at most {algorithm.most_designs} are allowed for "
            f"{algorithm.name}",
            ("search",),
        )
    if (
        designs is not None
        and not algorithm.learns
        and algorithm.budget
        and designs * len(space) > MAX_NUMBERS
    ):
        raise InputError(
            f"{designs} designs of {len(space)} variables are too many to sample; at most "
            f"{MAX_NUMBERS // len(space)} designs are allowed",
            ("search",),
        )


def described(name: str) -> Algorithm:
    """An algorithm; one without limits where it is not installed: its studies are shown all the same."""
    try:
        return load(name)
    except InputError:
        return Algorithm(name, "", "", lambda start: load(name).create(start))


def stated_designs(settings: SearchTable, space: DesignSpace, n_objectives: int) -> int | None:
    """Designs per run by the stated generations and evaluations; None when neither is stated."""
    if described(settings.algorithm).budget:
        return stated_budget(settings, n_objectives)
    return Grid(space, settings.points).size


def stated_budget(settings: SearchTable, n_objectives: int) -> int | None:
    """The same for an algorithm with a budget, whatever it searches; None for a grid, too."""
    algorithm = described(settings.algorithm)
    if not algorithm.budget:
        return None
    limits = [settings.evaluations] if settings.evaluations is not None else []
    if settings.generations is not None:
        limits.append(settings.generations * algorithm.population(settings, n_objectives))
    return min(limits, default=None)


def planned_designs(settings: SearchTable, space: DesignSpace, n_objectives: int) -> int:
    """Designs that one run asks for at most; where only time ends it, as many as are ever allowed."""
    stated = stated_designs(settings, space, n_objectives)
    return described(settings.algorithm).most_designs if stated is None else stated


def remarks(settings: SearchTable, n_objectives: int) -> list[str]:
    """Sentences on what the algorithm makes of the settings, for ``tautline study check``."""
    algorithm = load(settings.algorithm)
    if not algorithm.directions:
        return []
    count = count_directions(settings.population, n_objectives)
    if algorithm.directions == "members" and count != settings.population:
        text = f"works with {count} designs per generation, one per direction, not {settings.population}"
    else:
        text = f"spreads {settings.population} designs over {count} reference directions"
    return [f"{algorithm.name} {text}"]


def create_search(
    settings: SearchTable, space: DesignSpace, n_objectives: int, seed: int, initial: FloatArray | None = None
) -> Search:
    """Start the algorithm that ``settings`` name, from snapped initial points ``(k, d)`` if there are any."""
    algorithm = load(settings.algorithm)
    points = np.empty((0, len(space))) if initial is None else initial
    start = Start(settings, space, n_objectives, seed, points)
    package = package_of(algorithm.name)
    search = Guarded(algorithm, start, package) if package else cast(Search, algorithm.create(start))
    return UntilExhausted(search, space) if _may_exhaust(algorithm, settings, space, n_objectives) else search


def create_steady_search(
    settings: SearchTable, space: DesignSpace, n_objectives: int, seed: int, initial: FloatArray
) -> SteadySearch:
    """Start the algorithm that asynchronous ``settings`` name, from snapped points ``(k, d)``."""
    algorithm = load(settings.algorithm)
    search = cast(SteadySearch, algorithm.create(Start(settings, space, n_objectives, seed, initial)))
    return UntilExhausted(search, space) if _may_exhaust(algorithm, settings, space, n_objectives) else search


def _may_exhaust(algorithm: Algorithm, settings: SearchTable, space: DesignSpace, n_objectives: int) -> bool:
    """True where the budget reaches every design of a finite space."""
    size = finite_size(space)
    return algorithm.learns and size is not None and size <= planned_designs(settings, space, n_objectives)
