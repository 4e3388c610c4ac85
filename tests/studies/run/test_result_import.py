"""Results from elsewhere: read from tables, stored under their source, and never taken for ours."""

import io

import numpy as np
import optuna
import pandas as pd
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.optimize import minimize
from pymoo.problems import get_problem

from errors import InputError
from studies.comparison.comparison import compare_studies
from studies.comparison.conditions import version_remarks
from studies.definition.study_file import parse_study
from studies.problem.problem import check
from studies.results.export import evaluation_table, export_study, front_table
from studies.results.fronts import fronts
from studies.results.reevaluation import evaluate_again
from studies.results.warm_start import with_earlier_designs
from studies.run.extension import extend_study
from studies.run.imported_definition import ImportRequest
from studies.run.launch import branch_study, run_study
from studies.run.questions import AS_STATED, reevaluate_front, robust, sensitivity
from studies.run.result_import import import_results
from studies.store.trials import TrialFilter
from studies.uncertainty.sweep import store_sweep

NOW = 1.8e9
LAYOUTS = """
name = "ours"
model = "faulty"
seeds = [1, 2]
[objectives]
f1 = "minimize"
steep = "minimize"
[expressions]
steep = "f2 * f2"
[constraints]
sometimes = { upper = 0.95 }
[layouts.plain.variables]
x = { lower = 0, upper = 1 }
y = { lower = 0, upper = 1 }
[layouts.sized.variables]
x = { lower = 0, upper = 1 }
size = { lower = 1, upper = 9, type = "integer" }
shape = { options = ["round", "flat"] }
[search]
population = 12
generations = 3
"""
BNH = """
name = "bnh-ranges"
model = "bnh"
[variables]
x1 = { lower = 0, upper = 5 }
x2 = { lower = 0, upper = 3 }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 12
generations = 2
"""
RULES = """
name = "rules"
model = "osy"
interchangeable = [["x1", "x2"]]
[variables]
x1 = { lower = 0, upper = 10 }
x2 = { lower = 0, upper = 10 }
x5 = { lower = 1, upper = 3, step = 1 }
x3 = { lower = 1, upper = 5, when = { x5 = 2 } }
[objectives]
f1 = "minimize"
f2 = "minimize"
[search]
population = 16
generations = 2
"""
ONE = ImportRequest("theirs", "N.N. 2019", model="faulty", objectives={"f1": "minimize", "f2": "minimize"})


def imported(store, text, request=ONE):
    content = text if isinstance(text, bytes) else text.encode()
    return import_results(store, content, "theirs.csv", request, NOW)


def rows_of(table):
    """Rows without what tells two studies apart."""
    told = table.drop(columns=[name for name in ("key", "source", "time [s]", "generation") if name in table])
    return sorted(map(repr, told.astype(object).where(told.notna(), None).to_numpy().tolist()))


def test_an_export_is_imported_with_the_same_designs_fronts_and_bits(store, inline, make_executor, tmp_path):
    ours = run_study(store, parse_study(LAYOUTS), inline(make_executor()))
    export_study(store, ours, tmp_path / "ours.csv")
    request = ImportRequest("again", "our export", parse_study(LAYOUTS))
    again, remarks = imported(store, (tmp_path / "ours.csv").read_bytes(), request)
    assert again.state == "done"
    assert rows_of(evaluation_table(store, again)) == rows_of(evaluation_table(store, ours))
    assert rows_of(front_table(store, again)) == rows_of(front_table(store, ours))
    assert "steep" in remarks[1]
    assert not set(evaluation_table(store, again)["key"]) & set(evaluation_table(store, ours)["key"])
    export_study(store, again, tmp_path / "again.csv")
    third, _ = imported(
        store, (tmp_path / "again.csv").read_bytes(), ImportRequest("third", "", request.definition)
    )
    assert third.source == "our export"
    assert rows_of(evaluation_table(store, third)) == rows_of(evaluation_table(store, ours))
    assert store.check() == []


