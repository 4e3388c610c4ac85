"""A commented study file to begin with: of presets of a back-end. Several presets become layouts."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from pydantic.fields import FieldInfo

from dashboards.content.robot.study_file import toml_key, toml_value
from dashboards.formatting import prose
from errors import InputError
from models import Model
from models.fields import is_numerical, unit_at
from models.metrics import Metric
from models.parameters import Parameters
from models.units import unit_text
from studies.definition.study_definition import SEEDS_OF_LAYOUTS

_MOST_VARIABLES = 4
SPREAD = 0.2
"""Share of its value by which a variable may differ from it, up and down."""
_DIGITS = 9
_LONGEST = 90
"""Characters of a comment."""


def study_of_presets(model: Model, presets: Sequence[str], name: str) -> str:
    """A study of one preset, or of several as layouts; raises ``InputError`` for an unknown one."""
    found = {preset: model.preset(preset, ("from",)) for preset in presets}
    records = [model.resolve(preset, {}) for preset in found]
    several = len(found) > 1
    lines = head(model, name, several=several)
    if not several:
        lines += [f"preset = {toml_value(preset)}  # {given.description}" for preset, given in found.items()]
    lines += ["", "[parameters]  # fixed; what is not named here has the value of the preset"]
    lines += _settings(model, records[0])
    lines += ["", "[variables]  # any parameter of the robot can vary"]
    lines += _ranges(model, records)
    for preset, given in found.items() if several else ():
        lines += ["", f"[layouts.{preset}]", f"preset = {toml_value(preset)}  # {given.description}"]
    return "\n".join([*lines, "", *goals(model), "", *SEARCH]) + "\n"


SEARCH = (
    "[search]",
    'algorithm = "nsga2"',
    "population = 40   # designs of a generation",
    "generations = 25  # of each run",
)


def head(model: Model, name: str, *, several: bool) -> list[str]:
    """The first lines of a study file; ``several`` layouts have the usual number of seeds."""
    seeds = SEEDS_OF_LAYOUTS if several else SEEDS_OF_LAYOUTS[:3]
    return [
        f"# Change what you like, then `tautline study check FILE`. `tautline models show {model.name}`",
        "# lists all parameters with units and bounds, all presets and all metrics.",
        "schema_version = 1",
        f"name = {toml_value(name)}",
        f"model = {toml_value(model.name)}",
        f"seeds = {list(seeds)}  # a run for each",
    ]


def _settings(model: Model, record: Parameters) -> list[str]:
    """The settings of the computation that are numbers, as comments."""
    found = [
        (name, getattr(record, name))
        for name, field in model.parameters.model_fields.items()
        if is_numerical(field)
    ]
    numbers = [(name, value) for name, value in found if isinstance(value, int | float)]
    return [f"# {name} = {toml_value(value)}{_described(model, name)}" for name, value in numbers]


def _described(model: Model, name: str) -> str:
    text = prose(model.parameters.model_fields[name].description or "")
    return f"  # {textwrap.shorten(text, _LONGEST, placeholder=' ...')}"


def _ranges(model: Model, records: Sequence[Parameters]) -> list[str]:
    """Lines of variables around the values of the first record, which every record accepts."""
    fields = model.parameters.model_fields
    known = [name for name in fields if name in model.parameters.geometry] or list(fields)
    lines: list[str] = []
    for name in known:
        ends = [] if is_numerical(fields[name]) else _ends(getattr(records[0], name), fields[name])
        if len(ends) == 2 and len(lines) < _MOST_VARIABLES and _all_accept(model, records, name, ends):
            unit = unit_text(str(unit_at(model.parameters, name)))
            table = {"lower": min(ends), "upper": max(ends)}
            lines.append(
                f"{name} = {toml_value(table)}{_described(model, name)}{f', {unit}' if unit else ''}"
            )
    return lines


def _ends(value: Any, field: FieldInfo) -> list[float]:
    """A range around a number, or between its bounds where it is 0; none for anything else."""
    if not isinstance(value, float):
        return []
    if value != 0.0:
        return [short(value * (1 - SPREAD)), short(value * (1 + SPREAD))]
    return [
        float(getattr(each, name)) for name in ("ge", "le") for each in field.metadata if hasattr(each, name)
    ]


def _all_accept(model: Model, records: Sequence[Parameters], name: str, ends: Sequence[float]) -> bool:
    try:
        for record in records:
            for end in ends:
                model.resolve_over(record.model_dump(mode="json"), {name: end}, ())
    except InputError:
        return False
    return True


def goals(model: Model, names: Sequence[str] = ()) -> list[str]:
    """Objectives, and the other metrics of their cost class in a comment."""
    cheap = model.metrics_of(model.cost_class_for(names))
    errors = {each.error for each in cheap}
    plain = [
        each for each in cheap if not (each.caution or each.needs or "." in each.name or each.name in errors)
    ]
    chosen = [model.metric(name) for name in names] or plain[:2]
    others = [each.name for each in plain if each not in chosen]
    return [
        "[objectives]",
        *(f'{toml_key(each.name)} = "{each.sense}"{_meaning(each)}' for each in chosen),
        *textwrap.wrap(
            f"Other metrics: {', '.join(others)}", 100, initial_indent="# ", subsequent_indent="# "
        )[: bool(others) * 100],
    ]


def _meaning(metric: Metric) -> str:
    unit = unit_text(metric.unit)
    said = textwrap.shorten(metric.meaning.partition(";")[0], _LONGEST, placeholder=" ...")
    return f"  # {said}{f', {unit}' if unit else ''}"


def short(value: float) -> float:
    """A number without the digits that arithmetic leaves."""
    return float(f"{value:.{_DIGITS}g}")
