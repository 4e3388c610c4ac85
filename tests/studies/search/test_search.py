import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import optuna
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.problem import Problem
from pymoo.optimize import minimize

from errors import InputError
from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable
from studies.definition.study_definition import SearchTable
from studies.problem.problem import FAILED, INFEASIBLE
from studies.search import check_fit, create_search, planned_designs, remarks
from studies.search.base import Start
from studies.search.directions import count_directions, layers, reference_directions
from studies.search.optuna_gp import OptunaGp
from studies.search.testing import SPACES, batch_fault
from studies.search.wrappers import PENALTY, Penalised, Scaled

REAL = DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(5)))
MIXED = DesignSpace(
    (RealVariable("x", "1", 0, 1), ChoiceVariable("n", "1", range(4)), ChoiceVariable("o", "", ("a", "b")))
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


def test_the_engine_limits_hold_without_a_study():
    space = DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(101)))
    table = SearchTable(algorithm="optuna-tpe", evaluations=10)
    with pytest.raises(InputError, match="at most 100 variables; the study has 101"):
        check_fit(table, space, 2, 0)
    wide = DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(1000)))
    with pytest.raises(InputError, match="at most 100000 designs are allowed"):
        check_fit(SearchTable(algorithm="lhs", evaluations=100_001), wide, 2, 0)
    with pytest.raises(InputError, match="needs at least 5 for 5 objectives"):
        check_fit(SearchTable(algorithm="nsga3", population=4, generations=1), REAL, 5, 0)


@pytest.mark.parametrize(
    ("population", "m", "partitions", "count"),
    [(92, 3, (12,), 91), (91, 3, (12,), 91), (90, 3, (11,), 78), (100, 2, (99,), 100), (275, 10, (3, 2), 275),
     (156, 8, (3, 2), 156), (135, 15, (2, 1), 135), (4, 5, (), 0), (6, 5, (1, 0), 6), (5, 5, (1,), 5), (4, 1, (1,), 1)],
)  # fmt: skip
def test_reference_directions_are_the_most_that_fit(population, m, partitions, count):
    """Partitions and counts as in Deb and Jain 2014, table I."""
    assert layers(population, m) == partitions
    assert count_directions(population, m) == count
    if count:
        directions = reference_directions(population, m)
        assert directions.shape == (count, m)
        assert directions.sum(axis=1) == pytest.approx(np.ones(count))
        assert (directions >= 0).all()
        assert len(np.unique(directions.round(9), axis=0)) == count


def test_the_number_of_directions_is_known_before_any_is_built():
    assert count_directions(2_000, 15) < 2_000
    assert count_directions(10**6, 15) <= 10**6


def test_what_an_algorithm_makes_of_a_population_is_reported():
    assert remarks(SearchTable(algorithm="nsga2"), 3) == []
    assert remarks(SearchTable(algorithm="nsga3"), 3) == [
        "nsga3 spreads 40 designs over 36 reference directions"
    ]
    told = remarks(SearchTable(algorithm="moead"), 3)
    assert told == ["moead works with 36 designs per generation, one per direction, not 40"]
    assert planned_designs(SearchTable(algorithm="moead", generations=10), REAL, 3) == 360
    search = create_search(SearchTable(algorithm="moead", generations=10), REAL, 3, 1)
    assert len(search.ask()) == 36


def test_scaled_objectives_keep_their_order_and_lose_their_size():
    told = []
    search = Scaled(SimpleNamespace(tell=lambda f, v: told.append((f, v)), ask=None))
    search.tell(np.zeros((2, 2)), np.array([FAILED, 1.0]))
    search.tell(np.array([[1e-7, 5e6], [3e-7, 1e6], [9.0, 9.0]]), np.array([0.0, 0.0, 1.0]))
    search.tell(np.array([[5e-7, 3e6]]), np.zeros(1))
    assert np.array_equal(told[0][0], np.zeros((2, 2)))
    assert told[1][0] == pytest.approx(np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]))
    assert told[2][0] == pytest.approx(np.array([[2.0, 0.5]]))


def test_penalties_are_behind_every_feasible_design_and_grow_with_the_violation():
    told = []
    search = Penalised(SimpleNamespace(tell=lambda f, v: told.append((f, v)), ask=None))
    search.tell(
        np.array([[1e20, -1e20], *[[0.0, 0.0]] * 4]),
        np.array([0.0, 1e-3, INFEASIBLE, INFEASIBLE + 1e-3, FAILED]),
    )
    values, violations = told[0]
    assert np.array_equal(values[0], [1e20, -1e20])
    assert (np.diff(values[1:, 0]) > 0).all()
    assert (values[1:] >= PENALTY).all()
    assert not violations.any()


