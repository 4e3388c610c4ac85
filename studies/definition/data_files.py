"""Lists in CSV files, ``task_poses = { csv = "poses.csv" }``, and meshes, ``mesh = { file = "column.stl" }``.

A file is opened where the study file is read, on the user's own machine, and its rows take the place of the
table that names it. What is checked, sent, stored and evaluated holds numbers and never the name of a file.
:mod:`models.parameters` refuses a name that was not replaced, so that no server opens a file.
:mod:`studies.exchange.csv_rows` says what a file may hold.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from errors import Fault, FaultsError, InputError, Place
from models import load
from models.fields import DATA_FILE, MESH_FILE, field_at, inner_record, names_file, names_mesh
from models.parameters import NO_FILE_HERE, steps_of
from studies.exchange.csv_rows import Rows, read_rows
from studies.exchange.mesh_reader import read_mesh

COLUMNS = "columns"
"""The key of such a table that names the columns to take."""


class DataFiles:
    """The files that the parameters of a study, or of one design, name.

    Parameters
    ----------
    folder : Path or None
        Where the files are: the study file's folder. With None no file is opened, and each name is a fault.

    Attributes
    ----------
    faults : list of Fault
        Everything that is wrong with the files, at the places of the parameters that name them.
    size : int
        Characters that the rows take in a study file, at most.
    """

    def __init__(self, folder: Path | None) -> None:
        self.faults: list[Fault] = []
        self.size = 0
        self._folder = folder
        self._read: dict[tuple[str, ...], Rows] = {}

    def fill_study(self, flat: Mapping[str, Any]) -> dict[str, Any]:
        """A flat tree of a study with rows in the places of files; what is faulty stays as it is."""
        model = flat.get("model")
        if not isinstance(model, str):
            return dict(flat)
        filled = self._fill_holder(model, flat, ())
        if isinstance(flat.get("layouts"), dict):
            filled["layouts"] = {
                name: self._fill_holder(model, layout, ("layouts", name))
                if isinstance(layout, dict)
                else layout
                for name, layout in flat["layouts"].items()
            }
        return filled

    def _fill_holder(self, model: str, holder: Mapping[str, Any], place: Place) -> dict[str, Any]:
        """A study or a layout, which may have a table of parameters."""
        settings = holder.get("parameters")
        if not isinstance(settings, dict):
            return dict(holder)
        return {**holder, "parameters": self.fill(model, settings, (*place, "parameters"))}

    def fill(self, model: str, settings: Mapping[str, Any], place: Place) -> dict[str, Any]:
        """Settings of a back-end by dotted path, with rows in the places of files."""
        named = [path for path, value in settings.items() if _may_name_file(value)]
        if not named:
            return dict(settings)
        try:
            record = load(model).parameters
        except InputError as error:
            text = f"names a file, which is read only where the back-end is installed: {error.message}"
            self.faults += [Fault((*place, path), text) for path in named]
            return dict(settings)
        known = [path for path in named if record.field_of(path)]
        return {
            path: self._value(field_at(record, path), path, value, (*place, path)) if path in known else value
            for path, value in settings.items()
        }

    def _value(self, field: FieldInfo, path: str, value: Any, place: Place) -> Any:
        """The value of a field, or of an item of it, with rows in the places of files."""
        if names_file(field, value):
            return self._rows(field, path, value, place)
        if names_mesh(field, value):
            return self._mesh(value, place)
        inner = inner_record(field)
        if inner is not None and isinstance(value, list):
            items: list[Any] = value
            return [self._table(inner, item, (*place, number)) for number, item in enumerate(items)]
        return value if inner is None else self._table(inner, value, place)

    def _table(self, record: type[BaseModel], value: Any, place: Place) -> Any:
        if not isinstance(value, dict):
            return value
        table: dict[str, Any] = value
        fields = record.model_fields
        return {
            name: self._value(fields[name], name, inner, (*place, name)) if name in fields else inner
            for name, inner in table.items()
        }

    def _rows(self, field: FieldInfo, path: str, table: Mapping[str, Any], place: Place) -> Any:
        """The items in a file; the table itself where something is wrong with it."""
        try:
            found = self._found(field, path, table)
        except InputError as error:
            self.faults += [Fault(place, fault.message) for fault in error.faults]
            return table
        self._read[_steps(place)] = found
        self.size += sum(len(json.dumps(item)) + 6 for item in found.items)  # each has its own line
        return found.items

    def _mesh(self, table: Mapping[str, Any], place: Place) -> Any:
        """The mesh in a file; the table itself where something is wrong with it."""
        if self._folder is None:
            self.faults.append(Fault(place, NO_FILE_HERE))
            return table
        try:
            found = read_mesh(table, self._folder)
        except InputError as error:
            self.faults += [Fault((*place, *fault.place), fault.message) for fault in error.faults]
            return table
        self.size += sum(len(json.dumps(item)) + 6 for items in found.values() for item in items)
        return found

    def _found(self, field: FieldInfo, path: str, table: Mapping[str, Any]) -> Rows:
        """Read the rows of a file; raises ``InputError``."""
        if isinstance(steps_of(path)[-1], int):
            raise InputError("is one item of a list; a file gives the whole list")
        name, columns = _file_in(table)
        if self._folder is None:
            raise InputError(NO_FILE_HERE)
        return read_rows(field, name, self._folder, columns)

    def raise_found(self) -> None:
        """Raise ``InputError`` with all faults, if there are any."""
        if self.faults:
            raise FaultsError(self.faults)

    @contextmanager
    def naming_rows(self) -> Generator[None]:
        """Errors about values that were read name file, line and column."""
        try:
            yield
        except InputError as error:
            found = [self.located(fault) for fault in error.faults]
            if found == list(error.faults):
                raise
            raise FaultsError(found) from None

    def located(self, fault: Fault) -> Fault:
        """The fault; if it is one of a value that was read, with file, line and column."""
        steps = _steps(fault.place)
        for end in range(len(steps), 0, -1):
            rows = self._read.get(steps[:end])
            if rows is not None:
                return fault._replace(message=f"{rows.place(steps[end:])}: {fault.message}")
        return fault


def _steps(place: Place) -> tuple[str, ...]:
    """The keys of a place, one for each part of a dotted one."""
    return tuple(".".join(map(str, place)).split("."))


def _may_name_file(value: Any) -> bool:
    """True if a value is a table that may name a file, or holds one."""
    if isinstance(value, dict):
        table: dict[str, Any] = value
        return DATA_FILE in table or MESH_FILE in table or any(map(_may_name_file, table.values()))
    items: list[Any] = value if isinstance(value, list) else []
    return any(map(_may_name_file, items))


def _file_in(table: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The name of the file in a table and the columns to take; raises ``InputError`` for anything else."""
    others = [name for name in table if name not in (DATA_FILE, COLUMNS)]
    if others:
        listed = ", ".join(f"'{name}'" for name in others)
        raise InputError(f"names a file, which gives the whole list: remove {listed} beside '{DATA_FILE}'")
    name = table[DATA_FILE]
    if not isinstance(name, str) or not name:
        raise InputError(f'{DATA_FILE} must be the name of a file, as in {{ {DATA_FILE} = "poses.csv" }}')
    if COLUMNS not in table:
        return name, []
    columns = table[COLUMNS]
    if not isinstance(columns, list) or not columns or not all(isinstance(each, str) for each in columns):
        raise InputError(f'{COLUMNS} must be a list of names, as in {COLUMNS} = ["x", "y", "z"]')
    return name, columns
