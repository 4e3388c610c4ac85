"""Our searches as generators of gest-api."""

import random

import numpy as np
import pytest
from gest_api import Generator
from gest_api.vocs import VOCS, ContextualVariable, ContinuousVariable
from hypothesis import given, settings
from hypothesis import strategies as st

import tautline
from errors import GeneratorError, InputError
from studies.search.gest_generator import space_of
from studies.search.indicators import hypervolume
from studies.search.registry import OURS

BNH = VOCS(
    variables={"x1": [0.0, 5.0], "x2": [0.0, 3.0]},
    objectives={"f1": "MINIMIZE", "f2": "MAXIMIZE"},
    constraints={"c1": ["LESS_THAN", 25.0], "c2": ["GREATER_THAN", 7.7]},
    constants={"alpha": 0.5},
)


def bnh(point):
    """Binh and Korn, 1997, with the second objective turned round."""
    x, y = point["x1"], point["x2"]
    return {
        **point,
        "f1": 4 * x**2 + 4 * y**2, "f2": -((x - 5) ** 2) - (y - 5) ** 2,
        "c1": (x - 5) ** 2 + y**2, "c2": (x - 8) ** 2 + (y + 3) ** 2,
    }  # fmt: skip


def run(generator, batches=20, size=8, order=lambda results: results):
    found = []
    for _ in range(batches):
        results = order([bnh(point) for point in generator.suggest(size)])
        generator.ingest(results)
        found += results
    return found


@pytest.mark.parametrize(
    "name", [name for name, each in OURS.items() if each.objectives[1] > 1 and each.constraints]
)
def test_every_algorithm_is_a_generator_that_repeats_bit_for_bit(name):
    wanted = {"evaluations": 40} if not OURS[name].learns and OURS[name].budget else {}
    one, two = (tautline.generator(BNH, name, seed=3, population=8, **wanted) for _ in range(2))
    assert isinstance(one, Generator)
    assert run(one, 5) == (found := run(two, 5))
    assert len(found) == 40
    assert all(set(point) == {"x1", "x2", "alpha", "f1", "f2", "c1", "c2"} for point in found)
    assert all(0 <= point["x1"] <= 5 and 0 <= point["x2"] <= 3 and point["alpha"] == 0.5 for point in found)
    if OURS[name].budget:
        assert run(tautline.generator(BNH, name, seed=4, population=8, **wanted), 5) != found


@pytest.mark.parametrize("asynchronous", [False, True])
def test_it_finds_the_constrained_front_and_knows_what_is_maximised(asynchronous):
    generator = tautline.generator(BNH, "nsga2", seed=1, population=20, asynchronous=asynchronous)
    sample = tautline.generator(BNH, "lhs", seed=1, evaluations=600, population=20)
    found, drawn = run(generator, 30, 20), run(sample, 30, 20)

    grid = [bnh({"x1": x, "x2": y}) for x in np.linspace(0, 5, 201) for y in np.linspace(0, 3, 121)]

    def reached(points):
        feasible = [p for p in points if p["c1"] < 25 and p["c2"] > 7.7]
        values = np.array([[p["f1"], -p["f2"]] for p in feasible])
        return hypervolume(values, np.array([140.0, 50.0]))

    assert reached(grid) - reached(found) < 0.6 * (reached(grid) - reached(drawn))
    assert min(p["f1"] for p in found if p["c1"] < 25) < 0.05
    assert max(p["f2"] for p in found if p["c1"] < 25) > -5.0


def test_by_generations_the_order_of_results_does_not_matter():
    def shuffled(results):
        return random.Random(5).sample(results, len(results))

    one, two = (tautline.generator(BNH, "age-moea2", seed=2, population=8) for _ in range(2))
    plain, mixed = run(one, 6), run(two, 6, order=shuffled)
    assert sorted(map(repr, plain)) == sorted(map(repr, mixed))


def test_a_generation_is_given_in_pieces_and_the_next_one_waits_for_it():
    generator = tautline.generator(BNH, "u-nsga3", seed=2, population=8)
    first = generator.suggest(3) + generator.suggest(5)
    with pytest.raises(ValueError, match="8 more results"):
        generator.suggest(1)
    assert generator.suggest() == []
    generator.ingest([bnh(point) for point in first[:7]])
    with pytest.raises(GeneratorError, match="1 more results"):
        generator.suggest(1)
    generator.ingest([bnh(first[7])])
    assert len(generator.suggest()) == 8


