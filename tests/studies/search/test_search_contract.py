"""What every search algorithm must do, whatever it is told."""

import hashlib
import logging
import os
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from studies.definition import SearchTable
from studies.problem import FAILED, INFEASIBLE
from studies.search import ALGORITHMS, create_search
from studies.space import ChoiceVariable, DesignSpace, RealVariable

SPACES = {
    "real": DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(5))),
    "one": DesignSpace((RealVariable("x", "1", -1.0, 1.0),)),
    "mixed": DesignSpace((
        RealVariable("x", "1", 0, 1), ChoiceVariable("n", "1", range(4)), ChoiceVariable("o", "", "abc"),
    )),
    "fixed": DesignSpace((RealVariable("x", "1", 0, 1), ChoiceVariable("o", "", ("only",)))),
}  # fmt: skip
LEARNING = [name for name, algorithm in ALGORITHMS.items() if algorithm.learns]
ENDLESS = [name for name, algorithm in ALGORITHMS.items() if algorithm.budget]


def goals(name):
    """Two objectives where the algorithm takes them."""
    return min(2, ALGORITHMS[name].objectives[1])


def start(name, space, seed=7, population=8, generations=6, initial=None):
    table = SearchTable(algorithm=name, population=population, generations=generations, points=3)
    return create_search(table, space, goals(name), seed, initial)


def objectives(name, points):
    g = 1 + 9 * points[:, 1:].sum(axis=1) / max(points.shape[1] - 1, 1)
    return np.stack([points[:, 0], g * (1 - np.sqrt(points[:, 0] / g))], axis=1)[:, : goals(name)]


def violations(points):
    """Zero, broken constraints, no metrics at all, and failed."""
    levels = np.array([0.0, 0.0, 0.1, INFEASIBLE + 1.0, FAILED])
    return np.where(points[:, 0] < 0.5, 0.0, levels[(points[:, 0] * 997).astype(int) % 5])


def stream(search, name, batches, told=None):
    asked = []
    for _ in range(batches):
        points = search.ask()
        if len(points) == 0:
            break
        asked.append(points)
        search.tell(*(told(points) if told else (objectives(name, points), violations(points))))
    return asked


def digests():
    """A line per algorithm and space, to be compared between processes."""
    lines = []
    for name in ALGORITHMS:
        for label in ("real", "mixed"):
            asked = stream(start(name, SPACES[label]), name, 3)
            lines.append(f"{name} {label} {hashlib.sha256(b''.join(p.tobytes() for p in asked)).hexdigest()}")
    return lines


WORST = {
    "all failed": lambda m, p: (np.zeros((len(p), m)), np.full(len(p), FAILED)),
    "all infeasible": lambda m, p: (np.zeros((len(p), m)), INFEASIBLE + p[:, 0]),
    "all equal": lambda m, p: (np.full((len(p), m), 3.0), np.zeros(len(p))),
    "no trade-off": lambda m, p: (np.repeat(p[:, :1] * 1e9 - 1e8, m, axis=1), np.zeros(len(p))),
    "one feasible": lambda m, p: (np.zeros((len(p), m)), np.where(np.arange(len(p)) == 1, 0.0, FAILED)),
}
SPACE_OF = {
    "all failed": "real", "all infeasible": "mixed", "all equal": "fixed", "no trade-off": "one", "one feasible": "mixed",
}  # fmt: skip
WORST_CASES = [
    pytest.param(case, label, marks=[] if SPACE_OF[case] == label else pytest.mark.soak)
    for case in WORST
    for label in SPACES
]


@pytest.fixture(params=list(ALGORITHMS))
def name(request):
    return request.param


@pytest.fixture(params=list(SPACES))
def space(request):
    return SPACES[request.param]


