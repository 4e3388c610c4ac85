"""Rankings of designs of several layouts, and the choice of one of them."""

from dataclasses import replace

import pytest

from errors import InputError, StateError
from studies.comparison.entries import Goal
from studies.decision import decision
from studies.decision.decision import (
    MOST_CANDIDATES,
    GivenPreferences,
    choose,
    kept_candidates,
    leaders_even,
    rank,
    read_preferences,
    record_decision,
)
from studies.decision_records import Candidate, Interval, Preferences
from studies.definition.study_file import parse_study
from studies.records import FrontDesign
from studies.results.fronts import fronts
from studies.run.launch import run_study
from studies.store import Store
from tests.studies.uncertainty.sweep_studies import two_layouts

GOALS = [Goal("mass", "kg", "minimize"), Goal("volume", "m**3", "maximize")]


def design(key, mass, volume, layout="one", **more):
    metrics = {"mass": mass, "volume": volume, "margin": more.pop("margin", None)}
    return FrontDesign(key, layout, (1,), {"size": mass}, {}, metrics, 0.0, (mass, -volume))


FRONTS = {
    "one": [design("a", 1.0, 1.0, margin=0.1), design("b", 2.0, 4.0, margin=0.2), design("c", 5.0, 5.0)],
    "two": [design("d", 2.5, 3.0, "two", margin=0.3), design("e", 6.0, 9.0, "two", margin=0.4)],
}


def order(**wanted):
    # pyrefly: ignore[bad-argument-type]
    found = rank(FRONTS, GOALS, Preferences(**{"rule": "topsis", **wanted}))
    return [one.key for one in found.candidates], found.filtered, found.dominated


def test_layouts_are_ranked_together_without_those_that_others_beat_in_everything():
    keys, filtered, dominated = order()
    assert set(keys) == {"a", "b", "c", "e"}
    assert (filtered, dominated) == (0, 1)
    found = rank(FRONTS, GOALS, Preferences("topsis"))
    assert [one.rank for one in found.candidates] == [1, 2, 3, 4]
    assert sorted((one.score for one in found.candidates), reverse=True) == [
        o.score for o in found.candidates
    ]
    assert [one.key for one in found.designs] == keys
    chosen = next(one for one in found.candidates if one.key == "e")
    assert chosen.objectives == {"mass": 6.0, "volume": 9.0}, "in their own senses"


def test_one_layout_alone():
    assert order(layout="two") == (["d", "e"], 0, 0) or order(layout="two") == (["e", "d"], 0, 0)


def test_a_rule_that_would_take_minutes_is_refused_with_what_to_do(monkeypatch):
    few = replace(decision.RULES["high-tradeoff"], most=3)
    monkeypatch.setattr(decision, "RULES", {**decision.RULES, "high-tradeoff": few})
    with pytest.raises(InputError, match="too long for 4 designs: at most 3 are allowed") as caught:
        order(rule="high-tradeoff")
    assert caught.value.place == ("rule",)
    assert len(order(rule="high-tradeoff", filters={"mass": Interval(None, 5.0)})[0]) == 3
    assert len(order(rule="knee")[0]) == 4


def test_weights_lead_to_the_ends():
    assert order(weights={"mass": 1.0, "volume": 0.0})[0][0] == "a"
    assert order(weights={"mass": 0.0, "volume": 1.0})[0][0] == "e"


@pytest.mark.parametrize(
    ("errors", "weights", "even"),
    [
        ([{"mass": 4.0, "volume": 5.0}, {}], {}, True),
        ([{"mass": 0.1}, {"mass": 4.0, "volume": 5.0}], {}, True),
        ([{"mass": 4.0, "volume": 4.9}, {"volume": 4.9}], {}, False),
        ([{"mass": 4.0}, {}], {"mass": 1.0, "volume": 0.0}, True),
        ([{"mass": 4.0}, {}], {"mass": 1.0, "volume": 1.0}, False),
        ([{}, {}], {}, False),
    ],
)
def test_the_first_two_are_even_within_the_greater_of_their_errors(errors, weights, even):
    first = Candidate("b", "one", 1, 0.9, {"mass": 2.0, "volume": 4.0})
    second = Candidate("e", "two", 2, 0.8, {"mass": 6.0, "volume": 9.0})
    assert leaders_even([first, second], errors, weights) is even


