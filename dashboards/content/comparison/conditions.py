"""Conditions under which the layouts were searched: fixed parameters, variables, the search.

Then a comparison of them shows more than one effect, which nobody should have to find out later.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic.fields import FieldInfo

from dashboards.content.tables import Cell, Table, listed, table
from dashboards.formatting import SETTING_DIGITS, prose, scale_of, value_text
from models.fields import unit_at, unit_of
from models.parameter_names import option_words, parameter_words, words
from models.parameters import Parameters, flatten_names
from studies.definition.space import RealVariable, Variable
from studies.problem.layout import Layout
from studies.problem.problem import Setup, fixed_parameters, without_varied

MOST_TEXT = 60  # longer values would drown the sentence
ORIGINS = ("study file", "preset", "model default")


def stated_conditions(setup: Setup) -> list[str]:
    """Values that the study file itself fixes for all layouts, as ``name value``."""
    values = setup.fixed(setup.layouts[0])
    names = sorted(flatten_names(setup.definition.parameters))
    return [_stated(setup, name, values[name]) for name in names if name in values]


def _stated(setup: Setup, name: str, value: Any) -> str:
    """``name value``; what varies in part, or fills a table, is only named."""
    text = parameter_text(setup.model.parameters, name, value)
    if _varies(setup, name):
        return f"{words(name)} partly varied"
    return f"{words(name)} {text}" if len(text) <= MOST_TEXT else f"{words(name)} as listed below"


def differing(setup: Setup) -> list[str]:
    """Fixed parameters that are not the same in all layouts."""
    values = [setup.fixed(layout) for layout in setup.layouts]
    return [
        name
        for name in setup.model.parameters.model_fields
        if not _varies(setup, name) and len({json.dumps(v[name], sort_keys=True) for v in values}) > 1
    ]


def parameter_table(setup: Setup) -> Table:
    """Every fixed parameter of every layout with unit, origin and meaning; differences are flagged."""
    values = {layout: setup.fixed(layout) for layout in setup.layouts}
    different = set(differing(setup))
    rows: list[tuple[int, list[Cell | str]]] = []
    for name, field in setup.model.parameters.model_fields.items():
        if all(name in setup.varied(layout) for layout in setup.layouts):
            continue
        origin = _origin(setup, name)
        mark = "differs" if name in different else ""
        cells = [
            Cell(shown_parameter(setup, layout, name, values[layout][name]), mark=mark) for layout in values
        ]
        note = "differs between layouts" if mark else ""
        order = min(ORIGINS.index(item) for item in origin)
        rows.append(
            (
                order,
                [Cell(name, note, mark), *cells, " / ".join(origin), prose(field.description or "")],
            )
        )
    rows.sort(key=lambda row: row[0])
    head = ["parameter", *setup.layouts, "set by", "meaning"]
    return table("Fixed parameters of every layout", head, [row for _, row in rows])


def _varies(setup: Setup, name: str) -> bool:
    """True if a layout varies a part of the parameter."""
    paths = {path for layout in setup.layouts for path in setup.varied(layout)}
    return name in flatten_names(dict.fromkeys(paths))


def shown_parameter(setup: Setup, layout: str, name: str, value: Any) -> str:
    """A parameter's value as text, and which parts of it the layout varies."""
    paths = [path for path in setup.varied(layout) if path.split(".", 1)[0] == name]
    if name in paths:
        return "varies"
    if paths:
        parts = [parameter_words(setup.model.parameters, path) for path in paths]
        shown = listed(parts if len(parts) <= 4 else [*parts[:3], f"{len(parts) - 3} more"])
        return f"{parameter_text(setup.model.parameters, name, value)}, where {shown} vary"
    return parameter_text(setup.model.parameters, name, value)


