"""A CSV file read as the items of a list parameter, in SI units.

The first line names the columns, each with its unit: ``x [mm],y [mm],rx [deg]``. A column without a unit is
in SI units. Columns of a list of tables are the fields of a table, in any order; those of a list of lists are
taken in their order; a list of numbers is one column. Columns are separated by commas, or by semicolons;
beside semicolons numbers may have decimal commas.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from errors import Fault, FaultsError, InputError, UnknownNameError
from models.fields import inner_record, list_item, names_in, unit_of
from models.units import parse_quantity

MAX_BYTES = 256 * 1024
MAX_ROWS = 10_000
MOST_FAULTS = 10
"""Most faults of one file that are written out; the others are counted."""
_LONGEST_SHOWN = 40
_MOST_OF_A_HEADING = 200
_HEADING = re.compile(r"(?P<name>[^][(){}/]*+)(?:\[(?P<unit>[^][]*+)\])?")
_PURE = frozenset({"", "1", "-"})
"""Units in a heading that say that numbers have none."""


class Column(NamedTuple):
    """A column: its heading, its key in an item, and how its cells become values.

    ``given`` is the unit that is written, ``unit`` that of the field, None for names. ``factor`` converts one
    to the other, and is None where a factor does not. ``names`` may stand in the place of a number.
    """

    heading: str
    key: str
    given: str
    unit: str | None
    factor: float | None
    names: tuple[str, ...]

    def value(self, cell: str) -> Any:
        """A cell in SI units; raises ``InputError``. A field without a unit takes the text as it is."""
        if not cell:
            raise InputError("is empty; write a value")
        if self.unit is None or cell in self.names:
            return cell
        number = _number(cell)
        if not self.given:
            return number
        converted = number * self.factor if self.factor is not None else math.inf
        return (
            converted if math.isfinite(converted) else parse_quantity(f"{number!r} {self.given}", self.unit)
        )


class Rows(NamedTuple):
    """Rows of a file: the items of the list, the line of each, and the columns by their keys."""

    file: str
    items: list[Any]
    lines: list[int]
    columns: Mapping[str, Column]

    def place(self, inside: Sequence[str]) -> str:
        """Place of a value of the list, as far as that is known: file, line and column."""
        if not inside or not inside[0].isdecimal() or int(inside[0]) >= len(self.lines):
            return self.file
        column = self.columns.get(inside[1] if len(inside) > 1 else "")
        return _place(self.file, self.lines[int(inside[0])], "" if column is None else column.heading)


def read_rows(field: FieldInfo, name: str, folder: Path, chosen: Sequence[str] = ()) -> Rows:
    """The items of a list from a file.

    Parameters
    ----------
    field : FieldInfo
        The parameter, a list.
    name : str
        The file, relative to ``folder``; it may not lead out of it.
    folder : Path
    chosen : sequence of str
        Names of the columns to take, in this order; all if empty.

    Raises
    ------
    InputError
        When the file cannot be read, or is no table of such items. At most ``MOST_FAULTS`` faults are written
        out, each with line and column; a last one gives the number of the others.
    """
    file = shown(name)
    (first, headings), *lines = _chosen(_lines(_text(name, folder), file), chosen, file)
    columns = _columns(field, headings, file, first)
    if not lines:
        raise InputError(f"{file} has no rows below the names of its columns")
    faults: list[str] = []
    rows = [_values(columns, cells, file, line, faults) for line, cells in lines]
    _raise(faults, file)
    item = list_item(field)
    items: list[Any] = rows
    if _is_record(item):
        items = [{column.key: value for column, value in zip(columns, row, strict=True)} for row in rows]
    elif not _is_list(item):
        items = [value for row in rows for value in row]
    return Rows(file, items, [line for line, _ in lines], {column.key: column for column in columns})


class WrittenTable(NamedTuple):
    """A table of a file: its headings, their line, and the cells of each line below them, with its number."""

    file: str
    heading_line: int
    headings: list[str]
    lines: list[tuple[int, list[str]]]

    def place(self, line: int, heading: str = "") -> str:
        """Place of a cell, or of a line."""
        return _place(self.file, line, shown(heading))

    def raise_found(self, faults: Sequence[str]) -> None:
        """Raise ``InputError`` with the first faults and the number of the others, if there are any."""
        _raise(faults, self.file)


def read_table(content: bytes, file: str, most_rows: int) -> WrittenTable:
    """A table with at most so many rows, each with a cell for every heading; raises ``InputError``."""
    (first, headings), *lines = _pointed(_written_lines(_decoded(content, file), file, most_rows), file)
    if not lines:
        raise InputError(f"{file} has no rows below the names of its columns")
    table = WrittenTable(file, first, headings, lines)
    table.raise_found([
        f"{table.place(line)}: has {len(cells)} cells for {len(headings)} columns"
        for line, cells in lines
        if len(cells) != len(headings)
    ])  # fmt: skip
    return table


def split_heading(heading: str) -> tuple[str, str]:
    """Name and unit of a heading, the unit empty where it has none; raises ``InputError``."""
    written = _parts(heading)
    if written is None:
        raise InputError("is no name of a column; write a name, and its unit in brackets, as in x [mm]")
    return written


def quantity_column(heading: str, key: str, unit: str | None) -> Column:
    """The column of a quantity in ``unit``, None for names; raises ``InputError`` for a unit that differs."""
    given = _given_unit(split_heading(heading)[1], unit)
    return Column(shown(heading), key, given, unit, _factor(given, unit), ())


def column_units(name: str, folder: Path) -> dict[str, str]:
    """Units of the columns of a file by their names, empty without one; raises as :func:`read_rows` does."""
    headings = _lines(_text(name, folder), shown(name))[0][1]
    return dict(_parts(heading) or (heading, "") for heading in headings)


def has_decimal_commas(name: str, folder: Path) -> bool:
    """True if numbers of a file have decimal commas; raises as :func:`read_rows` does."""
    file = shown(name)
    written = _written_lines(_text(name, folder), file)
    return _pointed(written, file) != written


def _name(heading: str) -> str:
    """The name in a heading, without its unit."""
    written = _parts(heading)
    return heading if written is None else written[0]


def _parts(heading: str) -> tuple[str, str] | None:
    """Name and unit of a heading; None where it is no heading."""
    found = _HEADING.fullmatch(heading) if len(heading) <= _MOST_OF_A_HEADING else None
    return None if found is None else (found["name"].rstrip(), (found["unit"] or "").strip())


def _chosen(
    lines: list[tuple[int, list[str]]], chosen: Sequence[str], file: str
) -> list[tuple[int, list[str]]]:
    """The lines of a table with some of its columns, in the order in which they are named."""
    if not chosen:
        return lines
    first, head = lines[0]
    known = [_name(heading) for heading in head]
    for name in chosen:
        if name not in known:
            raise InputError(f"{_place(file, first)}: {UnknownNameError('column', name, known).message}")
        if known.count(name) > 1:
            raise InputError(f"{_place(file, first)}: has the column '{name}' twice; keep one")
    places = [known.index(name) for name in chosen]
    faults = [
        f"{_place(file, line)}: has {len(cells)} cells for {len(head)} columns"
        for line, cells in lines
        if len(cells) != len(head)
    ]
    _raise(faults, file)
    return [(line, [cells[place] for place in places]) for line, cells in lines]


def shown(text: str) -> str:
    """The beginning of a text; characters that a terminal would obey are written as escapes."""
    plain = text if text.isprintable() else repr(text)[1:-1]
    return plain if len(plain) <= _LONGEST_SHOWN else f"{plain[:_LONGEST_SHOWN]}…"


def _place(file: str, line: int, heading: str = "") -> str:
    return f"{file}, line {line}, column '{heading}'" if heading else f"{file}, line {line}"


def _raise(faults: Sequence[str], file: str) -> None:
    """Raise ``InputError`` with the first faults and the number of the others, if there are any."""
    found = [Fault((), text) for text in faults[:MOST_FAULTS]]
    if len(faults) > MOST_FAULTS:
        found.append(Fault((), f"{file} has {len(faults) - MOST_FAULTS} more faults"))
    if found:
        raise FaultsError(found)


# ---------------------------------------------------------------- the file


def _path(name: str, folder: Path) -> Path:
    """The file of a name; raises ``InputError`` where it is not in the folder or in one below it."""
    parts = PurePosixPath(name)
    if not parts.is_absolute() and ".." not in parts.parts and set(name).isdisjoint("\\:\0"):
        home = folder.resolve()
        path = (home / name).resolve()
        if path.is_relative_to(home):  # links are followed before they are judged
            return path
    raise InputError(
        f"'{shown(name)}' leads out of the folder in which files are looked for: name a file in this folder "
        'or in one below it, with / between names, as in "data/poses.csv"'
    )


def file_in_folder(name: str, folder: Path) -> Path:
    """The file of a name; raises ``InputError`` where there is none in the folder or in one below it."""
    path = _path(name, folder)
    if not path.is_file():
        raise InputError(f"there is no file '{shown(name)}' in the folder {folder.resolve()}")
    return path


def _text(name: str, folder: Path) -> str:
    """The text of a file; raises ``InputError`` for what cannot be read as a table."""
    try:
        path = file_in_folder(name, folder)
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, RuntimeError, ValueError) as error:  # of links in a circle, of half characters
        reason = getattr(error, "strerror", None) or "its name cannot be one"
        raise InputError(f"{shown(name)} cannot be read: {reason}") from None
    if len(content) > MAX_BYTES:
        raise InputError(f"{shown(name)} is larger than {MAX_BYTES // 1024} KiB, too large for a data file")
    return _decoded(content, shown(name))


def _decoded(content: bytes, file: str) -> str:
    """Content as text; raises ``InputError`` where it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text (byte {error.start}); save it as CSV in UTF-8") from None