def test_an_export_with_conditions_and_equal_parts_is_imported_with_the_same_designs(
    store, inline, make_executor, tmp_path
):
    ours = run_study(store, parse_study(RULES), inline(make_executor()))
    export_study(store, ours, tmp_path / "ours.csv")
    table = evaluation_table(store, ours)
    assert 0 < table["x3 [1]"].isna().sum() < len(table)
    again, _ = imported(
        store, (tmp_path / "ours.csv").read_bytes(), ImportRequest("again", "our export", parse_study(RULES))
    )
    assert rows_of(evaluation_table(store, again)) == rows_of(table)
    assert rows_of(front_table(store, again)) == rows_of(front_table(store, ours))
    points = np.concatenate([batch.points for run in again.runs for batch in store.log(run)])
    assert np.array_equal(check(parse_study(RULES))["default"].space.settle(points), points)


def test_a_value_of_what_does_not_act_changes_no_design(store):
    rules = ImportRequest("theirs", "N.N. 2019", parse_study(RULES))
    found, remarks = imported(
        store, "x1,x2,x5,x3,f1,f2\n3,1,1,4.5,-1,2\n3,1,3,99,-1,1\n3,1,2,4.5,-2,1\n", rules
    )
    table = evaluation_table(store, found)
    assert table[["x1 [1]", "x2 [1]"]].to_numpy().tolist() == [[1.0, 3.0]] * 3, "equal parts in rising order"
    assert table["x3 [1]"].fillna(0).tolist() == [0, 0, 4.5]
    assert remarks == ["values of variables that do not act in a design and were passed over: 2"]
    fixed = [trial.parameters["x3"] for trial in store.trials(TrialFilter([found.runs[0].id], None, 9))]
    assert fixed[0] == fixed[1] != 4.5 == fixed[2]
    for text, said in (
        ("x1,x2,x5,x3,f1,f2\n1,2,1,4,1,1\n1,2,1,3,1,1\n", r"line 3: repeats the design of line 2"),
        ("x1,x2,x5,x3,f1,f2\n1,2,1,,1,1\n2,1,1,,1,1\n", r"line 3: repeats the design of line 2"),
        ("x1,x2,x5,x3,f1,f2\n1,2,2,,1,1\n", r"line 2, column 'x3': is empty; write a value"),
        ("x1,x2,x5,x3,f1,f2\n1,2,,,1,1\n", r"line 2, column 'x5': is empty; write a value"),
    ):
        with pytest.raises(InputError, match=said) as raised:
            imported(store, text, ImportRequest("other", "N.N. 2019", parse_study(RULES)))
        assert len(raised.value.faults) == 1


def test_designs_that_were_evaluated_at_a_lower_fidelity_are_left_out_and_counted(store):
    text = "x,y,f1,f2,rung\n0.1,0.2,1,2,\n0.2,0.3,-9,-9,1\n0.7,0.3,-9,-9,2\n0.4,0.3,2,1,\n"
    found, remarks = imported(store, text)
    assert evaluation_table(store, found)["f1 [1]"].tolist() == [1.0, 2.0]
    assert found.definition["variables"]["x"]["upper"] == 0.4, "of the rows that are taken"
    assert remarks == ["rows that were left out, evaluated at a lower fidelity: 2"]
    with pytest.raises(InputError, match="no design whose state is done and whose rung is empty"):
        imported(store, "x,y,f1,f2,rung\n0.1,0.2,1,2,1\n", ONE)


def test_a_range_outside_of_the_model_is_placed_by_the_rows_that_are_taken(store):
    text = "x,y,f1,f2,state\nhm,0.5,1,1,failed\n0.2,0.5,1,1,done\n1.5,0.5,2,0,done\n"
    with pytest.raises(InputError, match=r"line 4, column 'x': .*at most 1"):
        imported(store, text)
    wide = BNH.replace("x1 = { lower = 0, upper = 5 }", "x1 = { lower = 0, upper = 500 }")
    with pytest.raises(InputError) as raised:
        imported(store, "x1,x2,f1,f2\nhm,1,1,1\n", ImportRequest("theirs", "N.N.", parse_study(wide)))
    assert raised.value.faults[0].place[:3] == ("variables", "x1", "upper")


