"""Evolutionary algorithms for several objectives, by pymoo.

pymoo's own operators and settings unless a study sets others; what differs is said where it differs. Each
function starts one algorithm and imports no other, because some take a second to load.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies.search.base import Search, Start, SteadySearch
from studies.search.directions import reference_directions
from studies.search.pymoo_search import FirstGeneration, PymooSearch, Snap, driven
from studies.search.wrappers import Scaled, scaled


def nsga2(start: Start) -> Search | SteadySearch:
    """NSGA-II: nondominated sorting, then crowding."""
    from pymoo.algorithms.moo.nsga2 import NSGA2

    return driven(NSGA2(pop_size=start.population, **_genetic(start, eta=15, probability=0.9)), start)


def nsga3(start: Start) -> Search | SteadySearch:
    """NSGA-III: nondominated sorting, then niches around reference directions."""
    from pymoo.algorithms.moo.nsga3 import NSGA3, comp_by_cv_then_random

    return scaled(driven(NSGA3(**_niches(start, comp_by_cv_then_random)), start), start)


def unsga3(start: Start) -> Search:
    """U-NSGA-III: NSGA-III with selection pressure inside the niches."""
    from pymoo.algorithms.moo.unsga3 import UNSGA3, comp_by_rank_and_ref_line_dist

    own = UNSGA3(**_niches(start, comp_by_rank_and_ref_line_dist))
    return Scaled(PymooSearch(own, start))


def age_moea2(start: Start) -> Search:
    """AGE-MOEA-II: estimates the front's geometry and spreads designs along it."""
    from studies.search.age_moea2 import age_moea2 as algorithm

    own = algorithm(pop_size=start.population, **_genetic(start, eta=15, probability=0.9))
    return Scaled(PymooSearch(own, start))


def sms_emoa(start: Start) -> Search | SteadySearch:
    """SMS-EMOA: drops the designs that contribute least hypervolume."""
    from pymoo.algorithms.moo.sms import SMSEMOA

    own = SMSEMOA(pop_size=start.population, **_genetic(start, eta=15, probability=0.9))
    return driven(own, start)


def moead(start: Start) -> Search:
    """MOEA/D by generations: one scalar problem per reference direction, neighbours help each other."""
    from studies.search.moead import GenerationalMOEAD

    directions = reference_directions(start.population, start.n_objectives)
    given = start.settings.settings
    names = {"neighbours": "n_neighbors", "neighbour_mating": "prob_neighbor_mating"}
    own = {names[name]: value for name, value in given.items() if name in names}
    operators = _operators(start, eta=20, probability=1.0)
    algorithm = GenerationalMOEAD(directions, **_common(start), **operators, **own)
    return PymooSearch(algorithm, start, constrained=False)


def _common(start: Start) -> dict[str, Any]:
    return {"sampling": FirstGeneration(start), "repair": Snap(start.space)}


def _genetic(start: Start, *, eta: float, probability: float) -> dict[str, Any]:
    """Settings of the algorithms that breed a population without duplicates."""
    operators = _operators(start, eta=eta, probability=probability)
    return {**_common(start), **operators, "eliminate_duplicates": True}


def _operators(start: Start, *, eta: float, probability: float) -> dict[str, Any]:
    """The operators that a study sets; pymoo's own, with these defaults, for the others."""
    from pymoo.operators.crossover.sbx import SBX
    from pymoo.operators.crossover.ux import UX
    from pymoo.operators.mutation.pm import PM

    given: dict[str, Any] = dict(start.settings.settings)
    found: dict[str, Any] = {}
    if any(name.startswith("crossover") for name in given):
        share = given.get("crossover_probability", probability)
        uniform = given.get("crossover") == "uniform"
        close = given.get("crossover_eta", eta)
        found["crossover"] = UX(prob=share) if uniform else SBX(eta=close, prob=share)
    if any(name.startswith("mutation") for name in given):
        found["mutation"] = PM(
            eta=given.get("mutation_eta", 20),
            prob=given.get("mutation_probability", 0.9),
            prob_var=given.get("mutation_rate"),
        )
    return found


def _niches(start: Start, compare: Callable[..., Any]) -> dict[str, Any]:
    """Settings of the two algorithms that work with reference directions."""
    from pymoo.operators.selection.tournament import TournamentSelection

    return {
        "ref_dirs": reference_directions(start.population, start.n_objectives),
        "pop_size": start.population,
        "selection": TournamentSelection(func_comp=_reproducible(compare)),
        **_genetic(start, eta=30, probability=1.0),
    }


def _reproducible(compare: Callable[..., Any]) -> Callable[..., Any]:
    """``compare`` with equal violations decided by the search's own random numbers.

    pymoo 0.6.2 draws these ties from a generator without a seed, so that no two runs were alike.
    """

    def compare_again(pop: Any, pairs: NDArray[np.int64], random_state: Any, **settings: Any) -> Any:
        winners = compare(pop, pairs, random_state=random_state, **settings)
        violations = np.array([member.CV[0] for member in pop])[pairs]
        tied = np.flatnonzero((violations[:, 0] == violations[:, 1]) & (violations[:, 0] > 0.0))
        if len(tied):
            winners[tied, 0] = pairs[tied, random_state.integers(0, 2, len(tied))]
        return winners

    return compare_again
