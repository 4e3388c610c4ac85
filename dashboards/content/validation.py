"""Published numbers beside ours: why the back-end may be believed, and where it may not."""

from __future__ import annotations

from dashboards.content.tables import Cell, Table, table
from dashboards.formatting import percent, prose, scale_of
from models import Model
from models.contract import ReferenceCase


def validation_table(model: Model) -> Table | None:
    """The back-end's reference cases; None when it states none."""
    cases = model.reference_cases()
    if not cases:
        return None
    sources = {case.source for case in cases}
    shared = f" ({cases[0].source})" if len(sources) == 1 else ""
    rows: list[list[Cell | str]] = []
    before = ""
    for case in cases:
        remark = prose(case.remark)
        rows.append([*_numbers(case, shared), "as above" if remark and remark == before else remark])
        before = remark
    head = ["case", "published", "ours", "difference", "agreement", "remark"]
    return table(f"Published numbers{shared} and what {model.name} gives", head, rows, (1, 2, 3))


def _numbers(case: ReferenceCase, shared: str) -> list[Cell | str]:
    scale = scale_of([case.published, case.obtained], case.unit)
    difference = percent(case.relative_error) if case.published else scale.show(case.relative_error)
    name = Cell(case.name, "" if shared else case.source)
    return [name, scale.show(case.published), scale.measured(case.obtained), difference, _agreement(case)]


def _agreement(case: ReferenceCase) -> Cell:
    if case.agrees is None:
        return Cell("not expected", "see the remark", "unsure")
    tolerance = f"within {percent(case.tolerance or 0.0)} asked for"
    return Cell("agrees", tolerance, "good") if case.agrees else Cell("differs", tolerance, "bad")
