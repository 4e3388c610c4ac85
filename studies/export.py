"""Tables for other programs: CSV, Parquet and JSON, with units in the headers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, cast, get_args
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pandas as pd

from errors import InputError, UnknownNameError
from models import Model
from studies.definition import StudyDefinition
from studies.derived import study_model
from studies.design_values import DesignReader, unit_of_path
from studies.fronts import choose_runs, front_design, fronts
from studies.records import FrontDesign, StudyRecord
from studies.store import Store

Format = Literal["csv", "parquet", "json"]
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export_study(
    store: Store, study: StudyRecord, path: Path, kind: Format | None = None, *, only_front: bool = False
) -> int:
    """Write every design that the study asked for, or only its fronts, to a file; how many rows."""
    chosen = kind or path.suffix.removeprefix(".")
    if chosen not in get_args(Format):
        raise UnknownNameError("format", chosen, get_args(Format), (str(path),))
    content, count = export_bytes(store, study, cast("Format", chosen), only_front=only_front)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", (str(path),)) from None
    return count


def export_bytes(
    store: Store, study: StudyRecord, kind: Format, *, only_front: bool = False
) -> tuple[bytes, int]:
    """What :func:`export_study` writes, and how many rows it has."""
    table = front_table(store, study) if only_front else evaluation_table(store, study)
    return _content(table, kind), len(table)


def table_file(name: str, kind: Format, *, only_front: bool = False) -> str:
    """The usual name of the file with the designs of a study."""
    return f"{name}{'-front' if only_front else '-all'}.{kind}"


def export_archive(
    store: Store, studies: Sequence[StudyRecord], kind: Format, *, only_front: bool = False
) -> tuple[bytes, int]:
    """A zip file with the table of each study, and how many rows they have together.

    A table has the time at which its study was stored, so that the same studies give the same bytes.
    """
    file, count = BytesIO(), 0
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for study in studies:
            content, rows = export_bytes(store, study, kind, only_front=only_front)
            stored = datetime.fromtimestamp(study.created, UTC).timetuple()[:6]
            entry = ZipInfo(table_file(study.name, kind, only_front=only_front), stored)
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, content)
            count += rows
    return file.getvalue(), count


def _content(table: pd.DataFrame, kind: Format) -> bytes:
    file = BytesIO()
    if kind == "csv":
        text_columns = table.select_dtypes(include=["object", "str"]).columns
        plain = table.assign(**{name: table[name].map(_no_formula) for name in text_columns})
        plain.to_csv(file, index=False, lineterminator=os.linesep)
    elif kind == "parquet":
        table.to_parquet(file, index=False)
    else:
        rows = table.astype(object).where(table.notna(), cast("Any", None)).to_dict(orient="records")
        file.write((json.dumps(rows, indent=1, allow_nan=False) + "\n").encode())
    return file.getvalue()


def _no_formula(value: Any) -> Any:
    """Text that a spreadsheet would run as a formula, made plain text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def evaluation_table(store: Store, study: StudyRecord) -> pd.DataFrame:
    """One row per design and run, in the order of asking."""
    definition = StudyDefinition.model_validate(study.definition)
    model = study_model(definition)
    rows: list[dict[str, Any]] = []
    for run in choose_runs(study):
        reader = DesignReader(study, run.layout)
        for member in store.history(run):
            found = member.evaluation
            design = front_design(member, run.layout, [run.seed], reader)
            state, kind, reason = reader.fate(
                found.state, found.kind, found.reason, member.violation, design.metrics
            )
            rows.append(
                {
                    "layout": run.layout,
                    "seed": run.seed,
                    "generation": member.generation,
                    "ask_no": member.ask_no,
                    "key": found.key,
                    "state": state,
                    "failure": kind,
                    "reason": reason,
                    "violation": found.violation if found.state == "infeasible" else member.violation,
                    **_columns(model, definition, design),
                    "time [s]": found.seconds,
                }
            )
    return pd.DataFrame(rows)


def front_table(store: Store, study: StudyRecord) -> pd.DataFrame:
    """One row per design of the layouts' fronts, joint over seeds."""
    definition = StudyDefinition.model_validate(study.definition)
    model = study_model(definition)
    designs: Iterable[FrontDesign] = (d for front in fronts(store, study).values() for d in front)
    return pd.DataFrame(
        [
            {
                "layout": d.layout,
                "seeds": " ".join(map(str, d.seeds)),
                "key": d.key,
                **_columns(model, definition, d),
            }
            for d in designs
        ]
    )


def _columns(model: Model, definition: StudyDefinition, design: FrontDesign) -> dict[str, Any]:
    """Variables, linked parameters and metrics under headers of the form ``name [unit]``."""
    variables = {
        _header(path, unit_of_path(model, definition, design.layout, path)): value
        for path, value in {**design.variables, **design.linked}.items()
    }
    metrics = {_header(m.name, m.unit): design.metrics.get(m.name) for m in model.metrics}
    return variables | metrics


def _header(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name
