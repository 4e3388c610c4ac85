"""Runs, comparisons and designs as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from dashboards.formatting import number, percent
from service.cli.output import Format, Row, emit, say, typed
from service.cli.units import in_one_unit, in_units, unit_in
from studies.execution.evaluation_key import short_key

if TYPE_CHECKING:
    from service.app.services import Services
    from service.resources.access import AccountResource, TokenResource
    from service.resources.comparison import ComparisonResource, SeedTestResource
    from service.resources.models import ModelResource
    from service.resources.results import AskedDesignResource, FrontDesignResource, ReproductionResource
    from service.resources.studies import RunResource, StudyResource, StudySummary

_MOST_PER_CENT = 10.0
_BELOW_THE_TABLE = frozenset({"owner", "message", "reasons", "warnings", "reference_point"})


def study_row(study: StudySummary) -> Row:
    """One row of the list of studies."""
    return {
        "study": study.name,
        "model": study.model,
        "state": study.state,
        "runs": study.runs,
        "done": study.done,
        "created": study.created,
    }


def account_row(account: AccountResource) -> Row:
    """One row of the list of accounts."""
    return {
        "account": account.name,
        "role": account.role,
        "created": account.created,
        "password": account.password,
        "disabled": account.disabled,
    }


def token_row(token: TokenResource) -> Row:
    """One row of the list of tokens."""
    return {
        "id": token.id,
        "account": token.account,
        "for": token.name,
        "scope": token.scope,
        "created": token.created,
        "expires": token.expires,
        "last_used": token.last_used,
        "revoked": token.revoked,
    }


def run_row(run: RunResource) -> dict[str, Any]:
    """State, counts, front and hypervolume of a run."""
    return run.model_dump(exclude={"id", "point"})


def emit_runs(
    runs: Sequence[RunResource], kind: Format, title: str, told: frozenset[str] = frozenset()
) -> None:
    """Print one row per run; below a table stand the messages of runs, without those already ``told``."""
    rows = [run_row(run) for run in runs]
    if kind != "table":
        emit(rows, kind)
        return
    emit([{name: row[name] for name in row if name not in _BELOW_THE_TABLE} for row in rows], kind, title)
    _say_volumes(runs)
    left = [run for run in runs if run.state != "done" and not run.reasons]
    for message in dict.fromkeys(run.message for run in left):
        if message and message not in told:
            say(f"{_names([run for run in left if run.message == message])}: {message}")
    for run in runs:
        if run.message and run.reasons:
            say(f"{run.layout}, seed {run.seed}: {run.message}")
        for reason in run.reasons:
            say(f"  {reason}")
        for warning in run.warnings:
            say(f"warning, {run.layout}, seed {run.seed}: {warning}")


def _names(runs: Sequence[RunResource]) -> str:
    """Layouts with their seeds, such as "suspended, seeds 1, 2"."""
    found: dict[str, list[str]] = {}
    for run in runs:
        found.setdefault(run.layout, []).append(str(run.seed))
    return "; ".join(
        f"{layout}, seed{'s' if len(seeds) > 1 else ''} {', '.join(seeds)}" for layout, seeds in found.items()
    )


def emit_failures(failed: Sequence[AskedDesignResource], kind: Format) -> None:
    """Print designs that failed; a table has their reasons, of several lines, below."""
    names = ["layout", "seed", "generation", "key", "kind"]
    rows = [design.model_dump(include={*names, "reason", "variables"}) for design in failed]
    if kind == "json":
        emit(rows, kind)
        return
    if not rows:
        say("no design failed")
        return
    shown = names if kind == "table" else [*names, "reason"]
    emit([{name: row[name] for name in shown} for row in rows], kind)
    if kind == "table":
        for reason, keys in _by_reason(failed).items():
            say(f"{', '.join(keys)}:\n  {reason}")


def _by_reason(failed: Sequence[AskedDesignResource]) -> dict[str, list[str]]:
    """The keys, shortened, of the designs that failed for each reason."""
    found: dict[str, list[str]] = {}
    for design in failed:
        found.setdefault(design.reason, []).append(short_key(design.key))
    return found


def _say_volumes(runs: Sequence[RunResource]) -> None:
    """The point against which hypervolumes are measured, and how they spread over the seeds of a layout."""
    point = next((run.point for run in runs if run.point), "")
    if not point:
        return
    say(f"hypervolumes are measured against one point: {typed(point)}")
    for layout in dict.fromkeys(run.layout for run in runs):
        found = [run.hypervolume for run in runs if run.layout == layout and run.hypervolume is not None]
        if len(found) > 1:
            least, middle, most = (typed(number(pick(found))) for pick in (min, median, max))
            say(f"{layout}: over {len(found)} seeds least {least}, median {middle}, greatest {most}")


def front_row(design: FrontDesignResource, metrics: Iterable[str]) -> dict[str, Any]:
    """A design of a front with these of its metrics."""
    seeds = " ".join(str(seed) for seed in design.seeds)
    named = {name: design.metrics.get(name) for name in metrics}
    return {
        "key": design.key,
        "layout": design.layout,
        "seeds": seeds,
        **design.variables,
        **design.linked,
        **named,
    }


def comparison_rows(comparison: ComparisonResource) -> list[Row]:
    """One row per criterion with a column per layout."""
    return [
        {
            "criterion": criterion.name,
            "unit": criterion.unit,
            **criterion.values,
            "winner": criterion.winner,
            "margin": _lead(criterion.margin),
            "meaning": criterion.meaning,
        }
        for criterion in comparison.criteria
    ]


def seed_test_rows(tests: Sequence[SeedTestResource], titles: Mapping[str, str]) -> list[Row]:
    """Tests of the layout with the best median against each other one, by indicator, for people.

    ``titles`` are those of criteria, by name.
    """
    from studies.comparison.seed_tests import leading_tests

    return [_seed_test_row(test, titles.get(test.indicator, test.indicator)) for test in leading_tests(tests)]


def _seed_test_row(test: SeedTestResource, indicator: str) -> Row:
    from dashboards.content.comparison.seed_tests import NOT_SHOWN, unsettled

    row = {
        "indicator": indicator,
        "unit": test.unit,
        "layouts": f"{test.first} against {test.second}",
        "median": test.medians[0],
        "of the other": test.medians[1],
        "p": number(test.p_value, 2),
        "verdict": f"{test.winner} leads" if test.winner else f"{NOT_SHOWN}; {unsettled(test)}",
    }
    return in_one_unit(row, ["median", "of the other"])


def comparison_json(comparison: ComparisonResource) -> dict[str, Any]:
    """The whole comparison as plain values."""
    return comparison.model_dump(
        include={
            "study", "reference_point", "seed_hypervolumes", "seed_tests", "criteria", "headline", "scores",
            "safety", "unequal", "shared", "not_optimised", "contenders", "conditions", "same_conditions",
            "across", "differences",
        }
    )  # fmt: skip


def headline_sentences(comparison: ComparisonResource) -> list[str]:
    """Sentences that name the layout, its confidence, its price in safety, and unequal conditions."""
    from service.resources.comparison import ContestResource

    told = comparison.headline
    across = comparison.across if isinstance(comparison, ContestResource) else ""
    return [f"{text}." for text in (across, told.which, told.sure, told.price) if text]


def reference_text(comparison: ComparisonResource) -> str:
    """The point against which all hypervolumes of the comparison are measured."""
    from dashboards.content.comparison.margins import point_text

    point = comparison.reference_point
    return typed(point_text(list(point), list(point.values()), comparison.units, comparison.senses))


def comparison_rows_in_units(comparison: ComparisonResource) -> list[Row]:
    """The same for people, in their words and each row in the unit that reads best."""
    layouts = {name for criterion in comparison.criteria for name in criterion.values}
    rows: list[Row] = []
    for criterion, row in zip(comparison.criteria, comparison_rows(comparison), strict=True):
        own = f"{criterion.name} on the front"
        meaning = f"{criterion.title} on the front" if criterion.meaning == own else criterion.meaning
        winner = "even" if criterion.even else criterion.winner
        shown = {**row, "criterion": criterion.title, "winner": winner, "meaning": meaning}
        rows.append(in_one_unit(shown, [name for name in row if name in layouts]))
    return rows


def study_model(ops: Services, study: StudyResource) -> ModelResource:
    """The back-end of a study with its derived quantities and statistics among the metrics."""
    model = ops.studies.model(study.name)
    if not (study.definition.get("expressions") or study.definition.get("tolerances")):
        return model
    return model.model_copy(update={"metrics": ops.studies.quantities(study.name).metrics})


def free_units(ops: Services, study: StudyResource, model: ModelResource) -> dict[str, str]:
    """The units of a study's variables that are no parameters of the back-end."""
    known = model.parameters["properties"]
    tables = [study.definition, *study.definition.get("layouts", {}).values()]
    paths = {path for table in tables for path in table.get("variables", {})}
    if all(path.split(".", 1)[0] in known for path in paths):
        return {}
    layouts = ops.studies.quantities(study.name).layouts
    found = (variable for layout in layouts for variable in layout.variables)
    return {variable.path: variable.unit for variable in found if variable.path.split(".", 1)[0] not in known}


