"""``tautline models``: what can be evaluated, and how it was checked."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from service.cli.options import FormatOption
from service.cli.output import Row, emit, emit_json, say

app = typer.Typer(
    help="Physics back-ends: list, describe, check against published numbers.", no_args_is_help=True
)

ModelArgument = Annotated[str, typer.Argument(metavar="MODEL", help="Name as in `tautline models list`.")]


@app.command("list")
def list_models(format: FormatOption = "table") -> None:  # noqa: A002
    """List the installed back-ends."""
    from models import load, names

    rows = [_summary(load(name)) for name in names()]
    emit(rows, format)


def _summary(model: Any) -> Row:
    return {
        "model": model.name,
        "version": model.version,
        "presets": list(model.presets),
        "metrics": len(model.metrics),
        "summary": model.summary,
    }


@app.command()
def show(model: ModelArgument, format: FormatOption = "table") -> None:  # noqa: A002
    """Describe a back-end: parameters with units and bounds, presets, metrics."""
    from models import load

    found = load(model)
    schema = found.parameters.model_json_schema()
    metrics = [
        {
            "metric": m.name,
            "unit": m.unit,
            "better": m.sense,
            "cost class": list(m.cost_classes),
            "meaning": m.meaning,
        }
        for m in found.metrics
    ]
    presets = [
        {"preset": name, "settings": dict(p.settings), "description": p.description, "source": p.source}
        for name, p in found.presets.items()
    ]
    if format == "json":
        emit_json(
            {
                **_summary(found),
                "source": found.source,
                "parameters": schema,
                "presets": presets,
                "metrics": metrics,
            }
        )
        return
    if format == "table":
        say(f"{found.name} (version {found.version}): {found.summary}\nSource: {found.source}\n")
    emit([_parameter(name, field) for name, field in schema["properties"].items()], format, "Parameters")
    if format == "table":
        emit(presets, format, "Presets")
        emit(metrics, format, "Metrics")


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
    return {
        "parameter": name,
        "unit": field.get("unit", ""),
        "default": field.get("default"),
        "allowed": ", ".join(bounds + options),
        "description": field.get("description", ""),
    }


@app.command()
def check(
    model: Annotated[
        str | None, typer.Argument(metavar="[MODEL]", help="All back-ends if not given.")
    ] = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Compute the published reference cases and show them beside the printed numbers."""
    from models import load, names

    chosen = [load(name) for name in (names() if model is None else [model])]
    rows: list[Row] = []
    for found in chosen:
        say(f"checking {found.name}")
        rows += [_case(found.name, case) for case in found.reference_cases()]
    emit(rows, format)
    if any(row["agrees"] == "no" for row in rows):
        raise typer.Exit(1)


def _case(model: str, case: Any) -> Row:
    verdict = {True: "yes", False: "no", None: "not expected"}[case.agrees]
    return {
        "model": model,
        "case": case.name,
        "unit": case.unit,
        "published": case.published,
        "obtained": case.obtained,
        "relative error": case.relative_error,
        "tolerance": case.tolerance,
        "agrees": verdict,
        "source": case.source,
        "remark": case.remark,
    }
