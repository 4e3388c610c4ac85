"""How much it takes to check a study, by arithmetic alone: a short file can ask for very much."""

from __future__ import annotations

from collections.abc import Iterable

from models.errors import InputError
from studies.definition import StudyDefinition, VariableTable

MOST_RUNS = 5_000
MOST_TRIED = 10_000
"""Values that the check tries on the model, each about 0.1 ms."""
MOST_COMPARED = 1_000_000
"""Values of initial designs, times the options that each is compared with."""
_ENDS = 3


def refuse_excess(definition: StudyDefinition) -> None:
    """Raise ``InputError`` for a study that a server should not even check."""
    layouts = list(definition.layouts.values()) or [None]
    runs = len(layouts) * len(definition.seeds)
    if runs > MOST_RUNS:
        raise InputError(
            f"makes {runs} runs, one per layout and seed; at most {MOST_RUNS} are allowed", "seeds"
        )
    tried = compared = 0
    for layout in layouts:
        tables = {**definition.variables, **(layout.variables if layout else {})}.values()
        own = layout.initial if layout else None
        initial = definition.search.initial if own is None else own
        tried += _tried(tables)
        compared += len(initial or ()) * _compared(tables)
    if tried > MOST_TRIED:
        raise InputError(
            f"has {tried} options and ends of ranges over all layouts; at most {MOST_TRIED} are allowed here",
            "variables",
        )
    if compared > MOST_COMPARED:
        raise InputError("has too many initial designs for its variables and layouts", "search.initial")


def _tried(tables: Iterable[VariableTable]) -> int:
    return sum(_ENDS if table.options is None else len(table.options) for table in tables)


def _compared(tables: Iterable[VariableTable]) -> int:
    return sum(1 if table.options is None else len(table.options) for table in tables)