def test_a_front_is_imported_from_its_table(store, inline, make_executor, tmp_path):
    ours = run_study(store, parse_study(BNH), inline(make_executor()))
    export_study(store, ours, tmp_path / "front.csv", only_front=True)
    again, _ = imported(
        store, (tmp_path / "front.csv").read_bytes(), ImportRequest("again", "our export", parse_study(BNH))
    )
    assert len(front_table(store, again)) == len(front_table(store, ours)) > 5


def test_a_table_of_optuna_is_imported(store):
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=optuna.samplers.RandomSampler(1))

    def objective(trial):
        x, y = trial.suggest_float("x1", 0, 5), trial.suggest_float("x2", 0, 3)
        if trial.number == 7:
            raise optuna.TrialPruned
        return 4 * x**2 + 4 * y**2, (x - 5) ** 2 + (y - 5) ** 2

    study.optimize(objective, n_trials=30)
    text = study.trials_dataframe().to_csv()
    dropped = dict.fromkeys(("number", "datetime_start", "datetime_complete", "duration"), "")
    columns = {**dropped, "params_x1": "x1", "params_x2": "x2", "values_0": "f1", "values_1": "f2"}
    goals = {"f1": "minimize", "f2": "minimize"}
    request = ImportRequest("from-optuna", "Optuna", None, "bnh", None, goals, columns)
    found, remarks = imported(store, text, request)
    assert {design.objectives for design in fronts(store, found)["default"]} == {
        tuple(trial.values or ()) for trial in study.best_trials
    }
    assert remarks[0] == "rows that were left out by their state: 1 PRUNED"


def test_a_result_of_pymoo_is_imported(store):
    found = minimize(get_problem("bnh"), NSGA2(20), ("n_gen", 5), seed=1)
    frame = pd.DataFrame(np.hstack([found.X, found.F]), columns=["x1", "x2", "f1", "f2"])
    again, _ = imported(store, frame.to_csv(), ImportRequest("from-pymoo", "pymoo 0.6", parse_study(BNH)))
    front = fronts(store, again)["default"]
    assert sorted(design.objectives for design in front) == sorted(map(tuple, found.F.tolist()))


def test_units_decimal_commas_byte_order_marks_and_metrics_of_elsewhere_are_read(store):
    text = "\ufeffx [%];y;f1;sag [mm]\r\n12,5;0,25;3;4\r\n40;0,5;2,5;7,5\r\n"
    request = ImportRequest("sagging", "a bench", None, "faulty", None, {"f1": "minimize", "sag": "maximize"})
    found, _ = imported(store, text, request)
    table = evaluation_table(store, found)
    assert table["x [1]"].tolist() == [0.125, 0.4]
    assert table["sag [m]"].tolist() == [0.004, 0.0075]
    assert table["source"].tolist() == ["a bench"] * 2
    assert [design.objectives for design in fronts(store, found)["default"]] == [(2.5, -0.0075)]


