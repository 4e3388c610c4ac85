"""Winners in words: regions that are exactly the conditions, and sentences that people read."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.content.comparison import verdict_map as verdict_map_words
from dashboards.content.comparison.verdict_map import map_note, map_sentences, map_table, regions, where
from dashboards.figures.verdict_map import MOST_ROWS, verdict_map_figure
from studies.comparison.verdict_map import (
    ConditionVerdicts,
    MapCriterion,
    SweptParameter,
    Verdict,
    VerdictMap,
)
from studies.uncertainty.sweep import grid_points

FORCE = SweptParameter("f_min", "f min", "N", (0, 2, 4))
LOADS = SweptParameter("wrench_set", "wrench set", "", ("gravity", "box"))
COST = MapCriterion("best cost", "EUR", "minimize", "best cost on the front")


def verdict(name, outcome="shown", **values):
    values = values or {"a": 1.0, "b": 2.0}
    winner = name if outcome in {"shown", "one seed", "not shown"} else ""
    p_value = 0.01 if outcome == "shown" else 0.4 if outcome == "not shown" else None
    return Verdict("best cost", values, winner, 0.5 if winner else None, outcome, p_value)


def made(judge, parameters=(FORCE, LOADS), seeds=5, layouts=("a", "b")):
    """A map; ``judge`` gives the verdict for the values of a condition, or None where it is not computed."""
    found = []
    for condition in grid_points({own.path: own.values for own in parameters}):
        judged = judge(*condition.values.values())
        found.append(ConditionVerdicts(condition, judged is not None, (judged,) if judged else ()))
    return VerdictMap("mine", "reevaluate", tuple(parameters), layouts, seeds, (COST,), tuple(found))


def sentences(*args, **options):
    return map_sentences(made(*args, **options))["best cost"]


SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=3)


@given(SHAPES, st.randoms(use_true_random=False))
def test_regions_are_exactly_the_conditions(shape, chance):
    every = list(itertools.product(*map(range, shape)))
    cells = frozenset(chance.sample(every, chance.randint(0, len(every))))
    boxes = list(regions(cells, shape))
    assert set().union(*(itertools.product(*box) for box in boxes)) == cells
    assert len(boxes) <= len(cells)


def test_every_condition_is_looked_at_once_however_many_regions_there_are(monkeypatch):
    shape, looked_at = (6, 6, 6), []
    cells = frozenset(cell for cell in itertools.product(*map(range, shape)) if sum(cell) % 2)
    grown = verdict_map_words._grown
    monkeypatch.setattr(
        verdict_map_words, "_grown", lambda cell, *rest: looked_at.append(cell) or grown(cell, *rest)
    )
    assert len(list(regions(cells, shape))) == 4
    assert sorted(looked_at) == sorted(cells)


def test_a_winner_is_named_with_the_conditions_under_which_it_wins():
    found = sentences(lambda f, loads: verdict("a" if f >= 2 and loads == "box" else "b"))
    assert found == [
        "a wins where f min is 2 N or more and wrench set is box (2 of 6 conditions).",
        "b wins where wrench set is gravity; where f min is 0 N (4 of 6 conditions).",
    ]


def test_a_winner_of_all_conditions_needs_no_list():
    assert sentences(lambda *_: verdict("a")) == ["a wins in all 6 conditions."]


def test_where_nobody_is_named_it_is_said_why_and_who_leads():
    outcomes = {0: ("not shown", "b"), 2: ("even", ""), 4: ("infeasible", "")}
    found = sentences(lambda f, _: verdict(outcomes[f][1], outcomes[f][0]))
    assert found == [
        "No layout has a feasible design where f min is 4 N (2 of 6 conditions).",
        "The best layouts are even where f min is 2 N (2 of 6 conditions).",
        "The seeds do not settle it where f min is 0 N (2 of 6 conditions).",
        "Where the seeds do not settle it, b leads in 2.",
    ]


def test_with_one_seed_a_layout_leads_and_does_not_win():
    found = made(lambda *_: verdict("a", "one seed"), seeds=1)
    assert map_sentences(found)["best cost"] == ["a leads in all 6 conditions."]
    assert "may be chance" in map_note(found)


def test_too_few_seeds_are_told_how_many_it_takes():
    assert "2 seeds per layout can never show one; 4 can." in map_note(made(lambda *_: None, seeds=2))
    assert "can never" not in map_note(made(lambda *_: None, seeds=4))


def test_conditions_that_are_missing_are_counted():
    assert (
        sentences(lambda f, _: verdict("a") if f == 0 else None)[-1]
        == "4 of 6 conditions are not computed yet."
    )
    assert sentences(lambda *_: None) == ["No condition is computed yet."]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({0, 1}, "where f min is 2 N or less (2 of 4 conditions)"),
        ({1, 2}, "where f min is from 2 N to 4 N (2 of 4 conditions)"),
        ({0, 2}, "where f min is 0 N or 4 N (2 of 4 conditions)"),
        ({3}, "where f min is 6 N (1 of 4 conditions)"),
    ],
)
def test_numbers_are_named_as_ranges(cells, said):
    force = SweptParameter("f_min", "f min", "N", (0, 2, 4, 6))
    assert where([force], frozenset((cell,) for cell in cells), 4) == said


def test_many_regions_are_counted_and_not_listed():
    two = [SweptParameter(name, name, "", ("p", "q", "r", "s", "t", "u")) for name in ("one", "other")]
    diagonal = frozenset((place, place) for place in range(6))
    text = where(two, diagonal, 36)
    assert text.startswith("where one is p and other is p; where one is q and other is q; ")
    assert text.endswith("; in 2 others (6 of 36 conditions)")


def test_the_table_has_a_row_per_condition_with_margins_and_probabilities():
    found = map_table(
        made(lambda f, loads: verdict("a", "shown" if f else "not shown") if loads == "box" else None)
    )
    assert found.head == ("f min", "wrench set", "best cost")
    assert [cell.text for cell in found.rows[0]] == ["0 N", "gravity", "not computed"]
    lead = found.rows[1][2]
    assert (lead.text, lead.note, lead.mark) == (
        "not settled",
        "a leads: 50 % less, p = 0.4",
        "unsure",
    )
    won = found.rows[3][2]
    assert (won.text, won.note, won.mark) == ("a", "50 % less, p = 0.01", "best")


def test_the_figure_has_a_cell_per_condition_and_a_panel_for_each_value_of_further_parameters():
    more = SweptParameter("orientations", "orientations", "", ("nominal", "corners"))
    found = made(lambda f, loads, how: verdict("a" if f else "b"), (FORCE, LOADS, more))
    figure = verdict_map_figure(found, "best cost")
    maps = [trace for trace in figure["data"] if trace["type"] == "heatmap"]
    assert len(maps) == 2
    for trace in maps:
        assert trace["x"] == ["0 N", "2 N", "4 N"]
        assert trace["y"] == ["gravity", "box"]
        assert trace["z"] == [[1, 0, 0], [1, 0, 0]]
        assert trace["text"][0][0].startswith("b<br>")
        assert "p = 0.01" in trace["hovertext"][0][0]
    titles = [note["text"] for note in figure["layout"]["annotations"]]
    assert titles == ["orientations nominal", "orientations corners"]
    legend = [trace["name"] for trace in figure["data"] if trace["type"] == "scatter"]
    assert legend == ["a", "b"]


def test_one_parameter_is_a_row_and_what_is_missing_is_marked():
    figure = verdict_map_figure(made(lambda f: verdict("a") if f else None, (FORCE,)), "best cost")
    trace, *legend = figure["data"]
    assert (len(trace["z"]), len(trace["z"][0])) == (1, 3)
    assert [each["name"] for each in legend] == ["a", "not computed"]


def test_many_panels_become_rows_and_too_many_rows_a_sentence():
    def of(*sizes):
        parameters = [
            SweptParameter(f"p{n}", f"p{n}", "", tuple(map(str, range(size)))) for n, size in enumerate(sizes)
        ]
        return verdict_map_figure(made(lambda *_: verdict("a"), parameters), "best cost")

    rows = of(3, 3, 2, 2, 2, 2)
    assert len([trace for trace in rows["data"] if trace["type"] == "heatmap"]) == 1
    assert len(rows["data"][0]["y"]) == 48
    assert len(rows["data"][0]["y"]) <= MOST_ROWS
    assert of(4, 4, 5, 6)["data"] == []
