"""Contract of every search algorithm, as a test class: subclass it and set ``algorithms``.

::

    class TestMySearch(SearchContract):
        algorithms = ("my-search",)

Needs pytest.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from studies.definition.derived_quantities import Derived
from studies.definition.expressions import read_expression
from studies.definition.links import Link
from studies.definition.objectives import Constraint
from studies.definition.region import Region
from studies.definition.space import ChoiceVariable, Condition, DesignSpace, Exchange, RealVariable
from studies.definition.study_definition import (
    MAX_EVALUATIONS,
    MAX_OBJECTIVES,
    MAX_POPULATION,
    MAX_VARIABLES,
    SearchTable,
)
from studies.records import FAILED, INFEASIBLE
from studies.search.algorithm import Setting, Value
from studies.search.base import FloatArray, Search
from studies.search.checks import check_search, create_search
from studies.search.registry import load
from studies.search.wrappers import batch_fault

Tell = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


def bounded(text: str, lower: float, upper: float) -> DesignSpace:
    """A space of four variables in the region where an expression is between two bounds."""
    space = DesignSpace((
        *(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(3)), ChoiceVariable("o", "", ("a", "b")),
    ))  # fmt: skip
    derived = Derived((Link("q", read_expression(text), parameter=False),))
    constraint = Constraint("q", "1", lower, upper, 0.0)
    return replace(space, region=Region(space, [constraint], derived, {}, np.empty((0, len(space)))))


SPACES: Mapping[str, DesignSpace] = {
    "real": DesignSpace(tuple(RealVariable(f"x{i}", "1", 0.0, 1.0) for i in range(5))),
    "one": DesignSpace((RealVariable("x", "1", -1.0, 1.0),)),
    "mixed": DesignSpace((
        RealVariable("x", "1", 0, 1), ChoiceVariable("n", "1", range(4), stepped=True),
        ChoiceVariable("o", "", ("a", "b", "c")),
    )),
    "fixed": DesignSpace((RealVariable("x", "1", 0, 1), ChoiceVariable("o", "", ("only",)))),
    "conditional": DesignSpace(
        (
            RealVariable("x", "1", 0, 1), ChoiceVariable("type", "", ("gear", "belt", "none")),
            ChoiceVariable("teeth", "1", range(10, 30), stepped=True), RealVariable("width", "m", 0, 1),
        ),
        conditions=(Condition(2, ((1, frozenset({0})),)), Condition(3, ((1, frozenset({1})),))),
    ),
    "equal parts": DesignSpace(
        tuple(RealVariable(name, "m", 0, 1) for name in ("x", "a.0", "a.1", "b.0", "b.1")),
        exchanges=(Exchange(((1, 2), (3, 4))),),
    ),
    "linear": bounded("x0 + x1 + 2 * x2", 1.0, 1.5),
    "nonlinear": bounded("x0 ** 2 + sin(3 * x1) / (1 + x2)", 0.5, 0.505),
}  # fmt: skip
"""Spaces: of real variables, of one alone, with whole numbers and options, with an option of one value; with
variables that do not always act, equal parts, and constraints on variables alone, a wide and a narrow one."""


def objectives_of(name: str) -> int:
    """Two objectives where the algorithm takes them."""
    least, most = load(name).objectives
    return min(max(2, least), most)


def start(
    name: str,
    space: DesignSpace,
    seed: int = 7,
    population: int = 8,
    generations: int = 6,
    initial: FloatArray | None = None,
    settings: Mapping[str, Value] | None = None,
) -> Search:
    """A search of an algorithm, as a run starts one."""
    table = SearchTable(
        algorithm=name,
        population=population,
        generations=generations,
        points=3,
        settings=dict(settings or {}),
    )
    check_search(table)
    return create_search(table, space, objectives_of(name), seed, initial)


def results(name: str, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Objectives of a curved front, and violations: none, broken constraints, no metrics at all, failed."""
    g = 1 + 9 * points[:, 1:].sum(axis=1) / max(points.shape[1] - 1, 1)
    pair = np.stack([points[:, 0], g * (1 - np.sqrt(points[:, 0] / g))], axis=1)
    m = objectives_of(name)
    objectives = pair[:, np.arange(m) % 2]
    levels = np.array([0.0, 0.0, 0.1, INFEASIBLE + 1.0, FAILED])
    kinds = levels[(points[:, 0] * 997).astype(int) % 5]
    return objectives, np.where(points[:, 0] < 0.5, 0.0, kinds)


