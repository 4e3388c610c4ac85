"""Searches in the steady state: asked and told in any order, and again in the order of a log."""

import numpy as np
import pytest

from errors import InputError
from studies.definition.space import ChoiceVariable, DesignSpace
from studies.definition.study_definition import SearchTable
from studies.search import check_search, create_steady_search
from studies.search.registry import OURS
from studies.search.testing import SPACES, objectives_of, results
from studies.search.wrappers import batch_fault
from tests.repetition import repeated

STEADY = [name for name, algorithm in OURS.items() if algorithm.asynchronous]


def begun(name, space, initial=None):
    table = SearchTable(algorithm=name, population=8, evaluations=200, asynchronous=True)
    check_search(table)
    points = np.empty((0, len(space))) if initial is None else initial
    return create_steady_search(table, space, objectives_of(name), 7, points)


def told(name, point):
    objectives, violations = results(name, point[None])
    return objectives[0], float(violations[0])


def shuffled(search, name, space, chance, designs=60):
    """Ask and tell at random, some designs of others between; the log as (asked, asks, point) per tell."""
    pending, asks, log = {}, 0, []
    while len(log) < designs:
        if len(pending) < 5 and asks < designs:
            point = search.ask()
            assert batch_fault(point, space) == ""
            pending[asks], asks = point[0], asks + 1
        elif chance.random() < 0.1:
            other = space.snap(chance.random((1, len(space))))[0]
            search.learn(other, *told(name, other))
            log.append((None, asks, other))
        else:
            asked = int(chance.choice(list(pending)))
            point = pending.pop(asked)
            search.tell(asked, *told(name, point))
            log.append((asked, asks, point))
    return log, [search.ask().tobytes() for _ in range(5)]


@pytest.mark.parametrize("name", STEADY)
@pytest.mark.parametrize("label", repeated(["real", "mixed", "one"], quick=["mixed"]))
def test_a_search_asked_and_told_in_the_logged_order_asks_for_the_same_designs(name, label):
    space = SPACES[label]
    log, following = shuffled(begun(name, space), name, space, np.random.default_rng(1))
    again, asked = begun(name, space), {}
    for number, asks, point in log:
        while len(asked) < asks:
            asked[len(asked)] = again.ask()[0]
        if number is None:
            again.learn(point, *told(name, point))
        else:
            assert asked[number].tobytes() == point.tobytes()
            again.tell(number, *told(name, point))
    assert [again.ask().tobytes() for _ in range(5)] == following


@pytest.mark.parametrize("name", STEADY)
def test_results_are_learned_from(name):
    """The last designs of a search are better than random ones, although five are under way."""
    space = SPACES["real"]
    log, _ = shuffled(begun(name, space), name, space, np.random.default_rng(2), designs=190)
    worth = [told(name, point) for _, _, point in log]
    sums = [float(objectives.sum()) if violation == 0.0 else 99.0 for objectives, violation in worth]
    assert np.median(sums[-60:]) < np.median(sums[:40])


@pytest.mark.parametrize("name", STEADY)
def test_initial_designs_come_first_and_a_small_space_ends(name):
    space = DesignSpace((ChoiceVariable("n", "1", range(3)), ChoiceVariable("o", "", ("a", "b"))))
    initial = space.snap(np.array([[0.9, 0.9], [0.1, 0.9]]))
    search = begun(name, space, initial)
    asked = []
    while len(point := search.ask()) and len(asked) < 200:
        search.tell(len(asked), *told(name, point[0]))
        asked.append(point[0])
    assert np.array(asked[:2]).tobytes() == initial.tobytes()
    assert len(np.unique(asked, axis=0)) <= 6
    assert len(asked) < 200


def test_the_population_of_differential_evolution_keeps_its_size_whatever_it_is_told():
    """Random designs of many workers, and those of others, compete with its worst member."""
    space = SPACES["real"]
    search = begun("de", space)
    for number in range(40):
        point = search.ask()[0]
        search.tell(number, *told("de", point))
    chance = np.random.default_rng(3)
    for point in chance.random((30, 5)):
        search.learn(point, *told("de", point))
    assert len(search._algorithm.pop) == 8
    search.learn(np.full(5, 0.4), np.array([-5.0]), 0.0)
    assert search._algorithm.pop.get("F").min() == -5.0
    search.learn(np.full(5, 0.6), np.array([-9.0]), 1.0)
    assert search._algorithm.pop.get("F").min() == -5.0


def test_a_generational_algorithm_is_refused_with_those_that_can():
    with pytest.raises(InputError, match=r"age-moea2 works by generations; .* nsga2, nsga3, sms-emoa, de"):
        check_search(SearchTable(algorithm="age-moea2", generations=3, asynchronous=True))
