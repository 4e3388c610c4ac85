"""The study that a table of results from elsewhere declares: its columns, source, seeds and ranges."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from errors import Fault, InputError, UnknownNameError
from models import Model, load
from models.fields import unit_at
from models.units import si_quantity
from studies.definition.study_definition import StudyDefinition
from studies.definition.study_file import define
from studies.exchange.csv_rows import Column, WrittenTable, quantity_column, shown, split_heading

MOST_OPTIONS = 1000
"""Values of a column of names or whole numbers, each of which becomes an option."""
LAYOUT, SEED, STATE, RUNG, SOURCE = "layout", "seed", "state", "rung", "source"
PASSED_OVER = frozenset({
    "", "seeds", "generation", "ask_no", "key", "failure", "reason", "violation", "time",
})  # fmt: skip
"""Columns of an export that say nothing of a design, and an index without a name; they are passed over."""
_GOOD = frozenset({"", "done", "complete"})
"""States of rows that are taken; those of other rows are counted."""
_WHOLE = re.compile(r"[+-]?\d{1,9}")
SPREADSHEET_MARK = re.compile(r"'(?=[=+\-@])")
"""The mark that an export puts before text that a spreadsheet would run."""


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """Meaning of the columns of a table, and its source.

    Parameters
    ----------
    name, source : str
        Name of the study, and who made the results; without a source, the column ``source`` of the table.
    definition : StudyDefinition, optional
        Model, layouts, ranges and goals; without it, variables span the values of their columns.
    model, preset : str
        The model where no definition is given.
    objectives : mapping of str to str
        Further objectives, each to ``minimize`` or ``maximize``; one that the model has not is a metric of
        elsewhere.
    columns : mapping of str to str
        Other headings for columns, as they are to be read; empty for those to leave out.
    """

    name: str
    source: str = ""
    definition: StudyDefinition | None = None
    model: str = ""
    preset: str | None = None
    objectives: Mapping[str, str] = field(default_factory=dict[str, str])
    columns: Mapping[str, str] = field(default_factory=dict[str, str])


def at_line(fault: Fault, table: WrittenTable, columns: Columns) -> Fault:
    """A fault of the range of a column, at the line whose value is the end of the range."""
    what, name, end, *_ = (*map(str, fault.place), "", "", "")
    if what != "variables" or name not in columns.places or end not in ("lower", "upper"):
        return fault
    cells = [
        (float(cell), line) for line, row in table.lines
        if is_taken(columns, row) and (cell := columns.cell(row, name))
    ]  # fmt: skip
    _, line = min(cells) if end == "lower" else max(cells)
    return Fault((), f"{table.place(line, columns.headings[name])}: {fault.message}")


# ---------------------------------------------------------------- columns


class Columns(NamedTuple):
    """Places of the columns by their names, and what is written in them."""

    places: dict[str, int]
    units: dict[str, str]
    headings: dict[str, str]

    @classmethod
    def of(cls, table: WrittenTable) -> Columns:
        """Columns of a table; raises ``InputError`` for a heading that cannot be read, or stands twice."""
        found = cls({}, {}, {})
        faults: list[str] = []
        for place, heading in enumerate(table.headings):
            where = table.place(table.heading_line, heading or str(place + 1))
            try:
                name, unit = split_heading(heading)
            except InputError as error:
                faults.append(f"{where}: {error.message}")
                continue
            if name in found.places:
                faults.append(f"{where}: there are two columns '{shown(name)}'; keep one")
            found.places[name], found.units[name], found.headings[name] = place, unit, heading
        table.raise_found(faults)
        return found

    def cell(self, cells: Sequence[str], name: str) -> str:
        """The cell of a row in a column; empty where there is no such column."""
        return cells[self.places[name]] if name in self.places else ""


def renamed(table: WrittenTable, columns: Mapping[str, str]) -> WrittenTable:
    """The table with other headings, without the columns that are left out."""
    for name in columns:
        if name not in table.headings:
            raise UnknownNameError("column", name, table.headings, ("columns", name))
    kept = [place for place, heading in enumerate(table.headings) if columns.get(heading, " ")]
    return table._replace(
        headings=[columns.get(table.headings[place], table.headings[place]) for place in kept],
        lines=[(line, [cells[place] for place in kept]) for line, cells in table.lines],
    )


def source_of(table: WrittenTable, columns: Columns, stated: str) -> str:
    """The source that is stated, which the table may not contradict, or that of the table."""
    written = dict.fromkeys(columns.cell(cells, SOURCE) for _, cells in table.lines)
    found = [text for text in written if text]
    if stated and all(text == stated for text in found):
        return stated
    if stated or len(found) > 1:
        raise InputError(
            f"{table.file} says that its results are from {' and '.join(shown(text) for text in found[:3])}; "
            "import the results of each source by themselves, under that source",
            (SOURCE,),
        )
    if not found:
        raise InputError(
            "is missing; say who computed or measured the results, as in 'CASPR 2019, measured by N.N.'",
            (SOURCE,),
        )
    return found[0]


# ---------------------------------------------------------------- the study


def imported_definition(
    table: WrittenTable, columns: Columns, request: ImportRequest, source: str, digest: str
) -> StudyDefinition:
    """The definition of a study of imported results: as requested, or over the values of the columns."""
    base = request.definition
    model = load(request.model if base is None else base.model)
    tree = _inferred(table, columns, model, request) if base is None else _tree(base)
    known = {metric.name for metric in model.metrics} | set(tree.get("expressions", ()))
    foreign = {
        name: {"unit": _foreign_unit(columns, table, name), "sense": sense}
        for name, sense in request.objectives.items()
        if name not in known
    }
    objectives = {**tree.get("objectives", {}), **request.objectives}
    if not objectives:
        raise InputError(
            "say which metrics are to be minimised or maximised: a front needs one objective at least",
            ("objectives",),
        )
    found = define({
        **tree,
        "name": request.name or tree.get("name", ""),
        "seeds": _seeds(table, columns),
        "objectives": objectives,
        "search": {"evaluations": len(table.lines)},
        "imported": {"source": source, "digest": digest, "metrics": foreign},
    })  # fmt: skip
    return found.with_model(base.stored_model or {}) if base is not None else found


def _tree(base: StudyDefinition) -> dict[str, Any]:
    """A definition without what only a search needs."""
    tree = base.model_dump(mode="json", exclude_unset=True)
    for name in ("search", "robust", "tolerances"):
        tree.pop(name, None)
    for layout in tree.get("layouts", {}).values():
        layout.pop("initial", None)
        layout.pop("earlier", None)
    return tree


def _foreign_unit(columns: Columns, table: WrittenTable, name: str) -> str:
    """The SI unit of a metric of elsewhere, from the heading of its column; raises ``InputError``."""
    if name not in columns.places:
        raise UnknownNameError("column", name, columns.places, ("objectives", name))
    if not columns.units[name]:
        return "1"
    try:
        return si_quantity(f"1 {columns.units[name]}")[1]
    except InputError as error:
        place = table.place(table.heading_line, columns.headings[name])
        raise InputError(f"{place}: {error.message}") from None


def _seeds(table: WrittenTable, columns: Columns) -> list[int]:
    """The seeds of the rows; 1 where they have none."""
    found: set[int] = set()
    faults: list[str] = []
    for line, cells in table.lines:
        cell = columns.cell(cells, SEED) or "1"
        if _WHOLE.fullmatch(cell) and int(cell) >= 0:
            found.add(int(cell))
        else:
            faults.append(
                f"{table.place(line, SEED)}: '{shown(cell)}' is no seed; write a whole number from 0"
            )
    table.raise_found(faults)
    return sorted(found)


def _inferred(table: WrittenTable, columns: Columns, model: Model, request: ImportRequest) -> dict[str, Any]:
    """A study whose variables are the columns of parameters, each over the values that it has."""
    if LAYOUT in columns.places:
        layouts = {columns.cell(cells, LAYOUT) for _, cells in table.lines} - {"", "default"}
        if layouts:
            raise InputError(
                f"{table.file} has the layouts {', '.join(sorted(map(shown, layouts))[:5])}; give the study "
                "file that says what each of them is"
            )
    metrics = {metric.name for metric in model.metrics}
    variables: dict[str, Any] = {}
    faults: list[str] = []
    for name, heading in columns.headings.items():
        if name in metrics or name in request.objectives or model.parameters.field_of(name) is None:
            continue
        unit = unit_at(model.parameters, name)
        try:
            column = quantity_column(heading, name, unit if isinstance(unit, str) else None)
            cells = [
                (line, cell) for line, row in table.lines
                if is_taken(columns, row) and (cell := columns.cell(row, name))
            ]  # fmt: skip
            variables[name] = _range(table, column, cells)
        except InputError as error:
            place = (
                ""
                if len(error.faults) > 1 or table.file in error.message
                else (f"{table.place(table.heading_line, heading)}: ")
            )
            faults += [place + each.text for each in error.faults]
    table.raise_found(faults)
    if not variables:
        raise InputError(f"{table.file} has no column of a parameter of {model.name}")
    tree: dict[str, Any] = {"schema_version": 1, "model": model.name, "variables": variables}
    return tree if request.preset is None else {**tree, "preset": request.preset}


def _range(table: WrittenTable, column: Column, cells: Sequence[tuple[int, str]]) -> dict[str, Any]:
    """The variable over the values of a column: names and whole numbers are options."""
    texts = list(dict.fromkeys(cell for _, cell in cells))
    whole = all(_WHOLE.fullmatch(text) for text in texts) and not column.given
    if (column.unit is None or whole) and len(texts) <= MOST_OPTIONS:
        return {
            "options": [_option(text) for text in texts] if column.unit is None else sorted(map(int, texts))
        }
    faults: list[str] = []
    values: list[float] = []
    for line, cell in cells:
        try:
            values.append(float(column.value(cell)))
        except (InputError, ValueError) as error:
            faults.append(f"{table.place(line, column.heading)}: {getattr(error, 'message', 'is no number')}")
    table.raise_found(faults)
    if not values:
        raise InputError(f"{table.place(table.heading_line, column.heading)}: has no value")
    if min(values) == max(values):
        return {"options": [values[0]]}
    return {"lower": min(values), "upper": max(values)}


def _option(text: str) -> Any:
    """An option as it is written: a switch, a whole number, or a name."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    return int(text) if _WHOLE.fullmatch(text) else SPREADSHEET_MARK.sub("", text, count=1)


def is_taken(columns: Columns, cells: Sequence[str]) -> bool:
    """True for a row that is taken: its design is done, and was evaluated at full fidelity."""
    return columns.cell(cells, STATE).lower() in _GOOD and not columns.cell(cells, RUNG)