@pytest.mark.parametrize("algorithm", ["de", "cma-es"])
@pytest.mark.parametrize("constrained", [False, True])
def test_one_objective_is_brought_down(algorithm, constrained):
    """A sphere around 0.3; the constraint keeps the first variable above 0.5."""
    search = create_search(SearchTable(algorithm=algorithm, population=20, generations=60), REAL, 1, 5)
    best = np.inf
    for _ in range(60):
        points = search.ask()
        values = ((points - 0.3) ** 2).sum(axis=1)
        broken = np.maximum(0.5 - points[:, 0], 0.0) if constrained else np.zeros(len(points))
        best = min(best, values[broken == 0].min(initial=np.inf))
        search.tell(values[:, None], broken)
    assert best == pytest.approx(0.04 if constrained else 0.0, abs=2e-3)


def test_cma_es_begins_anew_where_it_has_converged():
    line = DesignSpace((RealVariable("x", "1", 0.0, 1.0),))
    search = create_search(SearchTable(algorithm="cma-es", population=10, generations=200), line, 1, 2)
    spreads = []
    for _ in range(200):
        points = search.ask()
        spreads.append(np.ptp(points))
        search.tell(np.abs(points - 0.3), np.zeros(10))
    narrow = next(i for i, spread in enumerate(spreads) if spread < 1e-8)
    assert max(spreads[narrow:]) > 0.3


def test_choices_never_shrink_to_one_for_cma_es():
    space = DesignSpace((RealVariable("x", "1", 0, 1), ChoiceVariable("n", "1", range(8))))
    search = create_search(SearchTable(algorithm="cma-es", population=20, generations=40), space, 1, 2)
    for _ in range(40):
        points = search.ask()
        search.tell(((points - 0.31) ** 2).sum(axis=1)[:, None], np.zeros(20))
    assert len(np.unique(points[:, 1])) > 1


@pytest.mark.soak
def test_age_moea2_scores_equal_pymoos():
    from pymoo.algorithms.moo.age2 import AGEMOEA2Survival

    from studies.search.age_moea2 import Survival

    rng = np.random.default_rng(0)
    for m, n, shape in [(2, 4, 2.0), (2, 60, 0.5), (3, 60, 2.0), (5, 80, 1.5), (3, 2, 1.0)]:
        points = np.abs(rng.normal(size=(n, m)))
        front = points / ((points**shape).sum(axis=1) ** (1 / shape))[:, None] * 3 + 1
        theirs = AGEMOEA2Survival().survival_score(front.copy(), front.min(axis=0))
        ours = Survival().survival_score(front, front.min(axis=0))
        assert ours[0] == pytest.approx(theirs[0], rel=1e-9)
        assert ours[1:][0] == pytest.approx(theirs[1])
        assert ours[2] == pytest.approx(theirs[2])


def test_a_study_is_known_without_libraries_that_its_search_may_not_need():
    """Every command of `tautline study` would wait a second for them."""
    code = """
import sys, studies.run.launch
assert not {"scipy.stats", "scipy.optimize", "numba", "distributed", "optuna", "cma"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("label", ["mixed", "conditional", "equal parts", "linear"])
def test_designs_that_gaussian_processes_choose_are_settled_and_inside_the_region(label, monkeypatch):
    """The sampler knows no rules of a space: a random one stands for it, so that PyTorch is not needed."""
    monkeypatch.setattr("optuna.samplers.GPSampler", lambda seed, **_: optuna.samplers.RandomSampler(seed))
    monkeypatch.setattr("studies.search.optuna_gp._torch_on_one_thread", nullcontext)
    space = SPACES[label]
    table = SearchTable(algorithm="optuna-gp", population=16, generations=4, settings={"startup": 2})
    search = OptunaGp(Start(table, space, 2, 3, np.empty((0, len(space)))))
    for _ in range(3):
        points = search.ask()
        assert batch_fault(points, space) == ""
        assert space.region is None or space.region.holds(points).all()
        search.tell(np.stack([points[:, 0], -points[:, 0]], axis=1), np.zeros(len(points)))
