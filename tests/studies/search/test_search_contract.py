"""Our search algorithms pass the contract; what it costs too much to ask of every one is here."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable
from studies.problem.problem import FAILED, INFEASIBLE
from studies.search.registry import OURS
from studies.search.testing import SPACES, WORST, SearchContract, objectives_of, start, stream

ALWAYS = [name for name, algorithm in OURS.items() if algorithm.extra is None]
LEARNING = [name for name in ALWAYS if OURS[name].learns]


class TestSearchContract(SearchContract):
    algorithms = tuple(ALWAYS)


@pytest.mark.soak
@pytest.mark.parametrize("name", ALWAYS)
@pytest.mark.parametrize("case", list(WORST))
@pytest.mark.parametrize("label", list(SPACES))
def test_the_worst_results_are_survived_in_every_space(name, case, label):
    m, space = objectives_of(name), SPACES[label]
    one, two = (stream(start(name, space), name, 6, lambda p: WORST[case](m, p)) for _ in range(2))
    assert [a.tobytes() for a in one] == [b.tobytes() for b in two]
    assert all(np.array_equal(space.snap(points), points) for points in one)


@pytest.mark.parametrize("name", LEARNING)
def test_a_small_space_ends_the_search_when_every_design_was_tried(name):
    space = DesignSpace((ChoiceVariable("n", "1", range(3)), ChoiceVariable("o", "", ("a", "b"))))
    asked = np.concatenate(stream(start(name, space, generations=400), name, 400))
    assert len(np.unique(asked, axis=0)) <= 6
    assert len(asked) < 400 * 8


@pytest.mark.parametrize("name", ["nsga2", "nsga3", "u-nsga3", "age-moea2", "sms-emoa"])
def test_genetic_algorithms_ask_for_no_design_twice_in_a_generation(name):
    space = DesignSpace((ChoiceVariable("n", "1", range(15)), ChoiceVariable("o", "", ("a", "b", "c", "d"))))
    for points in stream(start(name, space), name, 5):
        assert len(np.unique(points, axis=0)) == len(points)


@pytest.mark.parametrize("name", ALWAYS)
def test_many_variables_cost_a_bounded_time(name):
    if name == "grid":
        space = DesignSpace(tuple(ChoiceVariable(f"x{i}", "", ("a",)) for i in range(999)))
    else:
        count = OURS[name].most_variables
        space = DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(count)))
    search = start(name, space, population=8, generations=2)
    begin = time.process_time()
    stream(search, name, 2)
    assert time.process_time() - begin < 12


@pytest.mark.parametrize("name", LEARNING)
@settings(max_examples=10)
@given(told=st.data())
def test_any_finite_numbers_are_taken(name, told):
    search = start(name, SPACES["mixed"])
    levels = st.sampled_from([0.0, 0.0, 0.25, INFEASIBLE, INFEASIBLE + 0.5, FAILED])
    for _ in range(3):
        points = search.ask()
        if len(points) == 0:
            return
        numbers = st.floats(-1e12, 1e12) | st.sampled_from([0.0, 1.0, -1.0])
        values = told.draw(arrays(float, (len(points), objectives_of(name)), elements=numbers))
        search.tell(values, told.draw(arrays(float, len(points), elements=levels)))
        assert np.isfinite(points).all()