def test_one_design_designs_without_a_rank_and_equal_ones_are_not_even():
    first = Candidate("b", "one", 1, 0.9, {"mass": 2.0})
    errors = [{"mass": 9.0}, {"mass": 9.0}]
    assert not leaders_even([first], errors[:1], {})
    assert not leaders_even([first, Candidate("c", "one", 2, 0.9, {"mass": 2.0})], errors, {})
    unranked = [Candidate(key, "one", None, None, {"mass": mass}) for key, mass in (("b", 2.0), ("c", 3.0))]
    assert not leaders_even(unranked, errors, {})


def test_aspiration_levels_are_in_the_objectives_own_senses():
    near = order(rule="achievement", aspirations={"mass": 2.0, "volume": 4.0})[0]
    assert near[0] == "b"
    assert order(rule="achievement", aspirations={"mass": 6.0, "volume": 9.0})[0][0] == "e"


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        ({"mass": Interval(None, 2.0)}, {"a", "b"}),
        ({"mass": Interval(2.0, 5.0)}, {"b", "c"}),
        ({"margin": Interval(0.2)}, {"b", "e"}),
        ({"size": Interval(2.5, 2.5)}, {"d"}),
    ],
)
def test_filters_take_metrics_and_variables_with_both_ends(filters, left):
    assert set(order(filters=filters)[0]) == left


def test_a_design_that_is_filtered_out_beats_nobody():
    assert set(order(filters={"margin": Interval(0.3)})[0]) == {"d", "e"}


def test_filters_that_leave_nothing_say_what_each_leaves():
    wanted = {"mass": Interval(None, 1.5), "margin": Interval(0.4)}
    with pytest.raises(InputError, match=r"filters: leave none of the 5 .* mass: 1, margin: 1\); widen") as e:
        order(filters=wanted)
    assert e.value.place == ("filters",)


def test_an_empty_front_has_nothing_to_choose_from():
    with pytest.raises(StateError, match="no feasible design"):
        rank({"one": []}, GOALS, Preferences("topsis"))


def test_equal_designs_stand_by_their_keys():
    twins = {"one": [design("z", 1.0, 1.0), design("y", 1.0, 1.0), design("x", 1.0, 1.0)]}
    found = rank(twins, GOALS, Preferences("topsis"))
    assert [one.key for one in found.candidates] == ["x", "y", "z"]


def test_judgement_ranks_nothing_and_takes_what_is_on_no_front():
    found = rank(FRONTS, GOALS, Preferences("judgement"))
    assert [one.key for one in found.candidates] == list("abcde")
    assert {one.rank for one in found.candidates} == {one.score for one in found.candidates} == {None}
    other = Candidate("f", "one", None, None, {})
    assert choose(found, "f", None, Preferences("judgement"), lambda: other) == other


@pytest.mark.parametrize("key", ["d", "f"])
def test_a_rule_chooses_among_its_candidates(key):
    wanted = Preferences("topsis")
    found = rank(FRONTS, GOALS, wanted)
    assert choose(found, "a", None, wanted, lambda: None).key == "a"
    with pytest.raises(InputError, match=r"none of the 4 candidates of the rule 'topsis'.*'judgement'"):
        choose(found, key, None, wanted, lambda: Candidate("f", "one", None, None, {}))


def test_a_design_of_two_layouts_needs_its_layout():
    both = {"one": [design("a", 1.0, 1.0)], "two": [design("a", 1.0, 1.0, "two")]}
    wanted = Preferences("topsis")
    found = rank(both, GOALS, wanted)
    with pytest.raises(InputError, match="fronts of one, two; name one"):
        choose(found, "a", None, wanted, lambda: None)
    assert choose(found, "a", "two", wanted, lambda: None).layout == "two"


def test_of_many_candidates_the_best_and_the_chosen_are_kept():
    n = MOST_CANDIDATES + 10
    many = {"one": [design(f"{i:04}", float(i), float(i)) for i in range(n)]}
    found = rank(many, GOALS, Preferences("topsis", {"mass": 1.0, "volume": 0.0}))
    kept = kept_candidates(found, found.candidates[-1])
    assert len(kept) == MOST_CANDIDATES
    assert (kept[0].rank, kept[-1].rank) == (1, n)


