"""The decision sheet of one design: its data, read from the store once, and texts and tables of one page."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from dashboards.content.backends.plugins import plugin_of
from dashboards.content.comparison.conditions import parameter_text, shown_range
from dashboards.content.tables import Cell, Table, table
from dashboards.formatting import MISSING, Scale, counted, moment, prose, quantity, scale_of, value_text
from errors import AbsentError, InputError, StateError
from models import Model
from models.fields import is_numerical, unit_at
from models.messages import explain
from models.metrics import Metric
from models.parameter_names import parameter_words, words
from models.parameters import Parameters, flatten_names
from models.scene import Scene
from studies.decision.rules import RULES
from studies.decision_records import Candidate, DecisionRecord, Interval, numbered, refuse_key_and_number
from studies.definition.objectives import Constraint
from studies.execution.evaluation import is_source_of
from studies.execution.evaluation_key import short_key
from studies.problem.problem import Setup, setup_of
from studies.records import EvaluationRecord, StudyRecord, Task
from studies.results.design_values import DesignReader, DesignValues, unit_of_path
from studies.store import Store
from studies.store.trials import TrialFilter

JUDGEMENT = "a person's own judgement"


def rule_text(setup: Setup, decision: DecisionRecord) -> str:
    """The rule with its weights, levels and filters, and the place that it gave to the design."""
    wanted = decision.preferences
    rule = RULES.get(wanted.rule)
    parts = [JUDGEMENT if rule is None else rule.label]
    units = units_of(setup, decision.layout)
    if wanted.weights:
        parts.append("weights " + ", ".join(f"{words(n)} {w:g}" for n, w in wanted.weights.items()))
    if wanted.aspirations:
        levels = [f"{words(n)} {quantity(v, units.get(n, '1'))}" for n, v in wanted.aspirations.items()]
        parts.append("aspiration levels " + ", ".join(levels))
    if wanted.filters:
        filters = [_filter_text(n, one, units.get(n, "1")) for n, one in wanted.filters.items()]
        parts.append("filters " + ", ".join(filters))
    if wanted.layout:
        parts.append(f"layout {wanted.layout} alone")
    own = next((one for one in decision.candidates if one.key == decision.key), None)
    count = counted(len(decision.candidates), "candidate")
    place = f"; number {own.rank} of {count}" if own is not None and own.rank else f"; {count}"
    return "; ".join(parts) + place


def units_of(setup: Setup, layout: str) -> dict[str, str]:
    """Units of what decisions name: metrics, and what a layout varies."""
    units = {metric.name: metric.unit for metric in setup.model.metrics}
    for path in setup.varied(layout):
        units[path] = unit_of_path(setup.model, setup.definition, layout, path) or "1"
    return units


def _filter_text(name: str, interval: Interval, unit: str) -> str:
    scale = scale_of([interval.lower, interval.upper], unit)
    return f"{words(name)} {limit_text(interval.lower, interval.upper, scale)}"


def limit_text(lower: float | None, upper: float | None, scale: Scale) -> str:
    """``≥ 3 mm``, or from where to where."""
    if lower is not None and upper is not None:
        return f"{scale.bare(lower)} to {scale.show(upper)}"
    if lower is not None:
        return f"≥ {scale.show(lower)}"
    return MISSING if upper is None else f"≤ {scale.show(upper)}"


@dataclass(frozen=True, slots=True)
class SheetData:
    """A design of a study with everything that a sheet shows.

    ``decision`` is the one that the sheet shows, None for a design that nobody chose; ``standing`` is the
    number of the one that stands, None where there is none. ``parameters`` are None where ``fault`` says why
    the installed back-end cannot read them.
    """

    setup: Setup
    evaluation: EvaluationRecord
    layout: str
    seeds: tuple[int, ...]
    values: DesignValues
    units: Mapping[str, str]
    decision: DecisionRecord | None
    standing: int | None
    parameters: Parameters | None
    scene: Scene | None
    fault: str
    provenance: Mapping[str, Any]

    @property
    def replaced_by(self) -> int | None:
        """The number of the decision that took the place of the one shown; None where it stands."""
        if self.decision is None or self.decision.number == self.standing:
            return None
        return self.decision.number + 1


def shown_decision(
    study: str, decisions: Sequence[DecisionRecord], key: str = "", number: int | None = None
) -> DecisionRecord | None:
    """The decision that a sheet shows: the one with ``number``, else the last one that chose ``key``.

    Without both it is the one that stands; None for a design that nobody chose. ``decisions`` are those of
    the study, the one that stands first. Raises ``StateError`` where nothing was chosen, ``AbsentError``
    where no decision has the number, and ``InputError`` for both a key and a number.
    """
    refuse_key_and_number(key, number)
    if number is not None:
        return numbered(study, decisions, number)
    if not key and not decisions:
        raise StateError(
            f"nothing is decided about study '{study}'; choose a design first, or name one by its key"
        )
    return next((one for one in decisions if key in ("", one.key)), None)


def read_sheet_data(
    store: Store,
    study: StudyRecord,
    decisions: Sequence[DecisionRecord],
    key: str = "",
    number: int | None = None,
) -> SheetData:
    """Read a design: that of the decision with ``number``, the one with ``key``, else the one that stands.

    See :func:`shown_decision` for what is raised; a design that has no metrics is an ``InputError``.
    """
    chosen = shown_decision(study.name, decisions, key, number)
    wanted = key if chosen is None else chosen.key
    layout, seeds, values, reader = _values(store, study, wanted, chosen)
    evaluation = store.evaluations([wanted])[wanted]
    if evaluation.state != "done":
        raise InputError(f"design {short_key(wanted)} has no metrics: {evaluation.reason}", ("key",))
    setup = setup_of(study)
    parameters, fault = _parameters(setup.model, evaluation.task)
    scene, fault = (None, fault) if parameters is None else _scene(setup.model, parameters)
    return SheetData(
        setup, evaluation, layout, seeds, values, reader.free_units, chosen,
        decisions[0].number if decisions else None, parameters, scene, fault,
        _provenance(store, study, layout),
    )  # fmt: skip


def _values(
    store: Store, study: StudyRecord, key: str, chosen: DecisionRecord | None
) -> tuple[str, tuple[int, ...], DesignValues, DesignReader]:
    """Layout, seeds and values of the design as the study's runs asked for it."""
    runs = {run.id: run for run in study.runs}
    trials = store.trials(TrialFilter(list(runs), limit=1000, key=key))
    if not trials:
        raise AbsentError(f"no run of study '{study.name}' holds design {short_key(key)} any longer")
    layout = chosen.layout if chosen is not None else runs[trials[0].run_id].layout
    own = [trial for trial in trials if runs[trial.run_id].layout == layout] or trials
    reader = DesignReader(study, layout)
    values = reader.read(own[0].parameters, own[0].metrics, own[0].point)
    return layout, tuple(sorted({runs[trial.run_id].seed for trial in own})), values, reader


