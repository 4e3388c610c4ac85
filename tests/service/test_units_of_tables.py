"""Tables of the shell in the units of the pages."""

import math
from types import SimpleNamespace

from models import load
from service.app.context import Context
from service.app.services import StoreServices
from service.cli.output import NumberText, emit
from service.cli.tables import comparison_rows_in_units, front_rows_in_units, study_model
from service.cli.units import in_one_unit, in_units, unit_in
from service.examples import FOLDER
from service.resources.comparison import CriterionResource
from studies.definition.study_file import read_study


def test_a_row_tells_its_values_in_one_readable_unit():
    row = {"criterion": "gap", "unit": "m", "one": 0.00125, "two": None, "winner": "one"}
    told = in_one_unit(row, ["one", "two"])
    assert told == {"criterion": "gap", "unit": "mm", "one": "1.25", "two": None, "winner": "one"}
    assert isinstance(told["one"], NumberText)


def test_columns_name_the_unit_that_their_values_share():
    rows = [
        {"key": "a", "turn": math.pi / 2, "volume": 0.15625},
        {"key": "b", "turn": -math.pi, "volume": 0.5},
    ]
    told = in_units(rows, {"turn": "rad", "volume": "m**3"})
    assert told[0] == {"key": "a", "turn [°]": "90", "volume [m³]": "0.1563"}
    assert told[1]["turn [°]"] == "-180"


def test_a_column_of_pure_numbers_and_options_keeps_its_name():
    assert in_units([{"cells": 20, "kind": "round"}], {"cells": "1", "kind": "1"}) == [
        {"cells": "20", "kind": "round"}
    ]


def test_units_are_found_along_dotted_paths():
    schema = load("hybrid-cable-robot").parameters.model_json_schema()
    paths = [
        "beta1",
        "pulleys.0.2",
        "test_load.4",
        "platform_body.mass",
        "wrench_set.center.0",
        "orientations",
    ]
    assert [unit_in(schema, path) for path in paths] == ["rad", "m", "N m", "kg", "N", "1"]


def test_people_read_rounded_numbers_and_programs_all_digits(capsys):
    emit([{"value": -0.15625}, {"value": 12345.678}], "table")
    assert capsys.readouterr().out.split()[-2:] == ["-0.1563", "12346"]
    emit([{"value": 0.1 + 0.2}], "csv")
    assert capsys.readouterr().out.split() == ["value", "0.30000000000000004"]


def test_no_cell_of_a_wide_table_in_a_file_is_cut(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")
    row = {
        "layouts": "robocab: constrained against grid10: suspended",
        "medians": "1.951 1/m^1.5 against 64.3 1/m^1.5",
        "difference": "from -64 to -62 1/m^1.5",
        "verdict": "not settled",
        "of seeds": "5 against 5 seeds each",
    }
    emit([row], "table")
    lines = capsys.readouterr().out.splitlines()
    assert all(any(text in line for line in lines) for pair in row.items() for text in pair)


def test_statistics_over_robots_have_units_in_a_front(store):
    local = StoreServices(Context(store=store))
    study = local.studies.create(read_study(FOLDER / "pulley-tolerances.toml"), launch=False)
    found = {"workspace_volume": 0.15625, "robust.F2.q95": 2.5, "robust.interference_margin.mean": 0.00125}
    design = SimpleNamespace(key="0" * 64, layout="default", seeds=[1], variables={}, metrics=found)
    (row,) = front_rows_in_units([design], study_model(local, study), list(found), {})
    assert list(row)[:3] == [
        "workspace_volume [m³]",
        "robust.F2.q95 [1/m^1.5]",
        "robust.interference_margin.mean [mm]",
    ]


def test_a_comparison_says_where_layouts_are_even():
    rows = [
        CriterionResource(
            name=f"best {metric}", title=f"best {metric}", unit="m", meaning="", better="maximize",
            values={"one": 0.0012, "two": other}, winner=winner, even=even, margin=None, error=1e-4,
        )
        for metric, other, winner, even in (("gap", 0.00125, "", True), ("reach", 0.002, "two", False))
    ]  # fmt: skip
    shown = comparison_rows_in_units(SimpleNamespace(criteria=rows))
    assert [(row["criterion"], row["winner"]) for row in shown] == [
        ("best gap", "even"),
        ("best reach", "two"),
    ]