def stream(search: Search, name: str, batches: int, tell: Tell | None = None) -> list[FloatArray]:
    """The batches that a search asks for, at most so many, while it is told results."""
    asked: list[FloatArray] = []
    for _ in range(batches):
        points = search.ask()
        if len(points) == 0:
            break
        asked.append(points)
        search.tell(*(tell(points) if tell else results(name, points)))
    return asked


def digests(names: Sequence[str]) -> list[str]:
    """A line for each algorithm and space, to be compared between processes."""
    lines: list[str] = []
    for name in names:
        for label in ("real", "mixed"):
            asked = stream(start(name, SPACES[label]), name, 3)
            digest = hashlib.sha256(b"".join(points.tobytes() for points in asked)).hexdigest()
            lines.append(f"{name} {label} {digest}")
    return lines


WORST: Mapping[str, Callable[[int, FloatArray], tuple[FloatArray, FloatArray]]] = {
    "all failed": lambda m, p: (np.zeros((len(p), m)), np.full(len(p), FAILED)),
    "all infeasible": lambda m, p: (np.zeros((len(p), m)), INFEASIBLE + p[:, 0]),
    "all equal": lambda m, p: (np.full((len(p), m), 3.0), np.zeros(len(p))),
    "no trade-off": lambda m, p: (np.repeat(p[:, :1] * 1e9 - 1e8, m, axis=1), np.zeros(len(p))),
    "one feasible": lambda m, p: (np.zeros((len(p), m)), np.where(np.arange(len(p)) == 1, 0.0, FAILED)),
}
"""Results from which nothing can be learned."""
WORST_SPACES: Mapping[str, str] = {
    "all failed": "real", "all infeasible": "mixed", "all equal": "fixed", "no trade-off": "one",
    "one feasible": "mixed",
}  # fmt: skip


def _ends(setting: Setting) -> Iterator[Value]:
    """The values at the ends of what a setting may be."""
    if setting.choices:
        yield from setting.choices
    else:
        yield from ((int(end) if setting.whole else end) for end in (setting.least, setting.most))