def _parameters(model: Model, task: Task) -> tuple[Parameters | None, str]:
    """The full record of the design, or a sentence on why the installed back-end does not read it."""
    if task.model_version != model.version or not is_source_of(model, task):
        return None, (
            f"No drawing: the design was evaluated by version {task.model_version} of {model.name}, and "
            f"another one ({model.version}) is installed."
        )
    try:
        return model.parameters.model_validate(task.parameters), ""
    except ValidationError as error:
        return None, f"No drawing: {explain(error, (), model.parameters)}."


def _scene(model: Model, parameters: Parameters) -> tuple[Scene | None, str]:
    try:
        return model.scene(parameters), ""
    except (InputError, ArithmeticError, ValueError) as error:
        return None, f"No drawing: {error}"


def _provenance(store: Store, study: StudyRecord, layout: str) -> Mapping[str, Any]:
    """Versions and host of the last process on the layout's first run; empty where nothing is known."""
    run = next(run for run in study.runs if run.layout == layout)
    found = store.provenance(run)
    return found[-1] if found else {}


ROWS, FEWEST_ROWS, MOST_ROWS, MOST_CABLES = 16, 7, 19, 12
"""Rows that the tables of a sheet share: those of results get what the cables leave, within limits."""
MOST_CONDITIONS = 9
LONGEST_REASON, LONGEST_CONDITION, LONGEST_CAPTION, LONGEST_VALUE, LONGEST_FACT = 320, 110, 560, 60, 180
"""Characters of texts on a sheet; the store has all of them."""
MOST_BEATEN = 4
SET = "set by the study"

Fact = tuple[str, str]


def decision_title(data: SheetData) -> str:
    """The number of the decision, and whether it stands."""
    if data.decision is None:
        return "Not decided"
    if data.replaced_by is None:
        return f"Decision {data.decision.number}, which stands"
    last = "" if data.replaced_by == data.standing else f"; decision {data.standing} stands"
    return f"Decision {data.decision.number}, replaced by decision {data.replaced_by}{last}"


