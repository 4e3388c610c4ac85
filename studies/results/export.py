"""Tables for other programs: CSV, Parquet and JSON, with units in the headers.

Designs are read and written page by page: a table of any length takes the memory of one page.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any, Literal, cast, get_args
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pandas as pd

from errors import InputError, StateError, UnknownNameError
from models import Model
from studies.definition.derived_quantities import study_model
from studies.definition.stored_model import definition_of
from studies.definition.study_definition import StudyDefinition
from studies.records import FrontDesign, RunRecord, StudyRecord
from studies.results.design_values import DesignReader, DesignValues, unit_of_path
from studies.results.fronts import choose_runs, designs_on, joint_fronts
from studies.store import Store
from studies.store.trials import Trial, TrialFilter

Format = Literal["csv", "parquet", "json"]
Row = dict[str, Any]
PAGE = 250
"""Designs that are read at once."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class FileStream:
    """The content of a file in pieces, and how many designs it has."""

    designs: int
    pieces: Iterator[bytes]


def export_study(
    store: Store, study: StudyRecord, path: Path, kind: Format | None = None, *, only_front: bool = False
) -> int:
    """Write the designs of a study to a file, and return the number of rows.

    ``kind`` is ``csv``, ``parquet`` or ``json``, by default that of the file's ending; ``only_front``
    leaves out all but the fronts. Numbers are SI.
    """
    chosen = kind or path.suffix.removeprefix(".")
    if chosen not in get_args(Format):
        raise UnknownNameError("format", chosen, get_args(Format), (str(path),))
    found = export_stream(store, study, cast("Format", chosen), only_front=only_front)
    try:
        with path.open("wb") as file:
            file.writelines(found.pieces)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", (str(path),)) from None
    return found.designs


def export_stream(store: Store, study: StudyRecord, kind: Format, *, only_front: bool = False) -> FileStream:
    """Return what :func:`export_study` writes."""
    table = _table(store, study, only_front=only_front)
    return FileStream(table.designs, _WRITERS[kind](table))


def table_file(name: str, kind: Format, *, only_front: bool = False) -> str:
    """The usual name of the file with the designs of a study."""
    return f"{name}{'-front' if only_front else '-all'}.{kind}"


def archive_stream(
    store: Store, studies: Sequence[StudyRecord], kind: Format, *, only_front: bool = False
) -> FileStream:
    """Return a zip file with the table of each study.

    A table has the time at which its study was stored, so that the same studies give the same bytes.
    """
    tables = [_table(store, study, only_front=only_front) for study in studies]
    names = [table_file(study.name, kind, only_front=only_front) for study in studies]
    times = [datetime.fromtimestamp(study.created, UTC).timetuple()[:6] for study in studies]

    def pieces() -> Iterator[bytes]:
        pipe = _Pipe()
        with ZipFile(cast("Any", pipe), "w") as archive:
            for table, name, time in zip(tables, names, times, strict=True):
                entry = ZipInfo(name, time)
                entry.compress_type = ZIP_DEFLATED
                with archive.open(entry, "w") as file:
                    for piece in _WRITERS[kind](table):
                        file.write(piece)
                        yield pipe.take()
        yield pipe.take()

    return FileStream(sum(table.designs for table in tables), pieces())


def evaluation_table(store: Store, study: StudyRecord) -> pd.DataFrame:
    """Designs that the runs of a study asked for, in that order: a row for each design and run, in SI."""
    return _table(store, study, only_front=False).frame()


def front_table(store: Store, study: StudyRecord) -> pd.DataFrame:
    """Designs on the fronts of the layouts, joint over seeds: a row for each, in SI."""
    return _table(store, study, only_front=True).frame()


# ---------------------------------------------------------------- rows


@dataclass(frozen=True, slots=True)
class _Table:
    """Designs in rows, which ``read`` reads from the store page by page, each time that it is called."""

    columns: Sequence[str]
    designs: int
    read: Callable[[], Iterator[list[Row]]]

    def pages(self) -> Iterator[list[Row]]:
        """Yield rows with a value, or None, in every column; raises ``StateError`` if some were deleted."""
        count = 0
        for page in self.read():
            count += len(page)
            yield [{name: row.get(name) for name in self.columns} for row in page]
        if count != self.designs:
            raise StateError("the study was changed or deleted while its designs were read; export it again")

    def frame(self) -> pd.DataFrame:
        """Return the whole table."""
        return pd.DataFrame([row for page in self.pages() for row in page], columns=list(self.columns))


def _table(store: Store, study: StudyRecord, *, only_front: bool) -> _Table:
    runs = choose_runs(study)
    layouts = list(dict.fromkeys(run.layout for run in runs))
    headers = _Headers(study, layouts)
    found = _fronts(store, study, headers) if only_front else _evaluations(store, runs, headers)
    return found if not study.source else _marked(found, study.source)


def _marked(table: _Table, source: str) -> _Table:
    """A table of imported results with their source in each row."""
    return _Table(
        [*table.columns, _SOURCE],
        table.designs,
        lambda: ([{**row, _SOURCE: source} for row in page] for page in table.read()),
    )