def _lines(text: str, file: str) -> list[tuple[int, list[str]]]:
    """The lines of a table that are not empty, with their numbers; raises ``InputError``."""
    return _pointed(_written_lines(text, file), file)


def _written_lines(text: str, file: str, most: int = MAX_ROWS) -> list[tuple[int, list[str]]]:
    """The same with numbers as they are written."""
    between = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True, skipinitialspace=True)
    found: list[tuple[int, list[str]]] = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((reader.line_num, [cell.strip() for cell in cells]))
            if len(found) > most + 1:
                raise InputError(f"{file} has more than {most} rows; at most that many are allowed")
    except csv.Error as error:
        raise InputError(f"{_place(file, reader.line_num)}: is not CSV: {error}") from None
    if not found:
        raise InputError(
            f"{file} is empty; it needs a line with the names of the columns, and a line per item"
        )
    return found


def _delimiter(text: str) -> str:
    """The character between the columns of a table: that which separates its headings."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return ";" if ";" in first and "," not in first else ","


def _pointed(lines: list[tuple[int, list[str]]], file: str) -> list[tuple[int, list[str]]]:
    """Lines with decimal points in the place of commas; raises ``InputError`` where both are in use.

    Only cells between semicolons can have commas, or cells in quotes.
    """
    numbers = [cell for _, cells in lines for cell in cells if _is_number(_with_point(cell))]
    commas, points = ([cell for cell in numbers if mark in cell] for mark in ",.")
    if not commas:
        return lines
    if points:
        raise InputError(
            f"{file} has numbers with decimal commas, such as '{shown(commas[0])}', and with decimal points, "
            f"such as '{shown(points[0])}'; write all of them alike"
        )
    return [(line, [_with_point(cell) for cell in cells]) for line, cells in lines]


def _with_point(cell: str) -> str:
    pointed = cell.replace(",", ".", 1)
    return pointed if _is_number(pointed) else cell


# ---------------------------------------------------------------- columns


def _is_record(item: Any) -> bool:
    return isinstance(item, type) and issubclass(item, BaseModel)


def _is_list(item: Any) -> bool:
    return get_origin(item) in (tuple, list)


def _columns(field: FieldInfo, headings: Sequence[str], file: str, line: int) -> list[Column]:
    """The columns of a list; raises ``InputError`` with what is wrong with their headings."""
    if all(map(_is_number, headings)):
        raise InputError(f"{_place(file, line)}: must name the columns, as in x [mm]; only numbers are there")
    item = list_item(field)
    faults: list[str] = []
    columns: list[Column] = []
    for number, heading in enumerate(headings):
        try:
            columns.append(_column(field, item, heading, number))
        except InputError as error:
            faults.append(f"{_place(file, line, shown(heading) or str(number + 1))}: {error.message}")
    if not faults:
        check = _faults_of_record if _is_record(item) else _faults_of_width
        faults = [f"{_place(file, line)}: {text}" for text in check(item, columns)]
    _raise(faults, file)
    return columns


def _column(field: FieldInfo, item: Any, heading: str, number: int) -> Column:
    """One column; raises ``InputError`` for a name or a unit that cannot be one."""
    name, written_unit = _parts(heading) or ("", "")
    if not name:
        raise InputError("is no name of a column; write a name, and its unit in brackets, as in x [mm]")
    key = str(number) if _is_list(item) else ""
    if _is_record(item):
        key = name
        if key not in item.model_fields:
            raise UnknownNameError("column", key, item.model_fields)
        field = item.model_fields[key]
        if list_item(field) is not None or inner_record(field) is not None:
            raise InputError("holds more than one number, which one column cannot give")
    unit = unit_of(field)
    if isinstance(unit, list):
        raise InputError("is of a list whose items have different units; write the list in the study file")
    given = _given_unit(written_unit, unit)
    return Column(shown(heading), key, given, unit, _factor(given, unit), names_in(field))


def _given_unit(given: str, unit: str | None) -> str:
    """The unit of a heading, empty for SI; raises ``InputError`` when it does not convert to ``unit``."""
    if not given or (given in _PURE and unit in (None, "1")):
        return ""
    if unit is None:
        raise InputError(f"holds names, not numbers; leave the unit '{shown(given)}' out")
    parse_quantity(f"1 {given}", unit)
    return given


def _factor(given: str, unit: str | None) -> float | None:
    """The number by which a unit converts; None for one that has an offset, such as degC.

    Pint takes 0.2 ms for each number: a file of 20 000 cells would take some seconds without it.
    """
    if not given or unit is None or parse_quantity(f"0 {given}", unit) != 0:
        return None
    return parse_quantity(f"1 {given}", unit)


def _faults_of_record(item: type[BaseModel], columns: Sequence[Column]) -> list[str]:
    """Fields that have two columns, and fields that need one and have none."""
    given = [column.key for column in columns]
    twice = dict.fromkeys(key for key in given if given.count(key) > 1)
    needed = (name for name, field in item.model_fields.items() if field.is_required())
    return [
        *(f"has the column '{key}' twice; keep one" for key in twice),
        *(f"has no column '{name}'" for name in needed if name not in given),
    ]


def _faults_of_width(item: Any, columns: Sequence[Column]) -> list[str]:
    """Too few or too many columns for a list of lists or of numbers."""
    inner = get_args(item) if _is_list(item) else (item,)
    any_width = get_origin(item) is list or Ellipsis in inner
    if any_width or len(columns) == len(inner):
        return []
    return [f"names {len(columns)} columns; an item of this list takes {len(inner)}"]


# ---------------------------------------------------------------- cells


def _values(
    columns: Sequence[Column], cells: list[str], file: str, line: int, faults: list[str]
) -> list[Any]:
    """The values of a row; what is wrong with it is added to ``faults``."""
    if len(cells) != len(columns):
        faults.append(f"{_place(file, line)}: has {len(cells)} cells for {len(columns)} columns")
        return []
    values: list[Any] = []
    for column, cell in zip(columns, cells, strict=True):
        try:
            values.append(column.value(cell))
        except InputError as error:
            faults.append(f"{_place(file, line, column.heading)}: {error.message}")
    return values


def _number(cell: str) -> float:
    """A cell as a finite number, a whole one where it is written so; raises ``InputError``."""
    if not _is_number(cell):
        comma = "; write a decimal point, not a comma" if _is_number(_with_point(cell)) else ""
        raise InputError(f"'{shown(cell)}' is not a finite number{comma}")
    return int(cell) if cell.lstrip("+-").isdecimal() else float(cell)


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell)) and "_" not in cell
    except ValueError:
        return False
