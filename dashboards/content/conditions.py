"""Under which conditions the layouts were searched: fixed parameters, variables, the search."""

from __future__ import annotations

import json
from typing import Any

from pydantic.fields import FieldInfo

from dashboards.content.material import Material
from dashboards.content.tables import Cell, Table, listed, table
from dashboards.formatting import SETTING_DIGITS, prose, scale_of, value_text, words
from models.fields import unit_at, unit_of
from models.parameters import flatten_names
from studies.space import RealVariable, Variable

MOST_TEXT = 60  # longer values would drown the sentence
ORIGINS = ("study file", "preset", "model default")


def stated_conditions(material: Material) -> list[str]:
    """What the study file itself fixes for all layouts, as ``name value``."""
    values = material.fixed(material.layouts[0])
    names = sorted(flatten_names(material.definition.parameters))
    return [_stated(material, name, values[name]) for name in names if name in values]


def _stated(material: Material, name: str, value: Any) -> str:
    """``name value``; what varies in part, or fills a table, is only named."""
    text = _text(material, name, value)
    if _varies(material, name):
        return f"{words(name)} partly varied"
    return f"{words(name)} {text}" if len(text) <= MOST_TEXT else f"{words(name)} as listed below"


def differing(material: Material) -> list[str]:
    """Fixed parameters that are not the same in all layouts."""
    values = [material.fixed(layout) for layout in material.layouts]
    return [
        name
        for name in material.model.parameters.model_fields
        if not _varies(material, name) and len({json.dumps(v[name], sort_keys=True) for v in values}) > 1
    ]


def parameter_table(material: Material) -> Table:
    """Every fixed parameter of every layout with unit, origin and meaning; differences are flagged."""
    values = {layout: material.fixed(layout) for layout in material.layouts}
    different = set(differing(material))
    rows: list[tuple[int, list[Cell | str]]] = []
    for name, field in material.model.parameters.model_fields.items():
        if all(name in paths_of(material, layout) for layout in material.layouts):
            continue
        origin = _origin(material, name)
        mark = "differs" if name in different else ""
        cells = [Cell(_shown(material, layout, name, values[layout][name]), mark=mark) for layout in values]
        note = "differs between layouts" if mark else ""
        order = min(ORIGINS.index(item) for item in origin)
        rows.append(
            (
                order,
                [Cell(name, note, mark), *cells, " / ".join(origin), prose(field.description or "")],
            )
        )
    rows.sort(key=lambda row: row[0])
    head = ["parameter", *material.layouts, "set by", "meaning"]
    return table("Fixed parameters of every layout", head, [row for _, row in rows])


def paths_of(material: Material, layout: str) -> list[str]:
    """What a layout varies."""
    return [variable.path for variable in material.problems[layout].space.variables]


def _varies(material: Material, name: str) -> bool:
    """Whether a layout varies a part of the parameter."""
    paths = {path for layout in material.layouts for path in paths_of(material, layout)}
    return name in flatten_names(dict.fromkeys(paths))


def _shown(material: Material, layout: str, name: str, value: Any) -> str:
    parts = [path for path in paths_of(material, layout) if path.split(".", 1)[0] == name]
    if name in parts:
        return "varies"
    if parts:
        shown = listed(parts if len(parts) <= 4 else [*parts[:3], f"{len(parts) - 3} more"])
        return f"{_text(material, name, value)}, where {shown} vary"
    return _text(material, name, value)


def _text(material: Material, name: str, value: Any) -> str:
    record = material.model.parameters
    if isinstance(value, list) and value and isinstance(value[0], dict):
        items: list[Any] = value
        return "; ".join(f"{i + 1}: {_text(material, name, item)}" for i, item in enumerate(items))
    if isinstance(value, dict):
        table_: dict[str, Any] = value
        return "; ".join(
            f"{words(k)} {value_text(v, unit_at(record, f'{name}.{k}'))}" for k, v in table_.items()
        )
    return value_text(value, unit_of(record.model_fields[name]))


def _origin(material: Material, name: str) -> list[str]:
    """Where the layouts' values come from, without repetition."""
    found: list[str] = []
    for layout in material.layouts:
        problem = material.problems[layout]
        preset = material.model.presets[problem.preset].settings if problem.preset else {}
        in_file = name in flatten_names(problem.settings)
        found.append(ORIGINS[0] if in_file else ORIGINS[1] if name in preset else ORIGINS[2])
    return list(dict.fromkeys(found))


def variable_table(material: Material) -> Table:
    """What each layout varies, in which range."""
    paths = dict.fromkeys(path for layout in material.layouts for path in paths_of(material, layout))
    rows: list[list[Cell | str]] = []
    for path in paths:
        variables = {
            layout: next((v for v in material.problems[layout].space.variables if v.path == path), None)
            for layout in material.layouts
        }
        ranges = [Cell(_range(variable)) for variable in variables.values()]
        field = material.model.parameters.model_fields[path.split(".", 1)[0]]
        rows.append([path, *ranges, _description(field)])
    return table("Variables and their ranges", ["variable", *material.layouts, "meaning"], rows)


def _description(field: FieldInfo) -> str:
    return prose(field.description or "")


def _range(variable: Variable | None) -> str:
    if variable is None:
        return "fixed"
    if isinstance(variable, RealVariable):
        scale = scale_of([variable.lower, variable.upper], variable.unit)
        return f"{scale.show(variable.lower, SETTING_DIGITS)} to {scale.show(variable.upper, SETTING_DIGITS)}"
    if isinstance(variable.values, range):
        return f"whole numbers {variable.values[0]} to {variable.values[-1]}"
    return listed([value_text(value, variable.unit or None) for value in variable.values], "or")


def search_table(material: Material) -> Table:
    """Algorithm, effort and seeds."""
    definition = material.definition
    search = definition.search
    planned = sorted({problem.planned_designs(search) for problem in material.problems.values()})
    limit = "as many as the evaluations allow" if search.generations is None else str(search.generations)
    layouts, seeds = len(material.layouts), len(definition.seeds)
    shape = f"{layouts} layout{'s' * (layouts > 1)} x {seeds} seed{'s' * (seeds > 1)}"
    rows = [
        ("algorithm", search.algorithm),
        ("population", str(search.population)),
        ("generations", limit),
        ("evaluations per run, at most", listed([str(count) for count in planned], "or")),
        ("runs", f"{len(material.runs)}: {shape}"),
        ("seeds", listed([str(seed) for seed in definition.seeds])),
        ("objectives", listed([f"{words(name)} ({sense})" for name, sense in definition.objectives.items()])),
    ]
    return table("Search", ["setting", "value"], rows)