class _Headers:
    """Headers of the form ``name [unit]`` for the variables, linked parameters and metrics of layouts."""

    def __init__(self, study: StudyRecord, layouts: Sequence[str]) -> None:
        definition = definition_of(study)
        model = study_model(definition)
        self.readers = {layout: DesignReader(study, layout) for layout in layouts}
        self._metrics = {metric.name: _header(metric.name, metric.unit) for metric in model.metrics}
        self._variables = {
            layout: _variable_headers(model, definition, layout, reader)
            for layout, reader in self.readers.items()
        }

    def columns(self, first: Sequence[str], last: Sequence[str] = ()) -> list[str]:
        """Return the columns of a table that has these ``first`` and ``last``."""
        parts = [(*first, *own.values(), *self._metrics.values(), *last) for own in self._variables.values()]
        return list(dict.fromkeys(column for part in parts for column in part))

    def named(self, layout: str, design: FrontDesign | DesignValues) -> Row:
        """Return the values of a design under their headers."""
        headers = self._variables[layout]
        variables = {headers[path]: value for path, value in {**design.variables, **design.linked}.items()}
        return variables | {header: design.metrics.get(name) for name, header in self._metrics.items()}


def _variable_headers(
    model: Model, definition: StudyDefinition, layout: str, reader: DesignReader
) -> dict[str, str]:
    paths = (*reader.paths, *reader.linked)
    return {path: _header(path, unit_of_path(model, definition, layout, path)) for path in paths}


def _header(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


_ASKED = (
    "layout", "seed", "generation", "ask_no", "key", "state", "failure", "reason", "violation", "rung",
)  # fmt: skip
_TIME = "time [s]"
_SOURCE = "source"


def _evaluations(store: Store, runs: Sequence[RunRecord], headers: _Headers) -> _Table:
    """Return the designs that the runs have asked for by now."""
    known = {run.id: run for run in runs}
    counts = store.trial_counts(runs)

    def row(trial: Trial) -> Row:
        run = known[trial.run_id]
        reader = headers.readers[run.layout]
        values = reader.read(trial.parameters, trial.metrics, trial.point)
        reason = trial.reason or reader.undefined(trial.state, values.metrics)
        asked = (
            run.layout, run.seed, trial.generation, trial.ask_no, trial.key, trial.state, trial.kind, reason,
            trial.violation, trial.rung,
        )  # fmt: skip
        own = headers.named(run.layout, values)
        return {**dict(zip(_ASKED, asked, strict=True)), **own, _TIME: trial.seconds}

    def read() -> Iterator[list[Row]]:
        after: tuple[int, int] | None = None
        while trials := store.trials(TrialFilter(list(known), after, PAGE)):
            yield [row(trial) for trial in trials if trial.ask_no < counts.get(trial.run_id, 0)]
            after = (trials[-1].run_id, trials[-1].ask_no)

    return _Table(headers.columns(_ASKED, [_TIME]), sum(counts.values()), read)


_ON_FRONT = ("layout", "seeds", "key")


def _fronts(store: Store, study: StudyRecord, headers: _Headers) -> _Table:
    """Return the designs that are on the fronts by now."""
    places = [(front, number) for front in joint_fronts(store, study) for number in range(len(front.keys))]

    def read() -> Iterator[list[Row]]:
        for first in range(0, len(places), PAGE):
            yield [
                {
                    "layout": design.layout,
                    "seeds": " ".join(map(str, design.seeds)),
                    "key": design.key,
                    **headers.named(design.layout, design),
                }
                for design in designs_on(store, study, places[first : first + PAGE])
            ]

    return _Table(headers.columns(_ON_FRONT), len(places), read)


# ---------------------------------------------------------------- files


def _csv(table: _Table) -> Iterator[bytes]:
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator=os.linesep)
    writer.writerow(table.columns)
    for page in table.pages():
        writer.writerows([_no_formula(value) for value in row.values()] for row in page)
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def _no_formula(value: Any) -> Any:
    """Text that a spreadsheet would run as a formula, made plain text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _json(table: _Table) -> Iterator[bytes]:
    before = "[\n"
    for page in table.pages():
        if page:
            yield (before + ",\n".join(json.dumps(row, allow_nan=False) for row in page)).encode()
            before = ",\n"
    yield b"\n]\n" if before == ",\n" else b"[]\n"


def _parquet(table: _Table) -> Iterator[bytes]:
    """Yield the file in row groups of one page each.

    The types of the columns stand before the rows, and a column may begin with pages that have no value:
    the designs are read twice.
    """
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    schema = pa.schema([pa.field(name, pa.null()) for name in table.columns])
    for page in table.pages():
        if page:
            found = pa.Table.from_pylist(page).schema
            schema = pa.unify_schemas([schema, found], promote_options="permissive")
    pipe = _Pipe()
    with ParquetWriter(pipe, schema) as writer:
        for page in table.pages():
            if page:
                writer.write_table(pa.Table.from_pylist(page, schema=schema))
            yield pipe.take()
    yield pipe.take()


_WRITERS: dict[Format, Callable[[_Table], Iterator[bytes]]] = {
    "csv": _csv,
    "parquet": _parquet,
    "json": _json,
}


class _Pipe:
    """A file to write to whose content is taken out piece by piece."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._place = 0

    def write(self, data: Any) -> int:
        """Keep a copy of ``data``, anything with bytes."""
        part = bytes(data)
        self._parts.append(part)
        self._place += len(part)
        return len(part)

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self._place

    def flush(self) -> None:
        """Do nothing: what is written can be taken."""

    def close(self) -> None:
        """Do nothing: what was written can still be taken."""

    def take(self) -> bytes:
        """Return what was written since the last call."""
        parts, self._parts = self._parts, []
        return b"".join(parts)
