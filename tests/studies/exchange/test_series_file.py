"""Series as files that other programs read."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.io import netcdf_file

from errors import InputError
from models.series import Column, Series, series_fault
from studies.exchange.series_file import require_series_file, write_series

TIMES = np.linspace(0.0, 1.0, 5)
SERIES = Series(
    (Column("time", "s", TIMES), Column("tip_x", "m", TIMES**2), Column("strain", "1", 0 * TIMES))
)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_tables_have_units_in_their_headers(kind, tmp_path):
    path = tmp_path / f"motion.{kind}"
    write_series(SERIES, path)
    found = pd.read_csv(path) if kind == "csv" else pd.read_parquet(path)
    assert list(found.columns) == ["time [s]", "tip_x [m]", "strain"]
    assert np.array_equal(found["tip_x [m]"], TIMES**2)


def test_netcdf_has_units_and_one_dimension(tmp_path):
    path = tmp_path / "motion.nc"
    write_series(SERIES, path)
    with netcdf_file(path, mmap=False) as file:
        assert dict(file.dimensions) == {"time": 5}
        assert file.variables["tip_x"].units == b"m"
        assert np.array_equal(file.variables["tip_x"][:], TIMES**2)


def test_a_file_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"'txt' \(known: csv, parquet, nc\)"):
        require_series_file(tmp_path / "motion.txt")
    with pytest.raises(InputError, match="there is no folder"):
        require_series_file(tmp_path / "nowhere" / "motion.csv")
    (tmp_path / "motion.csv").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_series(SERIES, tmp_path / "motion.csv")


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ((), "the first column is not 'time'"),
        (SERIES.columns[1:], "the first column is not 'time'"),
        ((replace(SERIES.columns[0], values=TIMES[::-1]),), "the times do not grow"),
        ((*SERIES.columns, SERIES.columns[1]), "two columns are called tip_x"),
        ((SERIES.columns[0], Column("a", "m", TIMES[1:])), "'a' has shape (4,), but there are 5 times"),
        ((SERIES.columns[0], Column("a", "m", np.full(5, np.nan))), "not a finite"),
    ],
)
def test_faults_of_a_series_are_named(columns, text):
    assert series_fault(SERIES) == ""
    assert text in series_fault(Series(tuple(columns)))