def test_a_formula_is_text_and_no_number(store):
    with pytest.raises(InputError, match=r"line 2, column 'f1': '=1\+1' is not a finite number"):
        imported(store, "x,y,f1,f2\n0.1,0.2,=1+1,2\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x,y,f1,f2\n0.1,nan,1,1\n", r"theirs.csv, line 2, column 'y': 'nan' is not a finite number"),
        ("x,y,f1,f2\n0.1,0.5,inf,1\n", r"line 2, column 'f1': 'inf' is not a finite number"),
        ("x,y,f1,f2\n0.1,0.5,1,1\n1.5,0.5,1,2\n", r"line 3, column 'x': .*at most 1"),
        ("x,q,f1,f2\n0.1,1,1,1\n", r"line 1, column 'q': unknown column 'q'"),
        ("x,y,f1\n0.1,1,1\n", r"theirs.csv has no column 'f2', a goal of the study"),
        ("x,y,f1,f2\n0.1,1,1,\n", r"line 2, column 'f2': is empty; write a value"),
        ("x,y,f1,f2\n.1,1,1,2\n.2,1,1,3\n.1,1,1,2\n", r"line 4: repeats the design of line 2"),
        ("x [mm],y,f1,f2\n.1,1,1,2\n", r"line 1, column 'x \[mm\]': .* is a length; expected a pure number"),
        ("x,x,f1,f2\n.1,1,1,2\n", r"there are two columns 'x'; keep one"),
        ("x,y,f1,f2\n.1,1,1\n", r"line 2: has 3 cells for 4 columns"),
        ("x,y,f1,f2\n", r"theirs.csv has no rows"),
        ("x,y,f1,f2,source\n.1,1,1,2,K.K.\n", r"says that its results are from K.K.;.*under that source"),
        ("x,y,f1,f2,layout\n.1,1,1,2,plain\n", r"has the layouts plain; give the study file"),
        ("x,y,f1,f2,seed\n.1,1,1,2,one\n", r"line 2, column 'seed': 'one' is no seed"),
        ("x,y,f1,f2,state\n.1,1,1,2,failed\n", r"has no design whose state is done"),
        ("f1,f2\n1,2\n", r"has no column of a parameter of faulty"),
        ("x,y,f1,f2\n0,5;1;1\n".encode("utf-16"), r"is not UTF-8 text"),
        ("x,y,f1,f2\n" + "0.1,0.2,1,2\n" * 100_001, r"has more than 100000 rows"),
    ],
)  # fmt: skip
def test_a_faulty_table_is_refused_with_its_place_and_nothing_is_stored(store, text, said):
    with pytest.raises(InputError, match=said):
        imported(store, text)
    assert store.studies() == []


def test_values_outside_a_study_file_are_refused_with_what_is_allowed(store):
    text = "x1,x2,f1,f2\n6,1,1,1\n1,1,1,1\n"
    with pytest.raises(
        InputError, match=r"line 2, column 'x1': 6 is out of the range of x1, which goes from 0 to 5"
    ):
        imported(store, text, ImportRequest("theirs", "N.N.", parse_study(BNH)))
    text = "layout,x,size,shape,f1,f2,sometimes\nsized,.1,2.5,round,1,1,1\nsized,.1,2,oval,1,1,1\nbent,.1,2,,1,1,1\n"
    with pytest.raises(InputError) as raised:
        imported(
            store,
            text,
            ImportRequest(
                "theirs",
                "N.N.",
                parse_study(
                    LAYOUTS.replace(
                        "[layouts.plain.variables]\nx = { lower = 0, upper = 1 }\ny = { lower = 0, upper = 1 }\n",
                        "",
                    )
                ),
            ),
        )
    told = str(raised.value)
    assert "line 2, column 'size': 2.5 is between the steps of size" in told
    assert "line 3, column 'shape': 'oval' is no option of shape; allowed are round, flat" in told
    assert "line 4, column 'layout': 'bent' is no layout of the study; it has sized" in told


def test_a_source_is_needed_and_other_results_under_a_name_are_refused(store):
    text = "x,y,f1,f2\n0.1,0.2,1,2\n"
    with pytest.raises(InputError, match="source: is missing; say who computed or measured"):
        imported(store, text, ImportRequest("theirs", "", None, "faulty", None, ONE.objectives))
    first, _ = imported(store, text)
    assert imported(store, text)[0] == first
    with pytest.raises(InputError, match="holds another study named 'theirs'"):
        imported(store, text + "0.3,0.2,1,2\n")


def test_no_search_goes_on_with_imported_results(store):
    study, _ = imported(store, "x,y,f1,f2\n0.1,0.2,1,2\n0.2,0.3,2,1\n")
    for action in (
        lambda: branch_study(store, "theirs", "branch"),
        lambda: extend_study(store, "theirs", {"evaluations": 1000}),
        lambda: extend_study(store, "theirs", {"seeds": 5}),
    ):
        with pytest.raises(
            InputError, match=r"imported from N.N. 2019, which no search made and none can continue"
        ):
            action()
    assert store.study("theirs") == study


