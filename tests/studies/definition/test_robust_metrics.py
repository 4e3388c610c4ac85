"""Statistics over robots against closed forms, and how fast they and their standard errors converge."""

import numpy as np
import pytest
from scipy import stats

from models.metrics import Metric
from studies.definition.robust_metrics import (
    PROBABILITY,
    SampleOutcomes,
    base_metric,
    document_metrics,
    robust_metrics,
    robust_names,
    robust_values,
)
from studies.definition.tolerance_sampling import Tolerance, Uncertainty, samples_of

F = Metric("f", "N", "a force", "minimize", safety_limit=3.0)


def values_of(plan, function, senses=None):
    drawn = samples_of(plan)
    column = np.array([function(row) for row in drawn.errors])
    everybody = np.ones(len(column), dtype=bool)
    return robust_values(
        SampleOutcomes({"f": column}, everybody, everybody), senses or {"f": "minimize"}, drawn.replicates
    )


def plan(samples=64, method="sobol", seed=0):
    return Uncertainty(
        (Tolerance("a", "normal", 3.0), Tolerance("b", "normal", 4.0)),
        samples=samples,
        # pyrefly: ignore[bad-argument-type]
        method=method,
        seed=seed,
    )


def linear(row):
    return 10 + row[0] + row[1]


def smooth(row):
    return float(np.exp(0.1 * row[0]) + 0.05 * row[0] * row[1] + row[1])


EXACT = {"mean": 10.0, "sd": 5.0, **{f"q{n:02}": stats.norm.ppf(n / 100, 10, 5) for n in (5, 50, 95)}}


@pytest.mark.parametrize("method", ["sobol", "monte-carlo"])
def test_a_linear_model_has_the_statistics_of_a_normal_distribution(method):
    found = values_of(plan(8192, method), linear)
    for ending, exact in EXACT.items():
        error = found[f"robust.f.{ending}.error"]
        assert 0 < error < 0.2
        assert abs(found[f"robust.f.{ending}"] - exact) < 4 * error


def test_standard_errors_of_independent_samples_are_those_of_theory():
    found = values_of(plan(4096, "monte-carlo"), linear)
    theory = {
        "mean": 5 / 64,
        "sd": 5 / 64 / 2**0.5,
        # sqrt(p (1 - p) / n) over the density at the quantile
        **{
            f"q{n:02}": (n / 100 * (1 - n / 100)) ** 0.5 / 64 / stats.norm.pdf(EXACT[f"q{n:02}"], 10, 5)
            for n in (5, 50, 95)
        },
    }
    for ending, exact in theory.items():
        assert found[f"robust.f.{ending}.error"] == pytest.approx(exact, rel=0.25)


@pytest.mark.parametrize("method", ["sobol", "monte-carlo"])
def test_standard_errors_say_how_far_means_scatter(method):
    runs = [values_of(plan(64, method, seed), smooth) for seed in range(60)]
    means = [run["robust.f.mean"] for run in runs]
    stated = np.sqrt(np.mean([run["robust.f.mean.error"] ** 2 for run in runs]))
    assert stated == pytest.approx(np.std(means, ddof=1), rel=0.35)


def slope(method, capsys):
    """Slope of the root mean square error of the mean against the number of samples."""
    sizes = [32, 128, 512, 2048]
    exact = float(np.exp(0.5 * 0.3**2))
    errors = []
    for size in sizes:
        off = [values_of(plan(size, method, seed), smooth)["robust.f.mean"] - exact for seed in range(12)]
        errors.append(np.sqrt(np.mean(np.square(off))))
    found = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    with capsys.disabled():
        print(f"\n{method}: errors of the mean {np.array(errors)} at {sizes} samples, slope {found:.2f}")  # noqa: T201
    return found


def test_monte_carlo_converges_with_the_root_of_the_samples(capsys):
    assert slope("monte-carlo", capsys) == pytest.approx(-0.5, abs=0.15)


def test_scrambled_sobol_points_converge_faster_than_their_number(capsys):
    assert -1.7 < slope("sobol", capsys) < -0.9


