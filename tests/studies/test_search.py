import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.problem import Problem
from pymoo.optimize import minimize

from studies.definition import SearchTable
from studies.search import ALGORITHMS, create_search
from studies.space import ChoiceVariable, DesignSpace, RealVariable

REAL = DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(5)))
MIXED = DesignSpace(
    (RealVariable("x", "1", 0, 1), ChoiceVariable("n", "1", range(4)), ChoiceVariable("o", "", "ab"))
)


def objectives(points):
    g = 1 + 9 * points[:, 1:].mean(axis=1)
    return np.stack([points[:, 0], g * (1 - np.sqrt(points[:, 0] / g))], axis=1)


def violations(points):
    return np.maximum(points[:, 0] - 0.7, 0.0)


def stream(settings, space, seed, batches):
    search = create_search(settings, space, 2, seed)
    asked = []
    for _ in range(batches):
        points = search.ask()
        if len(points) == 0:
            break
        asked.append(points)
        search.tell(objectives(points), violations(points))
    return asked


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("space", [REAL, MIXED], ids=["real", "mixed"])
def test_same_seed_and_answers_give_the_same_stream_bit_for_bit(algorithm, space):
    settings = SearchTable(algorithm=algorithm, population=8, generations=6, points=3)
    one, two = stream(settings, space, 7, 6), stream(settings, space, 7, 6)
    assert [a.tobytes() for a in one] == [b.tobytes() for b in two]
    assert all(((p >= 0) & (p <= 1)).all() and np.isfinite(p).all() for p in one)
    assert all(np.array_equal(space.snap(p), p) for p in one)


@pytest.mark.parametrize("algorithm", ["nsga2", "lhs", "sobol"])
def test_another_seed_gives_another_stream(algorithm):
    settings = SearchTable(algorithm=algorithm, population=8, generations=2)
    assert stream(settings, REAL, 1, 1)[0].tobytes() != stream(settings, REAL, 2, 1)[0].tobytes()


def test_nsga2_equals_pymoos_own_run():
    class Zdt1(Problem):
        def __init__(self):
            super().__init__(n_var=5, n_obj=2, n_ieq_constr=1, xl=0.0, xu=1.0)

        def _evaluate(self, x, out, *_, **__):
            out["F"], out["G"] = objectives(x), violations(x)[:, None]

    result = minimize(Zdt1(), NSGA2(pop_size=20), ("n_gen", 15), seed=3)
    search = create_search(SearchTable(population=20, generations=15), REAL, 2, 3)
    for _ in range(15):
        points = search.ask()
        search.tell(objectives(points), violations(points))
    # the last population of pymoo is what our search would breed from: compare by what is asked next
    theirs = result.algorithm
    ours = search._algorithm
    assert np.array_equal(np.sort(ours.pop.get("F"), axis=0), np.sort(theirs.pop.get("F"), axis=0))


def test_nsga2_asks_for_no_design_twice_in_a_generation():
    space = DesignSpace((ChoiceVariable("n", "1", range(6)), ChoiceVariable("o", "", "ab")))
    for points in stream(SearchTable(population=8, generations=20), space, 1, 20):
        assert len(np.unique(points, axis=0)) == len(points)


def test_latin_hypercube_puts_one_design_in_every_slice():
    points = np.concatenate(stream(SearchTable(algorithm="lhs", population=7, evaluations=50), REAL, 1, 99))
    assert points.shape == (50, 5)
    for column in points.T:
        assert sorted(np.floor(column * 50)) == list(range(50))


def test_sobol_balances_a_power_of_two():
    points = np.concatenate(
        stream(SearchTable(algorithm="sobol", population=16, evaluations=64), REAL, 1, 99)
    )
    for column in points.T:
        assert np.bincount((column * 4).astype(int), minlength=4).tolist() == [16] * 4


def test_grid_is_every_combination_once_with_its_ends():
    asked = np.concatenate(stream(SearchTable(algorithm="grid", population=5, points=3), MIXED, 1, 99))
    designs = [tuple(MIXED.decode(u).values()) for u in asked]
    assert set(designs) == {(x, n, o) for x in (0.0, 0.5, 1.0) for n in range(4) for o in "ab"}
    assert len(designs) == 24
