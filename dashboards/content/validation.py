"""Published numbers beside ours: why the back-end may be believed, and where it may not."""

from __future__ import annotations

from dashboards.content.tables import Cell, Table, table
from dashboards.formatting import percent, scale_of
from models import Model
from models.contract import ReferenceCase


def validation_table(model: Model) -> Table | None:
    """The back-end's reference cases; None when it states none."""
    cases = model.reference_cases()
    if not cases:
        return None
    head = ["case", "published", "ours", "difference", "agreement", "source", "remark"]
    return table(f"Published numbers and what {model.name} gives", head, map(_row, cases), (1, 2, 3))


def _row(case: ReferenceCase) -> list[Cell | str]:
    scale = scale_of([case.published, case.obtained], case.unit)
    ours = scale.show(case.obtained)
    difference = percent(case.relative_error) if case.published else scale.show(case.relative_error)
    return [
        case.name, scale.show(case.published), ours, difference, _agreement(case), case.source, case.remark,
    ]  # fmt: skip


def _agreement(case: ReferenceCase) -> Cell:
    if case.agrees is None:
        return Cell("not expected", "see the remark", "unsure")
    tolerance = f"within {percent(case.tolerance or 0.0)} asked for"
    return Cell("agrees", tolerance, "good") if case.agrees else Cell("differs", tolerance, "bad")