def test_in_the_steady_state_any_number_is_given_at_any_time():
    generator = tautline.generator(BNH, "nsga2", seed=2, population=8)
    waiting = []
    for size in (1, 30, 2, 5, 1, 1, 17):
        waiting += generator.suggest(size)
        for _ in range(size // 2):
            generator.ingest([bnh(waiting.pop(0))])
    assert len(generator.suggest(4)) == 4


@pytest.mark.parametrize("name", ["nsga2", "age-moea2"])
def test_failed_designs_and_those_of_others_are_taken(name):
    generator = tautline.generator(BNH, name, seed=2, population=8)
    known = [bnh({"x1": x / 10, "x2": x / 10}) for x in range(10)]
    generator.ingest(known)
    for bad in (np.nan, np.inf, None, "nothing"):
        points = [bnh(point) for point in generator.suggest(8)]
        points[0]["f1"], points[1]["c1"] = bad, bad
        generator.ingest([*points, *known])
    assert len(generator.suggest(8)) == 8


def test_results_that_make_no_sense_are_refused_whole():
    generator = tautline.generator(BNH, "nsga2", seed=2)
    (point,) = generator.suggest(1)
    for wrong, told in (
        ({"x1": 1.0}, "'x2'"),
        ({**bnh(point), "x1": 5.1}, "outside"),
        (point, "no value of f1"),
    ):
        with pytest.raises(ValueError, match=told):
            generator.ingest([bnh(point), wrong])
    generator.ingest([bnh(point)])
    with pytest.raises(ValueError, match="at least one"):
        generator.suggest(0)


def test_a_small_space_and_a_sample_end():
    vocs = VOCS(variables={"n": {1, 2, 3}, "o": {"a", "b"}}, objectives={"f": "MINIMIZE"})
    for name, most in (("grid", {}), ("lhs", {"evaluations": 6})):
        generator = tautline.generator(vocs, name, **most)
        points = generator.suggest(6)
        assert len(points) == 6
        if name == "grid":
            assert {(p["n"], p["o"]) for p in points} == {(n, o) for n in (1, 2, 3) for o in "ab"}
        with pytest.raises(ValueError, match="every design"):
            generator.suggest(1)
        assert generator.suggest() == []


@settings(max_examples=50, deadline=None)
@given(st.integers(-50, 50), st.integers(0, 30), st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_suggested_values_are_of_the_kinds_that_were_asked_for(lower, width, start, span):
    vocs = VOCS(
        variables={
            "i": ContinuousVariable(domain=[lower, lower + width + 1], dtype=int),
            "x": [start, start + span], "o": {"red", "green"},
        },
        objectives={"f": "MINIMIZE"},
    )  # fmt: skip
    generator = tautline.generator(vocs, "lhs", evaluations=8, population=8)
    points = generator.suggest(8)
    for point in points:
        assert isinstance(point["i"], int)
        assert lower <= point["i"] <= lower + width + 1
        assert start <= point["x"] <= start + span
        assert point["o"] in {"red", "green"}
    generator.ingest([{**point, "f": 1.0} for point in points])
    assert generator._pending == {}, "each result found its design"


@pytest.mark.parametrize(
    ("vocs", "options", "told"),
    [
        ({"objectives": {"f": "EXPLORE"}}, {}, "not explored"),
        ({"objectives": {}}, {}, "no objective"),
        ({"variables": {}}, {}, "no variable"),
        ({"variables": {"x": ContextualVariable()}}, {}, "ContextualVariable"),
        (
            {"variables": {"x": ContinuousVariable(domain=[0, 1], dtype=(float, (3,)))}},
            {},
            "cannot be searched",
        ),
        ({"variables": {"x": [0.0, float("inf")]}}, {}, "not finite"),
        ({}, {"algorithm": "nsga22"}, "did you mean 'nsga2'"),
        ({}, {"algorithm": "nsga3"}, "takes 2 to"),
        ({}, {"algorithm": "lhs"}, "evaluations"),
        ({}, {"algorithm": "u-nsga3", "asynchronous": True}, "asynchronous"),
        ({}, {"population": 1}, "population"),
        ({}, {"settings": {"crossover_probability": 2}}, "from 0 to 1"),
        (
            {"objectives": {"f": "MINIMIZE", "g": "MINIMIZE"}, "constraints": {"c": ["LESS_THAN", 1]}},
            {"algorithm": "moead"},
            "constraints",
        ),
    ],
)
def test_what_cannot_be_is_one_value_error(vocs, options, told):
    problem = VOCS(**{"variables": {"x": [0, 1]}, "objectives": {"f": "MINIMIZE"}, **vocs})
    with pytest.raises(ValueError, match=told) as caught:
        tautline.generator(problem, **options)
    assert isinstance(caught.value, InputError)


def test_options_have_an_order_that_no_hash_decides():
    space = space_of(VOCS(variables={"o": {"b", "a", 3, 1.5}}, objectives={"f": "MINIMIZE"}))
    assert space.variables[0].values == (1.5, 3, "a", "b")


def test_without_the_package_one_error_names_what_to_install(monkeypatch):
    monkeypatch.setattr(tautline, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pip install 'tautline\[gest\]'"):
        tautline.generator(BNH)
