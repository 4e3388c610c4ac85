"""``tautline study rank``, ``decide``, ``decisions`` and ``sheet``: from a front to one design."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errors import InputError
from service.cli.connect import operations, request
from service.cli.options import (
    DEFAULT_STORE,
    FormatOption,
    LayoutOption,
    NameArgument,
    OwnModelOption,
    ServerOption,
    StoreOption,
    TopOption,
)
from service.cli.output import Format, Row, emit, emit_json, say
from service.cli.review import write_file
from service.cli.units import in_units
from studies.decision_records import DecisionRule
from studies.execution.evaluation_key import short_key

if TYPE_CHECKING:
    from service.app.services import Services
    from service.resources.decisions import CandidateResource, DecisionResource, RankingResource

RuleOption = Annotated[
    DecisionRule, typer.Option("--rule", help="How the designs are ordered; see the documentation.")
]
WeightsOption = Annotated[
    list[str],
    typer.Option(
        "--weight", metavar="NAME=NUMBER", help="How much an objective counts; one option for each of them."
    ),
]
AspirationsOption = Annotated[
    list[str],
    typer.Option("--aspiration", metavar="NAME=LEVEL", help='A level that is good enough, such as "F2=0.3".'),
]
FiltersOption = Annotated[
    list[str],
    typer.Option(
        "--filter", metavar="BOUND", help='What is allowed of a metric or variable: "total_mass <= 8 kg".'
    ),
]
_FILTER = re.compile(r"(?P<name>[^<>=\s]+)\s*(?P<sign><=|>=)(?P<bound>[^<>=]+)")


def preferences(
    rule: str, weights: Sequence[str], aspirations: Sequence[str], filters: Sequence[str], layout: str | None
) -> dict[str, Any]:
    """Build the request from the options; raises ``InputError`` for an option that cannot be read."""
    return {
        "rule": rule,
        "weights": {name: _number(text, name) for name, text in _pairs(weights, "weights").items()},
        "aspirations": {
            name: _plain(text) for name, text in _pairs(aspirations, "aspirations").items()
        },
        "filters": _filters(filters),
        "layout": layout,
    }  # fmt: skip


def _pairs(texts: Sequence[str], place: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise InputError(f"'{text}' is not NAME=VALUE, such as F2=0.3", (place,))
        if name in found:
            raise InputError(f"{name} is given twice", (place,))
        found[name] = value
    return found


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"'{text}' is not a number", ("weights", name)) from None


def _plain(text: str) -> float | str:
    """A bare number is SI; anything else is text with a unit, which is checked where it is used."""
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def _filters(texts: Sequence[str]) -> dict[str, dict[str, float | str]]:
    found: dict[str, dict[str, float | str]] = {}
    for text in texts:
        match = _FILTER.fullmatch(text.strip())
        if match is None or not match["bound"].strip():
            raise InputError(
                f'\'{text}\' is not a bound, such as "total_mass <= 8 kg" or "margin >= 2 mm"', ("filters",)
            )
        side = "upper" if match["sign"] == "<=" else "lower"
        if side in found.setdefault(match["name"], {}):
            raise InputError(f"{match['name']} has two bounds with {match['sign']}", ("filters",))
        found[match["name"]][side] = _plain(match["bound"].strip())
    return found


def rank(
    name: NameArgument,
    rule: RuleOption = "topsis",
    weights: WeightsOption = [],
    aspirations: AspirationsOption = [],
    filters: FiltersOption = [],
    layout: LayoutOption = None,
    top: TopOption = None,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Order the designs of all fronts by a decision rule. Nothing is stored."""
    from service.resources.decisions import PreferencesRequest

    wanted = request(PreferencesRequest, preferences(rule, weights, aspirations, filters, layout))
    with operations(store, server) as ops:
        found = ops.decisions.rank(name, wanted)
        units = _units(ops, name)
    shown = found.candidates[:top]
    if format == "json":
        emit_json(found.model_copy(update={"candidates": shown}).model_dump(mode="json"))
        return
    for text in _remarks(found):
        say(text)
    rows = [_candidate_row(one, format) for one in shown]
    emit(in_units(rows, units) if format == "table" else rows, format, _title(found))


def _units(ops: Services, name: str) -> dict[str, str]:
    return {metric.metric: metric.unit for metric in ops.studies.quantities(name).metrics}


