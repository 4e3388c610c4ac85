"""MOEA/D: children belong to the problem of their parents, and no objective outweighs the others."""

import numpy as np
import pytest

from studies.definition.space import DesignSpace, RealVariable
from studies.definition.study_definition import SearchTable
from studies.search import create_search
from studies.search.base import Start
from studies.search.directions import reference_directions
from studies.search.multi_objective import moead

SPACE = DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(4)))
COPYING = {
    "crossover_probability": 0.0, "mutation_probability": 0.0, "neighbours": 3, "neighbour_mating": 1.0,
}  # fmt: skip


def table(**settings):
    return SearchTable(algorithm="moead", population=30, generations=5, settings=settings)


def objectives(points):
    g = 1 + 9 * points[:, 1:].mean(axis=1)
    return np.stack([points[:, 0], g * (1 - np.sqrt(points[:, 0] / g))], axis=1)


@pytest.mark.parametrize("more", [{}, {"prescreening": 4}])
def test_a_child_comes_from_neighbours_of_its_own_problem(more):
    """Without crossover and mutation a child is a copy of one of its parents."""
    search = moead(Start(table(**COPYING, **more), SPACE, 2, 1, np.empty((0, 4))))
    first = search.ask()
    search.tell(objectives(first), np.zeros(len(first)))
    algorithm = search._algorithm
    population = algorithm.pop.get("X")
    children = search.ask()
    problems = search._asked.get("index")
    assert sorted(problems) == list(range(30))
    for child, problem in zip(children, problems, strict=True):
        near = population[algorithm.neighbors[problem]]
        assert (near == child).all(axis=1).any()


@pytest.mark.parametrize("scale", [(1.0, 2.0**40), (2.0**-30, 1.0)])
def test_units_do_not_matter(scale):
    searches = [create_search(table(), SPACE, 2, 3) for _ in range(2)]
    for _ in range(8):
        one, other = (search.ask() for search in searches)
        assert np.array_equal(one, other)
        searches[0].tell(objectives(one), np.zeros(len(one)))
        searches[1].tell(objectives(one) * scale, np.zeros(len(one)))


def test_the_scale_is_that_of_the_present_designs():
    """The first generation is a million times farther from the ideal in one objective."""
    search = moead(Start(table(), SPACE, 2, 1, np.empty((0, 4))))
    for generation in range(4):
        points = search.ask()
        values = objectives(points)
        values[:, 1] *= 1e6 if generation == 0 else 1.0
        search.tell(values, np.zeros(len(points)))
    present = search._algorithm._range
    assert len(reference_directions(30, 2)) == len(points)
    assert present[1] < 1e3
