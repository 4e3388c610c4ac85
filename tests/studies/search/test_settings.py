"""Settings of algorithms: their names and ranges, that they are used, and that none changes nothing."""

from functools import cache

import pytest

from dashboards.content.robot.study_file import study_toml
from errors import InputError
from studies.definition.study_definition import SearchTable
from studies.definition.study_file import check_text, parse_study
from studies.problem.problem import check
from studies.search import check_search
from studies.search.registry import OURS
from studies.search.testing import SPACES, results, start, stream

OTHERS = {
    "crossover": "uniform", "crossover_probability": 0.4, "crossover_eta": 3, "mutation_eta": 5,
    "mutation_probability": 1.0, "mutation_rate": 0.9, "neighbours": 2, "neighbour_mating": 0.1,
    "variant": "DE/rand/1/exp", "weight": 1.2, "crossover_rate": 0.9, "step": 0.05, "startup": 2,
    "candidates": 3, "swapping_probability": 0.1, "prescreening": 5,
}  # fmt: skip
ALWAYS = [algorithm for algorithm in OURS.values() if algorithm.extra is None]
EACH = [(algorithm.name, setting.name) for algorithm in ALWAYS for setting in algorithm.settings]


def points(name, **settings):
    told = lambda asked: (results(name, asked)[0], asked[:, 0] * 0)  # noqa: E731
    search = start(name, SPACES["real"], settings=settings)
    return b"".join(batch.tobytes() for batch in stream(search, name, 6, told))


by_default = cache(points)


@pytest.mark.parametrize(("name", "setting"), EACH)
def test_each_setting_changes_the_designs_and_they_repeat_bit_for_bit(name, setting):
    given = {setting: OTHERS[setting]}
    found = points(name, **given)
    assert points(name, **given) == found
    assert found != by_default(name)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("nsga2", {"crossover_eta": 15, "crossover_probability": 0.9, "mutation_eta": 20}),
        ("nsga3", {"crossover_eta": 30, "mutation_probability": 0.9}),
        ("u-nsga3", {"crossover_probability": 1.0}),
        ("age-moea2", {"crossover": "sbx"}),
        ("sms-emoa", {"crossover_eta": 15, "mutation_eta": 20}),
        ("moead", {"crossover_eta": 20, "neighbours": 20, "neighbour_mating": 0.9}),
        ("de", {"variant": "DE/best/1/bin", "weight": 0.5, "crossover_rate": 0.2}),
        ("cma-es", {"step": 0.3}),
        ("optuna-tpe", {"startup": 10, "candidates": 24}),
        ("optuna-nsga2", {"crossover_probability": 0.9, "swapping_probability": 0.5}),
    ],
)
def test_the_defaults_are_those_of_the_program(name, settings):
    assert points(name, **settings) == by_default(name)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        (
            "nsga2",
            {"crossover_et": 15},
            "search.settings.crossover_et: unknown setting of nsga2 'crossover_et'",
        ),
        ("nsga2", {"crossover_eta": 0.5}, "crossover_eta: 0.5: must be a number from 1 to 1000 (how close"),
        ("nsga2", {"crossover_eta": "15"}, "crossover_eta: '15': must be a number from 1 to 1000"),
        ("nsga2", {"crossover": "sbx2"}, "crossover: 'sbx2': must be 'sbx' or 'uniform'"),
        (
            "nsga2",
            {"crossover": "uniform", "crossover_eta": 3},
            'crossover_eta: belongs to crossover = "sbx"',
        ),
        ("moead", {"neighbours": 2.5}, "neighbours: 2.5: must be a whole number from 2 to 2000"),
        ("sobol", {"step": 1}, "search.settings: sobol has no settings; remove them"),
    ],
)
def test_settings_out_of_range_are_refused(name, settings, message):
    with pytest.raises(InputError) as caught:
        check_search(SearchTable(algorithm=name, generations=2, settings=settings))
    assert message in str(caught.value)


def test_a_study_without_settings_has_the_digest_that_it_had():
    assert "settings" not in SearchTable().model_dump(mode="json")


def test_settings_stand_in_a_table_of_the_study_file():
    text = """name = "s"
model = "bnh"
[variables]
x1 = { lower = 0, upper = 5 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
generations = 2
[search.settings]
crossover_eta = 5
"""
    assert check(parse_study(text))
    assert parse_study(study_toml(parse_study(text))).digest() == parse_study(text).digest()
    for value, message in (
        ("inf", "line 11: search.settings.crossover_eta: inf: must be"),
        ("0", "line 11: "),
    ):
        with pytest.raises(InputError) as caught:
            check_text(text.replace("eta = 5", f"eta = {value}"), "s.toml", check)
        assert message in str(caught.value)
