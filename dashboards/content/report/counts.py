"""Counts of designs and reasons of those that miss, provenance, and published numbers beside ours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dashboards.content.report.data import ReportData, RunData
from dashboards.content.tables import Cell, Table, listed, table
from dashboards.formatting import MISSING, counted, moment, number, percent, prose, quantity, scale_of
from models.contract import ReferenceCase
from models.parameter_names import words
from studies.comparison.conditions import ModelVersion
from studies.records import FAILED
from studies.store import Outcome
from studies.store.run_statistics import UNDEFINED

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
MOST_REASONS = 20
_VERDICTS = ("feasible", "infeasible", "constraint broken", "failed")
RULED_OUT = "ruled out on a rung"
"""Verdict on a design that was not evaluated in full."""
STATE_MARKS = {"done": "good", "failed": "bad", "diverged": "bad"}


def runs_table(report_data: ReportData) -> Table:
    """One row per run: state, effort and what came of it."""
    on_rungs = any(outcome.rung is not None for run in report_data.runs for outcome in run.outcomes)
    verdicts = [*_VERDICTS, *([RULED_OUT] if on_rungs else [])]
    rows = [_run_row(run, verdicts) for run in report_data.runs]
    head = ["run", "state", "generations", "asked", "computed", *verdicts, "front", "time"]
    return table("Runs", head, rows, range(2, len(head)))


def _run_row(item: RunData, verdicts: Sequence[str]) -> list[Cell | str]:
    run, last = item.run, item.generations[-1] if item.generations else None
    counts = Counter(_verdict(outcome) for outcome in item.outcomes)
    mark = STATE_MARKS.get(run.state, "unsure")
    numbers = [counts[name] for name in verdicts]
    seconds = sum(generation.seconds for generation in item.generations) if last else None
    return [
        f"{run.layout}, seed {run.seed}",
        Cell(run.state, run.message, mark),  # type: ignore[arg-type]
        str(len(item.generations)),
        str(len(item.outcomes)),
        str(last.computed if last else 0),
        *map(str, numbers),
        str(last.front_size if last else 0),
        MISSING if seconds is None else quantity(seconds, "s", 3),
    ]


def _verdict(outcome: Outcome) -> str:
    if outcome.rung is not None:
        return RULED_OUT
    if outcome.state != "done":
        return outcome.state
    if outcome.violation >= FAILED:
        return "failed"
    return "feasible" if outcome.violation == 0 else "constraint broken"


def reasons_table(report_data: ReportData) -> Table | None:
    """Reasons why designs are infeasible, failed or broke a constraint; None when all are feasible."""
    layouts = report_data.layouts
    counts: dict[tuple[str, str], Counter[str]] = {}
    examples: dict[tuple[str, str], str] = {}
    for run in report_data.runs:
        for outcome in run.outcomes:
            for verdict, reason in _reasons(report_data, run, outcome):
                group = (verdict, _NUMBER.sub("#", reason))
                counts.setdefault(group, Counter())[run.run.layout] += 1
                examples.setdefault(group, reason)
    if not counts:
        return None
    ordered = sorted(counts.items(), key=lambda item: -item[1].total())
    rows = [
        [Cell(prose(examples[group])), group[0], *(str(by_layout[layout]) for layout in layouts)]
        for group, by_layout in ordered[:MOST_REASONS]
    ]
    left = sum(by_layout.total() for _, by_layout in ordered[MOST_REASONS:])
    caption = "Why designs are not on a front" + (
        f" (and {counted(left, 'design')} with rarer reasons)" if left else ""
    )
    return table(caption, ["reason", "verdict", *layouts], rows, range(2, 2 + len(layouts)))


def _reasons(report_data: ReportData, run: RunData, outcome: Outcome) -> Iterable[tuple[str, str]]:
    if outcome.rung is not None:
        yield RULED_OUT, "a lower fidelity shows that it is not on the front, or breaks a constraint"
    elif outcome.state == "infeasible":
        yield "infeasible", outcome.reason
    elif outcome.state == "failed":
        yield "failed", f"{words(outcome.kind)}: {outcome.reason}"
    elif outcome.violation >= FAILED:
        yield "failed", f"non finite: {UNDEFINED}"
    elif outcome.violation > 0:
        problem = report_data.problems[run.run.layout]
        parameters, stored = report_data.broken[outcome.key]
        metrics = problem.goal_metrics(stored, parameters, outcome.point)
        for constraint in problem.constraints:
            if constraint.violation(metrics) > 0:
                yield "constraint broken", f"{words(constraint.metric)} outside its bounds"


def facts(report_data: ReportData, tautline: str) -> list[tuple[str, str]]:
    """The head of the report: (what, value); ``tautline`` is the version that writes it."""
    study, model = report_data.study, report_data.model
    ran = {str(_version(record)) for run in report_data.runs for record in run.provenance}
    seeds = len({run.run.seed for run in report_data.runs})
    return [
        ("state", study.state),
        ("back-end", f"{model.name}, version {' and '.join(sorted(ran)) or model.version}"),
        ("layouts", ", ".join(report_data.layouts)),
        ("evaluations", f"{number(float(report_data.asked), 7)}, {counted(seeds, 'seed')}"),
        ("stored", moment(study.created)),
        ("version", f"Tautline {tautline}"),
    ]


def totals(report_data: ReportData) -> list[tuple[str, str]]:
    """The headline numbers: (what, how many)."""
    keys = {outcome.key: outcome.seconds for run in report_data.runs for outcome in run.outcomes}
    seconds = sum(keys.values())
    feasible = sum(_verdict(outcome) == "feasible" for run in report_data.runs for outcome in run.outcomes)
    return [
        ("designs asked for", number(float(report_data.asked), 7)),
        ("different designs", number(float(len(keys)), 7)),
        ("feasible", number(float(feasible), 7)),
        ("time in the back-end", quantity(seconds, "s", 3)),
    ]


def provenance_table(report_data: ReportData) -> Table | None:
    """One row per fact, with all values that it took over the runs; None before any run started."""
    facts: dict[str, dict[str, None]] = {}
    for run in report_data.runs:
        for record in run.provenance:
            for name, value in _facts(record):
                facts.setdefault(name, {})[value] = None
    if not facts:
        return None
    rows = [(name, "; ".join(values)) for name, values in facts.items()]
    return table(
        "Versions and machine", ["what", "value"], [("study digest", report_data.study.digest), *rows]
    )


def _version(record: Mapping[str, Any]) -> ModelVersion:
    return ModelVersion(record["model_version"], record.get("model_digest", ""))


def _facts(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    git = record.get("git")
    source = "installed package"
    if git:
        source = git["commit"] + (" with local changes" if git["dirty"] else "")
    packages: Mapping[str, str] = record.get("packages", {})
    return [
        ("back-end", f"{record['model']} version {_version(record)}"),
        *([("search algorithm of", record["algorithm_package"])] if "algorithm_package" in record else []),
        ("source", source),
        ("packages", ", ".join(f"{name} {version}" for name, version in packages.items())),
        ("Python", str(record.get("python", ""))),
        (
            "machine",
            f"{record.get('machine', '')}, {record.get('processor', '')}, {record.get('cores', '?')} cores",
        ),
        ("started", moment(record["started"])),
    ]


def validation_table(name: str, cases: Sequence[ReferenceCase]) -> Table | None:
    """The reference cases of the back-end called ``name``; None when it states none."""
    if not cases:
        return None
    rows: list[list[Cell | str]] = []
    before: ReferenceCase | None = None
    for case in cases:
        source = "" if before and before.source == case.source else case.source
        remark = "as above" if before and case.remark and before.remark == case.remark else prose(case.remark)
        rows.append([Cell(case.name, source), *_numbers(case), remark])
        before = case
    head = ["case", "published", "ours", "difference", "agreement", "remark"]
    return table(f"Reference numbers and what {name} gives", head, rows, (1, 2, 3))


def agreement_text(cases: Sequence[ReferenceCase]) -> str:
    """Number of reference cases that agree, in a sentence."""
    verdicts = [case.agrees for case in cases]
    parts = [
        f"{verdicts.count(verdict)} {words}"
        for verdict, words in (
            (True, "agree within their tolerance"),
            (False, "differ by more than their tolerance"),
            (None, "are not expected to agree"),
        )
        if verdict in verdicts
    ]
    return f"Of {len(verdicts)} reference numbers, {listed(parts)}." if verdicts else ""


def _numbers(case: ReferenceCase) -> list[Cell | str]:
    scale = scale_of([case.published, case.obtained], case.unit)
    difference = percent(case.relative_error) if case.published else scale.show(case.relative_error)
    return [scale.show(case.published), scale.measured(case.obtained), difference, _agreement(case)]


def _agreement(case: ReferenceCase) -> Cell:
    if case.agrees is None:
        return Cell("not expected", mark="unsure")
    tolerance = f"tolerance {percent(case.tolerance or 0.0)}"
    return Cell("agrees", tolerance, "good") if case.agrees else Cell("differs", tolerance, "bad")
