"""Published numbers and ours: where the back-end can be trusted, and where not."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.content.tables import Cell, Table, listed, table
from dashboards.formatting import percent, prose, scale_of
from models.contract import ReferenceCase


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