class SearchContract:
    """The conformance suite.

    Attributes
    ----------
    algorithms : sequence of str
        Names of the algorithms under test, as study files use them. They are installed.
    """

    algorithms: ClassVar[Sequence[str]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run every test that takes a ``name`` for every algorithm."""
        if "name" in metafunc.fixturenames:
            metafunc.parametrize("name", self.algorithms)

    def test_its_description_is_sound(self, name: str) -> None:
        """The name finds it; its texts are there and within the limits of studies."""
        found = load(name)
        assert re.fullmatch(r"[a-z0-9-]{1,64}", found.name)
        assert found.name == name
        assert found.summary.endswith(".")
        assert found.suits
        least, most = found.objectives
        assert 1 <= least <= most <= MAX_OBJECTIVES
        assert 4 <= found.most_population <= MAX_POPULATION
        assert 1 <= found.most_designs <= MAX_EVALUATIONS
        assert 1 <= found.most_variables <= MAX_VARIABLES
        assert set(found.budget) <= {"generations", "evaluations", "wall_time"}
        assert len({setting.name for setting in found.settings}) == len(found.settings)
        for setting in found.settings:
            assert setting.meaning
            assert setting.default
            assert setting.choices or setting.least < setting.most

    @pytest.mark.parametrize("label", list(SPACES))
    def test_points_are_snapped_and_in_the_cube_and_repeat_bit_for_bit(self, name: str, label: str) -> None:
        """A seed gives the same designs again, and each is one of the space."""
        space = SPACES[label]
        one, two = (stream(start(name, space), name, 6) for _ in range(2))
        assert [points.tobytes() for points in one] == [points.tobytes() for points in two]
        assert one or (label == "nonlinear" and not load(name).budget)  # a coarse grid misses it
        for points in one:
            assert batch_fault(points, space) == ""
            assert space.region is None or space.region.holds(points).all()

    def test_a_search_given_the_first_rows_goes_on_as_the_one_that_was_not_stopped(self, name: str) -> None:
        """Replay: a new search that is told the logged rows continues with the same designs."""
        whole = stream(start(name, SPACES["mixed"]), name, 6)
        again = start(name, SPACES["mixed"])
        stream(again, name, 3)
        rest = stream(again, name, 3)
        assert [points.tobytes() for points in whole[3:]] == [points.tobytes() for points in rest]

    @pytest.mark.parametrize("case", list(WORST))
    def test_the_worst_results_are_survived_and_repeat(self, name: str, case: str) -> None:
        """Designs of the space are asked for, however little can be learned."""
        m, space = objectives_of(name), SPACES[WORST_SPACES[case]]
        one, two = (stream(start(name, space), name, 6, lambda p: WORST[case](m, p)) for _ in range(2))
        assert [points.tobytes() for points in one] == [points.tobytes() for points in two]
        assert all(batch_fault(points, space) == "" for points in one)

    @pytest.mark.parametrize("least", [0.0, 5e-324])
    def test_objectives_may_be_small_large_and_far_apart(self, name: str, least: float) -> None:
        """Anything finite is taken; what a run passes on is at most 1e60."""
        search = start(name, SPACES["mixed"])
        for size in (2e-309, 1.0, 1e12, -1e60):
            points = search.ask()
            if len(points) == 0:
                return
            assert batch_fault(points, SPACES["mixed"]) == ""
            objectives = np.full((len(points), objectives_of(name)), least)
            objectives[::2] = size
            search.tell(objectives, np.zeros(len(points)))

    def test_another_seed_gives_another_stream(self, name: str) -> None:
        """Designs that follow from the space alone, as those of a grid do, are the same."""
        one, two = (start(name, SPACES["real"], seed).ask() for seed in (1, 2))
        assert (one.tobytes() == two.tobytes()) == (not load(name).budget)

    def test_nothing_else_in_the_process_is_touched(
        self, name: str, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """Random numbers of numpy, filters of warnings and levels of logs stay; nothing is printed."""
        np.random.seed(5)  # noqa: NPY002
        before = _state_of_the_process()
        stream(start(name, SPACES["mixed"]), name, 3)
        assert _state_of_the_process() == before
        assert capfd.readouterr() == ("", "")

    @pytest.mark.parametrize("label", ["real", "mixed"])
    def test_initial_designs_come_first_bit_for_bit(self, name: str, label: str) -> None:
        """Designs to begin with replace the first ones of the first generation."""
        if not load(name).budget:
            return  # it has a list of its own, and studies refuse initial designs
        space = SPACES[label]
        initial = space.snap(np.random.default_rng(3).random((3, len(space))))
        asked = stream(start(name, space, initial=initial), name, 4)
        assert asked[0][:3].tobytes() == initial.tobytes()
        assert len(asked) == 4

    def test_every_allowed_number_of_objectives_is_searched(self, name: str) -> None:
        """Numbers from the least to the greatest are tried."""
        least, most = load(name).objectives
        for m in {least, min(max(3, least), most), most}:
            table = SearchTable(algorithm=name, population=20, generations=3, points=3)
            search = create_search(table, SPACES["real"], m, 1)
            for _ in range(3):
                points = search.ask()
                assert len(points) > 0
                _, violations = results(name, points)
                search.tell(1.0 / (0.1 + np.resize(points.T, (m, len(points))).T), violations)

    def test_every_setting_may_be_at_its_ends(self, name: str) -> None:
        """Each value that the check lets through is searched with."""
        for setting in load(name).settings:
            for value in _ends(setting):
                other = dict([setting.only]) if setting.only is not None else {}
                asked = stream(start(name, SPACES["real"], settings={**other, setting.name: value}), name, 3)
                assert asked, (setting.name, value)
                assert all(batch_fault(points, SPACES["real"]) == "" for points in asked)

    def test_another_process_asks_for_the_same_designs(self) -> None:
        """Nothing depends on the order of sets, or on what else a process did."""
        script = (
            "import sys; from studies.search.testing import digests as d; print(*d(sys.argv[1:]), sep='\\n')"
        )
        command = [sys.executable, "-c", script, *self.algorithms]
        environment = os.environ | {"PYTHONHASHSEED": "123"}
        found = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)  # noqa: S603
        assert found.stdout.splitlines() == digests(self.algorithms)


def _state_of_the_process() -> tuple[str, list[object], dict[str, int]]:
    levels = {name: logging.getLogger(name).level for name in ("", "optuna", "pymoo")}
    numbers = np.random.get_state(legacy=False)  # noqa: NPY002
    return repr(numbers), list(warnings.filters), levels
