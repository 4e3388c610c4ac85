"""Runs, comparisons and designs as the tables that tell how a study went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC
from typing import TYPE_CHECKING, Any

from dashboards.formatting import number, percent, quantity
from service.cli.measured import in_one_unit, in_units, unit_in
from service.cli.output import Format, Row, emit, say

if TYPE_CHECKING:
    from datetime import datetime

    from service.access.resources import AccountResource, TokenResource
    from service.model_resources import ModelResource
    from service.resources import (
        ComparisonResource,
        FrontDesignResource,
        ReproductionResource,
        RunResource,
        StudySummary,
    )

_MOST_PER_CENT = 10.0
_BELOW_THE_TABLE = frozenset({"owner", "message", "reasons", "warnings"})


def study_row(study: StudySummary) -> Row:
    """One row of the list of studies."""
    return {
        "study": study.name,
        "model": study.model,
        "state": study.state,
        "runs": study.runs,
        "done": study.done,
        "created": study.created.astimezone().isoformat(sep=" ", timespec="seconds"),
    }


def account_row(account: AccountResource) -> Row:
    """One row of the list of accounts."""
    return {
        "account": account.name,
        "role": account.role,
        "created": minute(account.created),
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
        "created": minute(token.created),
        "expires": minute(token.expires),
        "last_used": minute(token.last_used),
        "revoked": minute(token.revoked),
    }


def minute(time: datetime | None) -> str | None:
    """A moment, to the minute, in UTC."""
    return None if time is None else f"{time.astimezone(UTC):%Y-%m-%d %H:%M}"


def run_row(run: RunResource) -> dict[str, Any]:
    """State, counts, front and hypervolume of a run."""
    return run.model_dump(exclude={"id"})


def emit_runs(runs: Sequence[RunResource], kind: Format, title: str) -> None:
    """Print one row per run; a table leaves the owner out and what a run has to say below."""
    rows = [run_row(run) for run in runs]
    if kind != "table":
        emit(rows, kind)
        return
    left_out = set(_BELOW_THE_TABLE)
    if len({run.layout for run in runs}) > 1:
        left_out.add("hypervolume")  # each run has a point of its own; `study compare` has one for all
    emit([{name: row[name] for name in row if name not in left_out} for row in rows], kind, title)
    for run in runs:
        if run.message and (run.state != "done" or run.reasons):
            say(f"{run.layout}, seed {run.seed}: {run.message}")
        for reason in run.reasons:
            say(f"  {reason}")
        for warning in run.warnings:
            say(f"warning, {run.layout}, seed {run.seed}: {warning}")


def front_row(design: FrontDesignResource, metrics: Iterable[str]) -> dict[str, Any]:
    """A design of a front with these of its metrics."""
    seeds = " ".join(str(seed) for seed in design.seeds)
    named = {name: design.metrics.get(name) for name in metrics}
    return {"key": design.key, "layout": design.layout, "seeds": seeds, **design.variables, **named}


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


def comparison_json(comparison: ComparisonResource) -> dict[str, Any]:
    """The whole comparison as plain values."""
    return comparison.model_dump(
        include={"study", "reference_point", "seed_hypervolumes", "criteria", "unequal"}
    )


def reference_text(comparison: ComparisonResource) -> str:
    """The point against which all hypervolumes of the comparison are measured."""
    units = dict(zip(comparison.objectives, comparison.units, strict=True))
    point = comparison.reference_point.items()
    return ", ".join(f"{name} = {quantity(value, units[name])}" for name, value in point)


def comparison_shown(comparison: ComparisonResource) -> list[Row]:
    """The same for people, each row in the unit that reads best."""
    layouts = {name for criterion in comparison.criteria for name in criterion.values}
    return [
        in_one_unit(row, [name for name in row if name in layouts]) for row in comparison_rows(comparison)
    ]


def front_shown(
    designs: Sequence[FrontDesignResource], model: ModelResource, asked: Sequence[str]
) -> list[Row]:
    """A front for people: readable units at the names, keys no longer than one needs."""
    units = {metric.metric: metric.unit for metric in model.metrics}
    paths = {path for design in designs for path in design.variables}
    units = {**{path: unit_in(model.parameters, path) for path in paths}, **units}
    return in_units([{**front_row(design, asked), "key": design.key[:10]} for design in designs], units)


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