def test_their_designs_begin_a_study_and_are_evaluated_anew(store, inline, make_executor):
    text = "x1,x2,f1,f2\n" + "".join(f"{x},{x / 2},{-x},0\n" for x in (0.5, 1.0, 1.5, 2.0))
    theirs, _ = imported(store, text, ImportRequest("theirs", "N.N. 2019", parse_study(BNH)))
    definition = parse_study(
        BNH.replace('"bnh-ranges"', '"ours"').replace("generations = 2", 'generations = 2\nfrom = ["theirs"]')
    )
    begun = with_earlier_designs(store, definition, check(definition))
    assert (
        "some are ranked by metrics imported from N.N. 2019, and all are evaluated here anew"
        in begun.remarks[0]
    )
    executor = make_executor()
    ours = run_study(store, definition, inline(executor))
    table = evaluation_table(store, ours)
    same = table[table["x1 [1]"].isin([0.5, 1.0, 1.5, 2.0])]
    assert len(same) >= 4
    assert (same["f1 [1]"] > 0).all(), "their metrics are negative"
    assert set(table["key"]) == set(executor.keys), "nothing was found in the store"
    assert not ours.source
    assert "source" not in table
    assert theirs.source == "N.N. 2019"


def test_a_comparison_calls_them_imported(store, inline, make_executor):
    ours = run_study(store, parse_study(BNH), inline(make_executor()))
    theirs, _ = imported(
        store, "x1,x2,f1,f2\n1,1,8,32\n", ImportRequest("theirs", "N.N. 2019", parse_study(BNH))
    )
    compared = compare_studies(store, [ours, theirs])
    assert list(compared.fronts) == ["bnh-ranges", "theirs (imported)"]
    assert version_remarks(store, theirs) == [
        "The results of study theirs are imported from N.N. 2019, and not evaluated here."
    ]


def test_a_spreadsheet_reads_no_formula_from_what_was_exported(store, tmp_path):
    request = ImportRequest("theirs", "=cmd|' /C calc'!A0", None, "faulty", None, ONE.objectives)
    study, _ = imported(store, "x,y,f1,f2\n0.1,0.2,1,2\n", request)
    export_study(store, study, tmp_path / "theirs.csv")
    (row,) = pd.read_csv(io.StringIO((tmp_path / "theirs.csv").read_text())).to_dict("records")
    assert row["source"].startswith("'=")


def test_nothing_that_is_computed_here_joins_their_metrics(store, inline, make_executor):
    study, _ = imported(store, "x,y,f1,f2\n0.1,0.2,1,2\n0.2,0.3,2,1\n")
    key = fronts(store, study)["default"][0].key
    for ask in (
        lambda: store_sweep(store, "theirs", {"size": [1, 2]}),
        lambda: sensitivity("theirs", None, 16, 0).plan(store),
        lambda: robust("theirs", key, AS_STATED).plan(store),
    ):
        with pytest.raises(InputError, match="would be mixed with theirs"):
            ask()
    stored = store.find_evaluation(key)
    with pytest.raises(
        InputError, match=r"is imported from N.N. 2019, and not evaluated here: nothing can be reproduced"
    ):
        evaluate_again(stored, lambda _: stored)


def test_their_front_is_evaluated_here_beside_their_metrics(store, inline, make_executor):
    imported(store, "x,y,f1,f2\n0.1,0.2,1,2\n0.2,0.3,2,1\n")
    found = reevaluate_front(store, "theirs", inline(make_executor()))
    assert [(each.stored.metrics["f1"], each.again.metrics["f1"]) for each in found] == [
        (1.0, pytest.approx(0.3)), (2.0, pytest.approx(0.5))
    ]  # fmt: skip
    assert {each.stored.key for each in found}.isdisjoint(each.again.key for each in found)
    imported(
        store,
        "x,y,f1,sag\n0.1,0.2,1,2\n",
        ImportRequest("sagging", "N.N.", None, "faulty", None, {"f1": "minimize", "sag": "minimize"}),
    )
    with pytest.raises(InputError, match=r"faulty does not compute sag, which study 'sagging' has from N.N."):
        reevaluate_front(store, "sagging", inline(make_executor()))