def parameter_text(record: type[Parameters], name: str, value: Any) -> str:
    """A parameter's value as text, tables part by part."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        items: list[Any] = value
        return "; ".join(f"{i + 1}: {parameter_text(record, name, item)}" for i, item in enumerate(items))
    if isinstance(value, dict):
        table_: dict[str, Any] = value
        return "; ".join(
            f"{words(k)} {value_text(v, unit_at(record, f'{name}.{k}'))}" for k, v in table_.items()
        )
    if isinstance(value, str):
        return option_words(record, name, value)
    return value_text(value, unit_of(record.model_fields[name]))


def _origin(setup: Setup, name: str) -> list[str]:
    """Origins of the layouts' values, without repetition."""
    found: list[str] = []
    for layout in setup.layouts:
        problem = setup.problems[layout]
        preset = setup.model.presets[problem.preset].settings if problem.preset else {}
        in_file = name in flatten_names(problem.settings)
        found.append(ORIGINS[0] if in_file else ORIGINS[1] if name in preset else ORIGINS[2])
    return list(dict.fromkeys(found))


def variable_table(setup: Setup) -> Table:
    """Variables of each layout with their ranges."""
    paths = dict.fromkeys(path for layout in setup.layouts for path in setup.varied(layout))
    rows: list[list[Cell | str]] = []
    for path in paths:
        variables = {
            layout: next((v for v in setup.problems[layout].space.variables if v.path == path), None)
            for layout in setup.layouts
        }
        ranges = [
            Cell(followed(setup, layout, path) or shown_range(variable))
            for layout, variable in variables.items()
        ]
        field = setup.model.parameters.model_fields.get(setup.model.parameters.field_of(path) or "")
        meaning = "no parameter itself: others follow from it" if field is None else _description(field)
        rows.append([parameter_words(setup.model.parameters, path), *ranges, meaning])
    return table("Variables and their ranges", ["variable", *setup.layouts, "meaning"], rows)


def _description(field: FieldInfo) -> str:
    return prose(field.description or "")


def followed(setup: Setup, layout: str, path: str) -> str:
    """Words for the expression from which a parameter of a layout follows; empty for one that does not."""
    links = setup.problems[layout].space.links.links
    return next((f"follows: {link.expression.text}" for link in links if link.path == path), "")


def shown_range(variable: Variable | None) -> str:
    """Range or options of a variable in words; "fixed" without one."""
    if variable is None:
        return "fixed"
    if isinstance(variable, RealVariable):
        scale = scale_of([variable.lower, variable.upper], variable.unit)
        ends = f"{scale.show(variable.lower, SETTING_DIGITS)} to {scale.show(variable.upper, SETTING_DIGITS)}"
        return f"{ends}, logarithmic" if variable.logarithmic else ends
    if variable.stepped and not isinstance(variable.values, range):
        least, second, *_ = most = variable.values
        scale = scale_of([least, most[-1]], variable.unit)
        ends = f"{scale.show(least, SETTING_DIGITS)} to {scale.show(most[-1], SETTING_DIGITS)}"
        return f"{ends} in steps of {scale.show(second - least, SETTING_DIGITS)}"
    if isinstance(variable.values, range):
        return f"whole numbers {variable.values[0]} to {variable.values[-1]}"
    return listed([value_text(value, variable.unit or None) for value in variable.values], "or")


def search_table(setup: Setup) -> Table:
    """Algorithm, effort and seeds."""
    definition = setup.definition
    search = definition.search
    planned = sorted({problem.planned_designs(search) for problem in setup.problems.values()})
    limit = "as many as the evaluations allow" if search.generations is None else str(search.generations)
    layouts, seeds = len(setup.layouts), len(definition.seeds)
    shape = f"{layouts} layout{'s' * (layouts > 1)} x {seeds} seed{'s' * (seeds > 1)}"
    rows = [
        ("algorithm", search.algorithm),
        ("population", str(search.population)),
        *((words(name), str(value)) for name, value in search.settings.items()),
        ("generations", limit),
        ("evaluations per run, at most", listed([str(count) for count in planned], "or")),
        ("runs", f"{len(setup.study.runs)}: {shape}"),
        ("seeds", listed([str(seed) for seed in definition.seeds])),
        ("objectives", listed([f"{words(name)} ({sense})" for name, sense in definition.objectives.items()])),
    ]
    return table("Search", ["setting", "value"], rows)


