"""Tables are read and written page by page, and are the same as in one piece."""

import io
import json

import pandas as pd
import pytest

from errors import StateError
from studies.definition.study_file import parse_study
from studies.results import export
from studies.results.export import archive_stream, evaluation_table, export_stream, front_table
from studies.run.launch import run_study

KINDS = ("csv", "json", "parquet")


@pytest.fixture
def study(store, bnh_study, inline, inline_executor, monkeypatch):
    monkeypatch.setattr(export, "PAGE", 7)
    return run_study(store, parse_study(bnh_study), inline(inline_executor))


def frame_of(content, kind):
    if kind == "json":
        return pd.DataFrame(json.loads(content))
    return {"csv": pd.read_csv, "parquet": pd.read_parquet}[kind](io.BytesIO(content))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("only_front", [False, True])
def test_pages_make_the_whole_table(store, study, kind, only_front):
    found = export_stream(store, study, kind, only_front=only_front)
    table = (front_table if only_front else evaluation_table)(store, study)
    content = frame_of(b"".join(found.pieces), kind)
    assert found.designs == len(table) == len(content) > 7
    assert list(content.columns) == list(table.columns)
    numbers = table.select_dtypes("number").columns
    assert len(numbers) >= 4
    pd.testing.assert_frame_equal(content[numbers], table[numbers], check_dtype=False, check_exact=True)
    assert list(content["key"]) == list(table["key"])


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_designs_are_read_when_their_piece_is_taken(store, study, kind, monkeypatch):
    read, trials = [], store.trials

    def counted(wanted):
        read.append(wanted.limit)
        return trials(wanted)

    monkeypatch.setattr(store, "trials", counted)
    pieces = export_stream(store, study, kind).pieces
    assert read == []
    next(pieces)
    assert read == [7]
    assert archive_stream(store, [study, study], kind).designs == 2 * 72
    assert read == [7]


def test_a_study_that_is_deleted_meanwhile_gives_no_short_table(store, study):
    pieces = export_stream(store, study, "csv").pieces
    next(pieces)
    store.delete_study(study.name)
    with pytest.raises(StateError, match="export it again"):
        list(pieces)


def test_a_column_whose_values_come_late_has_their_type(store, study):
    table = export._Table(["x"], 4, lambda: iter([[{"x": None}], [], [{"x": 1}, {"x": 2.5}], [{}]]))
    content = frame_of(b"".join(export._parquet(table)), "parquet")
    assert content["x"].dtype == "float64"
    assert content["x"].fillna(-1).tolist() == [-1, 1, 2.5, -1]
