"""Stars, tags and notes of people on a study and its designs, as a section of its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboards.content.front.sheet import rule_text
from dashboards.content.report.data import ReportData
from dashboards.content.tables import Cell, Table, listed, table
from dashboards.formatting import MISSING, heading, moment, scale_of
from studies.decision_records import DecisionRecord
from studies.execution.evaluation_key import short_key
from studies.records import AnnotationRecord

STAR = "\N{BLACK STAR}"


@dataclass(frozen=True, slots=True)
class AnnotationSection:
    """Words on the study itself, marked designs, and notes; each may be empty."""

    of_study: str
    designs: Table | None
    notes: Table | None


def annotation_section(report_data: ReportData) -> AnnotationSection | None:
    """The section of a report; None where nobody wrote anything."""
    found = report_data.annotations
    if not found:
        return None
    return AnnotationSection(_of_study(found), _designs_table(report_data), _notes_table(found))


def _of_study(found: Sequence[AnnotationRecord]) -> str:
    own = [one for one in found if not one.key]
    tags = [f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}" for text in _tags(own)]
    parts = [
        f"The study is tagged {listed(tags)}." if tags else "",
        "The study itself is a favourite." if _is_favourite(own) else "",
    ]
    return " ".join(part for part in parts if part)


def _designs_table(report_data: ReportData) -> Table | None:
    """Designs with a star or a tag in the order in which they were marked, with their objectives."""
    marked = [one for one in report_data.annotations if one.key and one.kind != "note"]
    if not marked:
        return None
    keys = list(dict.fromkeys(one.key for one in marked))
    places, metrics = _places(report_data), _metrics(report_data)
    columns: list[tuple[str, list[str]]] = []
    for name in report_data.comparison.objectives:
        unit = next((metric.unit for metric in report_data.model.metrics if metric.name == name), "")
        values = [metrics.get(key, {}).get(name) for key in keys]
        scale = scale_of(values, unit)
        columns.append((heading(name, scale.unit), [scale.bare(value) for value in values]))
    rows: list[list[Cell | str]] = []
    for number, key in enumerate(keys):
        own = [one for one in marked if one.key == key]
        star = STAR if _is_favourite(own) else ""
        where = places.get(key, "not on a front")
        values = [cells[number] for _, cells in columns]
        rows.append([short_key(key), star, ", ".join(_tags(own)), where, *values])
    head = ["design", "favourite", "tags", "front", *(title for title, _ in columns)]
    return table("Marked designs", head, rows, range(4, len(head)))


def _notes_table(found: Sequence[AnnotationRecord]) -> Table | None:
    notes = [one for one in found if one.kind == "note"]
    if not notes:
        return None
    authored = any(one.author for one in notes)  # nobody has a name where there are no accounts
    rows = [
        [
            short_key(one.key) or "the study",
            one.text,
            *([one.author or MISSING] if authored else []),
            Cell(moment(one.created), f"changed {moment(one.changed)}" if one.changed != one.created else ""),
        ]
        for one in notes
    ]
    return table("Notes", ["about", "note", *(["author"] if authored else []), "written"], rows)


def _tags(found: Sequence[AnnotationRecord]) -> list[str]:
    return [one.text for one in found if one.kind == "tag"]


def _is_favourite(found: Sequence[AnnotationRecord]) -> bool:
    return any(one.kind == "favourite" for one in found)


def _places(report_data: ReportData) -> dict[str, str]:
    """Layouts on whose fronts a design stands, by key."""
    found: dict[str, list[str]] = {}
    for layout, front in report_data.comparison.fronts.items():
        for design in front:
            found.setdefault(design.key, []).append(layout)
    return {key: ", ".join(layouts) for key, layouts in found.items()}


def _metrics(report_data: ReportData) -> dict[str, Mapping[str, float | None]]:
    """Metrics of a design by key, derived quantities among them where it stands on a front."""
    found = {key: record.metrics for key, record in report_data.evaluations.items()}
    fronts = report_data.comparison.fronts.values()
    return {**found, **{design.key: design.metrics for front in fronts for design in front}}


def decisions_table(report_data: ReportData) -> Table | None:
    """Each decision about the study, the one that stands first; None where nobody decided."""
    found = report_data.decisions
    if not found:
        return None
    several = len(report_data.layouts) > 1
    rows = [
        [
            Cell(f"Decision {one.number}", _standing(one, found)),
            Cell(short_key(one.key), one.layout if several else ""),
            Cell(moment(one.created), f"by {one.author}" if one.author else ""),
            rule_text(report_data, one),
            one.reason,
        ]
        for one in found
    ]
    return table("Decisions about this study", ["decision", "design", "made", "rule", "why"], rows)


def _standing(one: DecisionRecord, every: Sequence[DecisionRecord]) -> str:
    """``stands; replaces decision 1``."""
    place = "stands" if one == every[0] else f"replaced by decision {one.number + 1}"
    return place if one.replaces is None else f"{place}; replaces decision {one.replaces}"