class TestSearchContract:
    def test_points_are_snapped_and_in_the_cube_and_repeat_bit_for_bit(self, name, space):
        one, two = (stream(start(name, space), name, 6) for _ in range(2))
        assert [a.tobytes() for a in one] == [b.tobytes() for b in two]
        assert one
        for points in one:
            assert points.dtype == np.float64
            assert points.shape[1] == len(space)
            assert ((points >= 0) & (points <= 1)).all()
            assert np.array_equal(space.snap(points), points)

    def test_a_search_given_the_first_rows_goes_on_as_the_one_that_was_not_stopped(self, name):
        whole = stream(start(name, SPACES["mixed"]), name, 6)
        again = start(name, SPACES["mixed"])
        stream(again, name, 3)
        rest = stream(again, name, 3)
        assert [p.tobytes() for p in whole[3:]] == [p.tobytes() for p in rest]

    @pytest.mark.parametrize(("case", "label"), WORST_CASES)
    def test_the_worst_results_are_survived_and_repeat(self, name, case, label):
        m, space = goals(name), SPACES[label]
        one, two = (stream(start(name, space), name, 6, lambda p: WORST[case](m, p)) for _ in range(2))
        assert [a.tobytes() for a in one] == [b.tobytes() for b in two]
        assert all(np.array_equal(space.snap(points), points) for points in one)

    def test_another_seed_gives_another_stream(self, name):
        one, two = (start(name, SPACES["real"], seed).ask() for seed in (1, 2))
        assert (one.tobytes() == two.tobytes()) == (name == "grid")

    def test_nothing_else_in_the_process_is_touched(self, name, capfd):
        np.random.seed(5)  # noqa: NPY002
        before = np.random.get_state()[1].tobytes(), list(warnings.filters), logging.getLogger("optuna").level  # noqa: NPY002
        stream(start(name, SPACES["mixed"]), name, 3)
        after = np.random.get_state()[1].tobytes(), list(warnings.filters), logging.getLogger("optuna").level  # noqa: NPY002
        assert before == after
        assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ENDLESS)
@pytest.mark.parametrize("label", ["real", "mixed"])
def test_initial_designs_come_first_bit_for_bit(name, label):
    space = SPACES[label]
    initial = space.snap(np.random.default_rng(3).random((3, len(space))))
    asked = stream(start(name, space, initial=initial), name, 4)
    assert asked[0][:3].tobytes() == initial.tobytes()
    assert len(asked) == 4
    again = stream(start(name, space, initial=initial), name, 4)
    assert [a.tobytes() for a in asked] == [b.tobytes() for b in again]


@pytest.mark.parametrize("name", LEARNING)
def test_a_small_space_ends_the_search_when_every_design_was_tried(name):
    space = DesignSpace((ChoiceVariable("n", "1", range(3)), ChoiceVariable("o", "", "ab")))
    asked = np.concatenate(stream(start(name, space, generations=400), name, 400))
    assert len(np.unique(asked, axis=0)) <= 6
    assert len(asked) < 400 * 8


@pytest.mark.parametrize("name", ["nsga2", "nsga3", "u-nsga3", "age-moea2", "sms-emoa"])
def test_genetic_algorithms_ask_for_no_design_twice_in_a_generation(name):
    space = DesignSpace((ChoiceVariable("n", "1", range(15)), ChoiceVariable("o", "", "abcd")))
    for points in stream(start(name, space), name, 5):
        assert len(np.unique(points, axis=0)) == len(points)


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_many_variables_cost_a_bounded_time(name):
    if name == "grid":
        space = DesignSpace(tuple(ChoiceVariable(f"x{i}", "", ("a",)) for i in range(999)))
    else:
        count = ALGORITHMS[name].most_variables
        space = DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(count)))
    search = start(name, space, population=20, generations=2)
    begin = time.process_time()
    stream(search, name, 2)
    assert time.process_time() - begin < 30


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_every_allowed_number_of_objectives_is_searched(name):
    least, most = ALGORITHMS[name].objectives
    for m in {least, min(3, most), most}:
        table = SearchTable(algorithm=name, population=20, generations=3, points=3)
        search = create_search(table, SPACES["real"], m, 1)
        for _ in range(3):
            points = search.ask()
            search.tell(1.0 / (0.1 + np.resize(points.T, (m, len(points))).T), violations(points))
        assert len(points) > 0


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
        values = told.draw(arrays(float, (len(points), goals(name)), elements=numbers))
        search.tell(values, told.draw(arrays(float, len(points), elements=levels)))
        assert np.isfinite(points).all()


@pytest.mark.parametrize("name", LEARNING)
@pytest.mark.parametrize("least", [0.0, 5e-324])
def test_objectives_that_hardly_differ_at_first_may_be_far_apart_later(name, least):
    search = start(name, SPACES["mixed"])
    for size in (2e-309, 1.0, 1e12):
        points = search.ask()
        objectives = np.full((len(points), goals(name)), least)
        objectives[::2] = size
        search.tell(objectives, np.zeros(len(points)))
        assert np.isfinite(points).all()


def test_another_process_asks_for_the_same_designs():
    script = "import sys; sys.path.insert(0, sys.argv[1]); import test_search_contract as t; print(*t.digests(), sep='\\n')"
    command = [sys.executable, "-c", script, os.path.dirname(__file__)]  # noqa: PTH120
    environment = os.environ | {"PYTHONHASHSEED": "123"}
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert result.stdout.splitlines() == digests()
