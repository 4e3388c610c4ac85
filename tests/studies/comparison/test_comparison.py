import dataclasses
from types import SimpleNamespace

import pandas as pd
import pytest

from errors import InputError, UnknownNameError
from models import load
from studies.comparison.comparison import compare_layouts
from studies.definition.study_file import parse_study
from studies.results.export import export_study
from studies.results.fronts import choose_runs, fronts
from studies.run.launch import run_study
from studies.store import Store

LAYOUTS = """
name = "shapes"
model = "faulty"
seeds = [1, 2]
[variables]
x = { lower = 0, upper = 1 }
y = { lower = 0, upper = 1 }
[layouts.round.parameters]
shape = "round"
[layouts.flat.parameters]
shape = "flat"
[layouts.never.parameters]
fault = "infeasible"
threshold = 0.0
[layouts.never.variables]
x = { lower = 0.1, upper = 1 }
[objectives]
f1 = "minimize"
f2 = "maximize"
[search]
population = 12
generations = 4
"""


@pytest.fixture(scope="module")
def compared(tmp_path_factory, inline, make_executor):
    with Store(str(tmp_path_factory.mktemp("compared") / "tautline.db")) as store:
        study = run_study(store, parse_study(LAYOUTS), inline(make_executor()))
        yield store, study, compare_layouts(store, study)


def test_the_better_layout_wins_by_what_it_is_better(compared):
    _, _, comparison = compared
    rows = {c.name: c for c in comparison.criteria}
    assert rows["hypervolume"].winner == "round"
    assert rows["best f1"].winner == "round"
    assert rows["best f1"].values["never"] is None
    assert rows["coverage"].values["round"] > rows["coverage"].values["flat"]
    assert rows["additive epsilon"].values["round"] < rows["additive epsilon"].values["flat"]
    assert rows["best f2"].better == "maximize"
    assert rows["best f1"].margin == pytest.approx(
        (rows["best f1"].values["flat"] - rows["best f1"].values["round"]) / rows["best f1"].values["flat"]
    )


def test_hypervolumes_share_one_point_that_every_front_beats(compared):
    _, _, comparison = compared
    signs = (1, -1)
    for front in comparison.fronts.values():
        for design in front:
            assert all(
                o < s * r
                for o, s, r in zip(design.objectives, signs, comparison.reference_point, strict=True)
            )
    for layout, seeds in comparison.seed_hypervolumes.items():
        joint = next(c for c in comparison.criteria if c.name == "hypervolume").values[layout]
        assert set(seeds) == {1, 2}
        assert max(seeds.values()) <= joint + 1e-12


def test_a_joint_front_knows_which_seed_found_what(compared):
    store, study, _ = compared
    joint = fronts(store, study)["round"]
    assert {seed for design in joint for seed in design.seeds} == {1, 2}
    assert [d.key for d in joint] == sorted(d.key for d in joint)
    one = fronts(store, study, "round", 1)
    assert list(one) == ["round"]
    assert all(design.seeds == (1,) for design in one["round"])


def test_unknown_layouts_and_seeds_are_reported(compared):
    _, study, _ = compared
    with pytest.raises(UnknownNameError, match="did you mean 'round'"):
        choose_runs(study, "rond")
    with pytest.raises(UnknownNameError, match="known: 1, 2"):
        choose_runs(study, None, 3)


@pytest.mark.parametrize("kind", ["csv", "parquet", "json"])
def test_exports_hold_every_design_with_units_in_headers(compared, tmp_path, kind):
    store, study, _ = compared
    path = tmp_path / f"out.{kind}"
    assert export_study(store, study, path) == 3 * 2 * 48
    table = {"csv": pd.read_csv, "parquet": pd.read_parquet, "json": pd.read_json}[kind](path)
    assert len(table) == 288
    assert {"x [1]", "f1 [1]", "sometimes [m]", "time [s]", "layout", "key"} <= set(table.columns)
    stored = store.history(study.runs[0])[0]
    row = table[(table["layout"] == "round") & (table["seed"] == 1)].iloc[0]
    assert row["f1 [1]"] == stored.evaluation.metrics["f1"]
    assert row["key"] == stored.evaluation.key


def test_front_export_holds_the_front(compared, tmp_path):
    store, study, comparison = compared
    count = export_study(store, study, tmp_path / "front.csv", only_front=True)
    assert count == sum(len(front) for front in comparison.fronts.values())


def test_formulas_in_text_are_defused(store, inline, make_executor, tmp_path, monkeypatch):
    def poisonous(*_):
        raise RuntimeError

    monkeypatch.setattr(
        "studies.execution.evaluation.type",
        lambda _: SimpleNamespace(__name__="=HYPERLINK(1)"),
        raising=False,
    )
    monkeypatch.setattr(
        "studies.execution.evaluation.load",
        lambda _: dataclasses.replace(load("faulty"), stages={"plain": poisonous}),
    )
    text = LAYOUTS.replace("[search]", "[evaluation]\nmax_failure_share = 1\n[search]")
    study = run_study(store, parse_study(text), inline(make_executor()))
    export_study(store, study, tmp_path / "a.csv")
    reasons = set(pd.read_csv(tmp_path / "a.csv")["reason"])
    assert reasons == {"'=HYPERLINK(1): "}


def test_layouts_may_vary_different_things(store, inline, make_executor):
    text = LAYOUTS.replace(
        '[layouts.flat.parameters]\nshape = "flat"',
        '[layouts.flat.variables]\nsize = { lower = 1, upper = 3, type = "integer" }',
    )
    study = run_study(store, parse_study(text), inline(make_executor()))
    joint = fronts(store, study)
    assert set(joint["flat"][0].variables) == {"x", "y", "size"}
    assert set(joint["round"][0].variables) == {"x", "y"}


def test_files_that_cannot_be_written_are_reported(compared, tmp_path):
    store, study, _ = compared
    with pytest.raises(UnknownNameError, match="csv, parquet, json"):
        export_study(store, study, tmp_path / "out.xlsx")
    with pytest.raises(InputError, match="cannot be written"):
        export_study(store, study, tmp_path / "missing" / "out.csv")
