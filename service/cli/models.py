"""``tautline models``: what can be evaluated, and how it was checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.formatting import unit_text
from service.cli.connect import one_model, operations_without_store
from service.cli.options import FormatOption, OwnModelOption, ServerOption
from service.cli.output import Row, emit, emit_json, say
from service.cli.units import in_one_unit

if TYPE_CHECKING:
    from service.resources.models import ModelResource, ReferenceCaseResource

app = typer.Typer(
    help="Physics back-ends: list, describe, check against published numbers.", no_args_is_help=True
)

ModelArgument = Annotated[
    str | None, typer.Argument(metavar="[MODEL]", help="Name as in `tautline models list`; or give --model.")
]


@app.command("list")
def list_models(server: ServerOption = None, format: FormatOption = "table") -> None:
    """List the installed back-ends."""
    with operations_without_store(server) as ops:
        found = ops.models.list().items
    hidden = {"test_problem"} if format == "json" else {"test_problem", "fault"}
    shown = found if format == "json" else [model for model in found if not model.fault]
    emit([model.model_dump(exclude=hidden) for model in shown], format)
    for model in found:
        if model.fault:
            say(f"warning: {model.fault}")


@app.command()
def show(
    model: ModelArgument = None,
    own_model: OwnModelOption = None,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Describe a back-end. Shows parameters with units and bounds, presets, metrics."""
    with operations_without_store(server) as ops:
        found = ops.models.get(one_model(model, own_model))
    if format == "json":
        emit_json(_whole(found))
    elif format == "csv":
        emit(_parameters(found), format)
    else:
        _show_tables(found)


def _whole(found: ModelResource) -> dict[str, Any]:
    return {
        "model": found.model,
        "version": found.version,
        "presets": [preset.model_dump() for preset in found.presets],
        "metrics": _metrics(found),
        "summary": found.summary,
        "source": found.source,
        "parameters": found.parameters,
        "stochastic": found.stochastic,
    }


def _metrics(found: ModelResource) -> list[Row]:
    return [
        {
            "metric": m.metric,
            "unit": m.unit,
            "better": m.better,
            "cost class": m.cost_class,
            "meaning": m.meaning,
            "caution": m.caution,
            "jumps": m.jumps,
        }
        for m in found.metrics
    ]


def _parameters(found: ModelResource) -> list[Row]:
    return [_parameter(name, field) for name, field in found.parameters["properties"].items()]


def _show_tables(found: ModelResource) -> None:
    say(f"{found.model} (version {found.version}): {found.summary}\nSource: {found.source}\n")
    rows = [{**row, "unit": _unit_shown(row["unit"])} for row in _parameters(found)]
    emit(rows, "table", "Parameters")
    emit([preset.model_dump() for preset in found.presets], "table", "Presets")
    errors = {m.error for m in found.metrics}
    rows = [row for row in _metrics(found) if row["metric"] not in errors]
    _show_metrics([{**row, "unit": unit_text(row["unit"])} for row in rows])
    if errors - {""}:
        say("The numerical error of a metric is a metric of its own: " + ", ".join(sorted(errors - {""})))


def _show_metrics(metrics: Sequence[Row]) -> None:
    """A table per cost class, so that the meaning of each metric has room in a narrow terminal."""
    for classes in dict.fromkeys(tuple(row["cost class"]) for row in metrics):
        rows = [
            {
                "metric": row["metric"],
                "unit": row["unit"],
                "better": row["better"],
                "description": _described(row),
            }
            for row in metrics
            if tuple(row["cost class"]) == classes
        ]
        emit(rows, "table", f"Metrics of cost class {', '.join(classes)}")


def _described(row: Row) -> str:
    """Meaning of a metric, where it jumps, and the caution to one number of it."""
    jumps = f". Jumps where {row['jumps']}" if row["jumps"] else ""
    caution = f". Caution: {row['caution']}" if row["caution"] else ""
    return f"{row['meaning']}{jumps}{caution}"


def _unit_shown(unit: str | list[str]) -> str:
    """The unit of a bare number in a study file, or one for each item of a list."""
    return unit_text(unit) if isinstance(unit, str) else ", ".join(map(unit_text, unit))


def _parameter(name: str, field: dict[str, Any]) -> Row:
    kinds: list[dict[str, Any]] = field.get("anyOf", [field])
    bounds = [
        f"{sign} {kind[key]:g}"
        for kind in kinds
        for key, sign in (
            ("minimum", ">="),
            ("exclusiveMinimum", ">"),
            ("maximum", "<="),
            ("exclusiveMaximum", "<"),
        )
        if key in kind
    ]
    options = [str(option) for kind in kinds for option in kind.get("enum", [])]
    options += ["true", "false"] if any(kind.get("type") == "boolean" for kind in kinds) else []
    return {
        "parameter": name,
        "unit": field.get("unit", ""),
        "default": field.get("default"),
        "allowed": ", ".join(bounds + options),
        "varies": "no (numerical)" if field.get("numerical") else "yes",
        "description": field.get("description", ""),
    }


@app.command()
def check(
    model: Annotated[
        str | None, typer.Argument(metavar="[MODEL]", help="All back-ends if not given.")
    ] = None,
    own_model: OwnModelOption = None,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Compute the published reference cases. Shows them next to the printed numbers.

    Of a model of your own, also designs at the ends of the bounds of its parameters: none may raise.
    """
    rows: list[Row] = []
    model = None if model is None and own_model is None else one_model(model, own_model)
    with operations_without_store(server) as ops:
        found = ops.models.list().items if model is None else []
        broken = [each.fault for each in found if each.fault]
        for name in [ops.models.get(model).model] if model else [m.model for m in found if not m.fault]:
            say(f"checking {name}")
            rows += [_case(case) for case in ops.models.check(name).items]
    faults = _faults_of_own(own_model) if own_model is not None else []
    shown = [in_one_unit(row, ["published", "obtained"]) for row in rows] if format == "table" else rows
    if shown or own_model is None:
        emit(shown, format)
    for fault in (*broken, *faults):
        say(f"warning: {fault}")
    if broken or faults or any(row["agrees"] == "no" for row in rows):
        raise typer.Exit(1)


def _faults_of_own(name: str) -> list[str]:
    """Faults of a model of the user's own; the number of tried designs goes to stderr."""
    from models import load
    from models.conformance import boundary_designs, boundary_faults, repetition_fault
    from models.model_output import printing_to_stderr

    model = load(name)
    with printing_to_stderr():
        faults = [fault for fault in (repetition_fault(model), *boundary_faults(model)) if fault]
    tried = len(list(boundary_designs(model)))
    say(f"computed {tried} designs at the ends of the bounds of its parameters: {len(faults)} faults")
    return faults


def _case(case: ReferenceCaseResource) -> Row:
    return {
        "model": case.model,
        "case": case.case,
        "unit": case.unit,
        "published": case.published,
        "obtained": case.obtained,
        "relative error": case.relative_error,
        "tolerance": case.tolerance,
        "agrees": {True: "yes", False: "no", None: "not expected"}[case.agrees],
        "source": case.source,
        "remark": case.remark,
    }