def _candidate_row(one: CandidateResource, format: Format) -> Row:
    key = short_key(one.key) if format == "table" else one.key
    return {"rank": one.rank, "score": one.score, "layout": one.layout, **one.objectives, "key": key}


def _decision_row(one: DecisionResource, format: Format) -> Row:
    return {
        "decision": one.number,
        "design": short_key(one.key) if format == "table" else one.key,
        "layout": one.layout,
        "rule": one.preferences.rule,
        "rank": next((each.rank for each in one.candidates if each.key == one.key), None),
        "candidates": len(one.candidates),
        "reason": one.reason,
        "author": one.author,
        "created": one.created,
    }


def _title(found: RankingResource) -> str:
    if found.rule is None:
        return f"{found.study}: candidates, not ranked"
    sense = "greater" if found.rule.better == "maximize" else "smaller"
    return f"{found.study} by {found.rule.label}; score: {found.rule.score}, {sense} is better"


def _remarks(found: RankingResource) -> list[str]:
    texts = [(found.filtered, "do not pass the filters"), (found.dominated, "are dominated by another one")]
    return [f"{count} designs of the fronts {text}" for count, text in texts if count]


def decide(
    name: NameArgument,
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="Key of the chosen design, or its first characters.")
    ],
    reason: Annotated[str, typer.Option("--why", metavar="TEXT", help="Why this design, in a sentence.")],
    rule: RuleOption = "judgement",
    weights: WeightsOption = [],
    aspirations: AspirationsOption = [],
    filters: FiltersOption = [],
    layout: LayoutOption = None,
    chosen_layout: Annotated[
        str | None,
        typer.Option("--of", metavar="LAYOUT", help="Where several layouts have this very design."),
    ] = None,
    replaces: Annotated[
        int | None, typer.Option("--replace", min=1, metavar="N", help="Number of the decision that stands.")
    ] = None,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """Record which design is chosen, and why. Earlier decisions are kept."""
    from service.resources.decisions import DecisionRequest

    given = {
        **preferences(rule, weights, aspirations, filters, layout),
        "key": key, "reason": reason, "chosen_layout": chosen_layout, "replaces": replaces,
    }  # fmt: skip
    with operations(store, server) as ops:
        made = ops.decisions.add(name, request(DecisionRequest, given))
    if format != "table":
        emit([_decision_row(made, format)], format)
        return
    beaten = _beaten(made.candidates, made.key)
    say(f"decision {made.number} of '{name}': design {short_key(made.key)} of {made.layout}{beaten}")
    say(f"`tautline study sheet {name} --decision {made.number}` writes its sheet")


def _beaten(candidates: Sequence[CandidateResource], key: str) -> str:
    others = sum(one.key != key for one in candidates)
    place = next((one.rank for one in candidates if one.key == key), None)
    ranked = "" if place is None else f", number {place} of the ranking"
    return f"{ranked}, chosen from {others + 1} candidates" if others else ranked


def decisions(
    name: NameArgument,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    format: FormatOption = "table",
) -> None:
    """List the decisions about a study. The first one stands, and it has replaced the others."""
    with operations(store, server) as ops:
        found = ops.decisions.list(name).items
    if format == "json":
        emit_json([one.model_dump(mode="json") for one in found])
        return
    if not found:
        say(f"nothing is decided; `tautline study decide {name} KEY --why ...` does it")
    emit([_decision_row(one, format) for one in found], format)


def sheet(
    name: NameArgument,
    key: Annotated[
        str, typer.Argument(metavar="[KEY]", help="Key of a design; the chosen one if not given.")
    ] = "",
    number: Annotated[
        int | None,
        typer.Option("--decision", min=1, metavar="N", help="Number of a decision, also of a replaced one."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", help="File; if not given, NAME-sheet.html, NAME-KEY.html or NAME-decision-N.html."
        ),
    ] = None,
    own_model: OwnModelOption = None,  # noqa: ARG001 - its callback loads it
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
) -> None:
    """Write one printed page about a decision and the design that it chose.

    It is a page of HTML that fits a sheet of A4. Without KEY and --decision, it is of the one that stands.
    """
    from service.resources.decisions import sheet_file

    with operations(store, server) as ops:
        content = ops.decisions.sheet(name, key, number).encode()
    path = output or Path(sheet_file(name, number, key))
    write_file(path, [content])
    say(f"wrote {path}")