def test_the_worst_value_is_the_greatest_or_the_least():
    column = np.array([1.0, 5.0, np.nan, 3.0])
    works = ~np.isnan(column)
    for sense, worst in (("minimize", 5.0), ("maximize", 1.0)):
        found = robust_values(SampleOutcomes({"f": column}, works, works), {"f": sense}, None)
        assert found["robust.f.worst"] == worst
        assert found["robust.f.mean"] == pytest.approx(3.0), "of the robots that work"
        assert found[PROBABILITY] == 0.75


def test_the_error_of_a_share_is_never_zero():
    everybody = np.ones(64, dtype=bool)
    found = robust_values(SampleOutcomes({}, everybody, everybody), {}, None)
    assert found[PROBABILITY] == 1
    assert 0.005 < found[f"{PROBABILITY}.error"] < 0.05


def test_equal_robots_have_no_spread():
    found = values_of(plan(32, "monte-carlo"), lambda _: 0.1)
    assert found["robust.f.mean"] == 0.1
    assert found["robust.f.sd"] == found["robust.f.mean.error"] == found["robust.f.q95.error"] == 0


def test_a_quantity_that_no_robot_has_is_null():
    column, everybody = np.full(32, np.nan), np.ones(32, dtype=bool)
    found = robust_values(SampleOutcomes({"f": column}, everybody, everybody), {"f": "minimize"}, None)
    assert found["robust.f.mean"] is found["robust.f.q95.error"] is found["robust.f.worst"] is None


def test_statistics_are_metrics_with_unit_sense_and_error():
    table = {metric.name: metric for metric in robust_metrics([F])}
    assert list(table) == robust_names(["f"]) == document_metrics({"metrics": ["f"]})
    assert document_metrics(None) == []
    assert table["robust.f.q95"].unit == "N"
    assert table["robust.f.q95"].error == "robust.f.q95.error"
    assert table["robust.f.q95"].safety_limit == 3.0
    assert table["robust.f.sd"].safety_limit is None
    assert table["robust.f.worst"].error == ""
    assert table[PROBABILITY].sense == "maximize"
    assert all(not metric.error or table[metric.error].unit == metric.unit for metric in table.values())


def test_names_lead_back_to_their_metric():
    assert base_metric("robust.capacity_margin.q05.q95.error") == "capacity_margin.q05"
    assert base_metric("robust.f.mean") == "f"
    assert base_metric(PROBABILITY) is base_metric("f") is base_metric("robust.f.q96") is None


@pytest.mark.parametrize("samples", [16, 20, 29, 30, 33])
def test_few_independent_robots_have_finite_statistics_and_errors_or_none(samples):
    found = values_of(plan(samples, "monte-carlo"), linear)
    assert all(value is None or np.isfinite(value) for value in found.values())
    assert found["robust.f.q05"] is not None
    assert found["robust.f.q50.error"] > 0
    assert (found["robust.f.q05.error"] is None) == (samples < 30), "no robot is expected below the quantile"


@pytest.mark.parametrize("method", ["sobol", "monte-carlo"])
@pytest.mark.parametrize("size", [1e200, 1e308])
def test_great_values_have_no_statistic_that_is_not_finite(method, size):
    found = values_of(plan(32, method), lambda row: size * np.sign(row[0]))
    assert all(value is None or np.isfinite(value) for value in found.values())
    assert found["robust.f.worst"] == size
    assert found["robust.f.sd"] is None


def test_no_statistic_is_called_as_another_quantity_is():
    metric = Metric("F2", "1", "an index", "maximize", label="stiffness F2")
    labels = [metric.label, *(each.label for each in robust_metrics([metric]) if each.label)]
    assert "stiffness F2, 95 % quantile" in labels
    assert "stiffness F2, 95 % quantile, standard error" in labels
    assert len(labels) == len(set(labels)) == 1 + len(robust_names(["F2"])) - 2, (
        "all but the share and its error"
    )
