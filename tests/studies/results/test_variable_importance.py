"""Rank correlation and importance against known functions, and on stored studies."""

import math

import numpy as np
import pytest

from errors import InputError
from studies.definition.space import ChoiceVariable, DesignSpace, RealVariable
from studies.definition.study_file import parse_study
from studies.results.variable_importance import (
    LEAST_DESIGNS,
    StoredDesigns,
    metric_importances,
    stored_designs,
    variable_importances,
)
from studies.run.launch import run_study
from studies.store import Store
from tests.studies.uncertainty.test_sobol_indices import ishigami


def designs_of(values, points, variables=None):
    """Designs at points of the unit cube whose metric ``f`` has these values."""
    own = variables or [RealVariable(f"x{i}", "1", -math.pi, math.pi) for i in range(points.shape[1])]
    metrics = [{"f": None if math.isnan(value) else float(value)} for value in values]
    return StoredDesigns("default", DesignSpace(tuple(own)), points, metrics, np.ones(len(points), bool))


def importances(designs, sense="minimize"):
    found = metric_importances(designs, "f", "1", sense)
    return found, {one.variable: one for one in found.variables}


@pytest.fixture
def points():
    return np.random.default_rng(1).random((2000, 3))


def test_a_linear_function_correlates_wholly_and_its_variable_has_all_importance(points):
    for slope in (1.0, -1.0):
        _, found = importances(designs_of(slope * points[:, 1], points))
        assert found["x1"].correlation == pytest.approx(slope)
        # pyrefly: ignore[bad-argument-type]
        assert abs(found["x0"].correlation) < 0.1
        assert found["x1"].importance > 0.95
        assert sum(one.importance for one in found.values()) == pytest.approx(1.0)


def test_steeper_variables_are_more_important_whichever_end_is_better(points):
    values = points @ [4.0, -2.0, 0.5]
    for sense in ("minimize", "maximize"):
        _, found = importances(designs_of(values, points), sense)
        assert found["x0"].importance > found["x1"].importance > found["x2"].importance
        assert found["x0"].correlation > 0 > found["x1"].correlation


@pytest.mark.parametrize("sense", ["minimize", pytest.param("maximize", marks=pytest.mark.soak)])
def test_importance_of_ishigami_is_in_the_order_of_the_distances_of_its_best_tenth(sense):
    """By definition: how far the marginal distributions of the best tenth are from the uniform one."""
    points = np.random.default_rng(0).random((5000, 3))
    values = ishigami((2 * points - 1) * math.pi)
    _, found = importances(designs_of(values, points), sense)

    many = np.random.default_rng(9).random((200_000, 3))
    order = np.argsort(ishigami((2 * many - 1) * math.pi) * (1 if sense == "minimize" else -1))
    best = many[order[:20_000]]
    shares = [np.histogram(best[:, i], 50, (0, 1))[0] / len(best) for i in range(3)]
    distance = [float(((50 * share - 1) ** 2).mean()) for share in shares]
    ranked = sorted(found.values(), key=lambda one: -one.importance)
    assert [one.variable for one in ranked] == [f"x{i}" for i in np.argsort(distance)[::-1]]
    # x1 enters by its squared sine, x2 by its fourth power: neither has a direction.
    # pyrefly: ignore[bad-argument-type]
    assert all(abs(found[name].correlation) < 0.1 for name in ("x1", "x2"))
    assert found["x0"].correlation > 0.3


def test_options_have_importance_and_those_that_are_no_numbers_have_no_correlation(points):
    variables = [
        ChoiceVariable("cells", "1", range(4)),
        ChoiceVariable("kind", "", ("a", "b")),
        ChoiceVariable("rods", "m", (0.3, 0.1)),
    ]
    space = DesignSpace(tuple(variables))
    snapped = space.snap(points)
    noise = 0.1 * np.random.default_rng(2).random(len(points))
    _, found = importances(designs_of(np.floor(2 * snapped[:, 1]) + noise, snapped, variables))
    assert found["kind"].correlation is None
    assert found["kind"].importance > 0.9
    # pyrefly: ignore[bad-argument-type]
    assert abs(found["cells"].correlation) < 0.1
    _, found = importances(designs_of(np.floor(2 * snapped[:, 2]) + noise, snapped, variables))
    assert found["rods"].correlation < -0.8, "its options fall along its axis"
    assert found["rods"].importance > 0.9


def test_the_same_designs_give_the_same_numbers(points):
    values = np.sin(5 * points[:, 0]) + points[:, 1]
    assert importances(designs_of(values, points)) == importances(designs_of(values, points))


def test_designs_without_the_metric_do_not_count(points):
    values = points[:, 0].copy()
    values[points[:, 1] > 0.5] = math.nan
    found, _ = importances(designs_of(values, points))
    assert found.designs == int((points[:, 1] <= 0.5).sum())


@pytest.mark.parametrize(
    ("values", "sense", "words"),
    [
        (np.full(100, np.nan), "minimize", f"0 different designs have this metric; at least {LEAST_DESIGNS}"),
        (np.where(np.arange(100) < 29, 1.0 * np.arange(100), np.nan), "minimize", "29 different"),
        (np.ones(100), "minimize", "same value"),
        (np.arange(100.0), "", "neither end"),
    ],
)
def test_what_cannot_be_said_is_remarked(points, values, sense, words):
    found, rows = importances(designs_of(values, points[:100]), sense)
    assert words in found.remark
    assert all(one.importance is None for one in rows.values())


def test_one_variable_has_a_correlation_and_no_importance(points):
    found, rows = importances(designs_of(points[:50, 0], points[:50, :1]))
    assert "one variable" in found.remark
    assert (rows["x0"].correlation, rows["x0"].importance) == (pytest.approx(1.0), None)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Store(str(tmp_path_factory.mktemp("built") / "tautline.db")) as opened:
        yield opened


@pytest.fixture(scope="module")
def built(store, bnh_study, inline, make_executor):
    executor = make_executor()
    return run_study(store, parse_study(bnh_study), inline(executor)), executor


def test_a_stored_study_is_read_without_evaluating(store, built):
    study, executor = built
    count = len(executor.keys)
    found = variable_importances(store, "bnh")
    assert len(executor.keys) == count
    assert found.designs == len(stored_designs(store, study).points) <= count
    assert [one.metric for one in found.metrics] == ["f1", "f2", "c1", "c2"]
    # f1 = 4 x1^2 + 4 x2^2 rises with both.
    assert all(one.correlation > 0 for one in found.metrics[0].variables)
    assert variable_importances(store, "bnh", "default", ["f2"]).metrics == (found.metrics[1],)


def test_feasible_designs_are_those_that_meet_the_constraints(store, built):
    designs = stored_designs(store, built[0])
    limits = np.minimum(designs.values("c1"), designs.values("c2"))
    assert designs.feasible.tolist() == (limits >= 0).tolist()


@pytest.mark.parametrize(
    ("layout", "metrics", "place"), [("left", [], ("layout",)), (None, ["f1", "f9"], ("metrics", 1))]
)
def test_unknown_names_are_refused(store, built, layout, metrics, place):
    with pytest.raises(InputError) as caught:
        variable_importances(store, "bnh", layout, metrics)
    assert caught.value.place == place