# ---------------------------------------------------------------- preferences


GIVEN = GivenPreferences("topsis", {}, {}, {})


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Store(str(tmp_path_factory.mktemp("decided") / "tautline.db")) as opened:
        yield opened


@pytest.fixture(scope="module")
def study(store, bnh_study, inline, make_executor):
    return run_study(store, parse_study(bnh_study), inline(make_executor()))


@pytest.mark.parametrize(
    ("changes", "place", "message"),
    [
        ({"weights": {"f1": 1.0}}, "weights", "no weight is given for f2"),
        ({"weights": {"f1": 0.0, "f2": 0.0}}, "weights", "all weights are 0"),
        ({"weights": {"f1": -1.0, "f2": 1.0}}, "weights.f1", "at least 0"),
        ({"weights": {"f1": float("nan"), "f2": 1.0}}, "weights.f1", "is nan"),
        ({"weights": {"f1": 1.0, "f2": 1.0, "f3": 1.0}}, "weights.f3", "unknown objective 'f3' (known: f1, f2)"),
        ({"weights": {"f1": 1.0, "f2": 1.0}, "rule": "knee"}, "weights", "the rule 'knee' uses no weights; leave them out, or choose"),
        ({"aspirations": {"f1": 1.0}}, "aspirations", "choose achievement"),
        ({"aspirations": {"f1": "3 kg"}, "rule": "achievement"}, "aspirations.f1", "is a mass"),
        ({"aspirations": {"f1": "high"}, "rule": "achievement"}, "aspirations.f1", "not a quantity"),
        ({"aspirations": {"c1": 1.0}, "rule": "achievement"}, "aspirations.c1", "unknown objective"),
        ({"filters": {"f1": (3.0, 2.0)}}, "filters.f1", "lower (3) is above upper (2)"),
        ({"filters": {"f1": (None, None)}}, "filters.f1", "has no bound"),
        ({"filters": {"f1": (None, float("inf"))}}, "filters.f1.upper", "not a finite number"),
        ({"filters": {"g": (None, 1.0)}}, "filters.g", "unknown metric or variable 'g'"),
        ({"filters": {"x1": ("1 mm", None)}}, "filters.x1.lower", "is a length"),
        ({"layout": "left"}, "layout", "unknown layout 'left'"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_at_its_place(study, changes, place, message):
    with pytest.raises(InputError) as refused:
        read_preferences(study, replace(GIVEN, **changes))
    found = {fault.text.split(": ")[0]: fault.message for fault in refused.value.faults}
    assert message in found[place]


def test_texts_become_si_and_the_rest_stays(study):
    given = replace(GIVEN, rule="achievement", weights={"f1": 1, "f2": 0.5}, aspirations={"f1": "20"})
    wanted = read_preferences(study, replace(given, filters={"c1": (0, None), "x1": (None, "4.5")}))
    assert wanted.aspirations == {"f1": 20.0}
    assert wanted.filters == {"c1": Interval(0.0, None), "x1": Interval(None, 4.5)}


def test_a_real_front_is_ranked_the_same_by_store_order_or_not(store, study):
    found = fronts(store, study)
    wanted = Preferences("topsis", filters={"x1": Interval(None, 4.0)})
    goals = [Goal("f1", "1", "minimize"), Goal("f2", "1", "minimize")]
    ranking = rank(found, goals, wanted)
    assert all(one.variables["x1"] <= 4.0 for one in ranking.designs)
    backwards = rank({name: front[::-1] for name, front in found.items()}, goals, wanted)
    assert backwards == ranking


def test_judgement_takes_a_design_in_the_layout_that_is_asked_for_alone(store, inline, inline_executor):
    sides = run_study(store, two_layouts(), inline(inline_executor))
    key = fronts(store, sides)["near"][0].key
    with pytest.raises(InputError, match="not one that this study evaluated for the layout 'far'"):
        record_decision(store, "sides", key, "is what we have", layout="far")
    assert store.decisions.of("sides") == []
    assert record_decision(store, "sides", key, "is what we have", layout="near").layout == "near"
