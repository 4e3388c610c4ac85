"""Series of a design as a file: CSV, Parquet or NetCDF, with units.

CSV and Parquet have headers like ``cable_1_tension [N]``. In NetCDF (version 3, which all programs that know
the format read) each variable has its unit as the attribute ``units``, and ``time`` is the dimension.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

import pandas as pd

from errors import InputError, UnknownNameError
from models.series import Series


def require_series_file(path: Path) -> None:
    """Raise ``InputError`` for a file in which no series can be written, before anything is computed."""
    kind = path.suffix.removeprefix(".")
    if kind not in _WRITERS:
        raise UnknownNameError("ending of a series file", kind, _WRITERS, (str(path),))
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {path.parent}; make it first", (str(path),))


def write_series(series: Series, path: Path) -> None:
    """Write a series in the format that the file's ending names; raises ``InputError`` if it cannot."""
    require_series_file(path)
    content = _WRITERS[path.suffix.removeprefix(".")](series)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", (str(path),)) from None


def _table(series: Series) -> pd.DataFrame:
    names = [_header(column.name, column.unit) for column in series.columns]
    return pd.DataFrame({
        name: column.values for name, column in zip(names, series.columns, strict=True)
    })  # fmt: skip


def _header(name: str, unit: str) -> str:
    return name if unit == "1" else f"{name} [{unit}]"


def _csv(series: Series) -> bytes:
    return _table(series).to_csv(index=False, lineterminator=os.linesep).encode()


def _parquet(series: Series) -> bytes:
    file = BytesIO()
    _table(series).to_parquet(file, index=False)
    return file.getvalue()


def _netcdf(series: Series) -> bytes:
    from scipy.io import netcdf_file

    kept = BytesIO()
    with netcdf_file(kept, "w", version=2) as file:
        file.createDimension("time", len(series.columns[0].values))
        for column in series.columns:
            variable = file.createVariable(column.name, "d", ("time",))
            variable[:] = column.values
            variable.units = column.unit
        file.flush()
        return kept.getvalue()


_WRITERS: Mapping[str, Callable[[Series], bytes]] = {"csv": _csv, "parquet": _parquet, "nc": _netcdf}
