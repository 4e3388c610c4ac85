"""Results from elsewhere as a study of their own, marked with their source.

A table has a column for each variable and each metric of the goals, with units in its headings, as an
export has: what is exported can be imported. The study that is made of it has the fronts of its designs, and
is done from the start. Each of its designs has an evaluation whose key contains the source, so that none is
ever found as one of ours. No search goes on with them, but a new one may begin with the designs
(``[search] from``), which are then evaluated here.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from errors import FaultsError, InputError, UnknownNameError
from models import Metric
from models.messages import explain
from studies.definition.derived_quantities import study_model
from studies.definition.space import ChoiceVariable, RealVariable, Variable, middle_of, miss, place_of
from studies.definition.study_definition import StudyDefinition
from studies.exchange.csv_rows import Column, WrittenTable, quantity_column, read_table, shown
from studies.execution.evaluation_key import imported_key
from studies.problem.problem import Problem, check, reference_point
from studies.records import IMPORTED, EvaluationRecord, GenerationRecord, LoggedBatch, StudyRecord, Task
from studies.results.design_values import unit_of_path
from studies.run.growth import RunFront
from studies.run.imported_definition import (
    LAYOUT,
    PASSED_OVER,
    RUNG,
    SEED,
    SOURCE,
    SPREADSHEET_MARK,
    STATE,
    Columns,
    ImportRequest,
    at_line,
    imported_definition,
    is_taken,
    renamed,
    source_of,
)
from studies.store import Store
from studies.store.store import ImportedRun

MAX_BYTES = 32 * 1024**2
MAX_ROWS = 100_000


class ImportedStudy(NamedTuple):
    """A study of imported results, its runs, and sentences on what was passed over."""

    definition: StudyDefinition
    runs: list[ImportedRun]
    remarks: list[str]


def import_results(
    store: Store, content: bytes, file: str, request: ImportRequest, now: float, *, owner: str = ""
) -> tuple[StudyRecord, list[str]]:
    """Store the results in a CSV table as a study; the study, and sentences on what was passed over.

    Raises ``InputError`` with the faults of the table, each with its line and column; nothing is stored then.
    """
    made = read_results(content, file, request, now)
    return store.import_study(made.definition, made.runs, owner=owner), made.remarks


def read_results(content: bytes, file: str, request: ImportRequest, now: float) -> ImportedStudy:
    """The study that a CSV table makes; raises as :func:`import_results` does. ``now`` is UTC seconds."""
    name = shown(file)
    if len(content) > MAX_BYTES:
        raise InputError(f"{name} is larger than {MAX_BYTES // 1024**2} MiB; import it in parts")
    table = renamed(read_table(content, name, MAX_ROWS), request.columns)
    columns = Columns.of(table)
    source = source_of(table, columns, request.source)
    if not any(is_taken(columns, cells) for _, cells in table.lines):
        in_full = f" and whose {RUNG} is empty" * (RUNG in columns.places)
        raise InputError(f"{name} has no design whose state is done{in_full}")
    told = json.dumps([sorted(request.columns.items()), sorted(request.objectives.items())]).encode()
    digest = hashlib.sha256(content + told).hexdigest()
    definition = imported_definition(table, columns, request, source, digest)
    try:
        problems = check(definition)
    except InputError as error:
        if request.definition is not None:
            raise
        raise FaultsError([at_line(fault, table, columns) for fault in error.faults]) from None
    return _Reading(table, columns, definition, problems, now).study()


# ---------------------------------------------------------------- rows


class _Design(NamedTuple):
    """One row: its evaluation, its point, and how the study judges it."""

    record: EvaluationRecord
    point: np.ndarray
    objectives: list[float]
    violation: float


class _Layout:
    """Readers of the cells of one layout."""

    def __init__(self, reading: _Reading, problem: Problem) -> None:
        self.problem = problem
        columns, definition = reading.columns, reading.definition
        self.variables: list[tuple[Variable, Column]] = []
        faults = reading.faults
        for variable in problem.space.variables:
            if variable.path not in columns.places:
                text = f"has no column '{variable.path}', which layout {problem.layout} varies"
                faults.append(f"{reading.table.file} {text}")
                continue
            unit = unit_of_path(reading.model, definition, problem.layout, variable.path)
            options = variable.values if isinstance(variable, ChoiceVariable) else ()
            with reading.heading(variable.path) as heading:
                named = not all(type(value) in (int, float) for value in options)
                column = quantity_column(heading, variable.path, None if named or not unit else unit)
                self.variables.append((variable, column))


class _Reading:
    """A table on its way to a study; ``faults`` of all rows are collected."""

    def __init__(
        self,
        table: WrittenTable,
        columns: Columns,
        definition: StudyDefinition,
        problems: Mapping[str, Problem],
        now: float,
    ) -> None:
        self.table, self.columns, self.definition = table, columns, definition
        self._now = now
        self.faults: list[str] = []
        self.model = study_model(definition)
        self._source = definition.imported.source if definition.imported else ""
        self._metrics = self._metric_columns(problems)
        self._layouts = {name: _Layout(self, problem) for name, problem in problems.items()}
        table.raise_found(self.faults)
        self._dropped: Counter[str] = Counter()
        self._coarse = self._idle = 0
        self._seen: dict[tuple[str, int, bytes], int] = {}

    def heading(self, name: str) -> _Heading:
        """The heading of a column, for a block whose errors are faults of it."""
        heading = self.columns.headings[name]
        return _Heading(heading, self.table.place(self.table.heading_line, heading), self.faults)

    def study(self) -> ImportedStudy:
        """Read all rows; raises ``InputError`` with their faults."""
        runs: dict[tuple[str, int], list[_Design]] = {
            (layout, seed): [] for layout in self._layouts for seed in self.definition.seeds
        }
        for line, cells in self.table.lines:
            if not is_taken(self.columns, cells):
                if self.columns.cell(cells, RUNG):
                    self._coarse += 1
                else:
                    self._dropped[shown(self.columns.cell(cells, STATE))] += 1
                continue
            layout = self._layout(line, cells)
            if layout is not None:
                seed = int(self.columns.cell(cells, SEED) or 1)
                design = self._design(line, cells, layout, seed)
                if design is not None:
                    runs[layout.problem.layout, seed].append(design)
        self.table.raise_found(self.faults)
        made = [
            self._run(self._layouts[layout].problem, seed, designs)
            for (layout, seed), designs in runs.items()
        ]
        return ImportedStudy(self.definition, made, self._remarks())

    def _layout(self, line: int, cells: Sequence[str]) -> _Layout | None:
        stated = self.columns.cell(cells, LAYOUT)
        name = stated or (next(iter(self._layouts)) if len(self._layouts) == 1 else "")
        if name not in self._layouts:
            text = f"'{shown(stated)}' is no layout of the study; it has {', '.join(self._layouts)}"
            self.faults.append(f"{self.table.place(line, LAYOUT)}: {text}")
        return self._layouts.get(name)

    def _metric_columns(self, problems: Mapping[str, Problem]) -> dict[str, tuple[Metric, Column]]:
        """The columns of metrics; a column that is nothing else becomes a fault."""
        known = {m.name: m for m in self.model.metrics if m.name not in self.definition.expressions}
        found: dict[str, tuple[Metric, Column]] = {}
        for name in self.columns.places:
            if name in known:
                with self.heading(name) as heading:
                    found[name] = known[name], quantity_column(heading, name, known[name].unit)
            elif not self._is_explained(name, problems):
                self._refuse(name, problems, known)
        goals = [
            goal for goal in (*self.definition.objectives, *self.definition.constraints) if goal in known
        ]
        inside = [
            name for problem in problems.values() for goal in problem.derived_goals
            for name in problem.derived.names_of(goal) if name in known
        ]  # fmt: skip
        self._goals = dict.fromkeys((*goals, *inside))
        self.faults += [
            f"{self.table.file} has no column '{name}', a goal of the study" for name in self._goals
            if name not in self.columns.places
        ]  # fmt: skip
        return found

    def _is_explained(self, name: str, problems: Mapping[str, Problem]) -> bool:
        """True for a column that is read otherwise, follows from others, or says nothing of a design."""
        paths = {path for problem in problems.values() for path in self._paths(problem)}
        follows = name in self.definition.expressions
        return name in paths or follows or name in PASSED_OVER or name in (LAYOUT, SEED, STATE, RUNG, SOURCE)

    def _paths(self, problem: Problem) -> Iterable[str]:
        return (*(variable.path for variable in problem.space.variables), *problem.space.links.paths)

    def _refuse(self, name: str, problems: Mapping[str, Problem], metrics: Iterable[str]) -> None:
        place = self.table.place(self.table.heading_line, self.columns.headings[name])
        paths = [path for problem in problems.values() for path in self._paths(problem)]
        unknown = UnknownNameError("column", name, [*paths, *metrics])
        self.faults.append(
            f"{place}: {unknown.message}; leave the column out, or make it an objective by its name"
        )

    def _design(self, line: int, cells: Sequence[str], layout: _Layout, seed: int) -> _Design | None:
        """The design of a row; None where it has faults, which are kept."""
        before = len(self.faults)
        values, point = self._values(line, cells, layout)
        metrics: dict[str, float | None] = {}
        for name, (metric, column) in self._metrics.items():
            with _Heading("", self.table.place(line, column.heading), self.faults):
                metrics[name] = self._measured(metric, column, self.columns.cell(cells, name))
        if len(self.faults) > before or self._is_repeated(line, layout.problem.layout, seed, point):
            return None
        with _Heading("", self.table.place(line), self.faults):
            return self._judged(layout.problem, values, point, metrics)
        return None

    def _values(self, line: int, cells: Sequence[str], layout: _Layout) -> tuple[Sequence[Any], np.ndarray]:
        """The values of a row's variables, None for one that does not act, and its settled point.

        What is written for a variable that does not act is passed over, so its cell may be empty.
        """
        space, before = layout.problem.space, len(self.faults)
        values: list[Any] = [None] * len(space)
        point = np.array([middle_of(variable) for variable in space.variables])
        later = list(dict.fromkeys(condition.column for condition in space.conditions))
        always = [place for place in range(len(space)) if place not in later]
        for place in (*always, *later):
            variable, column = layout.variables[place]
            cell = self.columns.cell(cells, column.key)
            if place in later and (len(self.faults) > before or not space.acting(point[None])[0, place]):
                self._idle += bool(cell)
                continue
            with _Heading("", self.table.place(line, column.heading), self.faults):
                values[place] = _value(variable, column, cell)
                point[place] = place_of(variable, values[place])
        settled = space.settle(point[None])
        if not np.array_equal(settled[0], point):  # equal parts are in another order
            return space.values(settled)[0], settled[0]
        return values, point

    def _measured(self, metric: Metric, column: Column, cell: str) -> float | None:
        if not cell and not (metric.name in self._goals and metric.absent is None):
            return None
        return float(column.value(cell))

    def _is_repeated(self, line: int, layout: str, seed: int, point: np.ndarray) -> bool:
        first = self._seen.setdefault((layout, seed, point.tobytes()), line)
        if first != line:
            self.faults.append(
                f"{self.table.place(line)}: repeats the design of line {first}; keep one of them"
            )
        return first != line

    def _judged(
        self, problem: Problem, values: Sequence[Any], point: np.ndarray, metrics: dict[str, float | None]
    ) -> _Design:
        record = problem.model.parameters
        try:
            resolved = record.model_validate(problem.template.fill(values))
        except ValidationError as error:
            raise InputError(f"these values exclude each other: {explain(error, (), record)}") from None
        plain = resolved.model_dump(mode="json")
        key = imported_key(self._source, problem.model, plain, metrics)
        task = Task(key, problem.model.name, problem.model.version, plain, problem.cost_class, 0)
        worker = f"{IMPORTED}{self._source}"
        made = EvaluationRecord(task, "done", "", "", 0.0, metrics, {}, (), 0.0, worker, self._now)
        found = problem.judge(made, point)
        if found.objectives is None:
            raise InputError(found.cause)
        return _Design(made, point, found.objectives, found.violation)

    def _run(self, problem: Problem, seed: int, designs: Sequence[_Design]) -> ImportedRun:
        """The designs of a layout and seed with their front."""
        said = f"imported from {self._source}: {len(designs)} designs"
        if not designs:
            return ImportedRun(problem.layout, seed, said)
        batch = LoggedBatch(
            1,
            tuple(design.record.key for design in designs),
            np.stack([design.point for design in designs]),
            np.array([design.objectives for design in designs]),
            np.array([design.violation for design in designs]),
        )
        front = RunFront(len(problem.objectives), reference_point(self.definition, problem), None)
        entered, _ = front.take(batch, 0)
        front.measure(batch, 0)
        generation = GenerationRecord(
            1, len(designs), 0, int((batch.violations == 0.0).sum()), 0, len(front), front.growth.volume,
            float(batch.violations.min()), 0.0, self._now,
        )  # fmt: skip
        records = [design.record for design in designs]
        return ImportedRun(
            problem.layout, seed, f"{said}, {len(front)} on the front", records, batch, generation, entered,
            front.growth.point,
        )  # fmt: skip

    def _remarks(self) -> list[str]:
        """Sentences on rows and columns that were passed over."""
        columns = [name for name in self.columns.places if name in PASSED_OVER]
        paths = {
            path for layout in self._layouts.values() for path in layout.problem.space.links.paths
        } | set(self.definition.expressions)  # fmt: skip
        follow = [name for name in self.columns.places if name in paths]
        rows = ", ".join(f"{count} {state}" for state, count in sorted(self._dropped.items()))
        said = {
            "rows that were left out by their state: ": rows,
            "rows that were left out, evaluated at a lower fidelity: ": f"{self._coarse or ''}",
            "values of variables that do not act in a design and were passed over: ": f"{self._idle or ''}",
            "columns that say nothing of a design and were passed over: ": ", ".join(
                name or "one without a name" for name in columns
            ),
            "columns that follow from the others and were computed anew: ": ", ".join(follow),
        }
        return [text + what for text, what in said.items() if what]


class _Heading:
    """A block whose ``InputError`` becomes a fault at a place."""

    def __init__(self, heading: str, place: str, faults: list[str]) -> None:
        self._heading, self._place, self._faults = heading, place, faults

    def __enter__(self) -> str:
        return self._heading

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, InputError):
            self._faults += [f"{self._place}: {each.text}" for each in error.faults]
        return isinstance(error, InputError)


def _value(variable: Variable, column: Column, cell: str) -> Any:
    """The value of a variable in a cell; raises ``InputError`` for one that it cannot have."""
    if not cell:
        raise InputError("is empty; write a value")
    if isinstance(variable, ChoiceVariable) and column.unit is None:
        texts = {str(option).lower(): option for option in variable.values}
        text = SPREADSHEET_MARK.sub("", cell, count=1).lower()
        if text not in texts:
            some = ", ".join(str(option) for option in variable.values[:10])
            raise InputError(f"'{shown(cell)}' is no option of {variable.path}; allowed are {some}")
        return texts[text]
    value = column.value(cell)
    place = place_of(variable, value)
    if place is None:
        raise InputError(f"{shown(cell)} is {miss(variable, value)} {variable.path}, {_allowed(variable)}")
    return value if isinstance(variable, RealVariable) else variable.decode(place)


def _allowed(variable: Variable) -> str:
    """Words on the values that a variable may have."""
    unit = "" if variable.unit in ("", "1") else f" {variable.unit}"
    if isinstance(variable, RealVariable):
        return f"which goes from {variable.lower:g} to {variable.upper:g}{unit}"
    some = ", ".join(
        f"{value:g}" if isinstance(value, float) else str(value) for value in variable.values[:10]
    )
    return f"which may be {some}{unit}"