def empty_metrics(designs: Sequence[FrontDesignResource], asked: Sequence[str]) -> list[str]:
    """Metrics among those asked for that no design has; tables for people leave them out."""
    return [name for name in asked if designs and all(one.metrics.get(name) is None for one in designs)]


def front_rows_in_units(
    designs: Sequence[FrontDesignResource],
    model: ModelResource,
    asked: Sequence[str],
    variables: Mapping[str, str],
    labels: Mapping[str, str] | None = None,
) -> list[Row]:
    """A front for people: what was asked for first, in readable units, then variables, a short key last.

    ``variables`` has the units of variables that are no parameters, ``labels`` words for paths into lists.
    """
    units = {metric.metric: metric.unit for metric in model.metrics}
    paths = list(dict.fromkeys(path for design in designs for path in design.variables))
    named = {path: (labels or {}).get(path, path) if "." in path else path for path in paths}
    own = {named[path]: variables.get(path) or unit_in(model.parameters, path) for path in paths}
    units = {**own, **units}
    layouts = len({design.layout for design in designs}) > 1
    empty = empty_metrics(designs, asked)
    seeds = len({seed for design in designs for seed in design.seeds}) > 1
    rows = [
        {
            **({"layout": design.layout} if layouts else {}),
            **{name: design.metrics.get(name) for name in asked if name not in empty},
            **{named[path]: design.variables.get(path) for path in paths},
            **({"seeds": " ".join(map(str, design.seeds))} if seeds else {}),
            "key": short_key(design.key),
        }
        for design in designs
    ]
    return in_units(rows, units)


def _lead(margin: float | None) -> str | None:
    """A relative lead in per cent, or in times where per cents say nothing."""
    if margin is None:
        return None
    return percent(margin) if margin < _MOST_PER_CENT else f"{number(1 + margin, 3)} times"


def reproduction_rows(found: ReproductionResource) -> list[Row]:
    """A design's outcome and metrics as stored and as computed again."""
    stored, again = found.states
    names = [*found.stored, *(name for name in found.again if name not in found.stored)]
    return [
        {"metric": "outcome", "stored": stored, "again": again, "same": stored == again},
        *(
            {
                "metric": name,
                "stored": found.stored.get(name),
                "again": found.again.get(name),
                "same": name not in found.differences,
            }
            for name in names
        ),
    ]