def decision_facts(data: SheetData) -> list[Fact]:
    """Facts of the decision: reason, rule, rivals, author and time; none where nobody decided."""
    decision = data.decision
    if decision is None:
        return []
    facts = [("why", shortened(decision.reason, LONGEST_REASON)), ("rule", rule_text(data.setup, decision))]
    others = [one for one in decision.candidates if one.key != decision.key]
    if others:
        facts.append(("chosen over", _beaten_text(data, others)))
    by = f" by {decision.author}" if decision.author else ""
    replaced = f"; replaces decision {decision.replaces}" if decision.replaces else ""
    facts.append(("decided", f"{moment(decision.created)}{by}{replaced}"))
    return facts


def _beaten_text(data: SheetData, others: Sequence[Candidate]) -> str:
    """The best of the other candidates by their keys and objectives."""
    units = units_of(data.setup, data.layout)
    told = [
        f"{short_key(one.key)} "
        f"({', '.join(quantity(v, units.get(n, '1')) for n, v in one.objectives.items())})"
        for one in others[:MOST_BEATEN]
    ]
    more = f" and {len(others) - MOST_BEATEN} more" if len(others) > MOST_BEATEN else ""
    order = ", ".join(words(name) for name in others[0].objectives)
    return f"{', '.join(told)}{more} ({order})"


def parameters_table(data: SheetData, most: int) -> Table:
    """Variables with their values and ranges, what follows from them, and what the study itself sets."""
    space = data.setup.problems[data.layout].space
    ranges = {variable.path: shown_range(variable) for variable in space.variables}
    record = data.setup.model.parameters
    rows = [
        [
            _named(data, path),
            value_text(value, data.units.get(path, unit_at(record, path))),
            ranges.get(path, MISSING),
        ]
        for path, value in data.values.variables.items()
    ]
    rows += [
        [_named(data, path), value_text(v, unit_at(record, path)), "follows"]
        for path, v in data.values.linked.items()
    ]
    rows += [[words(name), text, SET] for name, text in _stated(data)]
    return table("Parameters", ["parameter", "value", "range"], _cut(rows, most))


def _named(data: SheetData, path: str) -> str:
    return parameter_words(data.setup.model.parameters, path)


def _stated(data: SheetData) -> list[tuple[str, str]]:
    """Parameters that the study sets and no layout varies: the robot's first, then numerical ones."""
    record, stored = data.setup.model.parameters, data.evaluation.task.parameters
    varied = flatten_names(dict.fromkeys(data.setup.varied(data.layout)))
    settings = flatten_names(data.setup.problems[data.layout].settings)
    beside = set() if data.parameters is None else plugin_of(data.setup.model.name).told
    names = [
        name
        for name in record.model_fields
        if name in settings and name in stored and name not in varied and name not in beside
    ]
    names.sort(key=lambda name: is_numerical(record.model_fields[name]))
    texts = [(name, parameter_text(record, name, stored[name])) for name in names]
    return [(name, text if len(text) <= LONGEST_VALUE else "see the report") for name, text in texts]


def metrics_table(data: SheetData, most: int) -> Table:
    """Objectives first, then what is bounded, then the rest: value, limit, and the margin to it."""
    problem, definition = data.setup.problems[data.layout], data.setup.definition
    bounds = {constraint.metric: constraint for constraint in problem.constraints}
    values = data.values.metrics
    every = data.setup.model.metrics
    errors = {metric.error for metric in every}
    known = [m for m in every if values.get(m.name) is not None and m.name not in errors]
    known.sort(
        key=lambda m: (m.name not in definition.objectives, m.name not in bounds, m.safety_limit is None)
    )
    rows = [_metric_row(metric, values, bounds.get(metric.name), definition.objectives) for metric in known]
    return table("Results", ["quantity", "value", "limit", "margin"], _cut(rows, most), (1, 2, 3))


def _metric_row(
    metric: Metric,
    values: Mapping[str, float | None],
    bound: Constraint | None,
    objectives: Mapping[str, str],
) -> list[Cell | str]:
    value, (lower, upper) = values[metric.name], _limits(metric, bound)
    ends = [value, values.get(metric.error), lower, upper]
    scale = scale_of([None if end is None or abs(end) == float("inf") else end for end in ends], metric.unit)
    sense = {"minimize": " (minimised)", "maximize": " (maximised)"}.get(objectives.get(metric.name, ""), "")
    name = Cell(f"{words(metric.name)}{sense}")
    margin = _margin(value, lower, upper)
    mark = "bad" if margin is not None and margin < 0.0 else ""
    text = MISSING if margin is None else scale.show(margin)
    shown = scale.with_error(value, values.get(metric.error))
    return [name, shown, limit_text(lower, upper, scale), Cell(text, mark=mark)]


