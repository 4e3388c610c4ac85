"""A study under tolerances: which errors held, and what became of the best and the knee designs.

Everything is read from the store: the statistics of a search that asked for them, or the robots that somebody
made of a chosen design.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dashboards.content.front.fronts import picks
from dashboards.content.tables import Cell, Table, listed, table
from dashboards.formatting import MISSING, Scale, counted, number, scale_of, statistic_words, value_text
from errors import InputError
from models import Model
from models.fields import unit_at
from models.parameter_names import factor_words, parameter_words, words
from studies.comparison.comparison import Comparison
from studies.definition.derived_quantities import Derived
from studies.definition.documents import Number
from studies.definition.robust_metrics import (
    ERROR,
    PREFIX,
    PROBABILITY,
    STATISTICS,
    base_metric,
    is_robust,
)
from studies.definition.study_definition import StudyDefinition
from studies.definition.tolerance_tables import CorrelatedTable, ToleranceTable
from studies.execution.evaluation_key import short_key
from studies.problem.problem import Setup
from studies.records import FrontDesign
from studies.store import Store
from studies.uncertainty.robust_design import DesignSamples, RobustOptions

Statistics = Mapping[str, float | None]
SHOWN = ("mean", "q05", "q95")
"""Statistics that are shown of every metric; others only where the study asks for them."""
MOST_COEFFICIENTS = 3
_METHODS = {"sobol": "scrambled Sobol points", "monte-carlo": "independent random numbers"}
_MEANING = (
    "\N{PLUS-MINUS SIGN} is the standard error. All designs meet the same errors. Statistics of metrics are "
    "over the robots that work; the share of feasible robots counts all."
)


@dataclass(frozen=True, slots=True)
class TolerancePick:
    """A design of a front, what it stands for, and the statistics over its robots."""

    design: FrontDesign
    title: str
    statistics: Statistics


# ------------------------------------------------------------------ read


def tolerance_picks(store: Store, setup: Setup, comparison: Comparison) -> dict[str, list[TolerancePick]]:
    """The best designs of each layout's front and its knee, with what is stored of their robots.

    Nothing is evaluated: a design whose robots are not all stored has no statistics.
    """
    if not setup.definition.tolerances:
        return {}
    return {
        layout: [
            TolerancePick(pick.design, pick.title, _statistics(store, setup, pick.design))
            for pick in picks(front, comparison.objectives)
        ]
        for layout, front in comparison.fronts.items()
    }


def _statistics(store: Store, setup: Setup, design: FrontDesign) -> Statistics:
    searched = {name: value for name, value in design.metrics.items() if is_robust(name)}
    if searched or setup.refusal:
        return searched
    try:
        robots = DesignSamples(store, setup.study, design.key, RobustOptions(tornado=False))
        found = robots.answer_if_stored(store)
    except InputError:  # the installed back-end has another opinion of the design
        return {}
    return {} if found is None else found.statistics


# ------------------------------------------------------------------ which errors


def tolerance_table(setup: Setup) -> Table | None:
    """Each tolerance of the study file; None where it states none."""
    stated = setup.definition.tolerances
    if not stated:
        return None
    rows = [_single_row(setup.model, path, each) for path, each in stated.independent.items()]
    rows += [_correlated_row(setup.model, each) for each in stated.correlated]
    return table("Tolerances of the study", ("parameter", "error", "how large"), rows)


def _single_row(model: Model, path: str, stated: ToleranceTable) -> list[Cell | str]:
    name = parameter_words(model.parameters, path)
    if stated.uniform is not None:
        return [name, "uniform", f"at most {_width(model, path, stated.uniform)}"]
    cut = "" if stated.truncate is None else f", at most {_width(model, path, stated.truncate)}"
    width = "" if stated.normal is None else _width(model, path, stated.normal)
    return [name, "normal", f"standard deviation {width}{cut}"]


def _correlated_row(model: Model, stated: CorrelatedTable) -> list[Cell | str]:
    if stated.covariance is not None:
        covariance = np.array(stated.covariance, dtype=float)
        spreads = np.sqrt(np.diag(covariance))
        deviations: list[Number] = [*spreads.tolist()]
        matrix = covariance / np.outer(spreads, spreads)
    else:
        given = stated.normal
        deviations = given if isinstance(given, list) else [given or 0.0]
        matrix = np.atleast_2d(np.array(stated.correlation, dtype=float))
    widths = [_width(model, path, each) for path, each in zip(stated.parameters, deviations, strict=False)]
    each = dict.fromkeys(widths) if len(set(widths)) == 1 else widths
    return [
        factor_words(model.parameters, ", ".join(stated.parameters)),
        f"normal, correlated by {_coefficients(matrix)}",
        f"standard deviation {', '.join(each)}",
    ]


def _coefficients(matrix: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str:
    """The coefficients above the diagonal, or their range where there are many."""
    above = matrix[np.triu_indices(len(matrix), 1)] if len(matrix) > 1 else matrix.ravel()
    if len(np.unique(above)) == 1:
        return number(float(above[0]))
    if len(above) <= MOST_COEFFICIENTS:
        return ", ".join(number(float(each)) for each in above)
    return f"{number(float(above.min()))} to {number(float(above.max()))}"


def _width(model: Model, path: str, width: Number) -> str:
    if isinstance(width, str):
        return f"{width} of the value" if width.rstrip().endswith("%") else width
    unit = unit_at(model.parameters, path)
    return value_text(width, unit if isinstance(unit, str) else "1")


# ------------------------------------------------------------------ what became of designs


def tolerance_note(setup: Setup, chosen: Mapping[str, Sequence[TolerancePick]]) -> str:
    """Sentences on the drawing of robots, the search's statistics, and statistics that are not stored."""
    robust = setup.definition.robust
    asked = asked_statistics(setup.definition)
    drawn = f"by {_METHODS[robust.method]} with seed {robust.seed}"
    if asked:
        goals = listed([f"the {statistic_words(name)}" for name in asked])
        made = f"The search made {robust.samples} robots of each design, {drawn}, and asked for {goals}."
        sentences = [made]
    else:
        stated = f"Tolerances are stated for {robust.samples} robots of a chosen design, {drawn}."
        sentences = ["The search did not ask for statistics: it compared nominal designs.", stated]
    every = [pick for found in chosen.values() for pick in found]
    bare = [pick for pick in every if not pick.statistics]
    if len(bare) < len(every):
        sentences.append(_MEANING)
    if bare and not setup.refusal:
        some = "these designs" if len(bare) == len(every) else counted(len(bare), "design")
        sentences.append(
            f"The store does not hold the robots of {some}; Tolerances in Review evaluates them, and the "
            "next report has their statistics."
        )
    return " ".join(sentences)