MOST_NAMED = 6


def confounders(problems: Mapping[str, Layout]) -> dict[str, dict[str, str]]:
    """Fixed parameters beyond the geometry in which layouts differ, each with its text by layout.

    A single one is what the study compares, not a second effect, where the layouts have the same
    geometry and the same variables.
    """
    different = _different(problems)
    if not different:
        return {}
    record = next(iter(problems.values())).model.parameters
    found = {name: texts for name, texts in different.items() if name not in record.geometry}
    first = next(iter(problems.values())).space
    alike = len(found) == len(different) and all(problem.space == first for problem in problems.values())
    return {} if alike and len(found) == 1 else found


def confounder_values(problems: Mapping[str, Layout]) -> dict[str, dict[str, Any]]:
    """The same parameters with each layout's plain value, in SI."""
    tables = {layout: fixed_parameters(problem) for layout, problem in problems.items()}
    return {name: {layout: table[name] for layout, table in tables.items()} for name in confounders(problems)}


def confounder_text(problems: Mapping[str, Layout]) -> str:
    """The same as a sentence without a full stop; empty where the layouts differ in nothing else."""
    found = confounders(problems)
    if not found:
        return ""
    layouts = list(problems)
    who = f"the layouts {listed(layouts)}" if len(layouts) <= MOST_NAMED else f"the {len(layouts)} layouts"
    phrases = [_phrase(name, texts) for name, texts in list(found.items())[:MOST_NAMED]]
    if (more := len(found) - MOST_NAMED) > 0:
        phrases.append(f"{more} more parameter{'s' * (more > 1)}")
    effects = "both effects" if len(found) == 1 else "all these effects together"
    return f"{who} also differ in {listed(phrases)}: the comparison shows {effects}"


def confounder_sentences(setups: Mapping[str, Setup]) -> list[str]:
    """The same as whole sentences, one for each study whose layouts differ."""
    phrases = {name: confounder_text(setup.problems) for name, setup in setups.items()}
    if len(setups) == 1:
        return [sentence(text) for text in phrases.values() if text]
    return [sentence(f"of {name}, {text}") for name, text in phrases.items() if text]


def sentence(text: str) -> str:
    """``text`` with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def _different(problems: Mapping[str, Layout]) -> dict[str, dict[str, str]]:
    """Every fixed parameter that is not the same in all layouts and has a meaning in all of them."""
    if len(problems) < 2:
        return {}
    record = next(iter(problems.values())).model.parameters
    varied = {record.present_path(path) for problem in problems.values() for path in problem.space.parameters}
    tables = {
        layout: {
            name: without_varied(value, name, varied) for name, value in fixed_parameters(problem).items()
        }
        for layout, problem in problems.items()
    }
    replaced = {
        loser
        for table in tables.values()
        for winner, losers in record.supersedes.items()
        if table[winner] is not None
        for loser in losers
    }
    return {
        name: {layout: parameter_text(record, name, table[name]) for layout, table in tables.items()}
        for name in record.model_fields
        if name not in replaced and len({_plain(table[name]) for table in tables.values()}) > 1
    }


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _phrase(name: str, texts: Mapping[str, str]) -> str:
    """``cable stiffness (1000 N/m in suspended, ...)``; values too long to be read are only named."""
    by_text: dict[str, list[str]] = {}
    for layout, text in texts.items():
        by_text.setdefault(text, []).append(layout)
    if len(by_text) < 2 or max(map(len, by_text)) > MOST_TEXT:
        return words(name)
    return f"{words(name)} ({'; '.join(f'{text} in {listed(who)}' for text, who in by_text.items())})"