def _limits(metric: Metric, bound: Constraint | None) -> tuple[float | None, float | None]:
    """Bounds of the study, else the limit beyond which no design is safe."""
    if bound is not None:
        lower = None if bound.lower == -float("inf") else bound.lower
        return lower, None if bound.upper == float("inf") else bound.upper
    if metric.safety_limit is None:
        return None, None
    return (metric.safety_limit, None) if metric.sense == "maximize" else (None, metric.safety_limit)


def _margin(value: float | None, lower: float | None, upper: float | None) -> float | None:
    if value is None:
        return None
    found = [] if lower is None else [value - lower]
    found += [] if upper is None else [upper - value]
    return min(found, default=None)


def condition_facts(data: SheetData) -> list[Fact]:
    """Conditions under which the design was evaluated, in numbers where the back-end has such."""
    numbers = plugin_of(data.setup.model.name).numbers(data.setup, data.layout)
    if numbers:
        return [(n, shortened(v, LONGEST_CONDITION)) for n, v in list(numbers.items())[:MOST_CONDITIONS]]
    preset = data.setup.problems[data.layout].preset
    return [("preset", preset)] if preset else []


def building_facts(data: SheetData) -> list[Fact]:
    """Facts that a builder and a checker of the robot need, where its back-end states them."""
    if data.parameters is None:
        return []
    found = plugin_of(data.setup.model.name).building(data.parameters, data.scene)
    return [(name, shortened(text, LONGEST_FACT)) for name, text in found.items()]


def drawn_scene(data: SheetData) -> Scene | None:
    """The scene of the design, as a sheet draws it."""
    if data.scene is None or data.parameters is None:
        return None
    return plugin_of(data.setup.model.name).drawn(data.parameters, data.scene)


def cables_table(data: SheetData) -> Table | None:
    """The cables of the design, where its back-end lists them."""
    found = None if data.parameters is None else plugin_of(data.setup.model.name).cables(data.parameters)
    return found and replace(found, rows=tuple(_cut(found.rows, MOST_CABLES)))


def rows_beside(cables: Table | None) -> int:
    """Rows that the other tables may have, so that all fits one page."""
    return max(ROWS - len(cables.rows), FEWEST_ROWS) if cables else MOST_ROWS


def caption(data: SheetData) -> str:
    """Caption of the drawing, or the reason why there is none."""
    return _sentences(prose(data.scene.caption), LONGEST_CAPTION) if data.scene is not None else data.fault


def provenance_facts(data: SheetData) -> list[Fact]:
    """Key, time and software of the evaluation, and the command that repeats it."""
    task, record = data.evaluation.task, data.provenance
    packages = record.get("packages", {})
    named = [f"{name} {packages[name]}" for name in ("numpy", "scipy", "numba", "pymoo") if name in packages]
    git = record.get("git")
    source = f", commit {git['commit'][:12]}{' with local changes' if git['dirty'] else ''}" if git else ""
    evaluated = f"{task.model} version {task.model_version}{source}; {moment(data.evaluation.finished)}"
    seeds = ", ".join(map(str, data.seeds))
    algorithm = data.setup.definition.search.algorithm
    return [
        ("evaluation", task.key),
        ("evaluated by", evaluated),
        ("software", "; ".join([*named, f"Python {record.get('python', 'unknown')}"])),
        ("search", f"{algorithm}, seed {seeds}; digest of the study {data.setup.study.digest[:16]}"),
    ]


def shortened(text: str, most: int) -> str:
    """Text on one line of at most so many characters."""
    return textwrap.shorten(text, most, placeholder=" …") if len(text) > most else " ".join(text.split())


def _sentences(text: str, most: int) -> str:
    """The first sentences of a text, as many as fit so many characters; one of them at least."""
    kept, *rest = re.split(r"(?<=[.!?]) (?=[A-Z])", " ".join(text.split()))
    for sentence in rest:
        if len(kept) + 1 + len(sentence) > most:
            break
        kept = f"{kept} {sentence}"
    return shortened(kept, most)


def _cut(rows: Sequence[Sequence[Cell | str]], most: int) -> list[tuple[Cell, ...]]:
    cells = [tuple(item if isinstance(item, Cell) else Cell(item) for item in row) for row in rows]
    if len(cells) <= most:
        return cells
    more = Cell(f"and {len(cells) - most + 1} more, in the report")
    return [*cells[: most - 1], (more, *[Cell("")] * (len(cells[0]) - 1))]