def asked_statistics(definition: StudyDefinition) -> list[str]:
    """The statistics that goals name, or that follow from expressions; none where no tolerance is stated."""
    derived = Derived.of(definition)
    expressions = [name for link in derived.expressions for name in link.expression.names]
    named = (*definition.objectives, *definition.constraints, *expressions)
    return list(dict.fromkeys(filter(is_robust, named)))


def statistics_tables(setup: Setup, chosen: Mapping[str, Sequence[TolerancePick]]) -> list[Table]:
    """Tables, one a layout, with a row for each statistic and a column for each design that has some."""
    found: list[Table] = []
    for layout, picked in chosen.items():
        shown = [pick for pick in picked if pick.statistics]
        if shown:
            head = ["quantity", *(pick.title for pick in shown)]
            rows = list(_rows(setup, shown))
            found.append(table(f"Robots of {layout}", head, rows, range(1, len(head))))
    return found


def _rows(setup: Setup, picked: Sequence[TolerancePick]) -> Iterator[list[Cell | str]]:
    yield ["design", *(short_key(pick.design.key) for pick in picked)]
    asked = asked_statistics(setup.definition)
    if PROBABILITY in picked[0].statistics:
        yield _row(setup, PROBABILITY, picked, Scale(1.0, ""))
    for metric in dict.fromkeys(filter(None, map(base_metric, picked[0].statistics))):
        wanted = [
            name
            for name in (f"{PREFIX}{metric}.{ending}" for ending in STATISTICS)
            if name.rpartition(".")[2] in SHOWN or name in asked
        ]
        nominal = [pick.design.metrics.get(metric) for pick in picked]
        values = [pick.statistics.get(name) for name in wanted for pick in picked]
        scale = scale_of([*nominal, *values], setup.model.metric(metric).unit)
        head = Cell(f"Nominal {words(metric)}", _kind(setup.definition, metric))
        yield [head, *(scale.measured(value) for value in nominal)]
        for name in wanted:
            yield _row(setup, name, picked, scale)


def _row(setup: Setup, name: str, picked: Sequence[TolerancePick], scale: Scale) -> list[Cell | str]:
    text = statistic_words(name)
    head = Cell(text[:1].upper() + text[1:], _kind(setup.definition, name))
    return [head, *(_cell(pick.statistics, name, scale) for pick in picked)]


def _cell(statistics: Statistics, name: str, scale: Scale) -> Cell:
    value, error = statistics.get(name), statistics.get(name + ERROR)
    if value is None:
        return Cell(MISSING)
    return Cell(scale.measured(value), "" if error is None else f"\N{PLUS-MINUS SIGN} {scale.show(error, 2)}")


def _kind(definition: StudyDefinition, name: str) -> str:
    if name in definition.objectives:
        return "objective"
    return "constraint" if name in definition.constraints else ""
