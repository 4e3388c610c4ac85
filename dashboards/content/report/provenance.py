"""Provenance of a study: versions, commits, machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboards.content.report.data import ReportData
from dashboards.content.tables import Table, table
from dashboards.formatting import moment
from studies.comparison.conditions import ModelVersion


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
