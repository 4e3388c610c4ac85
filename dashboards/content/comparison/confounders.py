"""Confounders: differences between the layouts of a study besides those that make them layouts.

Then a comparison of them shows more than one effect, which nobody should have to find out later.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dashboards.content.comparison.conditions import MOST_TEXT, parameter_text
from dashboards.content.tables import listed
from models.parameter_names import words
from studies.problem.layout import Layout
from studies.problem.problem import Setup, fixed_parameters, without_varied

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
